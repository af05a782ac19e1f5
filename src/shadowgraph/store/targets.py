"""What a purge is about: which records go, what goes with them, and who names them.

A signal about a record, a relation that touches it, and what an imported store held
verbatim about it are nothing without it and go with it. What other records of the same
owner say of it by its id goes as well (`rules.mentions`): each of them gets a new state
without it. A hard purge also drops the earlier states of those records that name it, so no
file holds the id any more; a logical one leaves them, as it leaves the id in the headers.
Records of other owners are never touched: what is the same text there is their own.

Finding is here and changes nothing; a preview stops at it. Removing is in `purge`, new
states are written by `Transaction.purge`.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from shadowgraph.rules.mentions import is_about, mentions, without
from shadowgraph.store.journal import COMPACTION, PURGE
from shadowgraph.store.rows import StoredRecord, stored
from shadowgraph.store.tombstones import Tombstone, digest_of


class Target(NamedTuple):
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
    names: frozenset[str]
    "Ids that nothing may name any more: theirs, and those of their alternatives."
    naming: tuple[StoredRecord, ...] = ()
    "Other records that name them."
    told: tuple[int, ...] = ()
    "Seqs of the journal entries of other records that name them, for a hard purge."

    @property
    def ranges(self) -> list[list[int]]:
        """The entries as closed ranges."""
        return ranges(self.entries)

    @property
    def touched(self) -> list[list[int]]:
        """The entries that lose something, of other records too, as closed ranges."""
        return ranges(sorted({*self.entries, *self.told}))

    def rewritten(self) -> Iterator[tuple[StoredRecord, dict[str, Any]]]:
        """Yield every record that names one of them, with its body without the name."""
        for record in self.naming:
            yield record, dict(without(record.body, self.names))


class _Asked(NamedTuple):
    """Whose records go, and how."""

    mode: str
    whole: str | None = None
    "Owner of whom everything goes."
    owners: tuple[str, ...] = ()
    "Owners whose other records may name what goes."
    gone: tuple[str, ...] = ()
    "Ids of theirs that may be gone already, with headers left."


def target(
    connection: apsw.Connection,
    owner: str | None,
    ids: Sequence[str] | None = None,
    mode: str = "logical",
) -> Target:
    """Return what goes with all records of *owner*, or with those of the given ids.

    An entry without a payload has only a header left, which a hard purge takes.
    """
    wanted = None if ids is None else json.dumps(list(ids))
    found = list(
        connection.execute(
            "SELECT row, id, kind FROM record WHERE (?1 IS NULL OR owner = ?1)"
            " AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2))) ORDER BY row",
            (owner, wanted),
        )
    )
    if ids is None or owner is None:
        asked = _Asked(mode, owner if ids is None else None)
    else:
        asked = _Asked(mode, None, (owner,), tuple(ids))
    return _target(connection, found, asked)


def buried(connection: apsw.Connection, tombstone: Tombstone, identity: str) -> Target:
    """Return what a tombstone says must go from this store.

    In a copy of the store it happened in, all records of the owner are from before the
    purge and go. In another store the owner's name may be shared by chance, so only records
    with the same ids go.
    """
    whole = tombstone.owner if tombstone.store == identity else None
    graves = set(tombstone.records)
    digests: dict[str, str] = {}
    found, owners = [], set()
    for row, name, kind, owner in connection.execute(
        "SELECT row, id, kind, owner FROM record ORDER BY row"
    ):
        of_owner = digests.setdefault(owner, digest_of(owner))
        if of_owner == whole or digest_of(name) in graves:
            found.append((row, name, kind))
            owners.add(owner)
    bare = _bare(connection, graves)
    owners |= {owner for _, owner in bare}
    ids = tuple(sorted({name for name, _ in bare}))
    mine = _owner_of_digest(connection, whole)
    return _target(connection, found, _Asked("hard", mine, tuple(sorted(owners)), ids))


def _bare(connection: apsw.Connection, graves: Collection[str]) -> list[Any]:
    """Return id and owner of the records in *graves* of which only entries are left."""
    entities = connection.execute(
        "SELECT DISTINCT entity, owner FROM journal WHERE kind NOT IN (?, ?, '')"
        " AND entity NOT IN (SELECT id FROM record)",
        (PURGE, COMPACTION),
    )
    return [(name, owner) for name, owner in entities if digest_of(name) in graves]


def _owner_of_digest(connection: apsw.Connection, digest: str | None) -> str | None:
    """Return the owner in the journal that a digest stands for."""
    if digest is None:
        return None
    rows = connection.execute("SELECT DISTINCT owner FROM journal")
    return next((owner for (owner,) in rows if digest_of(owner) == digest), None)


def _target(connection: apsw.Connection, found: Sequence[Any], asked: _Asked) -> Target:
    """Return the target of *found* records and of all that *asked* says beside them."""
    found = _with_links(connection, _with_kept(connection, found, asked))
    ids = tuple(name for _, name, _ in found)
    counts: dict[str, int] = {}
    for _, _, kind in found:
        counts[kind] = counts.get(kind, 0) + 1
    what = Target(
        rows=tuple(row for row, _, _ in found),
        ids=ids,
        entries=_entries(connection, ids, asked),
        counts=counts,
        retry_keys=_retry_keys(connection, ids),
        names=frozenset({*asked.gone, *ids, *_options(connection, found)}),
    )
    return _naming(connection, what, asked) if what.names and asked.owners else what


def _with_kept(
    connection: apsw.Connection, found: Sequence[Any], asked: _Asked
) -> list[Any]:
    """Return records with what an imported store held verbatim about them."""
    names = {*asked.gone, *(name for _, name, _ in found)}
    held = connection.execute(
        "SELECT row, id, kind, body FROM record WHERE kind = 'kept'"
        " AND owner IN (SELECT value FROM json_each(?))",
        (json.dumps(asked.owners),),
    )
    kept = (one for *one, body in held if is_about(json.loads(body).get("value"), names))
    return sorted({*map(tuple, found), *map(tuple, kept)})


def _with_links(connection: apsw.Connection, found: Sequence[Any]) -> list[Any]:
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


def _entries(
    connection: apsw.Connection, ids: Sequence[str], asked: _Asked
) -> tuple[int, ...]:
    """Return the entries of records, of an owner, and of what is gone already."""
    rows = connection.execute(
        "SELECT seq FROM journal WHERE kind <> 'purge' AND (entity IN"
        " (SELECT value FROM json_each(?1)) OR owner = ?2"
        " OR (owner IN (SELECT value FROM json_each(?4))"
        " AND entity IN (SELECT value FROM json_each(?5))))"
        " AND (payload IS NOT NULL OR ?3 = 'hard') ORDER BY seq",
        (
            json.dumps(ids),
            asked.whole,
            asked.mode,
            json.dumps(asked.owners),
            json.dumps(asked.gone),
        ),
    )
    return tuple(seq for (seq,) in rows)


def _retry_keys(connection: apsw.Connection, ids: Sequence[str]) -> int:
    return int(
        connection.execute(
            "SELECT count(*) FROM idempotency WHERE record_id IN"
            " (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        ).get
    )


def _options(connection: apsw.Connection, found: Sequence[Any]) -> list[str]:
    """Return the ids of the alternatives that stand in *found* records alone."""
    options = connection.execute(
        "WITH gone (row) AS (SELECT value FROM json_each(?))"
        " SELECT id FROM alternative WHERE row IN gone"
        " EXCEPT SELECT id FROM alternative WHERE row NOT IN gone",
        (json.dumps([row for row, _, _ in found]),),
    )
    return [name for (name,) in options]


def _naming(connection: apsw.Connection, what: Target, asked: _Asked) -> Target:
    """Return a target with the other records that name it, and with their entries."""
    owners, rows, own = json.dumps(asked.owners), set(what.rows), set(what.entries)
    held = connection.execute(
        "SELECT row, body FROM record WHERE owner IN (SELECT value FROM json_each(?))"
        " ORDER BY row",
        (owners,),
    )
    others = (stored(r, body) for r, body in held if r not in rows)
    entries = connection.execute(
        "SELECT seq, payload FROM journal WHERE payload IS NOT NULL AND ? = 'hard'"
        " AND owner IN (SELECT value FROM json_each(?)) AND kind NOT IN (?, ?) ORDER BY seq",
        (asked.mode, owners, PURGE, COMPACTION),
    )
    states = ((seq, json.loads(state)) for seq, state in entries if seq not in own)
    return what._replace(
        naming=tuple(one for one in others if mentions(one.body, what.names)),
        told=tuple(seq for seq, state in states if mentions(state, what.names)),
    )


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
