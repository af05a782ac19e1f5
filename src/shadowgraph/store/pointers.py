"""Which task is current where: one pointer per owner, worktree and client session.

A pointer is no knowledge, so it is no record and stands in no journal: it says only which
task a call means that names none. It refers to a row and goes with it, in a purge as well.
The invariant: a session moves its own pointer and never that of another, so two agents in
one worktree cannot turn each other to another task.

What may become current, and what a session without a pointer of its own sees, is decided
in `operations.tasking`. These are parts of `Selection` and of `Transaction`.
"""

from typing import NamedTuple

import apsw

from shadowgraph.store.rows import StoredRecord, stored


class Place(NamedTuple):
    """Whose pointer: a session in a worktree of an owner; empty texts for unknown ones."""

    owner: str
    worktree: str
    session: str


class Pointed(NamedTuple):
    """A pointer with the task it names."""

    session: str
    task: StoredRecord


class Pointers:
    """The reading side of pointers."""

    _connection: apsw.Connection

    def pointed(self, place: Place) -> StoredRecord | None:
        """Return the task that is current at *place*; a retracted one is none."""
        found = [p.task for p in self.pointers(place) if p.session == place.session]
        return found[0] if found else None

    def pointers(self, place: Place) -> list[Pointed]:
        """Return the pointers of every session in the worktree, last moved first."""
        rows = self._connection.execute(
            "SELECT pointer.session, record.row, record.body FROM pointer"
            " JOIN record ON record.row = pointer.row WHERE pointer.owner = ?"
            " AND pointer.worktree = ? AND record.retracted IS NULL"
            " ORDER BY pointer.moved DESC, pointer.row DESC",
            (place.owner, place.worktree),
        )
        return [Pointed(s, stored(row, body)) for s, row, body in rows]


def move(
    connection: apsw.Connection, place: Place, record: StoredRecord, millis: int
) -> None:
    """Let *place* point to a task, whatever it pointed to before."""
    connection.execute(
        "INSERT INTO pointer VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET row = excluded.row, moved = excluded.moved",
        (place.owner, place.worktree, place.session, record.row, millis),
    )
