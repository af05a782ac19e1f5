"""Removing records for good: their rows, their retry keys and their journal payloads.

A *logical* purge drops the payloads of the journal entries; a *hard* one seals them, so that
of each entry only its number and its hash are left. Either way the chain still verifies,
and the purge's own entry lists every entry it touched: a payload that is missing without
being listed is a fault (`journal.first_fault`).

Deleted text lives on in SQLite's free pages and in its log until `erase` has rewritten the
file. What the index holds is the affair of `sync`, which makes a new one when it meets the
entry of a purge. What an older copy would bring back is the affair of `tombstones`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from shadowgraph.store.connection import connect, translated
from shadowgraph.store.tombstones import Tombstone, digest_of, read_line

ERASE_MILLIS = 10_000
"Longest wait for readers of other processes before the log can be emptied."
MODES = ("logical", "hard")


@dataclass(frozen=True, slots=True)
class Target:
    """What a purge is about."""

    rows: tuple[int, ...]
    "Row numbers of the records."
    ids: tuple[str, ...]
    "Their ids."
    entries: tuple[int, ...]
    "Seqs of the journal entries."
    counts: dict[str, int]
    "Records by kind."
    retry_keys: int
    "Retry keys that stand for these records."

    @property
    def ranges(self) -> list[list[int]]:
        """The entries as closed ranges."""
        return ranges(self.entries)


def target(
    connection: apsw.Connection,
    owner: str | None,
    ids: Sequence[str] | None = None,
    mode: str = "logical",
) -> Target:
    """Return what goes with all records of *owner*, or with those of the given ids.

    Review signals about a record and relations that touch it go with it: a signal repeats
    its words, and a relation would lead nowhere. An entry without a payload has only a
    header left, which a hard purge takes.
    """
    wanted = None if ids is None else json.dumps(list(ids))
    found = list(
        connection.execute(
            "SELECT row, id, kind FROM record WHERE (?1 IS NULL OR owner = ?1)"
            " AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2))) ORDER BY row",
            (owner, wanted),
        )
    )
    whole = owner if ids is None else None
    found = _with_what_names(connection, found)
    return _target(connection, found, whole, mode, (owner, list(ids or ())))


def _with_what_names(connection: apsw.Connection, found: Sequence[Any]) -> list[Any]:
    """Return records with the signals and relations of the same owners that name them."""
    rows = json.dumps([row for row, _, _ in found])
    more = connection.execute(
        "WITH gone (row) AS (SELECT value FROM json_each(?)),"
        " name (id) AS (SELECT id FROM record WHERE row IN gone UNION"
        # An imported option may stand in two decisions; then the relation still leads there.
        " SELECT * FROM (SELECT id FROM alternative WHERE row IN gone EXCEPT"
        " SELECT id FROM alternative WHERE row NOT IN gone))"
        " SELECT row, id, kind FROM record"
        " WHERE owner IN (SELECT owner FROM record WHERE row IN gone)"
        " AND (kind = 'review' AND body ->> '$.decisionId' IN name OR kind = 'relation'"
        " AND (body ->> '$.from' IN name OR body ->> '$.to' IN name))",
        (rows,),
    )
    return sorted({*found, *more})


def _target(
    connection: apsw.Connection,
    found: Sequence[Any],
    whole: str | None,
    mode: str,
    gone: tuple[str | None, list[str]] = (None, []),
) -> Target:
    """Return the target of *found* records, of all of owner *whole*, and of *gone* ids.

    Of a record that is gone there may be headers, which still stand under its owner.
    """
    names = json.dumps([name for _, name, _ in found])
    entries = connection.execute(
        "SELECT seq FROM journal WHERE kind <> 'purge' AND (entity IN"
        " (SELECT value FROM json_each(?1)) OR owner = ?2"
        " OR (owner = ?4 AND entity IN (SELECT value FROM json_each(?5))))"
        " AND (payload IS NOT NULL OR ?3 = 'hard') ORDER BY seq",
        (names, whole, mode, gone[0], json.dumps(gone[1])),
    )
    keys = connection.execute(
        "SELECT count(*) FROM idempotency WHERE record_id IN"
        " (SELECT value FROM json_each(?))",
        (names,),
    ).get
    counts: dict[str, int] = {}
    for _, _, kind in found:
        counts[kind] = counts.get(kind, 0) + 1
    return Target(
        tuple(row for row, _, _ in found),
        tuple(name for _, name, _ in found),
        tuple(seq for (seq,) in entries),
        counts,
        int(keys),
    )


def remove(connection: apsw.Connection, what: Target, mode: str) -> None:
    """Delete rows and retry keys, and drop or seal the journal entries."""
    names, entries = json.dumps(what.ids), json.dumps(what.entries)
    # Set inside the transaction, too: the pages it frees are overwritten at once.
    connection.pragma("secure_delete", True)
    connection.execute(
        "DELETE FROM idempotency WHERE record_id IN (SELECT value FROM json_each(?))",
        (names,),
    )
    connection.execute(
        "DELETE FROM record WHERE row IN (SELECT value FROM json_each(?))",
        (json.dumps(what.rows),),
    )
    sealed = (
        ", at = '', type = '', kind = '', entity = '', owner = '', provenance = '',"
        " digest = x''"
    )
    connection.execute(
        f"UPDATE journal SET payload = NULL{sealed if mode == 'hard' else ''}"
        " WHERE seq IN (SELECT value FROM json_each(?))",
        (entries,),
    )
    # What follows on this connection need not pay for it.
    connection.pragma("secure_delete", False)


def ranges(numbers: Iterable[int]) -> list[list[int]]:
    """Return ascending numbers as closed ranges.

    >>> ranges([1, 2, 3, 7])
    [[1, 3], [7, 7]]
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


