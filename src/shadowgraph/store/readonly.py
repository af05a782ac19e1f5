"""Opening a store that this process may read and not write.

A home may lie on a read-only file system or belong to somebody else. The write-ahead log
needs a map that all readers share, which nobody can make there, so SQLite refuses to open
such a store at all. While a writer of another user has it open, log and map are there and
are read like anywhere. While nobody has, the file is whole by itself: it is opened as one
that does not change, and opened anew as soon as it did (`Watched.changed`).

The invariant: what is read is a committed state, the newest there was when the connection
was opened. A log that holds something and has no map cannot be read, and that is said.
"""

import os
from pathlib import Path
from typing import NamedTuple

import apsw

_FLAGS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def is_read_only(path: Path) -> bool:
    """Say whether there is a store that this process can read and cannot write."""
    if not os.access(path, os.R_OK):
        return False
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def opened(path: Path) -> apsw.Connection:
    """Return a connection that reads the store.

    Raises:
        apsw.CantOpenError: its log holds something that cannot be read without writing.
    """
    # Imported here: only who cannot write pays for it.
    from urllib.parse import quote  # noqa: PLC0415

    quoted = quote(str(path.resolve()))
    connection = apsw.Connection(f"file:{quoted}?mode=ro", flags=_FLAGS)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        if _has_log(path):
            raise
        return apsw.Connection(f"file:{quoted}?mode=ro&immutable=1", flags=_FLAGS)
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


class Watched(NamedTuple):
    """What a file looked like when it was opened as one that does not change."""

    path: Path
    seen: tuple[int, int, int, bool]

    @classmethod
    def now(cls, path: Path) -> "Watched":
        """Return how the file looks now."""
        found = path.stat()
        return cls(path, (found.st_ino, found.st_size, found.st_mtime_ns, _has_log(path)))

    def changed(self) -> bool:
        """Say whether somebody has written since."""
        return Watched.now(self.path).seen != self.seen
