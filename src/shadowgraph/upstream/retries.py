"""Idempotency keys of an imported store, bound so that they go on counting.

An agent that repeats a call after the move must get the first record and not a second one.
Upstream writes a key as `<kind>:<project>:<key>`, with the identity of a memory between,
and `<kind>@"<origin>":<key>` for an origin. The first request is not part of a store, so
the key is bound without a fingerprint and the content of a retry is not compared.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from shadowgraph.model.kinds import KEPT
from shadowgraph.model.scope import FALLBACK_PROJECT, owner_of
from shadowgraph.model.text import KEY_CHARACTERS
from shadowgraph.store import Transaction
from shadowgraph.upstream.normalise import Body

UNKNOWN_REQUEST = b""
"The fingerprint of a request that nobody knows."


def bind(transaction: Transaction, bodies: Iterable[Body]) -> int:
    """Bind every kept key whose record is stored; return how many are new."""
    bound = 0
    for body in bodies:
        if body["kind"] != KEPT or body.get("collection") != "idempotency":
            continue
        found = _target(transaction, body["value"])
        if found is not None and transaction.remembered(found[0]) is None:
            transaction.remember(*found, UNKNOWN_REQUEST)
            bound += 1
    return bound


def _target(transaction: Transaction, entry: Any) -> tuple[str, str] | None:
    """Return the key as we store it, and the id of its record."""
    entity = entry.get("value") if isinstance(entry, Mapping) else None
    if not isinstance(entity, Mapping) or not isinstance(entity.get("id"), str):
        return None
    key = caller_key(entry.get("key"), entity)
    record = transaction.by_id(entity["id"])
    if key is None or record is None or record.kind != entity.get("kind"):
        return None
    return f"{record.kind}:{owner_of(dict(record.body))}:{key}", record.id


def caller_key(key: object, entity: Mapping[str, Any]) -> str | None:
    """Return the part of a stored key that the caller gave.

    >>> caller_key("attempt:acme/shop:k-1", {"kind": "attempt", "project": "acme/shop"})
    'k-1'
    """
    if not isinstance(key, str):
        return None
    kind, project = entity.get("kind"), entity.get("project")
    starts = (
        f'{kind}@"{entity.get("originId")}":',
        f"{kind}:{FALLBACK_PROJECT if project is None else project}:",
    )
    start = next((one for one in starts if key.startswith(one)), None)
    if start is None:
        return None
    own = (
        _after_identity(key.removeprefix(start)) if kind == "memory" else key[len(start) :]
    )
    return own if own and len(own) <= KEY_CHARACTERS else None


def _after_identity(text: str) -> str:
    """Return what follows the identity of a memory, a JSON array and a colon."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return text
    return text[end + 1 :]
