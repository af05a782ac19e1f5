"""While another process writes the index, a read answers within its patience."""

from pathlib import Path

from tests.store.bodies import attempt, put
from tests.sync.finding import found
from tests.sync.processes import beside, heard, tell

from shadowgraph import Library

HOLD_THE_WRITER = """
library.search("anything")
with library.sync.current.in_use().engine.writing():
    say("held")
    sys.stdin.readline()
say("released")
"""

READ_BESIDE_A_WRITER = """
say("open")
sys.stdin.readline()
record(library, "theirs", "quicksilver")
say(str(library.search("quicksilver").total))
"""


def test_a_read_answers_and_says_how_many_are_pending(library: Library) -> None:
    """What is searchable is answered; the rest is counted, not waited for."""
    put(library, attempt("attempt_1", solution="quicksilver"))
    library.search("anything")
    with beside(HOLD_THE_WRITER, library.home) as process:
        assert "held" == heard(process)
        put(library, attempt("attempt_2", solution="quicksilver"))

        answer = library.search("quicksilver", patience=0.02)

    assert ["attempt_1"] == [hit.record.id for hit in answer.hits]
    assert 1 == answer.pending


def test_a_read_without_patience_does_not_wait_at_all(library: Library) -> None:
    """Zero seconds is a deadline like any other."""
    library.search("anything")
    with beside(HOLD_THE_WRITER, library.home) as process:
        assert "held" == heard(process)
        put(library, attempt("attempt_1", solution="quicksilver"))

        assert (0, 1) == (
            library.search("quicksilver", patience=0).total,
            library.search("quicksilver", patience=0).pending,
        )


def test_what_was_pending_is_found_when_the_writer_is_free(library: Library) -> None:
    """The next read after the release applies it."""
    library.search("anything")
    with beside(HOLD_THE_WRITER, library.home) as process:
        assert "held" == heard(process)
        put(library, attempt("attempt_1", solution="quicksilver"))
        library.search("quicksilver", patience=0)
        tell(process)
        assert "released" == heard(process)

    assert {"attempt_1"} == found(library, "quicksilver")


def test_a_write_does_not_wait_for_a_writer_of_the_index(library: Library) -> None:
    """Only SQLite is on the way of a write."""
    library.search("anything")
    with beside(HOLD_THE_WRITER, library.home) as process:
        assert "held" == heard(process)
        put(library, attempt("attempt_1"))

    assert 1 == library.store.revision()


def test_the_lock_dies_with_its_process(library: Library) -> None:
    """A killed writer never blocks the next one."""
    library.search("anything")
    put(library, attempt("attempt_1", solution="quicksilver"))
    with beside(HOLD_THE_WRITER, library.home) as process:
        assert "held" == heard(process)
        process.kill()
        process.wait()

        assert {"attempt_1"} == found(library, "quicksilver")


def test_two_processes_write_and_read_at_once(library: Library) -> None:
    """Each finds what both have written."""
    with beside(READ_BESIDE_A_WRITER, library.home) as process:
        assert "open" == heard(process)
        put(library, attempt("attempt_ours", solution="quicksilver"))
        tell(process)
        assert "2" == heard(process)

    assert {"attempt_ours", "attempt_theirs"} == found(library, "quicksilver")


def test_an_open_library_outlives_a_change_of_the_home_by_another(
    library: Library, tmp_path: Path
) -> None:
    """A process that only reads picks up what a short-lived command has stored."""
    library.search("anything")
    with beside(
        'record(library, "1", "quicksilver"); say("done")', tmp_path / "home"
    ) as it:
        assert "done" == heard(it)

    assert {"attempt_1"} == found(library, "quicksilver")
