"""Whose turn it is to write: a queue of writers across threads and processes.

SQLite's write lock goes to whoever looks first after it was let go, so the one that just
wrote takes it again while others sleep between two looks; under load somebody waits for
seconds. Here every writer takes the next number and waits until no lower number is held.

A number is a locked byte of the file `turns`, at the offset of the number. The system lets
go of it with the process, however that ends, so nobody waits for the dead, and who gives up
waiting only steps out. The lowest eight bytes of the file are the count of numbers given.

The invariant: the queue decides about order and never about safety. SQLite's own lock
stays the truth, so a writer that cannot queue (another system, a home on a file system
without such locks) is only as patient as before.
"""

import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    _GETLK = _SETLK = _SETLKW = None
else:
    _GETLK = getattr(fcntl, "F_OFD_GETLK", None)
    _SETLK = getattr(fcntl, "F_OFD_SETLK", None)
    _SETLKW = getattr(fcntl, "F_OFD_SETLKW", None)

FILE_NAME = "turns"
"Name of the file in a home."
NEXT_PAUSE = 0.0005
"Seconds between two looks of the next in line."
MOST_PAUSE = 0.01
"Most seconds between two looks of one further back."

_COUNT = struct.Struct("<q")
_FLOCK = struct.Struct("hhqqi4x")
"struct flock of Linux on 64 bits: type, whence, start, length, process."
_COUNTER = 0
"The byte that is locked while a number is taken; numbers begin behind it."
_FIRST = 1
_QUEUES = _GETLK is not None and struct.calcsize("P") == 8


@contextmanager
def turn(home: Path, seconds: float) -> Iterator[bool]:
    """Wait for the turn of this writer and hold it for the block.

    Gives False when that many seconds went by and it is still somebody else's.
    """
    file = _opened(home / FILE_NAME) if _QUEUES else None
    if file is None:
        yield True
        return
    try:
        number = None
        # A file system without locks: no queue, and SQLite's lock alone.
        with suppress(OSError):
            number = _take_number(file)
        yield number is None or _wait(file, number, time.monotonic() + seconds)
    finally:
        # Closing lets go of the number, too.
        os.close(file)


def _opened(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        # A full or read-only home: SQLite says so in its own words.
        return None


def _lock(file: int, command: int | None, kind: int, start: int, length: int) -> bytes:
    asked = _FLOCK.pack(kind, os.SEEK_SET, start, length, 0)
    return fcntl.fcntl(file, command or 0, asked)


def _take_number(file: int) -> int:
    """Return the next number, held until the file is closed."""
    _lock(file, _SETLKW, fcntl.F_WRLCK, _COUNTER, 1)
    try:
        held = os.pread(file, _COUNT.size, 0)
        number = _COUNT.unpack(held)[0] + 1 if len(held) == _COUNT.size else _FIRST
        number = number if _FIRST <= number < 2**62 else _FIRST
        os.pwrite(file, _COUNT.pack(number), 0)
        _lock(file, _SETLK, fcntl.F_WRLCK, number, 1)
    finally:
        _lock(file, _SETLK, fcntl.F_UNLCK, _COUNTER, 1)
    return int(number)


def _wait(file: int, number: int, until: float) -> bool:
    """Wait until no lower number is held; False when it took too long."""
    while (ahead := _ahead(file, number)) is not None:
        if time.monotonic() >= until:
            return False
        # Waiting in the system for the one ahead could not be given up.
        time.sleep(min(NEXT_PAUSE * (number - ahead), MOST_PAUSE))  # noqa: TID251
    return True


def _ahead(file: int, number: int) -> int | None:
    """Return a lower number that is held, or None."""
    if number == _FIRST:
        return None
    found = _lock(file, _GETLK, fcntl.F_WRLCK, _FIRST, number - _FIRST)
    kind, _, start, _, _ = _FLOCK.unpack(found)
    return None if kind == fcntl.F_UNLCK else int(start)
