"""Group C: many processes and threads on one home, and those that die."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import pytest
from click.testing import Result
from tests.peer_faults.asking import Ask, hits, note
from tests.store.bodies import NOBODY, attempt, put
from tests.sync.finding import found
from tests.sync.processes import beside, heard, run, tell

from shadowgraph import Library
from shadowgraph.doctor import examine
from shadowgraph.errors import StoreDamagedError
from shadowgraph.exchange import export_lines
from shadowgraph.operations import Caller, toolset
from shadowgraph.server.session import Session

T = TypeVar("T")
WRITES = """
for number in range(25):
    record(library, f"{sys.argv[1][-1]}{os.getpid()}-{number}", "quicksilver")
    library.search("quicksilver")
"""
"Writes and searches in turn."
WAITS = """
say("ready")
sys.stdin.readline()
"""
HOLDS = """
with library.write() as transaction:
    transaction.insert(attempt("held", "quicksilver"), "attempt.recorded", Origin())
    say("holding")
    sys.stdin.readline()
"""


def _fail(*_: int) -> None:
    """Fail, wherever it is called."""
    raise ZeroDivisionError


def _at_once(calls: Iterable[Callable[[], T]]) -> list[T]:
    """Run calls in threads of their own; return what they gave, or raise what they did."""
    with ThreadPoolExecutor(8) as pool:
        return [one.result() for one in [pool.submit(call) for call in calls]]


def test_c01_parallel_sessions_drop_no_write(tmp_path: Path) -> None:
    """Every one waits its turn; none is answered with a lock."""
    done = _at_once([lambda: run(WRITES, tmp_path)] * 3)

    assert [0, 0, 0] == [one.returncode for one in done], done
    with Library(tmp_path) as library:
        assert 75 == len(found(library, "quicksilver"))


def test_c02_a_malformed_store_is_told_at_the_first_use(
    tmp_path: Path, cli: Callable[..., Result]
) -> None:
    """It is not served, and it is left as it is."""
    home = tmp_path / "home"
    with Library(home) as library:
        put(library, *(attempt(f"attempt_{n}", reason="x" * 900) for n in range(60)))
    with (home / "graph.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * 4096 * 8)
    before = (home / "graph.db").read_bytes()

    done = cli("--home", str(home), "search", "x")

    assert isinstance(done.exception, StoreDamagedError), done.output
    assert before == (home / "graph.db").read_bytes()


def test_c03_an_orphan_with_an_open_transaction_stops_nobody_once_it_is_gone(
    tmp_path: Path,
) -> None:
    """Reads go on meanwhile; its lock ends with its process, its write never happened."""
    with beside(HOLDS, tmp_path) as orphan, Library(tmp_path) as library:
        assert "holding" == heard(orphan)
        assert set() == found(library, "quicksilver")
        orphan.kill()
        orphan.wait(timeout=30)
        put(library, attempt("attempt_mine", reason="quicksilver"))

        assert {"attempt_mine"} == found(library, "quicksilver")


def test_c04_others_write_while_the_index_is_built_again(library: Library) -> None:
    """Maintenance holds no transaction over its whole length."""
    put(library, attempt("attempt_first", reason="quicksilver"))
    with Library(library.home) as other:

        def write(done: int, _: int) -> None:
            if done == 1:
                put(other, attempt("attempt_second", reason="quicksilver"))

        library.reindex(write)

    assert {"attempt_first", "attempt_second"} == found(library, "quicksilver")


def test_c05_a_second_server_on_the_same_file_can_write(tmp_path: Path) -> None:
    """Two open libraries in two processes take turns."""
    with beside(WAITS, tmp_path) as other, Library(tmp_path) as library:
        assert "ready" == heard(other)
        assert 0 == run('record(library, "1", "quicksilver")', tmp_path).returncode
        put(library, attempt("attempt_2", reason="quicksilver"))

        assert {"attempt_1", "attempt_2"} == found(library, "quicksilver")


def test_c06_opening_waits_for_no_writer(tmp_path: Path) -> None:
    """It writes nothing, so a long transaction elsewhere does not hold it up."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_1", reason="quicksilver"))
    with beside(HOLDS, tmp_path) as other:
        assert "holding" == heard(other)
        with Library(tmp_path) as library:
            assert {"attempt_1"} == found(library, "quicksilver")
        tell(other)


