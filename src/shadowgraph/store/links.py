"""Questions about the graph: what leads where, and what hangs together.

Relations are records like any other; two indexes over their bodies' `from` and `to` answer
which of them touch a record, in either direction, so that a walk costs what it finds.
Alternatives are no records: a side table says in which decision each one stands.
Memories of one key are found by owner and key; which of them share an identity is a rule
(`rules.memories`), and which relations still count is one, too (`rules.presence`).

This is a part of `Selection`, which owns the connection; the walk itself is `rules.walk`.
"""

from collections.abc import Collection, Iterator

import apsw

from shadowgraph.store.rows import StoredRecord, stored

_PAGE = 500
"Values per statement."
MOST_TOUCHING = 5_000
"Relations read of one step of a walk; a record with more is cut, and the walk says so."
MOST_VERSIONS = 1_000
"States of one memory key that are looked at, newest first."


class Links:
    """The graph's part of the reading side."""

    _connection: apsw.Connection

    def touching(self, owner: str, ids: Collection[str]) -> list[StoredRecord]:
        """Return the relations of *owner* that begin or end at one of *ids*, oldest first.

        Those that were taken back are among them: what counts depends on the instant.
        One more than `MOST_TOUCHING` says that there are others.
        """
        found = {
            record.row: record
            for end in ("from", "to")
            for record in self._relations(end, sorted(ids))
            if record.owner == owner
        }
        return [found[row] for row in sorted(found)][: MOST_TOUCHING + 1]

    def between(self, owner: str, source: str, target: str) -> list[StoredRecord]:
        """Return every relation of *owner* from one record to another, oldest first."""
        rows = self._connection.execute(
            "SELECT row, body FROM record WHERE kind = 'relation'"
            " AND body ->> '$.from' = ? AND body ->> '$.to' = ? AND owner = ? AND retracted IS NULL"
            " ORDER BY row",
            (source, target, owner),
        )
        return [stored(row, body) for row, body in rows]

    def _relations(self, end: str, ids: list[str]) -> Iterator[StoredRecord]:
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            marks = ",".join("?" * len(page))
            rows = self._connection.execute(
                "SELECT row, body FROM record WHERE kind = 'relation'"
                f" AND body ->> '$.{end}' IN ({marks}) AND retracted IS NULL"
                " ORDER BY row LIMIT ?",
                (*page, MOST_TOUCHING + 1),
            )
            yield from (stored(row, body) for row, body in rows)

    def holding(self, owner: str, alternatives: Collection[str]) -> list[StoredRecord]:
        """Return the decisions of *owner* that hold one of these alternatives."""
        found = []
        for one in sorted(alternatives):
            rows = self._connection.execute(
                "SELECT record.row, record.body FROM alternative"
                " JOIN record ON record.row = alternative.row"
                " WHERE alternative.id = ? AND record.owner = ?"
                " AND record.retracted IS NULL ORDER BY record.row",
                (one, owner),
            )
            found += [stored(row, body) for row, body in rows]
        return found

    def memories_of(self, owner: str, key: str) -> list[StoredRecord]:
        """Return the memories of *owner* under a key, newest first, of every identity."""
        rows = self._connection.execute(
            "SELECT row, body FROM record WHERE kind = 'memory' AND owner = ?"
            " AND body ->> '$.key' = ? AND retracted IS NULL ORDER BY row DESC LIMIT ?",
            (owner, key, MOST_VERSIONS),
        )
        return [stored(row, body) for row, body in rows]
