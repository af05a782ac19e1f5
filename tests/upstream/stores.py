"""Upstream stores in their documented shapes, as small as a test needs them.

`store(n)` is the envelope of schema n with what that schema had: an event log alone (1 and
2), a journal and provenance (3), memories and one id namespace (4), the lifecycle and the
validity of facts (5), attribution and origins (6), claims and captures (7). `write_tables`
puts an envelope into SQLite tables, `public` and `redacted` make the two exports of it.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

SCHEMAS = range(1, 8)
PROJECT = "acme/harbour"
AT = "2026-02-03T08:00:00Z"
LATER = "2026-02-04T09:30:00Z"

TABLES = {
    "shadowgraph_meta": "key TEXT PRIMARY KEY, value TEXT",
    "shadowgraph_entities": "id TEXT, kind TEXT, project TEXT, payload TEXT",
    "shadowgraph_relations": "id TEXT, source_id TEXT, target_id TEXT, relation TEXT,"
    " created_at TEXT, payload TEXT",
    "shadowgraph_reviews": "id TEXT, decision_id TEXT, status TEXT, payload TEXT",
    "shadowgraph_idempotency": "key TEXT PRIMARY KEY, payload TEXT",
    "shadowgraph_events": "id TEXT, project TEXT, payload TEXT",
    "shadowgraph_journal": "id TEXT, seq INTEGER, type TEXT, project TEXT,"
    " entity_id TEXT, payload TEXT",
    "shadowgraph_extra": "collection TEXT, payload TEXT",
}


def decision(schema: int, **fields: Any) -> dict[str, Any]:
    """Return a decision about where tide tables are kept."""
    body: dict[str, Any] = {
        "id": "decision_1770105600000_tides1",
        "kind": "decision",
        "title": "Keep tide tables in one file",
        "goal": "Offline use on the pilot boat",
        "chosen": "SQLite on the boat",
        "status": "active" if schema < 5 else "proposed",
        "assumptions": ["one boat writes at a time"],
        "evidence": ["the sync lost rows twice"],
        "alternatives": [
            {
                "label": "A server ashore",
                "reasonRejected": "no signal outside the mole",
                "reopenWhen": [{"key": "boats", "operator": "gte", "value": 3}],
            }
        ],
        "confidence": 0.7,
        "failedAttempts": [],
        "outcome": None,
        "reviewAfter": None,
        "createdAt": AT,
        "updatedAt": AT,
        **common(schema),
    }
    if schema >= 5:
        body["confidence"] = confidence(0.7)
        body["alternatives"][0] |= {"id": "alternative_1_shore1", "status": "rejected"}
        body["evidence"] = [
            {
                "source": "log",
                "type": "log",
                "sourceClass": "tool_observed",
                "confidence": 0.5,
                "observedAt": AT,
                "detail": "the sync lost rows twice",
            }
        ]
    return body | fields


def confidence(value: float) -> dict[str, Any]:
    """Return an auditable confidence without contributions."""
    basis = dict.fromkeys(
        (
            "supportingEvidence", "contradictingEvidence", "successfulOutcomes",
            "failedOutcomes", "mixedOutcomes", "unknownOutcomes", "humanConfirmations",
            "productionVerifications", "declaredEvidence",
        ),
        0,
    )  # fmt: skip
    policy = "evidence_weighted_bounded_v1"
    return {
        "initial": value,
        "current": value,
        "basis": {**basis, "policy": policy, "contributions": []},
        "history": [],
        "policy": policy,
    }


def attempt(schema: int, **fields: Any) -> dict[str, Any]:
    """Return an attempt that failed."""
    body: dict[str, Any] = {
        "id": "attempt_1770105600001_mirror",
        "kind": "attempt",
        "solution": "Mirror the tables with rsync every minute",
        "result": "It failed: the copy was torn when the engine stopped",
        "reason": "rsync copies while SQLite writes",
        "environment": "Debian 12, ext4",
        "reusableWhen": [],
        "relatedTo": [],
        "createdAt": AT,
        **common(schema),
    }
    if schema >= 5:
        body["resultClass"] = "failed"
    if schema >= 7:
        claim = {"state": "recorded", "sourceClass": "agent_claimed", "evidence": []}
        body |= {"causalClaim": claim, "outcomeEvidence": {"state": "absent"}}
    return body | fields


def fact(schema: int, **fields: Any) -> dict[str, Any]:
    """Return an active fact; the oldest have no id and no class of their source."""
    body: dict[str, Any] = {
        "kind": "fact",
        "key": "boats",
        "value": 2,
        "source": "Tool-Observed" if schema < 5 else "tool_observed",
        "confidence": 0.5,
        "verificationStatus": "unverified",
        "status": "active",
        "expiresAt": None,
        "observedAt": AT,
        "temporal": {
            "validFrom": AT,
            "validTo": None,
            "recordedAt": AT,
            "invalidatedAt": None,
        },
        **common(schema),
    }
    if schema >= 3:
        body["id"] = "fact_1770105600002_boats1"
    if schema >= 5:
        body["validityPolicy"] = {
            "declaredExpiresAt": None,
            "declaredValidTo": None,
            "effectiveExpirationBoundary": None,
        }
        body["sourceClass"] = "tool_observed"
    else:
        body.pop("sourceClass", None)
    return body | fields


def memory(schema: int, **fields: Any) -> dict[str, Any]:
    """Return a remembered preference."""
    return {
        "id": "memory_1770105600003_units1",
        "kind": "memory",
        "scope": {"userId": None, "agentId": None, "runId": None},
        "memoryType": "preference",
        "key": "units",
        "text": "Depths are told in metres",
        "version": 1,
        "metadata": {},
        "tags": ["units"],
        "embedding": None,
        "verificationStatus": "unverified",
        "status": "active",
        "temporal": {
            "validFrom": AT,
            "validTo": None,
            "recordedAt": AT,
            "invalidatedAt": None,
        },
        "createdAt": AT,
        "updatedAt": AT,
        **common(schema),
        **fields,
    }


def relation(**fields: Any) -> dict[str, Any]:
    """Return a link from the attempt to the decision; it names no project."""
    return {
        "id": "relation_1770105600004_about1",
        "kind": "relation",
        "from": "attempt_1770105600001_mirror",
        "to": "decision_1770105600000_tides1",
        "relation": "informed",
        "createdAt": AT,
        **fields,
    }


def signal(**fields: Any) -> dict[str, Any]:
    """Return an open review signal of the decision."""
    return {
        "id": "review_1770105600005_boats1",
        "kind": "review",
        "decisionId": "decision_1770105600000_tides1",
        "title": "Keep tide tables in one file",
        "reason": "boats",
        "alternativesToReconsider": ["A server ashore"],
        "coverage": ['["match","boats"]'],
        "violatedConditions": [],
        "status": "open",
        "createdAt": LATER,
        **fields,
    }


def common(schema: int) -> dict[str, Any]:
    """Return the members that records of a schema share."""
    made: dict[str, Any] = {"project": PROJECT}
    if schema >= 3:
        who = {"actor": "pilot", "client": "chart-room", "sessionId": None}
        made |= {"schemaVersion": schema, "sourceClass": "agent_claimed", **who}
    if schema >= 6:
        made |= {"attribution": "project"}
    if schema >= 7:
        made |= {"erasureToken": "0b9d4f8e-0000-4000-8000-000000000001"}
    return made


def event(number: int, record_id: str, type_: str) -> dict[str, Any]:
    """Return a line of the event log."""
    return {
        "id": f"event_177010560000{number}_evt",
        "type": type_,
        "at": AT,
        "project": PROJECT,
        "recordId": record_id,
    }


def entry(seq: int, type_: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a journal entry with the snapshot of an entity."""
    return {
        "id": f"jentry_177010560000{seq}_jrn",
        "seq": seq,
        "type": type_,
        "at": AT,
        "project": body.get("project"),
        "entityKind": body["kind"],
        "entityId": body["id"],
        "schemaVersion": body.get("schemaVersion", 3),
        "payload": dict(body),
        "provenance": {"actor": "pilot", "client": "chart-room", "sessionId": None},
    }


