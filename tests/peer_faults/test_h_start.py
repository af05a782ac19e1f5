"""Group H: large replies, the start of a server and its end."""

import json
import select
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from tests.peer_faults.asking import Ask, note
from tests.server.conftest import Wire
from tests.server.test_process import HOST, SERVER

Serve = Callable[..., Wire]
ROOT = Path(__file__).parents[2]


def test_h01_a_reply_is_cut_long_before_it_is_a_burden(ask: Ask) -> None:
    """The cut is told, though the client gets the content twice."""
    for number in range(20):
        note(ask, f"quicksilver {number} {'long text ' * 2000}")

    reply = ask("search", query="quicksilver", limit=100, detail="full")

    assert len(json.dumps(reply)) < 100_000
    assert 0 < len(reply["items"]) < 20
    assert 20 - len(reply["items"]) == reply["completeness"]["omitted"]


def test_h02_initialize_is_answered_before_anything_is_opened(
    serve: Serve, tmp_path: Path
) -> None:
    """A home that cannot be opened at all does not delay it."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x", encoding="utf-8")

    assert serve("--home", str(in_the_way)).hello()["serverInfo"]


def test_h04_few_packages_are_needed_to_run() -> None:
    """A first start downloads only what an answer needs, and no model."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert len(project["project"]["dependencies"]) <= 10


def test_h05_no_command_but_serve_loads_the_protocol() -> None:
    """A help text, a version and a search are there at once."""
    program = (
        "import sys\nfrom shadowgraph.cli.main import run\n"
        "try:\n    run(['stats'])\nexcept SystemExit:\n    pass\n"
        "sys.exit('mcp' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout + done.stderr


def test_h09_a_server_ends_with_its_input(wire: Wire) -> None:
    """Quietly."""
    wire.reply("projects")

    assert 0 == wire.end()


def test_h09_a_server_ends_with_its_parent(tmp_path: Path) -> None:
    """Though its input is held open by somebody else."""
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert host.stdout is not None
    assert host.stdin is not None
    try:
        assert b"loading\n" == host.stdout.readline()
        host.kill()
        host.wait(timeout=30)
        # The pipe ends when the last process that may write to it has ended.
        ready, _, _ = select.select([host.stdout], [], [], 30)
        assert ready
        assert b"" == host.stdout.read()
    finally:
        host.kill()
        host.stdin.close()
        host.stdout.close()


def test_h12_nothing_is_read_of_the_project_before_the_transport_is_up(
    serve: Serve, tmp_path: Path
) -> None:
    """A repository whose files cannot be read changes nothing about the start."""
    git = tmp_path / "work" / ".git"
    git.mkdir(parents=True)
    (git / "config").write_bytes(b"\xff\xfe garbage")
    wire = serve(cwd=git.parent)

    assert wire.hello()["serverInfo"]
    assert "work" == wire.reply("projects")["current"]


def test_h13_servers_that_nobody_calls_cost_the_home_nothing(
    serve: Serve, tmp_path: Path
) -> None:
    """Three of them touch no file and hold no lock while a fourth works."""
    idle = [serve("--project", "acme/idle") for _ in range(3)]
    for one in idle:
        one.hello()
        one.ask("tools/list")
    assert not (tmp_path / "home").exists()

    busy = serve("--project", "acme/busy")
    busy.hello()
    busy.reply("record_attempt", solution="quicksilver", result="crashed")
    assert 1 == busy.reply("search", query="quicksilver")["page"]["total"]
    assert [0, 0, 0] == [one.end() for one in idle]
