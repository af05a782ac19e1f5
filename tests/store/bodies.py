"""Record bodies in wire shape, as short as a test needs them.

Every function takes an id and whatever differs from a plain record of its kind. `put`
stores bodies in one transaction each, as separate callers would.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw

from shadowgraph import Library
from shadowgraph.model.scope import owner_of
from shadowgraph.store import Origin, StoredRecord
from shadowgraph.store.migrations import APPLICATION_ID, MIGRATIONS
from shadowgraph.store.rows import dump

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


def first_schema(home: Path, bodies: Iterable[dict[str, Any]]) -> None:
    """Make a store of the first schema with these records, as an older version left it."""
    connection = apsw.Connection(str(home / "graph.db"))
    connection.pragma("application_id", APPLICATION_ID)
    connection.execute(
        "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
        " at TEXT NOT NULL) STRICT"
    )
    MIGRATIONS[0](connection)
    connection.execute("INSERT INTO migration VALUES (1, 'm001_initial', '2026')")
    for body in bodies:
        connection.execute(
            "INSERT INTO record (id, kind, owner, created, updated, body)"
            " VALUES (?, ?, ?, 1, 1, ?)",
            (body["id"], body["kind"], owner_of(body), dump(body)),
        )
    connection.close()
