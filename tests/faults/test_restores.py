"""Restores and purges beside other processes, and processes that die in the middle."""

import json
import sys
from pathlib import Path

import pytest
from tests.store.bodies import attempt, put
from tests.sync.finding import found
from tests.sync.processes import beside, heard, run, tell

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.store.backup import write_backup
from shadowgraph.store.restoring import kept_stores, restore_backup

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot kill itself with SIGKILL there"
)
AT = "2026-11-15T12:00:00.000Z"

READER = """
import json
def total(words):
    return library.search(words).total
say(json.dumps([total("oldword"), total("newword")]))
sys.stdin.readline()
say(json.dumps([total("oldword"), total("newword")]))
record(library, "beside", "oldword again")
say(json.dumps([total("oldword"), library.store.first_fault() is None]))
sys.stdin.readline()
"""

# Reads the pair (records, newest id) over and over; both must be of one state.
WATCHER = """
import json
from shadowgraph.operations import Caller, invoke
say("ready")
pairs = set()
def look():
    reply = invoke(library, "shadowgraph_search", {"allProjects": True, "limit": 50},
                   Caller("acme/billing-api"))
    ids = sorted(item["record"]["id"] for item in reply["items"])
    pairs.add((reply["page"]["total"], json.dumps(ids)))
import threading
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
while not stop.is_set():
    look()
look()
say(json.dumps(sorted(pairs)))
"""

WRITER = """
from shadowgraph.errors import ShadowgraphError
say("ready")
import threading
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
number = 0
while not stop.is_set():
    record(library, f"w{number}", f"stream{number}z")
    number += 1
say(str(number))
"""

DIES_BEFORE_ITS_COMMIT = """
from shadowgraph.store import restoring
def dies(connection):
    restoring_replace(connection)
    die()
restoring_replace = restoring._replace_content
restoring._replace_content = dies
restoring.restore_backup(library.store, Path(sys.argv[1]).parent / "file.backup",
                         "2026-11-15T12:00:00.000Z")
"""

DIES_AFTER_ITS_PURGE = """
from shadowgraph.operations import Caller, invoke, purging
purging._erase = lambda *_: die()
invoke(library, "shadowgraph_purge", {"project": "acme/billing-api"}, Caller())
"""


def test_another_process_goes_on_with_the_restored_store(
    library: Library, tmp_path: Path
) -> None:
    """It reads the new state at its next call, and what it writes is kept there."""
    put(library, attempt("attempt_old", reason="oldword"))
    write_backup(library.store, tmp_path / "file.backup", AT)
    put(library, attempt("attempt_new", reason="newword"))

    with beside(READER, library.home) as reader:
        assert [1, 1] == json.loads(heard(reader))
        restore_backup(library.store, tmp_path / "file.backup", AT)
        tell(reader)
        assert [1, 0] == json.loads(heard(reader))
        assert [2, True] == json.loads(heard(reader))

    assert {"attempt_old", "attempt_beside"} == found(library, "oldword")


def test_a_process_that_reads_all_the_time_sees_one_state_or_the_other(
    library: Library, tmp_path: Path
) -> None:
    """Ten restores of two stores with other rows, and no answer is of both."""
    put(library, *(attempt(f"attempt_a{n}") for n in range(3)))
    write_backup(library.store, tmp_path / "a.backup", AT)
    with Library(tmp_path / "elsewhere") as other:
        put(other, *(attempt(f"attempt_b{n}") for n in range(5)))
        write_backup(other.store, tmp_path / "b.backup", AT)

    with beside(WATCHER, library.home) as watcher:
        heard(watcher)
        for _ in range(5):
            for name in ("b", "a"):
                restore_backup(library.store, tmp_path / f"{name}.backup", AT)
                library.sync.view()
        tell(watcher)
        pairs = json.loads(heard(watcher))

    a = [3, json.dumps([f"attempt_a{n}" for n in range(3)])]
    b = [5, json.dumps([f"attempt_b{n}" for n in range(5)])]
    assert pairs
    assert [] == [pair for pair in pairs if pair not in (a, b)]


def test_no_acknowledged_write_is_lost_between_two_stores(
    library: Library, tmp_path: Path
) -> None:
    """A write of another process is in the replaced store that is kept, or in the new."""
    put(library, attempt("attempt_old"))
    write_backup(library.store, tmp_path / "file.backup", AT)
    with beside(WRITER, library.home) as writer:
        heard(writer)
        for _ in range(3):
            restore_backup(library.store, tmp_path / "file.backup", AT)
        tell(writer)
        written = int(heard(writer))

    held: list[str] = []
    for home in (library.home, *kept_stores(library.home)):
        with Library(home) as one, one.store.read() as selection:
            held += [record.id for record in selection.every(0, 100_000)]
            assert one.store.first_fault() is None
    streamed = {name for name in held if name.startswith("attempt_w")}
    assert {f"attempt_w{number}" for number in range(written)} == streamed


def test_a_restore_that_dies_leaves_the_old_store(library: Library, tmp_path: Path) -> None:
    """And the next one removes what it left."""
    put(library, attempt("attempt_old", reason="oldword"))
    write_backup(library.store, tmp_path / "file.backup", AT)
    put(library, attempt("attempt_new", reason="newword"))
    run(DIES_BEFORE_ITS_COMMIT, library.home)

    assert {"attempt_new"} == found(library, "newword")
    assert "ok" == library.store.integrity()
    assert library.store.first_fault() is None
    assert 1 == len(list(library.home.glob("work-*")))
    restore_backup(library.store, tmp_path / "file.backup", AT)
    assert [] == list(library.home.glob("work-*"))
    assert set() == found(library, "newword")


def test_a_purge_that_dies_after_its_commit_is_finished_by_others(
    library: Library, tmp_path: Path
) -> None:
    """The next read has a new index, and the next purge empties the files."""
    put(library, attempt("attempt_old", reason="zorblatt"))
    assert {"attempt_old"} == found(library, "zorblatt")
    run(DIES_AFTER_ITS_PURGE, library.home)

    assert set() == found(library, "zorblatt")
    assert 0 == library.sync.view().snapshot.frequency("text", "zorblatt")
    invoke(library, "shadowgraph_purge", {"project": "acme/billing-api"}, Caller())
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"zorblatt" not in file.read_bytes(), file
