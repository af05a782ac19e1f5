"""The journal: append-only, hash-chained, and the change feed of every replica.

Entry hash = SHA-256 over the previous hash, the canonical header and the digest of the
payload. The payload itself is not hashed into the chain but its digest is, so a purge can
drop a payload and the chain still verifies; that entries lost something is itself an entry. `seq` counts without gaps from 1; the index,
and any later replica, follows it.

Canonical JSON here means: keys sorted, no white space, UTF-8 without escapes. That form is
a contract: a change to it would break every chain on disk.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

GENESIS = b"\0" * 32
"The hash before the first entry."
PURGE = "purge"
"Kind of the entry that says which entries lost their payload, or all but their hash."
COMPACTION = "compaction"
"Kind of the entry that says which superseded states lost their payload."


class Head(NamedTuple):
    """The newest journal entry: a point in one store's one history."""

    seq: int
    "Sequence number; 0 for an empty journal."
    hash: bytes
    "Its 32-byte hash; `GENESIS` for an empty journal."


class Change(NamedTuple):
    """What a replica has to know of one journal entry."""

    seq: int
    row: int
    "The record's row number."
    body: Mapping[str, Any] | None
    "The record as it stands now; None when it is gone or retracted."
    purged: bool = False
    "Whether records were purged here: a replica has to be made anew, not only changed."


class Origin(NamedTuple):
    """Who made a write, as the journal keeps it."""

    actor: str | None = None
    client: str | None = None
    session_id: str | None = None

    def as_json(self) -> dict[str, str | None]:
        """Return the wire shape."""
        return {"actor": self.actor, "client": self.client, "sessionId": self.session_id}


def canonical(value: object) -> str:
    """Return the canonical JSON text of *value*.

    >>> canonical({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(payload: str) -> bytes:
    """Return the 32-byte digest of a payload's text."""
    return hashlib.sha256(payload.encode()).digest()


def entry_hash(previous: bytes, header: Iterable[object], payload_digest: bytes) -> bytes:
    """Return the hash of an entry over its predecessor, header and payload digest."""
    text = canonical(list(header)).encode()
    return hashlib.sha256(previous + text + payload_digest).digest()


class ChainFault(NamedTuple):
    """The first place where the journal is not what was written."""

    seq: int
    reason: str


def first_fault(entries: Iterator[tuple[Any, ...]]) -> ChainFault | None:
    """Walk the whole chain and return its first fault, or None.

    *entries* are (seq, at, type, kind, entity, row, owner, provenance, payload, digest,
    hash) in order of seq. An entry may have lost its payload, or all but its hash, when a
    later entry of kind `purge` or `compaction` lists it.
    """
    previous, expected = GENESIS, 1
    bare: set[int] = set()
    sealed: set[int] = set()
    for seq, *header, payload, payload_digest, found in entries:
        if seq != expected:
            return ChainFault(seq, f"entry {expected} is missing")
        if payload is not None and digest(payload) != payload_digest:
            return ChainFault(seq, "its payload was changed")
        if payload is None:
            bare.add(seq)
        if payload is None and header[0] == "" and payload_digest == b"":
            sealed.add(seq)
        elif entry_hash(previous, [seq, *header], payload_digest) != found:
            return ChainFault(seq, "its header or its place in the chain was changed")
        if payload is not None and header[2] in (PURGE, COMPACTION):
            _explain(json.loads(payload), bare, sealed)
        previous, expected = found, seq + 1
    if bare:
        return ChainFault(min(bare), "its payload is missing and no other entry says why")
    return None


def _explain(told: Mapping[str, Any], bare: set[int], sealed: set[int]) -> None:
    """Take out of *bare* the entries that one lists; only a hard purge seals."""
    listed = {seq for first, last in told["entries"] for seq in range(first, last + 1)}
    bare -= listed if told["mode"] == "hard" else listed - sealed