# By the index of entities: every opening of a home asks which there are.
_PURGES = "FROM journal WHERE entity >= 'purge_' AND entity < 'purge`' AND kind = 'purge'"


def purges(connection: apsw.Connection) -> set[str]:
    """Return the ids of the purges in the journal."""
    return {name for (name,) in connection.execute(f"SELECT entity {_PURGES}")}


def known(connection: apsw.Connection) -> list[Tombstone]:
    """Return the tombstones in the journal of a store."""
    rows = connection.execute(f"SELECT payload {_PURGES} ORDER BY seq")
    return [read_line(payload) for (payload,) in rows]


def unknown(connection: apsw.Connection, ids: Iterable[str]) -> set[str]:
    """Return the tombstones of *ids* that the store has not considered yet."""
    return {
        one
        for one in ids
        if connection.execute(
            "SELECT 1 FROM journal WHERE entity = ?1 AND kind = 'purge'"
            " UNION ALL SELECT 1 FROM meta WHERE key = ?1",
            (one,),
        ).get
        is None
    }


def consider(connection: apsw.Connection, tombstone: Tombstone) -> None:
    """Note that a tombstone concerns nothing in this store: no change, so no entry."""
    connection.execute("INSERT INTO meta VALUES (?, 0)", (tombstone.id,))


def buried(connection: apsw.Connection, tombstone: Tombstone, identity: str) -> Target:
    """Return what a tombstone says must go from this store.

    In a copy of the store it happened in, all records of the owner are from before the
    purge and go. In another store the owner's name may be shared by chance, so only records
    with the same ids go.
    """
    whole = tombstone.owner if tombstone.store == identity else None
    owners = {
        owner: digest_of(owner)
        for (owner,) in connection.execute("SELECT DISTINCT owner FROM record")
    }
    graves = set(tombstone.records)
    found = [
        (row, name, kind)
        for row, name, kind, owner in connection.execute(
            "SELECT row, id, kind, owner FROM record ORDER BY row"
        )
        if owners[owner] == whole or digest_of(name) in graves
    ]
    found = _with_what_names(connection, found)
    return _target(connection, found, _owner_of_digest(connection, whole), "hard")


def _owner_of_digest(connection: apsw.Connection, digest: str | None) -> str | None:
    """Return the owner in the journal that a digest stands for."""
    if digest is None:
        return None
    rows = connection.execute("SELECT DISTINCT owner FROM journal")
    return next((owner for (owner,) in rows if digest_of(owner) == digest), None)


def erase(path: Path) -> bool:
    """Rewrite the file without its free pages and empty its log.

    Returns False when a reader of another process kept the log for too long; running it
    again finishes the work.
    """
    connection = connect(path, create=False)
    try:
        with translated(path):
            connection.set_busy_timeout(ERASE_MILLIS)
            connection.execute("VACUUM")
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
    finally:
        connection.close()
    return True
