"""What a read is given of the index, and how far an index says it has come."""

from typing import NamedTuple

from shadowgraph.search.schema import Mark
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.store import Head, Store


class View(NamedTuple):
    """What a read sees of the index."""

    snapshot: Snapshot
    pending: int = 0
    "Journal entries that are committed but not searchable yet."
    notices: tuple[str, ...] = ()
    "What happened to the index that its user should know."


def mark_of(head: Head, identity: str) -> Mark:
    """Return the mark of an index that is applied up to *head*."""
    return Mark(head.seq, int.from_bytes(head.hash[:8]), identity)


def head_of(store: Store) -> Mark:
    """Return the mark of an index that has everything *store* holds now."""
    with store.read() as selection:
        return mark_of(selection.head(), store.identity)
