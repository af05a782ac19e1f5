"""Many threads and processes on one store: a connection each, one writer at a time."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.store.bodies import NOBODY, attempt, put

from shadowgraph import Library
from shadowgraph.errors import LockedError
from shadowgraph.store import connection as policy

EACH = 40


def in_threads(*jobs: Callable[[], object]) -> None:
    """Run every job in a thread of its own, all let go at once; raise what they raise."""
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        gate.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(run, job) for job in jobs]:
            done.result()


def writes(library: Library, name: str) -> Callable[[], object]:
    """Return a job that stores `EACH` attempts, one transaction each."""
    return lambda: put(library, *(attempt(f"attempt_{name}-{n}") for n in range(EACH)))


def test_two_threads_write_to_one_library(library: Library) -> None:
    """No write is lost, none fails, and the chain has no gap."""
    in_threads(writes(library, "a"), writes(library, "b"))

    with library.store.read() as selection:
        head = selection.head()
    assert (2 * EACH, 2 * EACH) == (head.seq, library.store.revision())
    assert library.store.first_fault() is None


def test_two_libraries_write_to_one_home(library: Library) -> None:
    """Two servers on one machine are the ordinary case."""
    with Library(library.home) as other:
        in_threads(writes(library, "a"), writes(other, "b"))

    assert {"attempt": 2 * EACH} == library.store.counts()
    assert library.store.first_fault() is None


def test_a_transaction_that_reads_first_never_loses_to_another_writer(
    library: Library,
) -> None:
    """The write lock is taken before the first read, so no counter goes backwards."""
    (record,) = put(library, attempt("attempt_counted", tries=0))

    def count() -> None:
        for _ in range(EACH):
            with library.write() as transaction:
                held = transaction.by_id(record.id)
                assert held is not None
                body = {**held.body, "tries": held.body["tries"] + 1}
                transaction.replace(held, body, "attempt.changed", NOBODY)

    in_threads(count, count)

    with library.store.read() as selection:
        found = selection.by_id(record.id)
    assert found is not None
    assert 2 * EACH == found.body["tries"]


def test_a_write_holds_the_lock_from_its_first_statement(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second writer is kept out before the first has changed anything."""
    monkeypatch.setattr(policy, "BUSY_MILLIS", 1)
    with Library(library.home) as other, library.write(), pytest.raises(LockedError):
        put(other, attempt("attempt_1"))


def test_a_reader_is_not_kept_out_by_a_writer(library: Library) -> None:
    """It sees the state before the write that is under way."""
    put(library, attempt("attempt_1"))
    with Library(library.home) as other, library.write() as transaction:
        transaction.insert(attempt("attempt_2"), "attempt.recorded", NOBODY)

        with other.store.read() as selection:
            assert 1 == selection.head().seq


def test_every_thread_has_a_connection_of_its_own(library: Library) -> None:
    """SQLite connections must not be shared between threads that run at once."""
    found = []
    in_threads(
        lambda: found.append(library.store._connection()),
        lambda: found.append(library.store._connection()),
    )

    assert 3 == len({id(one) for one in [*found, library.store._connection()]})


def test_closing_closes_the_connections_of_all_threads(library: Library) -> None:
    """No file stays open after it."""
    found = []
    in_threads(lambda: found.append(library.store._connection()))
    library.close()

    with pytest.raises(Exception, match="closed"):
        found[0].execute("SELECT 1")
