"""Making the journal smaller: dropping states that were replaced long ago.

Every entry holds the whole state of its record, so a record that changed often is kept many
times. A compaction up to an instant drops the payload of every entry that another one of
the same record had replaced by then. What stays: the newest state of each record, and the
state that held at the instant, so everything known from then on can still be read; what
was known before may be answered with "not known". A removal also keeps the state before it.

The chain verifies as after a logical purge: the payloads' digests stay, and the entry of
kind `compaction` lists what it dropped (`journal.first_fault`). It names no record, because
it is about the whole store.
"""

import json
from typing import NamedTuple

import apsw

from shadowgraph.store.journal import COMPACTION, PURGE

_DROPPED = """
    FROM journal AS old WHERE payload IS NOT NULL AND kind NOT IN (?2, ?3) AND at < ?1
    AND EXISTS (SELECT 1 FROM journal AS new WHERE new.entity = old.entity
        AND new.row = old.row AND new.seq > old.seq AND new.at <= ?1)
    AND coalesce((SELECT next.type FROM journal AS next WHERE next.entity = old.entity
        AND next.seq > old.seq ORDER BY next.seq LIMIT 1), '') NOT LIKE '%.removed'
"""


class Superseded(NamedTuple):
    """States that a compaction drops."""

    entries: tuple[int, ...]
    "Seqs of their journal entries."
    bytes: int
    "Bytes of their payloads."


class Sizes(NamedTuple):
    """Bytes of text in a store."""

    records: int
    "Of the records as they stand."
    journal: int
    "Of the payloads in the journal."


def superseded(connection: apsw.Connection, before: str) -> Superseded:
    """Return the states that others had replaced by the instant *before*."""
    rows = list(
        connection.execute(
            f"SELECT seq, octet_length(payload) {_DROPPED} ORDER BY seq",
            (before, PURGE, COMPACTION),
        )
    )
    return Superseded(tuple(seq for seq, _ in rows), sum(size for _, size in rows))


def drop(connection: apsw.Connection, what: Superseded) -> None:
    """Drop the payloads, and nothing else."""
    connection.execute(
        "UPDATE journal SET payload = NULL WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(what.entries),),
    )


def sizes(connection: apsw.Connection) -> Sizes:
    """Return how many bytes of text records and journal hold."""
    records, journal = (
        connection.execute(f"SELECT coalesce(sum(octet_length({column})), 0) FROM {table}")
        for column, table in (("body", "record"), ("payload", "journal"))
    )
    return Sizes(int(records.get), int(journal.get))


def dropped(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return the ranges of entries that compactions dropped, as first and last."""
    rows = connection.execute(
        "SELECT payload FROM journal WHERE entity >= 'compaction_' AND entity < 'compaction`'"
        " AND kind = ?",
        (COMPACTION,),
    )
    return [(one, two) for (text,) in rows for one, two in json.loads(text)["entries"]]