def test_c07_the_settings_of_a_connection_are_read_back(library: Library) -> None:
    """The write-ahead log and the full sync hold on every thread."""

    def settings() -> tuple[object, ...]:
        connection = library.store._connection()
        names = ("journal_mode", "synchronous", "foreign_keys")
        return tuple(map(connection.pragma, names))

    assert {("wal", 2, 1)} == set(_at_once([settings] * 4))


def test_c09_a_line_appended_to_an_export_stands_on_its_own(
    library: Library, tmp_path: Path, cli: Callable[..., Result]
) -> None:
    """An export ends with a line feed."""
    put(library, attempt("attempt_1"))
    file = tmp_path / "out.jsonl"
    cli("export", "--all-projects", str(file))
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(attempt("attempt_2")))

    done = cli("--home", str(tmp_path / "other"), "import", str(file))

    assert 0 == done.exit_code, done.output
    with Library(tmp_path / "other") as other:
        assert 2 == len(list(export_lines(other)))


def test_c10_index_updates_of_many_threads_are_all_applied(tmp_path: Path) -> None:
    """A busy writer is waited for; nothing is dropped after some number of tries."""

    def work(name: str) -> None:
        with Library(tmp_path) as library:
            for number in range(15):
                put(library, attempt(f"attempt_{name}-{number}", reason="quicksilver"))
                library.search("quicksilver")

    _at_once([partial(work, name) for name in "abcd"])

    with Library(tmp_path) as library:
        assert 60 == len(found(library, "quicksilver"))


def test_c11_a_server_that_is_idle_keeps_no_index_writer(
    tmp_path: Path, cli: Callable[..., Result]
) -> None:
    """The command line builds the index while one is open."""
    with Library(tmp_path, background=True) as server:
        put(server, attempt("attempt_1", reason="quicksilver"))
        server.search("quicksilver")

        done = cli("--home", str(tmp_path), "reindex")
        assert 0 == done.exit_code, done.output
        assert {"attempt_1"} == found(server, "quicksilver")


def test_c12_further_instances_are_ordinary(tmp_path: Path) -> None:
    """Three processes hold the home open and each of them answers."""
    program = f'record(library, str(os.getpid()), "quicksilver"){WAITS}'
    with beside(program, tmp_path) as one, beside(program, tmp_path) as two:
        assert ["ready", "ready"] == [heard(one), heard(two)]
        with Library(tmp_path) as library:
            assert 2 == len(found(library, "quicksilver"))


def test_c13_a_transaction_that_reads_first_waits_for_the_other(library: Library) -> None:
    """It holds the write lock before it reads, so it cannot lose to another writer."""
    put(library, attempt("attempt_1", reason="0"))

    def count() -> None:
        with library.write() as transaction:
            record = transaction.by_id("attempt_1")
            assert record is not None
            body = {**record.body, "reason": str(int(record.body["reason"]) + 1)}
            transaction.replace(record, body, "attempt.changed", NOBODY)

    _at_once([count] * 40)

    with library.store.read() as selection:
        record = selection.by_id("attempt_1")
    assert record is not None
    assert "40" == record.body["reason"]


def test_c14_one_library_serves_many_threads(ask: Ask) -> None:
    """Each has a connection of its own."""
    _at_once([partial(note, ask, f"quicksilver {n}") for n in range(40)])

    found_by_all = _at_once([lambda: len(hits(ask, "quicksilver", limit=100))] * 16)
    assert {40} == set(found_by_all)


