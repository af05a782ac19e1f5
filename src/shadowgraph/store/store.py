"""The door of the store: opening it, reading from it, writing to it.

Every thread has its own connection: SQLite connections must not be shared between threads
that run at once, and an MCP server runs its tools on worker threads. Opening writes
nothing when the schema is current, so a home that is only read can be on read-only media
once it exists.
"""

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import apsw

from shadowgraph.clock import Clock, system_clock, to_millis
from shadowgraph.errors import HomeNotWritableError, LockedError
from shadowgraph.model.scope import FALLBACK_PROJECT
from shadowgraph.rules.instants import format_instant
from shadowgraph.store import connection as policy
from shadowgraph.store.connection import connect, kept_too_long, translated
from shadowgraph.store.journal import ChainFault, first_fault
from shadowgraph.store.migrations import applied, migrate
from shadowgraph.store.purge import erase
from shadowgraph.store.readonly import Watched, is_read_only
from shadowgraph.store.replay import Difference, Replay, differences, misfiled, replay
from shadowgraph.store.rows import StoredRecord
from shadowgraph.store.selection import Selection
from shadowgraph.store.tombstones import Graveyard, Tombstone
from shadowgraph.store.transaction import Transaction
from shadowgraph.store.turns import turn

FILE_NAME = "graph.db"
"Name of the store's file in its home."


T = TypeVar("T")
_TRIES = 5
"How often a read begins again when a restore came between; each needs a restore of its own."


class ProjectCount(NamedTuple):
    """One project and what it holds."""

    project: str
    counts: dict[str, int]
    "Records by kind."
    last_write: int
    "Latest change in milliseconds since 1970."


