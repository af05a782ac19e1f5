"""The writing side: everything one committed change consists of.

A transaction holds SQLite's write lock from its first statement (`BEGIN IMMEDIATE`: a
deferred transaction that reads and then writes fails at once when another writer came
between, whatever the timeout). Record row, condition rows, journal entry and retry key are
written together or not at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from shadowgraph.errors import ConflictError
from shadowgraph.store.compaction import Superseded, drop
from shadowgraph.store.journal import (
    COMPACTION,
    PURGE,
    Head,
    Origin,
    canonical,
    digest,
    entry_hash,
)
from shadowgraph.store.pointers import Place, move
from shadowgraph.store.purge import consider, remove, unknown
from shadowgraph.store.rows import (
    COLUMNS,
    StoredRecord,
    alternative_ids,
    dump,
    values_of,
    watched_keys,
)
from shadowgraph.store.selection import Selection
from shadowgraph.store.targets import Target, buried, ranges
from shadowgraph.store.tombstones import Tombstone

_INSERT = (
    f"INSERT INTO record ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
)
_REPLACE = f"UPDATE record SET {', '.join(f'{c} = ?' for c in COLUMNS)} WHERE row = ?"


@contextmanager
def _constraints(body: Mapping[str, Any]) -> Iterator[None]:
    """Say in words which rule of the schema a row would break."""
    try:
        yield
    except apsw.ConstraintError as error:
        if "fact_key" in str(error):
            raise ConflictError(
                f"{body.get('key')!r} has an active fact already; only one may be active."
            ) from error
        raise ConflictError(f"The id {body.get('id')!r} is taken already.") from error


class Transaction(Selection):
    """An open write; made by `Store.write`, never by hand."""

    def __init__(self, connection: apsw.Connection, at: str, millis: int) -> None:
        """Write at the instant *at* (ISO text and milliseconds)."""
        super().__init__(connection)
        self.at = at
        self._millis = millis
        self._head = self.head()

    def insert(self, body: Mapping[str, Any], type_: str, origin: Origin) -> StoredRecord:
        """Store a new record and its journal entry *type_*."""
        values = values_of(body)
        with _constraints(body):
            self._connection.execute(_INSERT, values)
        row = self._connection.last_insert_rowid()
        self._watch(row, str(values[2]), body)
        self._journal(row, body, values, type_, origin)
        return StoredRecord(row, body)

    def replace(
        self, record: StoredRecord, body: Mapping[str, Any], type_: str, origin: Origin
    ) -> StoredRecord:
        """Store the new state *body* of an existing record."""
        values = values_of(body)
        with _constraints(body):
            self._connection.execute(_REPLACE, (*values, record.row))
        for table in ("condition", "alternative"):
            self._connection.execute(f"DELETE FROM {table} WHERE row = ?", (record.row,))
        self._watch(record.row, str(values[2]), body)
        self._journal(record.row, body, values, type_, origin)
        return StoredRecord(record.row, body)

    def point(self, place: Place, record: StoredRecord) -> None:
        """Make a task the current one at *place*."""
        move(self._connection, place, record, self._millis)

    def remember(self, key: str, record_id: str, fingerprint: bytes) -> None:
        """Bind the retry *key* to a record and to the request that made it."""
        self._connection.execute(
            "INSERT INTO idempotency VALUES (?, ?, ?, ?)",
            (key, record_id, fingerprint, self._millis),
        )

    def purge(self, what: Target, stone: Tombstone, owner: str, origin: Origin) -> int:
        """Remove *what* for good and return the seq of the entry that says so.

        The entry of a hard purge names no *owner* and no maker.
        """
        remove(self._connection, what, stone.mode)
        hard = stone.mode == "hard"
        origin = Origin() if hard else origin
        for record, body in what.rewritten():
            self.replace(record, body, f"{record.kind}.mention-purged", origin)
        provenance = canonical(origin.as_json())
        header = (
            self.at,
            "records.purged",
            PURGE,
            stone.id,
            0,
            "" if hard else owner,
            provenance,
        )
        told = {**stone.as_json(), "entries": what.touched, "counts": what.counts}
        self._append(header, canonical(told))
        return self._head.seq

    def compact(self, what: Superseded, name: str, before: str, origin: Origin) -> int:
        """Drop superseded states and return the seq of the entry *name* that says so."""
        drop(self._connection, what)
        provenance = canonical(origin.as_json())
        told = {
            "id": name,
            "before": before,
            "mode": "logical",
            "entries": ranges(what.entries),
            "counts": {"states": len(what.entries)},
        }
        header = (self.at, "journal.compacted", COMPACTION, name, 0, "", provenance)
        self._append(header, canonical(told))
        return self._head.seq

    def bury(self, stones: Sequence[Tombstone], identity: str) -> int:
        """Apply the tombstones that this store lacks; return how many took something."""
        applied = 0
        fresh = unknown(self._connection, [stone.id for stone in stones])
        for stone in stones:
            if stone.id not in fresh:
                continue
            what = buried(self._connection, stone, identity)
            if not (what.rows or what.entries or what.naming):
                consider(self._connection, stone)
                continue
            # As hard: a copy of what was purged need not say whose it was.
            self.purge(what, stone._replace(mode="hard"), "", Origin())
            applied += 1
        return applied

    def advance_revision(self) -> int:
        """Count one committed write, a no-op status change included."""
        return int(
            self._connection.execute(
                "UPDATE meta SET value = value + 1 WHERE key = 'revision' RETURNING value"
            ).get
        )

    def _watch(self, row: int, owner: str, body: Mapping[str, Any]) -> None:
        for key in watched_keys(body):
            self._connection.execute(
                "INSERT OR IGNORE INTO condition VALUES (?, ?, ?)", (owner, key, row)
            )
        for one in alternative_ids(body):
            self._connection.execute(
                "INSERT OR IGNORE INTO alternative VALUES (?, ?)", (one, row)
            )

    def _journal(
        self,
        row: int,
        body: Mapping[str, Any],
        values: tuple[Any, ...],
        type_: str,
        origin: Origin,
    ) -> None:
        provenance = canonical(origin.as_json())
        header = (self.at, type_, body["kind"], body["id"], row, values[2], provenance)
        self._append(header, dump(body))

    def _append(self, header: tuple[Any, ...], payload: str) -> None:
        seq = self._head.seq + 1
        payload_digest = digest(payload)
        link = entry_hash(self._head.hash, [seq, *header], payload_digest)
        self._connection.execute(
            "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, *header, payload, payload_digest, link),
        )
        self._head = Head(seq, link)
