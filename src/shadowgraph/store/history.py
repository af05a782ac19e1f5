"""Reading the journal: entries of one owner or one record, and places where it has holes.

Ownership is part of the question as in `selection`: what a project reads of the journal are
its own entries. An entry that a hard purge sealed has no owner and no type any more; only a
reading across all owners shows that there was one.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw


class Entry(NamedTuple):
    """One journal entry."""

    seq: int
    at: str
    type: str
    kind: str
    entity: str
    owner: str
    provenance: Mapping[str, Any]
    payload: Mapping[str, Any] | None
    "The state after the change; None when it was purged."
    hash: bytes

    @property
    def sealed(self) -> bool:
        """Whether a hard purge left number and hash alone."""
        return not self.type


class Asked(NamedTuple):
    """Which entries are wanted."""

    owner: str | None = None
    "Owner key; None for all."
    entity: str | None = None
    "Id of one record."
    type: str | None = None
    newest_first: bool = False


def entries(
    connection: apsw.Connection, asked: Asked, limit: int, offset: int
) -> tuple[list[Entry], int]:
    """Return a page of entries in order of seq, and how many there are in all."""
    wanted = {"owner": asked.owner, "entity": asked.entity, "type": asked.type}
    given = {name: value for name, value in wanted.items() if value is not None}
    # Written out, so that the index of owners or of entities answers.
    terms = " AND ".join(f"{name} = :{name}" for name in given) or "1"
    total = int(
        connection.execute(f"SELECT count(*) FROM journal WHERE {terms}", given).get
    )
    order = "DESC" if asked.newest_first else "ASC"
    rows = connection.execute(
        "SELECT seq, at, type, kind, entity, owner, provenance, payload, hash FROM journal"
        f" WHERE {terms} ORDER BY seq {order} LIMIT :limit OFFSET :offset",
        {**given, "limit": limit, "offset": offset},
    )
    return [_entry(*row) for row in rows], total


def _entry(*row: Any) -> Entry:
    seq, at, type_, kind, entity, owner, provenance, payload, link = row
    return Entry(
        seq=seq,
        at=at,
        type=type_,
        kind=kind,
        entity=entity,
        owner=owner,
        provenance=json.loads(provenance) if provenance else {},
        payload=None if payload is None else json.loads(payload),
        hash=link,
    )


def gaps(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return the ranges of seq that are missing; a sound journal has none."""
    held, last = next(
        connection.execute("SELECT count(*), coalesce(max(seq), 0) FROM journal")
    )
    if held == last:
        return []
    rows = connection.execute(
        "SELECT before + 1, seq - 1 FROM (SELECT seq, lag(seq, 1, 0) OVER (ORDER BY seq)"
        " AS before FROM journal) WHERE seq > before + 1"
    )
    return [(first, final) for first, final in rows]