def store(schema: int) -> dict[str, Any]:
    """Return a whole store of a schema."""
    records = [decision(schema), attempt(schema)]
    made: dict[str, Any] = {
        "schemaVersion": schema,
        "revision": 11,
        "records": records,
        "facts": [fact(schema)],
        "relations": [relation()],
        "reviewSignals": [signal()],
        "events": [
            event(1, records[0]["id"], "decision.recorded"),
            event(2, records[1]["id"], "attempt.recorded"),
        ],
    }
    if schema >= 3:
        made |= _journalled(made)
    if schema >= 4:
        made["records"].append(memory(schema))
    if schema >= 6:
        made["records"].append(
            attempt(
                schema,
                id="attempt_1770105600006_origin",
                project=None,
                originId="origin-7",
                attribution="unattributed",
            )
        )
    if schema >= 7:
        made |= _extras()
        made["records"].append(
            {"id": "capture_1770105600007_tool1", "kind": "capture", "project": PROJECT}
        )
    return made


def _journalled(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return journal and idempotency keys of a store."""
    decided, tried = made["records"][:2]
    (known,) = made["facts"]
    (link,) = made["relations"]
    entries = [
        entry(1, "decision.recorded", decided),
        entry(2, "attempt.recorded", tried),
        entry(3, "fact.observed", known),
        entry(4, "relation.created", link),
    ]
    return {
        "idempotency": [{"key": f"attempt:{PROJECT}:mirror-once", "value": tried}],
        "journal": entries,
        "journalSeq": 4,
        "journalEpoch": 1,
    }


def _extras() -> dict[str, Any]:
    """Return the members that only the newest schema has, and two of nobody."""
    return {
        "access": [],
        "storedWithoutProject": ["decision_1770105600000_tides1"],
        "captureContent": [{"id": "content_1", "text": "bow thruster log"}],
        "runtimeMisses": {"total": 2, "digests": ["a", "b"]},
        "chartPlugin": {"colour": "blue"},
    }


def public(schema: int) -> dict[str, Any]:
    """Return the public export of a store."""
    kept = ("records", "facts", "relations", "reviewSignals", "events")
    return {
        "exportKind": "public_scoped",
        "schemaVersion": schema,
        **{name: store(schema)[name] for name in kept},
        "completeness": {"complete": True},
    }


def redacted(schema: int) -> dict[str, Any]:
    """Return the redacted export of a store: values of secret keys are masked."""
    made = public(schema) | {"exportKind": "scoped_redaction"}
    whole = store(schema)
    made |= {name: whole.get(name, []) for name in ("idempotency", "journal")}
    made["facts"][0] |= {"key": "api_token", "value": "[REDACTED]"}
    return made


def data_of(value: Any) -> bytes:
    """Return a value as upstream writes its file."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def write_tables(
    made: Mapping[str, Any], path: Path, *, without: Iterable[str] = ()
) -> Path:
    """Write an envelope as the tables of the SQLite form; leave some tables out."""
    left_out = set(without)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 512")
        for table, columns in TABLES.items():
            if table not in left_out:
                connection.execute(f"CREATE TABLE {table} ({columns})")
        for table, row in _rows(made):
            if table not in left_out:
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)
        connection.commit()
    return path


