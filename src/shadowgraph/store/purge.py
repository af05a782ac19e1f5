"""Removing records for good: their rows, their retry keys and their journal payloads.

A *logical* purge drops the payloads of the journal entries; a *hard* one seals them, so that
of each entry only its number and its hash are left. Either way the chain still verifies,
and the purge's own entry lists every entry it touched: a payload that is missing without
being listed is a fault (`journal.first_fault`). What a purge is about is found by
`targets`.

Deleted text lives on in SQLite's free pages and in its log until `erase` has rewritten the
file. What the index holds is the affair of `sync`, which makes a new one when it meets the
entry of a purge. What an older copy would bring back is the affair of `tombstones`.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import apsw

from shadowgraph.store.connection import connect, translated
from shadowgraph.store.targets import Target
from shadowgraph.store.tombstones import Tombstone, read_line

ERASE_MILLIS = 10_000
"Longest wait for readers of other processes before the log can be emptied."
MODES = ("logical", "hard")


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
    connection.execute(
        "UPDATE journal SET payload = NULL WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(what.told),),
    )
    # What follows on this connection need not pay for it.
    connection.pragma("secure_delete", False)


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