def test_c15_a_call_that_fails_leaves_no_lock(tmp_path: Path) -> None:
    """Neither of the store nor of the index: another process writes and finds at once."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_1", reason="quicksilver"))
        with pytest.raises(ZeroDivisionError), library.write():
            raise ZeroDivisionError
        with pytest.raises(ZeroDivisionError):
            library.reindex(_fail)

        other = run(
            'record(library, "2", "quicksilver")\nsay(library.search("quicksilver").total)',
            tmp_path,
        )

    assert "2" == other.stdout.strip(), other.stderr


def test_c16_a_long_call_does_not_keep_others_from_being_answered(tmp_path: Path) -> None:
    """Operations run beside the loop that speaks the protocol."""
    listed = threading.Event()

    def slow() -> Library:
        assert listed.wait(30), "the list of tools waited for the call"
        return Library(tmp_path)

    session = Session(slow, toolset("core"), Caller("acme/x", "server"))

    async def converse() -> None:
        """Ask for the tools while a call is running."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(
                anyio.to_thread.run_sync, session._run, "shadowgraph_projects", {}, Caller()
            )
            await session._list_tools(None, None)
            listed.set()

    anyio.run(converse)
    session.close()


def test_c17_processes_that_write_one_index_leave_it_sound(tmp_path: Path) -> None:
    """One writer at a time over all processes; the doctor finds nothing."""
    done = _at_once([lambda: run(WRITES, tmp_path)] * 4)

    assert {0} == {one.returncode for one in done}, done
    with Library(tmp_path) as library:
        assert [] == [one for one in examine(library) if not one.ok]


def test_c18_a_change_made_during_indexing_wins(library: Library) -> None:
    """The newest state is found, and the one that was being indexed is not."""
    (record,) = put(library, attempt("attempt_1", reason="oldword"))
    with Library(library.home) as other:

        def change(*_: int) -> None:
            with other.write() as transaction:
                body = {**record.body, "reason": "newword"}
                transaction.replace(record, body, "attempt.changed", NOBODY)

        library.reindex(change)

    assert {"attempt_1"} == found(library, "newword")
    assert set() == found(library, "oldword")


def test_c19_rebuilds_at_once_come_one_after_the_other(library: Library) -> None:
    """No lock error reaches a caller, and every one of them is whole."""
    put(library, *(attempt(f"attempt_{n}", reason="quicksilver") for n in range(20)))

    assert [20] * 4 == _at_once([library.reindex] * 4)
    assert 20 == len(found(library, "quicksilver"))


def test_c21_the_index_lock_of_a_killed_writer_holds_nobody(tmp_path: Path) -> None:
    """Though its file may stay; it is not deleted by hand."""
    program = (
        'record(library, "1", "quicksilver")\nlibrary.search("x")\n'
        "with library.sync.current.in_use().engine.writing() as writing:\n"
        '    say("writing")\n    sys.stdin.readline()\n'
    )
    with beside(program, tmp_path) as writer:
        assert "writing" == heard(writer)
        writer.kill()
        writer.wait(timeout=30)

    with Library(tmp_path) as library:
        put(library, attempt("attempt_2", reason="quicksilver"))
        assert {"attempt_1", "attempt_2"} == found(library, "quicksilver")


def test_c22_a_reader_outlives_the_removal_of_the_index_it_reads(library: Library) -> None:
    """Files that are in use are left or go; either way it answers."""
    put(library, attempt("attempt_1", reason="quicksilver"))
    library.search("quicksilver")
    with Library(library.home) as other:
        for _ in range(3):
            other.reindex()

    assert {"attempt_1"} == found(library, "quicksilver")


def test_c20_another_program_that_reads_the_file_stops_no_writer(library: Library) -> None:
    """The write-ahead log lets both go on."""
    put(library, attempt("attempt_1"))
    stranger = sqlite3.connect(library.store.path)
    try:
        stranger.execute("BEGIN")
        assert (1,) == stranger.execute("SELECT count(*) FROM record").fetchone()
        put(library, attempt("attempt_2"))
        assert (1,) == stranger.execute("SELECT count(*) FROM record").fetchone()
    finally:
        stranger.close()

    assert 2 == sum(library.store.counts().values())