def _rows(made: Mapping[str, Any]) -> Iterable[tuple[str, tuple[Any, ...]]]:
    """Yield every row of an envelope with its table."""
    for name in ("schemaVersion", "revision", "journalSeq", "journalEpoch"):
        held = made.get(name)
        yield "shadowgraph_meta", (name, "" if held is None else str(held))
    for body in [*made["records"], *made["facts"]]:
        row = (body.get("id"), body.get("kind"), body.get("project"), _text(body))
        yield "shadowgraph_entities", row
    for one in made.get("relations", ()):
        names = ("id", "from", "to", "relation", "createdAt")
        yield "shadowgraph_relations", (*map(one.get, names), _text(one))
    for one in made.get("reviewSignals", ()):
        row = (one.get("id"), one.get("decisionId"), one.get("status"), _text(one))
        yield "shadowgraph_reviews", row
    for one in made.get("idempotency", ()):
        yield "shadowgraph_idempotency", (one["key"], _text(one))
    for one in made.get("events", ()):
        yield "shadowgraph_events", (one["id"], one.get("project"), _text(one))
    for one in made.get("journal", ()):
        names = ("id", "seq", "type", "project", "entityId")
        yield "shadowgraph_journal", (*map(one.get, names), _text(one))
    for name, held in made.items():
        if name not in (*_KNOWN, "schemaVersion", "revision", "journalSeq", "journalEpoch"):
            yield "shadowgraph_extra", (name, _text(held))


_KNOWN = (
    "records", "facts", "relations", "reviewSignals", "idempotency", "events", "journal",
)  # fmt: skip


def _text(value: Any) -> str:
    """Return a payload."""
    return json.dumps(value, ensure_ascii=False)


def write_state(made: Mapping[str, Any], path: Path) -> Path:
    """Write an envelope as the single row of the oldest SQLite files."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("CREATE TABLE shadowgraph_state (id INTEGER, payload TEXT)")
        connection.execute("INSERT INTO shadowgraph_state VALUES (1, ?)", (_text(made),))
        connection.commit()
    return path
