"""Writers take turns: in the order they came, never behind the dead, never for ever."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from shadowgraph.clock import system_clock
from shadowgraph.errors import LockedError
from shadowgraph.store import Store, turns
from shadowgraph.store.turns import turn

queues = pytest.mark.skipif(not turns._QUEUES, reason="this system has no such locks")

HOLDER = """
import sys
from pathlib import Path
from shadowgraph.store.turns import turn
with turn(Path(sys.argv[1]), 10):
    print("mine", flush=True)
    sys.stdin.read()
"""


def holder(home: Path) -> subprocess.Popen[str]:
    """Start a process that has the turn until it is told to end or is killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert "mine\n" == child.stdout.readline()
    return child


def taken(home: Path) -> int:
    """Return how many numbers were given."""
    held = (home / turns.FILE_NAME).read_bytes()
    return int(turns._COUNT.unpack(held)[0])


@queues
def test_writers_get_their_turn_in_the_order_they_came(tmp_path: Path) -> None:
    """Each of eight threads begins to wait when the one before it does."""
    order: list[int] = []

    def write(number: int) -> None:
        with turn(tmp_path, 30):
            order.append(number)

    threads = []
    with turn(tmp_path, 1):
        for number in range(8):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            while taken(tmp_path) < number + 2:
                threads[-1].join(0.001)
    for one in threads:
        one.join()

    assert list(range(8)) == order


@queues
def test_who_waits_too_long_steps_out_and_stops_nobody(tmp_path: Path) -> None:
    """The number given up is no number ahead of others."""
    with turn(tmp_path, 1), turn(tmp_path, 0) as mine:
        assert not mine
    with turn(tmp_path, 0) as mine:
        assert mine


@queues
def test_nobody_waits_for_a_process_that_was_killed(tmp_path: Path) -> None:
    """The system lets go of what it held."""
    child = holder(tmp_path)
    with turn(tmp_path, 0) as mine:
        assert not mine
    child.kill()
    child.communicate()

    with turn(tmp_path, 0) as mine:
        assert mine


@queues
def test_a_writer_behind_one_that_does_not_end_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the words that SQLite's own lock has; nothing was written."""
    with Store(tmp_path, system_clock) as store:
        revision = store.revision()
        child = holder(tmp_path)
        monkeypatch.setattr("shadowgraph.store.connection.BUSY_MILLIS", 20)
        with pytest.raises(LockedError, match="kept the store"), store.write():
            pytest.fail("it was not its turn")
        child.communicate("")
        assert revision == store.revision()
        with store.write():
            pass

        assert revision + 1 == store.revision()


@pytest.mark.parametrize("content", [b"", b"abc", b"\xff" * 8, b"\x00" * 8, b"\x7f" * 8])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    """It holds nothing but a count."""
    (tmp_path / turns.FILE_NAME).write_bytes(content)
    with turn(tmp_path, 0) as mine:
        assert mine
    with turn(tmp_path, 0) as mine:
        assert mine


def test_without_a_queue_everybody_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another system, or a directory where the file cannot be: SQLite's lock decides."""
    with turn(tmp_path / "nowhere", 0) as mine:
        assert mine
    monkeypatch.setattr(turns, "_QUEUES", False)
    with turn(tmp_path, 0), turn(tmp_path, 0) as mine:
        assert mine
    assert not (tmp_path / turns.FILE_NAME).exists()
