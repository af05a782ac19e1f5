"""Libraries that are filled once for all tests of a module, and short ways to ask them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition, packaged


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON Lines file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@contextmanager
def filled(home: Path, *record_files: Path) -> Iterator[Library]:
    """Yield a library that holds the records of the files."""
    with Library(home, clock=StoppedClock()) as library:
        for path in record_files:
            import_lines(library, path.read_text(encoding="utf-8").split("\n"))
        library.search("anything")
        yield library


@pytest.fixture(scope="session")
def definition() -> Definition:
    """Return the definition that comes with the package."""
    return packaged()


@pytest.fixture(scope="session")
def analyzer(definition: Definition) -> Analyzer:
    """Return the analyzer of the packaged definition."""
    return Analyzer(definition.analysis)


@pytest.fixture(scope="module")
def languages(
    tmp_path_factory: pytest.TempPathFactory, fixtures: Path
) -> Iterator[Library]:
    """Yield a library with the records in sixteen languages."""
    home = tmp_path_factory.mktemp("languages")
    with filled(home, fixtures / "languages" / "records.jsonl") as library:
        yield library


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, fixtures: Path) -> Iterator[Library]:
    """Yield a library with the records that break parsers and tokenisers."""
    home = tmp_path_factory.mktemp("hostile")
    with filled(home, fixtures / "hostile" / "records.jsonl") as library:
        yield library


@pytest.fixture(scope="module")
def everything(
    tmp_path_factory: pytest.TempPathFactory, fixtures: Path
) -> Iterator[Library]:
    """Yield a library with the notes and the records that are hard to find."""
    files = [
        fixtures / "languages" / "records.jsonl",
        fixtures / "hostile" / "records.jsonl",
        *sorted((fixtures / "notes").glob("*.jsonl")),
    ]
    with filled(tmp_path_factory.mktemp("everything"), *files) as library:
        yield library
