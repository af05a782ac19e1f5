"""The policy of a connection to `graph.db`, one tiny function per decision.

apsw's own defaults are a rollback journal and no busy timeout. Each function sets one
pragma, and `verify` reads back those that another program could have undone, because a
lost setting is silent until two processes meet. Errors of SQLite are translated here and
nowhere else.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from shadowgraph.errors import (
    ConflictError,
    DiskFullError,
    HomeNotWritableError,
    LockedError,
    OperatorError,
    ShadowgraphError,
    StoreDamagedError,
)
from shadowgraph.store.readonly import is_read_only, opened

BUSY_MILLIS = 30_000
"""Longest wait for another writer, in milliseconds: an import is one long transaction."""
PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.02, 0.02, 0.02, 0.01, 0.01, 0.005, 0.002)
"""Seconds between looks at the lock; the last one is repeated.

SQLite's own waiting grows to ten looks a second, so whoever has waited longest looks least
often, and a writer that comes fresh takes the lock before it. Here it is the other way
round: the longer a writer has waited, the more often it looks.
"""


class Waiting:
    """What SQLite asks whenever it finds the store locked."""

    def __init__(self) -> None:
        """Begin with nobody waiting."""
        self._until = 0.0

    def __call__(self, looks: int) -> bool:
        """Pause and say whether to look again, after so many looks in vain."""
        now = time.monotonic()
        if looks == 0:
            self._until = now + BUSY_MILLIS / 1000
        if now >= self._until:
            return False
        # SQLite's lock cannot be waited for.
        time.sleep(PAUSES[min(looks, len(PAUSES) - 1)])  # noqa: TID251
        return True


def wait_for_writers(connection: apsw.Connection) -> None:
    """Wait for another writer instead of failing at once (SQLite's default is 0)."""
    connection.set_busy_handler(Waiting())


def write_ahead(connection: apsw.Connection) -> None:
    """Use the write-ahead log: readers never wait for the writer.

    Only the first opening switches, and the switch does not wait: it fails at once while
    another process makes it on the same file. A transaction does wait for that one.
    """
    for _ in range(100):
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            connection.execute("BEGIN IMMEDIATE; COMMIT")
    connection.pragma("journal_mode", "wal")


def survive_power_loss(connection: apsw.Connection) -> None:
    """Sync the log at every commit, so an acknowledged write survives power loss."""
    connection.pragma("synchronous", "full")


def enforce_references(connection: apsw.Connection) -> None:
    """Refuse rows that point nowhere; SQLite checks only when asked."""
    connection.pragma("foreign_keys", True)


def distrust_schema(connection: apsw.Connection) -> None:
    """Run no unsafe function that a manipulated schema names."""
    connection.pragma("trusted_schema", False)


def bound_log(connection: apsw.Connection) -> None:
    """Shrink the write-ahead log back after a long transaction; bytes."""
    connection.pragma("journal_size_limit", 16 * 1024 * 1024)


def cache_pages(connection: apsw.Connection) -> None:
    """Hold at most 8 MiB of pages per connection; the system caches the rest."""
    connection.pragma("cache_size", -8 * 1024)


POLICY: tuple[Callable[[apsw.Connection], None], ...] = (
    wait_for_writers,
    write_ahead,
    survive_power_loss,
    enforce_references,
    distrust_schema,
    bound_log,
    cache_pages,
)


def verify(connection: apsw.Connection) -> None:
    """Read the decisive pragmas back.

    Raises:
        OperatorError: SQLite did not accept one, as on a network file system.
    """
    found = {
        "journal_mode": connection.pragma("journal_mode"),
        "synchronous": connection.pragma("synchronous"),
        "foreign_keys": connection.pragma("foreign_keys"),
    }
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    if found != wanted:
        raise OperatorError(
            f"SQLite answered {found} where {wanted} was set.",
            hint="Put the home on a local file system.",
        )


def connect(
    path: Path,
    *,
    create: bool,
    check: Callable[[apsw.Connection], object] | None = None,
) -> apsw.Connection:
    """Open *path* with the whole policy applied and verified.

    *check* looks at the file before any pragma is set: switching to the write-ahead log
    already changes a file, and one that is not ours must stay as it is.
    """
    if is_read_only(path):
        return _connect_to_read(path, check)
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    with translated(path):
        connection = apsw.Connection(str(path), flags=flags, statementcachesize=64)
        try:
            if check is not None:
                wait_for_writers(connection)
                check(connection)
            for decide in POLICY:
                decide(connection)
            verify(connection)
        except BaseException:
            connection.close()
            raise
        return connection


READ_POLICY = (wait_for_writers, enforce_references, distrust_schema, cache_pages)
"What is decided for a connection that cannot write; the rest is about writing."


def _connect_to_read(
    path: Path, check: Callable[[apsw.Connection], object] | None
) -> apsw.Connection:
    """Open a store that this process may only read."""
    with translated(path):
        connection = opened(path)
        try:
            for decide in READ_POLICY:
                decide(connection)
            if check is not None:
                check(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _not_writable(path: Path | None, error: Exception) -> ShadowgraphError:
    return HomeNotWritableError(f"{path or 'the store'} cannot be written: {error}.")


def kept_too_long() -> LockedError:
    """Return the error of a writer that waited in vain."""
    seconds = BUSY_MILLIS / 1000
    return LockedError(f"Another process kept the store for more than {seconds:g} s.")


_STOPPED = (
    apsw.NoMemError,
    apsw.InterruptError,
    apsw.AuthError,
    apsw.TooBigError,
    apsw.SchemaChangeError,
    apsw.NoLFSError,
    apsw.ProtocolError,
    apsw.FormatError,
    apsw.EmptyError,
)
"What stops SQLite without a fault of the caller or of the file."


def _translate(error: apsw.Error, path: Path | None) -> ShadowgraphError | None:
    """Return our error for SQLite's, most specific first; None for a bug of ours."""
    ours: ShadowgraphError | None = None
    match error:
        case apsw.BusyError() | apsw.LockedError():
            ours = kept_too_long()
        case apsw.FullError():
            ours = DiskFullError(f"No room left to write {path or 'the store'}.")
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            ours = _not_writable(path, error)
        case apsw.CorruptError() | apsw.NotADBError():
            ours = StoreDamagedError(f"{path or 'The store'} is damaged: {error}.")
        case apsw.IOError():
            ours = _translate_io(error, path)
        case apsw.ConstraintError():
            ours = ConflictError(f"The store refused the change: {error}.")
        case _ if isinstance(error, _STOPPED):
            ours = OperatorError(f"SQLite stopped: {error}.")
    return ours


def _translate_io(error: apsw.Error, path: Path | None) -> ShadowgraphError:
    # A full disk or a quota reaches SQLite as a failed write before it is "full".
    if _has_no_room(path):
        return DiskFullError(f"No room left to write {path}.")
    if path is not None and not os.access(path.parent, os.W_OK):
        return _not_writable(path, error)
    return OperatorError(
        f"The file system failed under the store: {error}.",
        hint="Nothing was written. Check the disk, then try again.",
    )


def _has_no_room(path: Path | None) -> bool:
    """Say whether the file system refuses a page more, by trying it.

    The page is written where the longest file of the store ends, because a limit on the
    size of one file refuses it there and nowhere else; before it the probe is a hole.
    """
    if path is None:
        return False
    probe = path.parent / f".room-{os.getpid()}"
    try:
        files = path.parent.glob(f"{path.name}*")
        longest = max((file.stat().st_size for file in files), default=0)
        with probe.open("wb", buffering=0) as out:
            out.seek(longest)
            # A write that is cut short says nothing; the one behind it does.
            for _ in range(2):
                out.write(b"\0" * 65536)
    except OSError as error:
        return error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    else:
        return False
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)


@contextmanager
def translated(path: Path | None = None) -> Iterator[None]:
    """Turn SQLite's errors inside the block into ours, `from` the original.

    Errors that only a mistake of ours can cause (misuse, a bad statement) pass through.
    """
    try:
        yield
    except apsw.Error as error:
        ours = _translate(error, path)
        if ours is None:
            raise
        raise ours from error
