"""Before a read answers, the index is brought up to the store; a write waits for nothing."""

from pathlib import Path

import pytest
from tests.store.bodies import NOBODY, attempt, put
from tests.sync.finding import found, marked

from shadowgraph import Library
from shadowgraph.search.engine import Engine, Writing
from shadowgraph.search.schema import Mark
from shadowgraph.sync import following


def test_a_read_finds_what_was_written_before_it(library: Library) -> None:
    """The index is one behind, is caught up, and nothing is said to be pending."""
    put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")
    put(library, attempt("attempt_2", solution="quicksilver"))

    answer = library.search("quicksilver")

    assert ({"attempt_1", "attempt_2"}, 0, ()) == (
        {hit.record.id for hit in answer.hits},
        answer.pending,
        answer.notices,
    )


def test_a_write_does_not_touch_the_index(library: Library) -> None:
    """It returns when SQLite has it; the index follows with the next read."""
    library.search("anything")
    put(library, attempt("attempt_1"), attempt("attempt_2"))

    assert (0, 2) == marked(library)


def test_a_read_leaves_the_mark_at_the_newest_entry(library: Library) -> None:
    """After it there is nothing left to do."""
    put(library, attempt("attempt_1"), attempt("attempt_2"))
    library.search("anything")

    assert (2, 2) == marked(library)


def test_a_read_with_nothing_to_do_opens_no_writer(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading is cheap, and works while somebody else is writing the index."""
    put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")

    def refuse(*_: object) -> None:
        pytest.fail("a writer was opened")

    monkeypatch.setattr(Engine, "_writer", refuse)

    assert {"attempt_1"} == found(library, "quicksilver")


def test_a_write_that_changed_no_record_needs_no_indexing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A revision without a journal entry is not a change for a replica."""
    library.search("anything")
    with library.write():
        pass

    def refuse(*_: object) -> None:
        pytest.fail("a writer was opened")

    monkeypatch.setattr(Engine, "_writer", refuse)

    assert set() == found(library, "quicksilver")


def test_a_changed_record_is_found_by_its_new_words_only(library: Library) -> None:
    """The document of its row is replaced."""
    (record,) = put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")
    with library.write() as transaction:
        body = attempt("attempt_1", solution="brimstone")
        transaction.replace(record, body, "attempt.changed", NOBODY)

    assert (set(), {"attempt_1"}) == (
        found(library, "quicksilver"),
        found(library, "brimstone"),
    )


def test_a_record_changed_many_times_is_indexed_once(library: Library) -> None:
    """Whatever happened in between, one document stands for one record."""
    (record,) = put(library, attempt("attempt_1"))
    for number in range(5):
        with library.write() as transaction:
            body = attempt("attempt_1", solution=f"quicksilver {number}")
            record = transaction.replace(record, body, "attempt.changed", NOBODY)

    answer = library.search("quicksilver")

    assert (1, 1) == (answer.total, answer.searched)


def test_what_is_missing_is_applied_in_batches(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill loses at most one batch of work; every batch has its own mark."""
    monkeypatch.setattr(following, "BATCH", 3)
    marks: list[int] = []
    commit = Writing.commit

    def noting(*args: object, **named: object) -> None:
        commit(*args, **named)  # type: ignore[arg-type]
        mark = args[3]
        assert isinstance(mark, Mark)
        marks.append(mark.seq)

    library.search("anything")
    monkeypatch.setattr(Writing, "commit", noting)
    put(library, *(attempt(f"attempt_{n}", solution="quicksilver") for n in range(8)))

    assert 8 == len(found(library, "quicksilver"))
    assert [3, 6, 8] == marks


def test_applying_a_change_twice_changes_nothing(library: Library) -> None:
    """Replay is harmless: delete by row, then add."""
    put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")
    engine = library.sync.current.in_use().engine
    mark = engine.snapshot.mark
    put(library, attempt("attempt_2", solution="quicksilver"))
    library.search("anything")
    with engine.writing() as writing:
        # The documents stay, the mark goes back.
        writing.commit((), (), mark)

    answer = library.search("quicksilver")

    assert (2, 2) == (answer.total, answer.searched)


def test_two_libraries_of_one_home_see_each_others_writes(library: Library) -> None:
    """Whichever reads first does the indexing for both."""
    with Library(library.home) as other:
        put(library, attempt("attempt_1", solution="quicksilver"))
        first = found(other, "quicksilver")
        put(other, attempt("attempt_2", solution="quicksilver"))

        assert ({"attempt_1"}, {"attempt_1", "attempt_2"}) == (
            first,
            found(library, "quicksilver"),
        )


def test_looking_for_similar_attempts_does_not_catch_up(library: Library) -> None:
    """What is looked up after a write never waits for indexing, and misses nothing."""
    put(library, attempt("attempt_1", solution="Moved the ledger onto quicksilver"))
    library.search("anything")
    put(library, attempt("attempt_2", solution="Moved the ledger onto quicksilver"))

    alike = library.similar("moved the ledger onto quicksilver", None)

    assert ["attempt_2", "attempt_1"] == [record.id for record, _ in alike]
    assert (1, 2) == marked(library)


def test_reopening_a_home_finds_the_index_ready(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh process reads at once."""
    put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")
    library.close()

    def refuse(*_: object) -> None:
        pytest.fail("a writer was opened")

    monkeypatch.setattr(Engine, "_writer", refuse)
    with Library(library.home) as again:
        assert {"attempt_1"} == found(again, "quicksilver")


def test_the_index_directory_is_named_after_the_build_digest(library: Library) -> None:
    """A new definition builds beside the old one."""
    library.search("anything")

    (only,) = Path(library.home / "index").iterdir()
    assert only.name.startswith(library.definition.build_digest)