class Store:
    """An open store; close it, or use it in a `with` block."""

    def __init__(self, home: Path, clock: Clock = system_clock) -> None:
        """Open the store in *home*, making both when they do not exist."""
        self.path = home / FILE_NAME
        self.graveyard = Graveyard(home)
        self._clock = clock
        self._local = threading.local()
        # Weak: a connection goes with its thread, and servers change worker threads.
        self._open: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._make_home(home)
        try:
            with translated(self.path):
                migrate(self._connection(), format_instant(clock()))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in list(self._open):
                connection.close()
            self._local = threading.local()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    @contextmanager
    def read(self) -> Iterator[Selection]:
        """Give access to the questions; SQLite's errors become ours."""
        with translated(self.path):
            yield Selection(self._connection())

    @contextmanager
    def snapshot(self) -> Iterator[Selection]:
        """Give access to several questions about one and the same moment."""
        connection = self._connection()
        with translated(self.path), connection:
            yield Selection(connection)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Run the block as one transaction and advance the revision.

        Raises:
            LockedError: another writer kept the store beyond the deadline.
            DiskFullError: nothing was written.
        """
        now = self._clock()
        connection = self._connection()
        with self._turn(), translated(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                transaction = Transaction(connection, format_instant(now), to_millis(now))
                yield transaction
                transaction.advance_revision()
                connection.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled the transaction back already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Queue behind the writers that came before."""
        with turn(self.path.parent, policy.BUSY_MILLIS / 1000) as mine:
            if not mine:
                raise kept_too_long()
            yield

    def pages(self, *, retracted: bool = False) -> Iterator[list[StoredRecord]]:
        """Yield all records in the order of their rows, some at a time.

        The retracted ones among them only with *retracted*.
        """
        row = 0
        while True:
            with self.read() as selection:
                page = selection.every(row, retracted=retracted)
            if not page:
                return
            yield page
            row = page[-1].row

    @property
    def identity(self) -> str:
        """The name the store was born with; a restore may bring another one."""
        with translated(self.path):
            return str(self._meta("identity"))

    def epoch(self) -> int:
        """Return how many times the whole content was replaced by a restore."""
        with translated(self.path):
            return int(self._meta("epoch"))

    def revision(self) -> int:
        """Return the number of committed writes."""
        with translated(self.path):
            return int(self._meta("revision"))

    def counts(self, owner: str | None = None) -> dict[str, int]:
        """Return the number of records by kind."""
        with translated(self.path):
            rows = self._connection().execute(
                "SELECT kind, count(*) FROM record WHERE (?1 IS NULL OR owner = ?1)"
                " AND retracted IS NULL GROUP BY kind ORDER BY kind",
                (owner,),
            )
            return dict(rows)

    def projects(self) -> list[ProjectCount]:
        """Return every project with its counts, last written first."""
        found: dict[str, ProjectCount] = {}
        with translated(self.path):
            for owner, kind, count, last in self._connection().execute(
                "SELECT owner, kind, count(*), max(updated) FROM record"
                " WHERE retracted IS NULL GROUP BY owner, kind"
            ):
                name = owner.removeprefix("project:")
                before = found.get(name, ProjectCount(name, {}, 0))
                found[name] = ProjectCount(
                    name,
                    {**before.counts, kind: count},
                    max(before.last_write, last),
                )
        found.setdefault(FALLBACK_PROJECT, ProjectCount(FALLBACK_PROJECT, {}, 0))
        return sorted(found.values(), key=lambda one: (-one.last_write, one.project))

    def first_fault(self) -> ChainFault | None:
        """Verify the whole hash chain of the journal."""
        with translated(self.path):
            return first_fault(
                self._connection().execute(
                    "SELECT seq, at, type, kind, entity, row, owner, provenance, payload,"
                    " digest, hash FROM journal ORDER BY seq"
                )
            )

    def replay(self) -> tuple[Replay, list[Difference]]:
        """Fold the journal and compare it with the records, as of one moment."""
        connection = self._connection()
        with translated(self.path), connection:
            told = replay(connection)
            found = list(differences(connection, told))
        return told, found

    def misfiled(self) -> list[Difference]:
        """Return the records whose columns are not what their bodies say."""
        connection = self._connection()
        found: list[Difference] = []
        with translated(self.path), connection:
            found += misfiled(connection)
        return found

    def schema(self) -> int:
        """Return the number of the newest step of the schema."""
        with translated(self.path):
            return applied(self._connection())

    def tables(self) -> set[tuple[str, str, str | None]]:
        """Return type, name and definition of everything in the schema."""
        with translated(self.path):
            return set(
                self._connection().execute("SELECT type, name, sql FROM sqlite_schema")
            )

    def integrity(self) -> str:
        """Return SQLite's own verdict on the file, "ok" when it is sound."""
        with translated(self.path):
            rows = self._connection().execute("PRAGMA integrity_check(20)")
            return "; ".join(str(verdict) for (verdict,) in rows)

    def settle(self) -> None:
        """Make store and tombstones agree, whichever of the two was put back.

        An older copy of the file is purged again; a purge whose process died before it
        wrote its tombstone down gets it written.
        """
        ids = self.graveyard.ids()
        with self.read() as selection:
            if not ids >= selection.purges():
                self.graveyard.add(selection.tombstones())
            unknown = selection.unknown_purges(ids)
        if unknown and self.bury(self.graveyard.read()):
            self.erase()

    def bury(self, stones: Sequence[Tombstone]) -> int:
        """Remove what *stones* say was purged; return how many took something."""
        with self.read() as selection:
            if not selection.unknown_purges(one.id for one in stones):
                return 0
        with self.write() as transaction:
            return transaction.bury(stones, self.identity)

    def erase(self) -> bool:
        """Leave nothing of what was deleted in the file; False when readers prevent it."""
        return erase(self.path)

    def _meta(self, key: str) -> Any:
        return (
            self._connection().execute("SELECT value FROM meta WHERE key = ?", (key,)).get
        )

    def _connection(self) -> apsw.Connection:
        held: apsw.Connection | None = getattr(self._local, "connection", None)
        watched: Watched | None = getattr(self._local, "watched", None)
        if held is not None and watched is not None and watched.changed():
            held.close()
            held = None
        if held is None:
            read_only = is_read_only(self.path)
            self._local.watched = Watched.now(self.path) if read_only else None
            held = connect(self.path, create=True, check=applied)
            self._local.connection = held
            with self._lock:
                self._open.add(held)
        return held

    def _make_home(self, home: Path) -> None:
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self.path.exists():
                # SQLite would create it with the process's umask.
                self.path.touch(mode=0o600)
        except OSError as error:
            raise HomeNotWritableError(
                f"{home} cannot be used as home: {error.strerror}."
            ) from error


def of_one_state(store: Store, read: Callable[[], T]) -> T:
    """Return what *read* gives, from before or from after a restore and never from both.

    A read of several questions is begun again when the content was replaced meanwhile.

    Raises:
        LockedError: it was replaced again and again.
    """
    for _ in range(_TRIES):
        epoch = store.epoch()
        found = read()
        if store.epoch() == epoch:
            return found
    raise LockedError("The store was being replaced while it was read.")
