"""Tombstones: two files that say the same, and what is done when one cannot be used."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.errors import StoreDamagedError
from shadowgraph.operations import Caller, invoke
from shadowgraph.store.tombstones import (
    Graveyard,
    Tombstone,
    digest_of,
    read_lines,
    written,
)

DIGESTS = st.text("0123456789abcdef", min_size=32, max_size=32)
STONES = st.builds(
    Tombstone,
    id=st.integers(0, 99).map(lambda n: f"purge_{n}"),
    at=st.just("2026-11-15T12:00:00.000Z"),
    mode=st.sampled_from(["logical", "hard"]),
    store=st.sampled_from(["store_1", "store_2"]),
    owner=st.none() | DIGESTS,
    records=st.lists(DIGESTS, max_size=3).map(tuple),
)


def stone(name: str, store: str = "store_far", *records: str) -> Tombstone:
    """Return a tombstone of all records of the tests' project."""
    owner = digest_of("project:acme/billing-api")
    graves = tuple(map(digest_of, records))
    return Tombstone(name, "2026-11-15T12:00:00.000Z", "logical", store, owner, graves)


@given(st.lists(STONES))
def test_what_is_written_is_read_back(stones: list[Tombstone]) -> None:
    """Every field, in order."""
    assert stones == read_lines(written(stones))


def test_both_files_hold_all_of_them_once(tmp_path: Path) -> None:
    """Adding one twice changes nothing; what only one file knows reaches the other."""
    graveyard = Graveyard(tmp_path / "home")
    graveyard.inside.parent.mkdir()
    graveyard.add([stone("purge_1")])
    graveyard.beside.write_text(written([stone("purge_2")]))
    graveyard.add([stone("purge_1"), stone("purge_3")])

    assert ["purge_1", "purge_2", "purge_3"] == [one.id for one in graveyard.read()]
    assert graveyard.inside.read_text() == graveyard.beside.read_text()
    assert [] == list(tmp_path.rglob("*.part"))


def test_a_place_beside_the_home_that_cannot_be_used_is_reported(library: Library) -> None:
    """The purge is done; the reply names the file and what it means."""
    put(library, attempt("attempt_1"))
    library.store.graveyard.beside.mkdir()
    reply = invoke(library, "shadowgraph_purge", {"project": "acme/billing-api"}, Caller())

    assert reply["erased"] is True
    assert "copy of the whole home" in reply["notices"][0]
    assert 1 == len(library.store.graveyard.read())


@pytest.mark.parametrize("text", ["{", '{"id": "purge_1"}\n', "[]\n", "\udcff"])
def test_a_file_that_cannot_be_read_is_named(library: Library, text: str) -> None:
    """It is neither ignored nor overwritten."""
    library.close()
    file = library.store.graveyard.inside
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = file.read_bytes()

    with pytest.raises(StoreDamagedError, match=r"tombstones\.jsonl cannot be read"):
        Library(library.home)
    assert before == file.read_bytes()


def test_a_purge_in_another_store_takes_the_same_records_only(library: Library) -> None:
    """A project of the same name is another project there."""
    put(library, attempt("attempt_1"), attempt("attempt_2"))
    library.store.graveyard.add([stone("purge_far", "store_far", "attempt_2")])
    library.close()

    with Library(library.home) as opened, opened.store.read() as selection:
        assert ["attempt_1"] == [record.id for record in selection.every()]
        assert opened.store.first_fault() is None


def test_a_tombstone_that_concerns_nothing_leaves_no_entry(library: Library) -> None:
    """A new home beside an old tombstone is as empty as any, at every start."""
    library.store.graveyard.add([stone("purge_far")])
    library.close()
    for _ in range(2):
        with Library(library.home) as opened, opened.store.read() as selection:
            assert 0 == selection.head().seq
            revision = opened.store.revision()

    assert 1 == revision
