"""Stores of every schema, as they were frozen, are imported whole and twice alike."""

import json
from pathlib import Path

import pytest
from tests.upstream.conftest import everything
from tests.upstream.stores import SCHEMAS

from shadowgraph import Filter, Library
from shadowgraph.upstream import import_file

STORES = Path(__file__).parents[2] / "fixtures" / "stores"
FILES = [
    STORES / f"upstream-v{n}" / name
    for n in SCHEMAS
    for name in ("data.json", "data.sqlite")
]
every_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.suffix[1:]}"
)


@every_file
def test_a_frozen_store_is_imported_whole(library: Library, path: Path) -> None:
    """Every item of every collection is a record afterwards."""
    with (path.parent / "data.json").open(encoding="utf-8") as file:
        store = json.load(file)
    lists = [v for v in store.values() if isinstance(v, list)]
    others = [n for n, v in store.items() if isinstance(v, dict) or v == []]

    report = import_file(library, path.read_bytes(), path)

    assert sum(map(len, lists)) + len(others) == report.imported == report.read
    assert report.imported == sum(library.store.counts().values())
    assert int(path.parent.name[-1]) == report.schema


@every_file
def test_a_second_import_of_a_frozen_store_leaves_no_trace(
    library: Library, path: Path
) -> None:
    """No record, no journal entry, no revision."""
    first = import_file(library, path.read_bytes(), path)
    before = everything(library), library.store.revision()

    second = import_file(library, path.read_bytes(), path)

    assert (0, first.imported) == (second.imported, second.unchanged)
    assert before == (everything(library), library.store.revision())


@pytest.mark.parametrize("schema", SCHEMAS)
def test_both_forms_of_a_store_are_one(library: Library, schema: int) -> None:
    """The tables hold what the object holds: after one the other changes nothing."""
    at = STORES / f"upstream-v{schema}"
    import_file(library, (at / "data.json").read_bytes(), None)

    other = at / "data.sqlite"
    report = import_file(library, other.read_bytes(), other)

    assert (0, report.read) == (report.imported, report.unchanged)


@every_file
def test_what_a_frozen_store_warns_of_is_found(library: Library, path: Path) -> None:
    """The attempt is in the index, with its end read from its words or declared."""
    import_file(library, path.read_bytes(), path)

    wanted = Filter("project:acme/harbour", ("attempt",), result_classes=("failed",))
    hits = library.search("mirror tables with rsync", wanted).hits

    declared = "resultClass" in hits[0].record.body
    assert ["attempt_1770105600001_mirror"] == [hit.record.id for hit in hits]
    assert declared == (int(path.parent.name[-1]) >= 5)


@every_file
def test_nothing_is_written_beside_a_frozen_store(library: Library, path: Path) -> None:
    """It is read only: no log, no shared memory, no changed byte."""
    before = {one.name: one.read_bytes() for one in path.parent.iterdir()}

    import_file(library, path.read_bytes(), path)

    assert before == {one.name: one.read_bytes() for one in path.parent.iterdir()}
