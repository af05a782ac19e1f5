"""Calling operations as a client does: by name, with whatever arguments.

`ask` and `refused` call over the empty library of the test; a test that wants the twelve
records also names `tiny_library`. `notes` is one larger library that nothing may change.
"""

import shutil
from collections.abc import Callable, Iterator
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


@pytest.fixture
def ask(library: Library, caller: Caller) -> Callable[..., dict[str, Any]]:
    """Return a function that calls an operation by its short name."""

    def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        known = name if name in REGISTRY else f"shadowgraph_{name}"
        return invoke(library, known, arguments, caller)

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
