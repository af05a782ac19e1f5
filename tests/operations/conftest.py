"""Calling operations as a client does: by name, with whatever arguments.

`ask` and `refused` call over the empty library of the test; a test that wants the twelve
records also names `tiny_library`. `notes` is one larger library that nothing may change.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.exchange import import_lines
from shadowgraph.operations import REGISTRY, Caller, invoke


@pytest.fixture
def caller() -> Caller:
    """Return a caller whose session is about the project of the tiny records."""
    return Caller("acme/billing-api", "server", actor="tester", client="pytest")


def full_name(name: str) -> str:
    """Return the name of the operation that a short name means: the graph's, if it has one."""
    ours = f"shadowgraph_{name}"
    return ours if ours in REGISTRY else name


@pytest.fixture
def ask(library: Library, caller: Caller) -> Callable[..., dict[str, Any]]:
    """Return a function that calls an operation by its short name."""

    def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        return invoke(library, full_name(name), arguments, caller)

    return call


@pytest.fixture
def refused(ask: Callable[..., dict[str, Any]]) -> Callable[..., ShadowgraphError]:
    """Return a function that calls an operation and returns the error it must raise."""

    def call(name: str, /, **arguments: Any) -> ShadowgraphError:
        with pytest.raises(ShadowgraphError) as caught:
            ask(name, **arguments)
        return caught.value

    return call


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory, fixtures: Path) -> Iterator[Library]:
    """Yield a library with every record of fixtures/notes; read it only."""
    with Library(tmp_path_factory.mktemp("notes")) as opened:
        for file in sorted((fixtures / "notes").glob("*.jsonl")):
            import_lines(opened, file.read_text(encoding="utf-8").splitlines())
        yield opened


@pytest.fixture(autouse=True)
def _where_examples_begin(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fixtures: Path
) -> None:
    """Work in a checkout of its own, with what the examples name: some of them write."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "fixtures").symlink_to(fixtures, target_is_directory=True)
    shutil.copy(fixtures.parent / "README.md", work / "README.md")
    monkeypatch.chdir(work)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a Git checkout with one commit on the branch `main`."""
    return repository(tmp_path / "checkout")


def repository(directory: Path) -> Path:
    """Make a Git checkout with one commit."""
    directory.mkdir(parents=True)
    git(directory, "init", "-q", "-b", "main")
    (directory / "src").mkdir()
    (directory / "src" / "a.py").write_text("a = 1\n", encoding="utf-8")
    commit(directory)
    return directory.resolve()


def commit(directory: Path) -> str:
    """Commit everything in a checkout and return the full hash."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    git(directory, "add", "-A")
    git(directory, *who, "commit", "-q", "--allow-empty", "-m", "step")
    return git(directory, "rev-parse", "HEAD")


def git(directory: Path, *arguments: str) -> str:
    """Run git in a directory and return what it prints."""
    done = subprocess.run(
        ["git", "-C", str(directory), *arguments],
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


@dataclass(frozen=True)
class Agent:
    """One client session that works in one directory."""

    library: Library
    caller: Caller

    def do(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool by its whole name."""
        return invoke(self.library, name, arguments, self.caller)

    def refused(self, name: str, /, **arguments: Any) -> ShadowgraphError:
        """Call a tool that must refuse, and return its error."""
        with pytest.raises(ShadowgraphError) as caught:
            self.do(name, **arguments)
        return caught.value

    def passport(self, task: str | None = None) -> dict[str, Any]:
        """Return a task in full, the current one when none is named."""
        named = {"id": task} if task else {"full": True}
        found: dict[str, Any] = self.do("task_status", **named)["passport"]
        return found


@pytest.fixture
def session(library: Library, checkout: Path) -> Callable[..., Agent]:
    """Return a function that makes an agent of a name, in the checkout or elsewhere."""

    def made(name: str, directory: Path | None = checkout) -> Agent:
        caller = Caller("acme/billing-api", "server", "tester", "pytest", name, directory)
        return Agent(library, caller)

    return made


@pytest.fixture
def agent(session: Callable[..., Agent]) -> Agent:
    """Return one agent in the checkout."""
    return session("one")
