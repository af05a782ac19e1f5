"""The records as the journal tells them, compared with the records as they are stored.

Every entry holds the whole state of its record, so the newest entry of a row is the row. The
fold here is the proof that nothing was written past the journal: what it gives is compared
with the record table, text by text. Nothing is repaired.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import apsw

from shadowgraph.store.journal import COMPACTION, PURGE
from shadowgraph.store.rows import COLUMNS, alternative_ids, values_of, watched_keys


class Replay:
    """What a fold of the journal gave."""

    def __init__(self, states: dict[int, str] | None = None) -> None:
        """Begin with *states*, or with nothing."""
        self.states = states or {}
        "Body text by row."
        self.skipped: list[int] = []
        "Entries without a payload: purged or compacted."
        self.entries = 0
        "Entries that were read."


class Difference(NamedTuple):
    """One record that journal and store do not agree on."""

    row: int
    id: str
    reason: str


def replay(connection: apsw.Connection, upto: int | None = None) -> Replay:
    """Fold the journal, the whole of it or up to a seq."""
    found = Replay()
    for seq, row, payload in connection.execute(
        "SELECT seq, row, payload FROM journal WHERE kind NOT IN (?1, ?3)"
        " AND (?2 IS NULL OR seq <= ?2) ORDER BY seq",
        (PURGE, upto, COMPACTION),
    ):
        found.entries += 1
        if payload is None:
            found.skipped.append(seq)
            found.states.pop(row, None)
        else:
            found.states[row] = payload
    return found


def differences(connection: apsw.Connection, told: Replay) -> Iterator[Difference]:
    """Yield every record that is not stored as the journal tells it."""
    left = dict(told.states)
    for row, name, body in connection.execute("SELECT row, id, body FROM record"):
        state = left.pop(row, None)
        if state is None:
            yield Difference(row, name, "is stored and the journal does not hold it")
        elif state != body:
            yield Difference(row, name, "is stored otherwise than the journal holds it")
    for row, state in left.items():
        yield Difference(row, _id(state), "is in the journal and not stored")


def misfiled(connection: apsw.Connection) -> Iterator[Difference]:
    """Yield every record beside whose body something else stands than the body says.

    Columns and side tables are computed from the body; SQL filters on them alone.
    """
    columns = ", ".join(COLUMNS)
    for row, *held in connection.execute(f"SELECT row, {columns} FROM record"):
        body = json.loads(held[-1])
        wrong = [
            name
            for name, found, right in zip(COLUMNS, held, values_of(body), strict=True)
            if found != right and name != "body"
        ]
        if _beside(connection, "condition", "key", row) != watched_keys(body):
            wrong.append("watched keys")
        if _beside(connection, "alternative", "id", row) != alternative_ids(body):
            wrong.append("alternatives")
        if wrong:
            yield Difference(row, held[0], f"is filed under a wrong {', '.join(wrong)}")


def _beside(connection: apsw.Connection, table: str, column: str, row: int) -> set[str]:
    found = connection.execute(f"SELECT {column} FROM {table} WHERE row = ?", (row,))
    return {value for (value,) in found}


def bodies(told: Replay) -> Iterator[dict[str, Any]]:
    """Yield the records of a fold in the order of their rows."""
    for _, state in sorted(told.states.items()):
        yield json.loads(state)


def _id(state: str) -> str:
    return str(json.loads(state).get("id"))
