"""Questions about what holds and what is due: facts, watched keys, dates and confidences.

Which facts of a key count, and whether a condition is met, are rules (`rules.validity`,
`rules.conditions`); here stand the candidates. Each set of rows is one that an index holds
in the order in which it is wanted, so a question costs what it answers.

This is a part of `Selection`, which owns the connection.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from shadowgraph.store.rows import StoredRecord, stored

_PAGE = 500
"Values per statement."
_ENDED = "record INDEXED BY inactive_fact WHERE owner = :owner AND kind = 'fact' AND status <> 'active'"
_EXPIRED = (
    "record WHERE owner = :owner AND kind = 'fact' AND status = 'active'"
    " AND expires IS NOT NULL AND expires <= :now"
)
_DATED = "record WHERE owner = :owner AND review_after <= :now AND review_after IS NOT NULL"
_FAILED = "record WHERE owner = :owner AND outcome = 'failed'"
"Sets of rows that an index holds in the order in which they are wanted."


class Due:
    """The part of the reading side that reviews ask."""

    _connection: apsw.Connection

    def active_fact(self, owner: str, key: str) -> StoredRecord | None:
        """Return the active fact of a key."""
        return self._one(
            "SELECT row, body FROM record WHERE owner = ? AND fact_key = ?"
            " AND kind = 'fact' AND status = 'active'",
            (owner, key),
        )

    def facts_of(
        self, owner: str, keys: Iterable[str], at: int | None = None
    ) -> list[StoredRecord]:
        """Return the facts of these keys, active or not: validity decides later.

        Of a key with a long history these are the fifty newest and, when an instant *at* is
        named, the fifty whose end comes next after it.
        """
        history = (
            # Named, because another index gives the order of ends and none of the key.
            "SELECT {} FROM record INDEXED BY fact_history WHERE owner = :owner"
            " AND fact_key = :key AND kind = 'fact'{} ORDER BY {} LIMIT 50"
        )
        wanted = history.format("row, body", "", "created DESC")
        if at is not None:
            newest = history.format("row", "", "created DESC")
            then = history.format("row", " AND expires > :at", "expires")
            wanted = (
                "SELECT row, body FROM record WHERE row IN (SELECT row FROM"
                f" ({newest}) UNION SELECT row FROM ({then}))"
            )
        return [
            record
            for key in keys
            for record in self._many(wanted, {"owner": owner, "key": key, "at": at})
        ]

    def overdue(self, owner: str, now: int, states: Iterable[str]) -> list[StoredRecord]:
        """Return the decisions in one of these *states* whose review date has come."""
        wanted = list(states)
        marks = ",".join("?" * len(wanted))
        return self._many(
            "SELECT row, body FROM record WHERE owner = ? AND review_after <= ?"
            " AND review_after IS NOT NULL AND kind = 'decision'"
            f" AND status IN ({marks}) ORDER BY row",
            (owner, now, *wanted),
        )

    def expired(self, owner: str, now: int) -> list[StoredRecord]:
        """Return the active facts whose end has come."""
        return self._many(
            f"SELECT row, body FROM {_EXPIRED} ORDER BY row", {"owner": owner, "now": now}
        )

    def watched(self, owner: str, most: int) -> list[str]:
        """Return the distinct fact keys and tokens that conditions of *owner* name.

        One step of the index per distinct key, however many records share it.
        """
        rows = self._connection.execute(
            "WITH RECURSIVE found (key) AS ("
            " SELECT min(key) FROM condition WHERE owner = ?1 UNION ALL"
            " SELECT (SELECT min(key) FROM condition WHERE owner = ?1 AND key > found.key)"
            " FROM found WHERE found.key IS NOT NULL"
            ") SELECT key FROM found WHERE key IS NOT NULL LIMIT ?2",
            (owner, most),
        )
        return [key for (key,) in rows]

    def watching(self, owner: str, keys: Iterable[str], most: int) -> list[StoredRecord]:
        """Return the records that have a condition on one of *keys*, newest first."""
        wanted = list(keys)
        found: dict[int, StoredRecord] = {}
        for start in range(0, len(wanted), _PAGE):
            page = wanted[start : start + _PAGE]
            marks = ",".join("?" * len(page))
            for record in self._many(
                "SELECT row, body FROM record WHERE row IN (SELECT row FROM condition"
                f" WHERE owner = ? AND key IN ({marks})) ORDER BY row DESC LIMIT ?",
                (owner, *page, most),
            ):
                found[record.row] = record
        newest = sorted(found.values(), key=lambda record: -record.row)
        return newest if most < 0 else newest[:most]

    def review_due(self, owner: str, now: int, most: int) -> list[StoredRecord]:
        """Return decisions whose review date has come or whose outcome failed."""
        wanted = (
            f"{_DATED} ORDER BY review_after DESC",
            f"{_FAILED} ORDER BY updated DESC",
        )
        return self._newest(wanted, {"owner": owner, "now": now, "most": most})

    def stale_facts(self, owner: str, now: int, most: int) -> list[StoredRecord]:
        """Return facts that no longer hold, latest change first."""
        wanted = (f"{_ENDED} ORDER BY updated DESC", f"{_EXPIRED} ORDER BY expires DESC")
        return self._newest(wanted, {"owner": owner, "now": now, "most": most})

    def count_stale_facts(self, owner: str, now: int) -> int:
        """Return how many facts no longer hold."""
        counted = "SELECT (SELECT count(*) FROM {}) + (SELECT count(*) FROM {})"
        return int(
            self._connection.execute(
                counted.format(_ENDED, _EXPIRED), {"owner": owner, "now": now}
            ).get
        )

    def low_confidence(self, owner: str, below: float, most: int) -> list[StoredRecord]:
        """Return decisions with a confidence under *below*, least first."""
        return self._many(
            "SELECT row, body FROM record WHERE owner = ? AND kind = 'decision'"
            " AND confidence < ? ORDER BY confidence LIMIT ?",
            (owner, below, most),
        )

    def count_low_confidence(self, owner: str, below: float) -> int:
        """Return how many decisions have a confidence under *below*."""
        return int(
            self._connection.execute(
                "SELECT count(*) FROM record WHERE owner = ? AND kind = 'decision'"
                " AND confidence < ?",
                (owner, below),
            ).get
        )

    def _newest(self, wanted: Sequence[str], values: dict[str, Any]) -> list[StoredRecord]:
        """Return rows of several sets, each cut in the order of its index first."""
        rows = " UNION ".join(
            f"SELECT row FROM (SELECT row FROM {one} LIMIT :most)" for one in wanted
        )
        return self._many(
            f"SELECT row, body FROM record WHERE row IN ({rows})"
            " ORDER BY updated DESC LIMIT :most",
            values,
        )

    def _many(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> list[StoredRecord]:
        return [stored(*found) for found in self._connection.execute(sql, values)]

    def _one(self, sql: str, values: Sequence[Any]) -> StoredRecord | None:
        found = self._connection.execute(sql, values).get
        return None if found is None else stored(*found)
