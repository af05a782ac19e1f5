"""Preparing on two cores: the same documents, whatever happens to the second process."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.search import preparing
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import packaged
from shadowgraph.search.preparing import Beside, Page, prepare_page, prepared
from shadowgraph.search.schema import Document

ANALYZER = Analyzer(packaged().analysis)


@pytest.fixture
def pages(fixtures: Path) -> list[Page]:
    """Return the notes, twenty to a page."""
    lines = [
        line
        for file in sorted((fixtures / "notes").glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    numbered = [(row, json.loads(line)) for row, line in enumerate(lines, start=1)]
    return [numbered[start : start + 20] for start in range(0, len(numbered), 20)]


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the second process for any number of records, on any machine."""
    monkeypatch.setattr(preparing, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(preparing, "_cores", lambda: 2)


def here(pages: list[Page]) -> dict[int, Document]:
    """Return the documents that this process prepares, by row."""
    return {
        one.row: one for page in pages for one in prepare_page(page, packaged(), ANALYZER)
    }


def beside(pages: Iterator[Page], total: int) -> list[Document]:
    """Return the documents that both processes prepare."""
    return [one for made in prepared(pages, total, packaged(), ANALYZER) for one in made]


def test_two_processes_prepare_what_one_does(pages: list[Page]) -> None:
    """Every record once, the same to the last token."""
    found = beside(iter(pages), 1_000)

    assert len(here(pages)) == len(found)
    assert here(pages) == {one.row: one for one in found}


def test_a_page_of_the_second_process_is_the_same(pages: list[Page]) -> None:
    """Asked alone, so that it cannot have been prepared here."""
    with Beside() as helper:
        answer = helper.ask(pages[0]).result(timeout=60)

    assert prepare_page(pages[0], packaged(), ANALYZER) == answer


def test_a_lost_process_loses_no_page(
    pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was asked for is prepared here, and so is the rest."""
    asked: list[Beside] = []
    ask = Beside.ask

    def dying(helper: Beside, page: Page) -> object:
        asked.append(helper)
        helper._child.kill()
        helper._child.wait()
        return ask(helper, page)

    monkeypatch.setattr(Beside, "ask", dying)

    found = beside(iter(pages), 1_000)

    assert 1 == len(asked)
    assert here(pages) == {one.row: one for one in found}


def test_without_a_python_to_start_one_process_does_it(
    pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An embedded interpreter names none."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert here(pages) == {one.row: one for one in beside(iter(pages), 1_000)}


def test_a_failure_here_ends_the_second_process(pages: list[Page]) -> None:
    """Nobody is left behind."""
    made = prepared(iter(pages), 1_000, packaged(), ANALYZER)
    next(made)

    made.close()  # type: ignore[attr-defined]

    assert [] == list(made)


def test_a_rebuild_on_two_cores_holds_every_record(
    library: Library, fixtures: Path
) -> None:
    """And finds it."""
    for file in sorted((fixtures / "notes").glob("*.jsonl")):
        import_lines(library, file.read_text(encoding="utf-8").splitlines())
    before = [hit.record.id for hit in library.search("database is locked", limit=50).hits]

    library.reindex()

    after = [hit.record.id for hit in library.search("database is locked", limit=50).hits]
    assert before == after
