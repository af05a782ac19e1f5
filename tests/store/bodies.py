"""Record bodies in wire shape, as short as a test needs them.

Every function takes an id and whatever differs from a plain record of its kind. `put`
stores bodies in one transaction each, as separate callers would.
"""

from typing import Any

from shadowgraph import Library
from shadowgraph.store import Origin, StoredRecord

PROJECT = "acme/billing-api"
WRITTEN = "2026-03-04T09:15:00Z"
NOBODY = Origin()


def attempt(record_id: str, **fields: Any) -> dict[str, Any]:
    """Return an attempt that says nothing about how it ended."""
    return {
        "kind": "attempt",
        "id": record_id,
        "project": PROJECT,
        "solution": "Left everything as it was.",
        "result": "It stayed as it was.",
        "sourceClass": "agent_claimed",
        "createdAt": WRITTEN,
        **fields,
    }


def decision(record_id: str, **fields: Any) -> dict[str, Any]:
    """Return a proposed decision."""
    return {
        "kind": "decision",
        "id": record_id,
        "project": PROJECT,
        "title": "Leave it",
        "chosen": "Nothing changes",
        "status": "proposed",
        "sourceClass": "agent_claimed",
        "createdAt": WRITTEN,
        **fields,
    }


def fact(record_id: str, **fields: Any) -> dict[str, Any]:
    """Return an active fact."""
    return {
        "kind": "fact",
        "id": record_id,
        "project": PROJECT,
        "key": "postgres.version",
        "value": "16.2",
        "status": "active",
        "sourceClass": "agent_claimed",
        "createdAt": WRITTEN,
        **fields,
    }


def put(library: Library, *bodies: dict[str, Any]) -> list[StoredRecord]:
    """Store each of the bodies in a transaction of its own."""
    stored = []
    for body in bodies:
        with library.write() as transaction:
            stored.append(transaction.insert(body, f"{body['kind']}.recorded", NOBODY))
    return stored
