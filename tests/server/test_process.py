"""The server as a process: its lines, its start and its end."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import HELLO, Wire

Serve = Callable[..., Wire]
SERVER = """
import sys
from shadowgraph.cli.main import run

class Watching:
    def find_spec(self, name, path=None, target=None):
        if name in ("mcp", "mcp_types"):
            sys.meta_path.remove(self)
            print("loading", flush=True)

sys.meta_path.insert(0, Watching())
run(["serve"])
"""
"A server that says when it begins to load the SDK, which takes it a second."
HOST = """
import signal, subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1]], stderr=subprocess.DEVNULL)
signal.pause()
"""
"A host that starts a server with its own input and output, and waits to be killed."


def test_arguments_of_null_are_no_arguments(wire: Wire) -> None:
    """Some clients send the member and no object."""
    result = wire.ask("tools/call", name="shadowgraph_projects", arguments=None)["result"]

    assert "acme/wire" == result["structuredContent"]["current"]


def test_initialize_is_answered_before_the_store_is_opened(
    serve: Serve, tmp_path: Path
) -> None:
    """A home that cannot be used does not keep a client from connecting."""
    in_the_way = tmp_path / "in-the-way"
    in_the_way.write_text("a file", encoding="utf-8")
    wire = serve("--home", str(in_the_way))

    assert "shadowgraph" == wire.hello()["serverInfo"]["name"]
    assert wire.ask("tools/list")["result"]["tools"]


def test_the_first_call_on_an_unusable_home_says_what_to_do(
    serve: Serve, tmp_path: Path
) -> None:
    """And so does the second: nothing was remembered half open."""
    in_the_way = tmp_path / "in-the-way"
    in_the_way.write_text("a file", encoding="utf-8")
    wire = serve("--home", str(in_the_way))
    wire.hello()

    for _ in range(2):
        result = wire.call("search", query="x")
        assert result["isError"] is True
        assert "home-not-writable" in result["content"][0]["text"]
        assert "--home" in result["content"][0]["text"]


def test_no_file_is_touched_before_the_first_call(serve: Serve, tmp_path: Path) -> None:
    """A client that only lists tools leaves nothing behind."""
    wire = serve("--home", str(tmp_path / "untouched"))
    wire.hello()
    wire.ask("tools/list")

    assert not (tmp_path / "untouched").exists()


def test_every_line_on_stdout_is_protocol_even_when_something_is_logged(
    wire: Wire, tmp_path: Path
) -> None:
    """A damaged index is logged to stderr and told in the reply."""
    wire.reply("record_attempt", solution="before the damage", result="crashed")
    wire.reply("search", query="damage")
    for file in (tmp_path / "home" / "index").rglob("CURRENT*"):
        file.write_bytes(b"\x00garbage")
    reply = wire.reply("search", query="damage")
    wire.end()

    assert 1 == reply["page"]["total"]
    assert reply["completeness"]["notices"]
    assert "shadowgraph" in wire.log.read_text(encoding="utf-8")
    assert wire.process.stdout is not None
    for line in [*wire.lines, *wire.process.stdout]:
        assert "2.0" == json.loads(line)["jsonrpc"]


def test_a_line_that_is_no_json_does_not_end_the_server(wire: Wire) -> None:
    """The next request is answered."""
    assert wire.process.stdin is not None
    wire.process.stdin.write("this is no message\n")
    wire.process.stdin.flush()

    assert "acme/wire" == wire.reply("projects")["current"]


def test_the_server_ends_with_its_input(wire: Wire) -> None:
    """Quietly, after what it was doing."""
    wire.reply("record_fact", key="k", value=1)

    assert 0 == wire.end()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="parents do not adopt here")
@pytest.mark.parametrize("greeted", [True, False])
def test_the_server_ends_when_its_parent_is_gone(greeted: bool, tmp_path: Path) -> None:
    """Though its input stays open, and be it while the server is still starting."""
    read_end, write_end = os.pipe()
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, SERVER],
        stdin=read_end,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    os.close(read_end)
    assert host.stdout is not None
    try:
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        assert b"loading\n" == host.stdout.readline()
        if greeted:
            os.write(write_end, json.dumps(hello).encode() + b"\n")
            assert 1 == json.loads(host.stdout.readline())["id"]
        host.kill()
        host.wait(timeout=30)
        # The pipe ends when the last process that may write to it has ended.
        ready, _, _ = select.select([host.stdout], [], [], 30)
        assert ready
        assert b"" == host.stdout.read()
    finally:
        os.close(write_end)
        host.kill()
        host.stdout.close()


def _current(wire: Wire) -> tuple[str, str]:
    """Return the project of a server's session and what named it."""
    wire.hello()
    reply = wire.reply("projects")
    return reply["current"], reply["source"]


def test_the_project_of_the_command_line_is_used(serve: Serve) -> None:
    """It wins over the surroundings."""
    wire = serve("--project", "acme/named", SHADOWGRAPH_PROJECT="acme/other")

    assert ("acme/named", "server") == _current(wire)


def test_the_project_of_the_environment_is_used(serve: Serve) -> None:
    """For hosts that can only set variables."""
    assert ("acme/env", "server") == _current(serve(SHADOWGRAPH_PROJECT="acme/env"))


def test_the_project_of_a_file_upward_is_used(serve: Serve, tmp_path: Path) -> None:
    """The nearest one counts."""
    inner = tmp_path / "repository" / "src"
    inner.mkdir(parents=True)
    (inner.parent / ".shadowgraph.toml").write_text(
        'project = "acme/filed"\n', encoding="utf-8"
    )

    assert ("acme/filed", "config") == _current(serve(cwd=inner))


def test_the_origin_of_the_git_repository_is_used(serve: Serve, tmp_path: Path) -> None:
    """Owner and name, whatever the folder is called."""
    git = tmp_path / "checkout-3" / ".git"
    git.mkdir(parents=True)
    (git / "config").write_text(
        '[remote "origin"]\n\turl = git@example.org:acme/from-git.git\n', encoding="utf-8"
    )

    assert ("acme/from-git", "git") == _current(serve(cwd=git.parent))


@pytest.mark.parametrize("place", ["home", "root"])
def test_neither_the_home_directory_nor_the_root_names_a_project(
    place: str, serve: Serve, tmp_path: Path
) -> None:
    """Hosts start servers there, whatever they work on."""
    (tmp_path / ".git").mkdir()
    surroundings: dict[str, Any] = (
        {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)} if place == "home" else {}
    )
    directory = tmp_path if place == "home" else Path(tmp_path.anchor)
    wire = serve(cwd=directory, **surroundings)

    assert ("default", "fallback") == _current(wire)


def test_a_write_by_id_without_a_project_is_refused(serve: Serve, tmp_path: Path) -> None:
    """In a session that fell back to default."""
    wire = serve(cwd=tmp_path)
    wire.hello()
    made = wire.reply("record_decision", title="t", chosen="c")
    result = wire.call("update_status", decisionId=made["id"], status="planned")

    assert result["isError"] is True
    assert "write-scope-unresolved" in result["content"][0]["text"]
