"""Group G: on a server's standard output stands the protocol and nothing else."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.server.conftest import Wire

Serve = Callable[..., Wire]
PACKAGE = Path(__file__).parents[2] / "src" / "shadowgraph"
EVERYTHING = """
import pkgutil, importlib, shadowgraph
for module in pkgutil.walk_packages(shadowgraph.__path__, "shadowgraph."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def _rest(wire: Wire) -> list[str]:
    """End a server and return every line it wrote."""
    assert 0 == wire.end()
    assert wire.process.stdout is not None
    return [*wire.lines, *wire.process.stdout]


def test_g01_every_line_of_a_conversation_is_a_message(wire: Wire) -> None:
    """With calls that succeed, that fail and that do not exist."""
    wire.reply("record_attempt", solution="quicksilver", result="crashed")
    wire.call("record_attempt")
    wire.call("no_such_tool")
    wire.ask("no/such/method")

    lines = _rest(wire)
    assert 5 == len(lines)
    assert {"2.0"} == {json.loads(line)["jsonrpc"] for line in lines}


def test_g02_no_module_below_the_command_line_prints() -> None:
    """There is no call of print in them at all."""
    printing = [
        file.relative_to(PACKAGE).as_posix()
        for file in sorted(PACKAGE.rglob("*.py"))
        if "cli" not in file.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]

    assert [] == printing


def test_g03_the_first_line_is_the_answer_to_initialize(serve: Serve) -> None:
    """There is no banner before it."""
    wire = serve("--project", "acme/wire")
    wire.hello()

    assert 1 == json.loads(wire.lines[0])["id"]


def test_g04_what_is_logged_is_plain_text_on_stderr(wire: Wire, tmp_path: Path) -> None:
    """Without frames or colours, and not a byte of it on stdout."""
    wire.reply("record_attempt", solution="quicksilver", result="crashed")
    wire.reply("search", query="quicksilver")
    for file in (tmp_path / "home" / "index").rglob("CURRENT"):
        file.write_bytes(b"garbage")
    wire.reply("search", query="quicksilver")

    assert all(json.loads(line)["jsonrpc"] for line in _rest(wire))
    log = wire.log.read_text(encoding="utf-8")
    assert "damaged" in log
    assert log.isascii()
    assert "\x1b" not in log


def test_g05_warnings_of_the_interpreter_go_to_stderr(serve: Serve) -> None:
    """In its most talkative mode, too."""
    wire = serve("--project", "acme/wire", PYTHONDEVMODE="1", PYTHONWARNINGS="always")
    wire.hello()
    wire.reply("search", query="quicksilver")

    assert all(json.loads(line)["jsonrpc"] for line in _rest(wire))


def test_g06_importing_any_module_is_silent() -> None:
    """What is printed before serving begins would be the client's first line."""
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING], capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stdout), done.stderr
