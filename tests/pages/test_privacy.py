"""docs/privacy.md against the program: its figures, its lists, and what it says never happens."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pages.blocks import ROOT
from tests.pages.reader import surroundings

from shadowgraph import hooklog
from shadowgraph.hosts import capturing, deciding, digest
from shadowgraph.library import Library

PAGE = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "shadowgraph"
LISTENING = {"server/address.py", "server/http.py"}
CONNECTING = {
    "socket", "ssl", "http", "ftplib", "smtplib", "xmlrpc", "telnetlib", "requests", "httpx",
    "aiohttp", "urllib3", "asyncio", "webbrowser",
}  # fmt: skip
FAILED = {
    "session_id": "one",
    "tool_name": "Bash",
    "tool_input": {"command": "terraform init"},
    "error": "Exit code 1\nError: connection refused",
}


def _imported(file: Path) -> Iterator[str]:
    """Yield the names of all modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_nothing_connects_to_another_machine() -> None:
    """No module that could is imported, but where the server listens."""
    found = {
        (file.relative_to(PACKAGE).as_posix(), name)
        for file in PACKAGE.rglob("*.py")
        for name in _imported(file)
        if name.partition(".")[0] in CONNECTING or name == "urllib.request"
    }

    assert {(file, "socket") for file in LISTENING} == found


@pytest.mark.parametrize(
    "said",
    [
        f"the command, at most {capturing.COMMAND} characters",
        f"the output, at most {capturing.RESULT:,} characters",
        f"a line of at most {hooklog.LINE} characters",
        f"{hooklog.MOST_BYTES // 1024} KiB in all",
        f"{digest.MOST_BYTES:,} bytes",
    ],
)
def test_a_figure_of_the_page_is_that_of_the_program(said: str) -> None:
    """Word for word."""
    assert said in PAGE


def test_the_page_says_how_many_attempts_a_model_is_shown() -> None:
    """In a word."""
    assert deciding.SHOWN == 5
    assert "at most five of them" in PAGE


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which everything has happened that leaves a file."""
    directory = tmp_path_factory.mktemp("privacy")
    environment = surroundings(directory)
    words = [sys.executable, "-m", "shadowgraph", "--project", "acme/shop"]

    def run(*arguments: str, given: str = "") -> str:
        return subprocess.run(
            [*words, *arguments],
            input=given,
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    event = ("hook", "post-tool-use-failure")
    run(*event, given=json.dumps(FAILED))
    run(*event, given=json.dumps(FAILED))
    run("hook", "pre-tool-use", given=json.dumps(FAILED))
    worked = {**FAILED, "tool_response": {"stdout": "done"}}
    worked.pop("error")
    run("hook", "post-tool-use", given=json.dumps(worked))
    run("hook", "pre-tool-use", given="not json")
    run("search", "terraform")
    run("backup", "a.backup")
    run("restore", "a.backup", "--yes")
    run("purge", "acme/other", "--yes")
    run("token")
    return directory / "user" / ".local" / "share" / "shadowgraph"


@pytest.mark.skipif(sys.platform != "linux", reason="the page shows the places of Linux")
def test_the_page_names_every_file_and_every_field(home: Path) -> None:
    """What a home holds, what stands beside it, and what a captured record holds."""
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    named = set(re.findall(r"`([^`]+)`", prose))
    held = {path.name + "/" * path.is_dir() for path in home.iterdir()}
    beside = {path.name for path in home.parent.iterdir()} - {home.name}
    with Library(home) as library:
        bodies = [one.body for page in library.store.pages() for one in page]
    fields = {name for body in bodies for name in body if body["kind"] == "attempt"}

    assert len(bodies) == 3
    assert [] == sorted((held | beside | fields) - named)
    assert {"graph.db", "index/", "hooks.log", "replaced/", "told/", "token"} <= held


@pytest.mark.skipif(sys.platform != "linux", reason="modes are those of Unix")
def test_a_home_that_shadowgraph_made_is_readable_by_its_owner_alone(home: Path) -> None:
    """The directory, and the files that hold texts or the token."""
    modes = {home.stat().st_mode & 0o777}
    files = [home / name for name in ("graph.db", "hooks.log", "token")]

    assert {0o700} == modes
    assert {0o600} == {file.stat().st_mode & 0o777 for file in files}
