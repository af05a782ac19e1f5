"""The reading side: every question the program asks SQLite.

Each query is answered by an index, so its cost grows with its answer and not with the
store. Ownership is part of the question: what belongs to another owner is not found, in
the same way as what does not exist.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from shadowgraph.model.kinds import LINK_KINDS
from shadowgraph.store.compaction import Sizes, Superseded, dropped, sizes, superseded
from shadowgraph.store.due import Due
from shadowgraph.store.history import Asked, Entry, entries, gaps
from shadowgraph.store.journal import GENESIS, PURGE, Change, Head
from shadowgraph.store.links import Links
from shadowgraph.store.past import Past
from shadowgraph.store.pointers import Pointers
from shadowgraph.store.purge import known, purges, unknown
from shadowgraph.store.rows import StoredRecord, is_retracted, stored
from shadowgraph.store.targets import Target, target
from shadowgraph.store.tombstones import Tombstone

_PAGE = 500
"Values per statement; SQLite's own limit is far higher, plans stay small."


_OPEN = (
    "retracted IS NULL AND (kind <> 'memory' OR coalesce(body ->> '$.scope.userId', body ->> '$.scope.agentId',"
    " body ->> '$.scope.runId') IS NULL)"
)
"What anybody in the project may know of: a memory with a scope is nobody else's business."


class Remembered(NamedTuple):
    """What a retry key stands for."""

    record_id: str
    fingerprint: bytes
    "Digest of the request that first used the key."


class Selection(Due, Links, Past, Pointers):
    """Reads over one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Read through *connection*."""
        self._connection = connection

    def head(self) -> Head:
        """Return the newest journal entry."""
        found = self._connection.execute(
            "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1"
        ).get
        return Head(0, GENESIS) if found is None else Head(*found)

    def hash_at(self, seq: int) -> bytes | None:
        """Return the journal hash at *seq*; None when there is no such entry."""
        if seq == 0:
            return GENESIS
        found: bytes | None = self._connection.execute(
            "SELECT hash FROM journal WHERE seq = ?", (seq,)
        ).get
        return found

    def beginning(self, start: str, owner: str | None, limit: int) -> list[StoredRecord]:
        """Return records whose id begins with *start*, the newest first."""
        # The range is answered by the index of ids; nothing sorts behind U+10FFFF.
        rows = self._connection.execute(
            "SELECT row, body FROM record WHERE id >= ? AND id < ? AND retracted IS NULL"
            " AND (owner = ? OR ? IS NULL) ORDER BY row DESC LIMIT ?",
            (start, f"{start}\U0010ffff", owner, owner, limit),
        )
        return [stored(row, body) for row, body in rows]

    def by_id(
        self, record_id: str, owner: str | None = None, *, retracted: bool = False
    ) -> StoredRecord | None:
        """Return one record of *owner* (any owner when None)."""
        found = self.by_ids([record_id], owner, retracted=retracted)
        return found[0] if found else None

    def by_ids(
        self, ids: Sequence[str], owner: str | None = None, *, retracted: bool = False
    ) -> list[StoredRecord]:
        """Return the records of *owner* with these ids, in the order of *ids*.

        Here as everywhere, a retracted record is found only with *retracted*.
        """
        found = {
            record.id: record
            for record in self._among("id", ids)
            if (owner is None or record.owner == owner)
            and (retracted or not is_retracted(record.body))
        }
        return [found[one] for one in ids if one in found]

    def by_rows(self, rows: Sequence[int]) -> dict[int, StoredRecord]:
        """Return records by row number; a number without a record is left out."""
        return {
            record.row: record
            for record in self._among("row", rows)
            if not is_retracted(record.body)
        }

    def _among(self, column: str, values: Sequence[Any]) -> Iterator[StoredRecord]:
        for start in range(0, len(values), _PAGE):
            page = values[start : start + _PAGE]
            marks = ",".join("?" * len(page))
            for row, body in self._connection.execute(
                f"SELECT row, body FROM record WHERE {column} IN ({marks})", page
            ):
                yield stored(row, body)

    def ids_like(self, record_id: str, owner: str | None) -> list[str]:
        """Return ids of *owner* around *record_id* in their order, for a suggestion.

        A typing mistake in an id is mostly near its end, where ids differ; of a thousand
        neighbours on each side those of the owner are returned.
        """
        rows = self._connection.execute(
            f"SELECT id, owner FROM (SELECT id, owner FROM record WHERE id >= ?1 AND {_OPEN}"
            " ORDER BY id LIMIT 1000) UNION ALL SELECT id, owner FROM"
            f" (SELECT id, owner FROM record WHERE id < ?1 AND {_OPEN}"
            " ORDER BY id DESC LIMIT 1000)",
            (record_id,),
        )
        return [found for found, held in rows if owner is None or held == owner]

    def remembered(self, key: str) -> Remembered | None:
        """Return what the retry *key* was used for, or None."""
        found = self._connection.execute(
            "SELECT record_id, fingerprint FROM idempotency WHERE key = ?", (key,)
        ).get
        return None if found is None else Remembered(found[0], found[1])

    def of_kind(self, owner: str, kind: str) -> list[StoredRecord]:
        """Return every record of one kind, latest change first."""
        return self._many(
            "SELECT row, body FROM record WHERE owner = ? AND kind = ?"
            " AND retracted IS NULL ORDER BY updated DESC, row DESC",
            (owner, kind),
        )

    def latest(self, owner: str, kind: str, most: int) -> list[StoredRecord]:
        """Return the records of one kind that changed last, the latest first."""
        return self._many(
            "SELECT row, body FROM record WHERE owner = ? AND kind = ?"
            " AND retracted IS NULL ORDER BY updated DESC LIMIT ?",
            (owner, kind, most),
        )

    def signals_of(self, owner: str, decision: str) -> list[StoredRecord]:
        """Return the review signals about a decision, those that are retracted included."""
        return self._many(
            "SELECT row, body FROM record WHERE owner = ? AND kind = 'review'"
            " AND body ->> '$.decisionId' = ? ORDER BY row",
            (owner, decision),
        )

    def purge_target(
        self, owner: str, ids: Sequence[str] | None = None, mode: str = "logical"
    ) -> Target:
        """Return what a purge of an owner, or of some of its records, would remove."""
        return target(self._connection, owner, ids, mode)

    def purges(self) -> set[str]:
        """Return the ids of the purges in the journal."""
        return purges(self._connection)

    def unknown_purges(self, ids: Iterable[str]) -> set[str]:
        """Return those of *ids* that this store has not considered."""
        return unknown(self._connection, ids)

    def tombstones(self) -> list[Tombstone]:
        """Return the tombstones in the journal."""
        return known(self._connection)

    def entries(self, asked: Asked, limit: int, offset: int) -> tuple[list[Entry], int]:
        """Return a page of the journal, and how many entries there are in all."""
        return entries(self._connection, asked, limit, offset)

    def superseded(self, before: str) -> Superseded:
        """Return the journalled states that others had replaced by an instant."""
        return superseded(self._connection, before)

    def compacted(self) -> list[tuple[int, int]]:
        """Return the ranges of entries that compactions dropped."""
        return dropped(self._connection)

    def sizes(self) -> Sizes:
        """Return how many bytes of text records and journal hold."""
        return sizes(self._connection)

    def gaps(self) -> list[tuple[int, int]]:
        """Return the ranges of seq that the journal lacks."""
        return gaps(self._connection)

    def changes(self, after: int, most: int) -> list[Change]:
        """Return what happened after seq *after*, one change a journal entry."""
        rows = self._connection.execute(
            "SELECT journal.seq, journal.row, journal.kind, record.body FROM journal"
            " LEFT JOIN record ON record.row = journal.row AND record.retracted IS NULL"
            " WHERE journal.seq > ? ORDER BY journal.seq LIMIT ?",
            (after, most),
        )
        return [
            Change(seq, row, None if body is None else json.loads(body), kind == PURGE)
            for seq, row, kind, body in rows
        ]

    def every(
        self, after_row: int = 0, most: int = 1000, *, retracted: bool = False
    ) -> list[StoredRecord]:
        """Return records in row order, the next *most* after a row number."""
        return self._many(
            "SELECT row, body FROM record WHERE row > ? AND (? OR retracted IS NULL)"
            " ORDER BY row LIMIT ?",
            (after_row, retracted, most),
        )

    def rows(self, but: Sequence[str] = ()) -> list[int]:
        """Return the row number of every record that stands, the kinds *but* left out."""
        marks = ",".join("?" * len(but))
        found = self._connection.execute(
            f"SELECT row FROM record WHERE retracted IS NULL AND kind NOT IN ({marks})", but
        )
        return [row for (row,) in found]

    def newest(self) -> StoredRecord | None:
        """Return the record that was stored last, of those that are searched."""
        marks = ",".join("?" * len(LINK_KINDS))
        return self._one(
            "SELECT row, body FROM record WHERE retracted IS NULL"
            f" AND kind NOT IN ({marks}) ORDER BY row DESC LIMIT 1",
            LINK_KINDS,
        )
