"""A rebuild goes on beside the index in use, and takes its place when it is complete."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library


def generations(library: Library) -> list[str]:
    """Return the names of the index directories there are."""
    root = library.sync.current.generations.root
    return sorted(path.name for path in root.glob("g-*"))


def current(library: Library) -> str:
    """Return the name of the index directory in use."""
    name = library.sync.current.generations.current()
    assert name is not None
    return name


def in_another_thread(job: Callable[[], object]) -> None:
    """Run a job to its end in a thread of its own; raise what it raises."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(job).result()


def test_a_rebuild_holds_every_record_and_says_how_many(tiny_library: Library) -> None:
    """Twelve records, whatever was indexed before."""
    assert 12 == tiny_library.reindex()
    assert 12 == tiny_library.search("ledger").searched


def test_a_rebuild_of_an_empty_store_is_an_empty_index(library: Library) -> None:
    """Nothing to do is no error."""
    assert (0, 0) == (library.reindex(), library.search("ledger").total)


def test_a_rebuild_reports_its_progress(tiny_library: Library) -> None:
    """What is done and how much there is."""
    seen: list[tuple[int, int]] = []

    tiny_library.reindex(lambda done, total: seen.append((done, total)))

    assert [(12, 12)] == seen


def test_answers_are_the_same_after_a_rebuild(tiny_library: Library) -> None:
    """Ids, order and total."""
    before = tiny_library.search("database locked wal", limit=12)
    tiny_library.reindex()
    after = tiny_library.search("database locked wal", limit=12)

    assert [hit.record.id for hit in before.hits] == [hit.record.id for hit in after.hits]
    assert (before.total, ()) == (after.total, after.notices)


def test_a_rebuild_switches_to_a_fresh_directory(tiny_library: Library) -> None:
    """The old one is never written again."""
    tiny_library.search("ledger")
    before = current(tiny_library)

    tiny_library.reindex()

    assert before != current(tiny_library)


def test_reading_goes_on_during_a_rebuild(tiny_library: Library) -> None:
    """Readers have the old index until the new one is complete."""
    tiny_library.search("ledger")
    seen: list[set[str]] = []

    def read(_done: int, _total: int) -> None:
        in_another_thread(lambda: seen.append(found(tiny_library, "carousel")))

    tiny_library.reindex(read)

    assert [{"attempt_carousel-preload", "decision_avif-only"}] == seen


def test_what_is_written_during_a_rebuild_is_found_after_it(tiny_library: Library) -> None:
    """The new index knows up to where it is applied; the rest is caught up."""
    late = attempt("attempt_late", solution="quicksilver")

    def write(done: int, _total: int) -> None:
        if done == 12:
            in_another_thread(lambda: put(tiny_library, late))

    tiny_library.reindex(write)
    answer = tiny_library.search("quicksilver")

    assert ["attempt_late"] == [hit.record.id for hit in answer.hits]
    assert 13 == answer.searched


def test_what_is_read_and_written_during_a_rebuild_is_found_during_it(
    tiny_library: Library,
) -> None:
    """The old index is still kept in step."""
    tiny_library.search("ledger")
    seen: list[set[str]] = []

    def act() -> None:
        put(tiny_library, attempt("attempt_late", solution="quicksilver"))
        seen.append(found(tiny_library, "quicksilver"))

    def at_once(done: int, _total: int) -> None:
        if done == 12:
            in_another_thread(act)

    tiny_library.reindex(at_once)

    assert [{"attempt_late"}] == seen


def test_another_library_notices_the_new_index(tiny_library: Library) -> None:
    """A server reads the new directory at its next read."""
    with Library(tiny_library.home) as server:
        server.search("ledger")
        tiny_library.reindex()
        put(tiny_library, attempt("attempt_late", solution="quicksilver"))

        assert {"attempt_late"} == found(server, "quicksilver")
        assert current(tiny_library) == server.sync.current.in_use().name


def test_old_generations_are_swept(tiny_library: Library) -> None:
    """The one before stays for readers that have it open, and no other."""
    for _ in range(4):
        tiny_library.reindex()
        before_last, last = current(tiny_library), ""
    tiny_library.reindex()
    last = current(tiny_library)

    assert sorted([before_last, last]) == generations(tiny_library)


def test_a_reader_survives_that_its_index_was_swept(tiny_library: Library) -> None:
    """Two rebuilds elsewhere take the directory away under it."""
    with Library(tiny_library.home) as server:
        server.search("ledger")
        tiny_library.reindex()
        tiny_library.reindex()

        answer = server.search("carousel")

    assert (2, ()) == (answer.total, answer.notices)


def test_a_rebuild_that_fails_leaves_the_index_in_use(tiny_library: Library) -> None:
    """The half-built directory is removed."""
    tiny_library.search("ledger")
    before = current(tiny_library)

    def fail(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tiny_library.reindex(fail)

    assert ([before], before) == (generations(tiny_library), current(tiny_library))
    assert 2 == len(found(tiny_library, "carousel"))


def test_two_rebuilds_at_once_come_one_after_the_other(tiny_library: Library) -> None:
    """The second waits for the lock and builds again."""
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(tiny_library.reindex) for _ in range(2)]

    assert [12, 12] == [one.result() for one in both]
