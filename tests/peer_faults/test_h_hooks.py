"""Faults of hooks: waiting, calling out, and needing a server that is not there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

_WATCHED = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "subprocess.Popen", "os.exec", "os.fork"):
        raise RuntimeError(event)
sys.addaudithook(refuse)
from shadowgraph.hosts.process import main
main(sys.argv[1:])
"""


def _hook(*arguments: str, payload: object, home: Path) -> str:
    """Run a hook that may neither start a process nor open a connection."""
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, *arguments, "--home", str(home)],
        input=json.dumps(payload),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert not (home / "hooks.log").exists()
    return done.stdout


FAILED = {
    "tool_name": "Bash",
    "tool_input": {"command": "npm ci"},
    "error": "Exit code 1\nnpm ERR! code EACCES",
}


def test_h06_a_hook_starts_no_process_and_calls_nobody(tmp_path: Path) -> None:
    """Neither the network nor a daemon nor git: nothing that could be slow."""
    project = ("--project", "acme/shop")
    _hook("post-tool-use-failure", *project, payload=FAILED, home=tmp_path)

    told = _hook("session-start", *project, payload={"source": "startup"}, home=tmp_path)

    assert "npm ci" in told


@pytest.mark.parametrize("event", ["session-start", "user-prompt", "pre-tool-use"])
def test_h07_a_hook_that_waits_gives_up(event: str, tmp_path: Path) -> None:
    """It ends with 0 at its own deadline and says nothing."""
    (tmp_path / "hooks.toml").write_text("deadline = 0.2\n", encoding="utf-8")
    command = [sys.executable, "-m", "shadowgraph", "hook", event, "--home", str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        status = process.wait(timeout=60)
        told = process.stdout.read() if process.stdout else b""

    assert (0, b"") == (status, told)


def test_h10_a_hook_needs_no_server(tmp_path: Path) -> None:
    """It opens the store itself."""
    project = ("--project", "acme/shop")
    _hook("post-tool-use-failure", *project, payload=FAILED, home=tmp_path)

    told = _hook("pre-tool-use", *project, payload=FAILED, home=tmp_path)

    assert "EACCES" in told
