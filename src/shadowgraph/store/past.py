"""The graph as it was known: states of records at a time, read from the journal.

Every change is journalled with the whole state after it, so what the store knew of a record
at an instant is the payload of its last entry up to then. Nothing is replayed and nothing
kept twice. What was recorded later was not known; neither is a state whose payload a purge
or a compaction took away.

This is record time, set by the store. Valid time, in which a fact says of itself that it
holds, is `rules.presence`.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from shadowgraph.rules.instants import format_instant
from shadowgraph.store.rows import StoredRecord


class Past:
    """The journal's part of the reading side."""

    _connection: apsw.Connection

    def state_at(self, record_id: str, instant: datetime) -> StoredRecord | None:
        """Return a record as the store knew it at *instant*; None when it did not.

        A change made at the very instant is known. Entries of one transaction carry one
        time, so the states at an instant belong together.
        """
        found = self._connection.execute(
            "SELECT row, payload FROM journal WHERE entity = ? AND at <= ?"
            " ORDER BY seq DESC LIMIT 1",
            (record_id, format_instant(instant)),
        ).get
        if found is None or found[1] is None:
            return None
        return StoredRecord(found[0], json.loads(found[1]))

    def states_at(
        self, ids: Sequence[str], instant: datetime, owner: str | None = None
    ) -> list[StoredRecord]:
        """Return the records of *owner* as they were known, in the order of *ids*."""
        found = (self.state_at(one, instant) for one in ids)
        return [
            record
            for record in found
            if record is not None and owner in (None, record.owner)
        ]

    def state_before(self, record_id: str, type_: str) -> dict[str, Any] | None:
        """Return the state of a record before its last entry of a type.

        None when there is no such entry, nothing before it, or a purge took it away.
        """
        found = self._connection.execute(
            "SELECT payload FROM journal WHERE entity = ?1 AND seq < (SELECT max(seq)"
            " FROM journal WHERE entity = ?1 AND type = ?2) ORDER BY seq DESC LIMIT 1",
            (record_id, type_),
        ).get
        body: dict[str, Any] | None = None if found is None else json.loads(found)
        return body

    def was_purged(self, record_id: str, owner: str) -> bool:
        """Say whether the journal names a record whose last state is no longer there."""
        found = self._connection.execute(
            "SELECT payload IS NULL FROM journal WHERE entity = ? AND owner = ?"
            " ORDER BY seq DESC LIMIT 1",
            (record_id, owner),
        ).get
        return bool(found)
