"""What one remembering does to the memories of its identity.

A step of a plan meets the states that its identity has: the active one is kept, ended or
followed by a new one, and every state stays readable with the window in which it held. The
windows of one identity never overlap: a state that would begin within an earlier one is
refused, and so is the whole plan. What counts as the same memory and as the same text is a
rule (`rules.memories`); how a plan is read and checked is in `remembering`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, WithJsonSchema, field_validator

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.model.scope import Scope
from shadowgraph.operations.building import fingerprint, retried, retry_key
from shadowgraph.operations.inputs import Provenance, Retry
from shadowgraph.operations.standpoint import ScopeIn
from shadowgraph.rules.instants import format_instant, parse_instant
from shadowgraph.rules.memories import (
    ACTIONS,
    TYPES,
    active,
    identity_of,
    next_version,
    says_the_same,
)
from shadowgraph.rules.operands import same
from shadowgraph.rules.presence import temporal_of
from shadowgraph.rules.validity import expiration_boundary, valid_since
from shadowgraph.store import Origin, StoredRecord, Transaction
from shadowgraph.store.journal import canonical

MemoryType = Literal[TYPES]  # type: ignore[valid-type]
Vector = Annotated[
    JsonValue,
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "number"},
            "description": "Vector of the text; kept, not ranked by.",
        }
    ),
]


class Content(Provenance, Retry):
    """What a memory says, and when."""

    scope: ScopeIn | None = None
    """Whose it is: userId, agentId, runId; everybody's in the project when left out."""
    tags: list[str] = []
    """Labels."""
    metadata: dict[str, JsonValue] = {}
    """Any object that goes with it; its texts are searched."""
    valid_from: str | None = None
    """Start of its validity, ISO 8601; now when left out."""
    valid_to: str | None = None
    """End of its validity, ISO 8601, exclusive."""
    embedding: Vector = None
    """Vector of the text, numbers or {model, values}; kept, not ranked by."""
    recorded_at: str | None = None
    """When another system recorded it, ISO 8601."""
    created_at: str | None = None
    """When it was made, ISO 8601, if not now."""


class PlannedMemory(Content):
    """One operation of a plan."""

    action: Literal[ACTIONS]  # type: ignore[valid-type]
    """ADD, UPDATE, DELETE or NOOP."""
    memory_type: MemoryType
    """preference, profile, goal, instruction, procedure, episode or note."""
    key: Annotated[str, Field(min_length=1, pattern=r"\S")]
    """What it is about."""
    text: str | None = None
    """The memory itself; ADD and UPDATE need it."""
    valid_at: str | None = None
    """Instant from which a deleted memory does not hold, ISO 8601; now when left out."""

    @field_validator("action", mode="before")
    @classmethod
    def _any_case(cls, given: Any) -> Any:
        return given.strip().upper() if isinstance(given, str) else given


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, read and checked, and all that its writing needs."""

    asked: PlannedMemory
    body: dict[str, Any]
    "The new state, its times and its place in the history aside."
    scope: Scope
    origin: Origin


def apply(transaction: Transaction, step: Step) -> dict[str, Any]:
    """Do one operation; return what was done."""
    key = f"memory:{canonical(identity_of(step.body))}"
    first = retried(transaction, key, step.scope, step.asked)
    if first is not None:
        return {**_result("NOOP", first.body), "replayed": True}
    states = [
        record
        for record in transaction.memories_of(step.scope.owner or "", step.asked.key)
        if identity_of(record.body) == identity_of(step.body)
    ]
    current = active(state.body for state in states)
    held = next((state for state in states if state.body is current), None)
    record, result = _done(transaction, step, states, held)
    if record is not None and step.asked.idempotency_key:
        transaction.remember(
            retry_key(key, step.scope, step.asked), record.id, fingerprint(step.asked)
        )
    return result


def _done(
    transaction: Transaction,
    step: Step,
    states: list[StoredRecord],
    held: StoredRecord | None,
) -> tuple[StoredRecord | None, dict[str, Any]]:
    """Return the record that the operation is about, and its result."""
    if step.asked.action == "NOOP" or (step.asked.action == "DELETE" and held is None):
        return held, _result("NOOP", held.body if held else None)
    if step.asked.action == "DELETE" and held is not None:
        gone = [
            transaction.replace(
                one,
                _forgotten(one.body, step.asked.valid_at, transaction.at),
                "memory.invalidated",
                step.origin,
            )
            for one in _in_force(held, states)
        ]
        return gone[0], _result("DELETE", gone[0].body)
    body = _timed(step, states, transaction.at)
    if held is not None and _unchanged(held.body, step.asked, valid_since(body)):
        return _kept(transaction, step, held)
    _check_order(body, states)
    ended = [
        transaction.replace(
            one, _superseded(one.body, body), "memory.superseded", step.origin
        )
        for one in (_in_force(held, states) if held else ())
    ]
    if held is None:
        record = transaction.insert(body, "memory.recorded", step.origin)
        return record, _result("ADD", record.body)
    body["supersedes"] = held.id
    record = transaction.insert(body, "memory.recorded", step.origin)
    return record, _result("UPDATE", record.body, ended[0])


def _in_force(held: StoredRecord, states: list[StoredRecord]) -> list[StoredRecord]:
    """Return the active state, and behind it others that an import brought."""
    others = [
        state
        for state in states
        if state is not held and state.body.get("status", "active") == "active"
    ]
    return [held, *others]


def _timed(step: Step, states: list[StoredRecord], now: str) -> dict[str, Any]:
    """Return the new state with its times and its number."""
    asked = step.asked
    body = {
        **step.body,
        "version": next_version(state.body for state in states),
        "verificationStatus": "unverified",
        "status": "active",
        "temporal": {
            "validFrom": asked.valid_from or now,
            "validTo": asked.valid_to,
            "recordedAt": asked.recorded_at or now,
            "invalidatedAt": None,
        },
        "createdAt": asked.created_at or now,
        "updatedAt": now,
    }
    start, end = valid_since(body), expiration_boundary(body)
    if end is not None and end <= start:
        raise InvalidInputError(
            f"{asked.key!r} would end at {format_instant(end)}, not after it begins at"
            f" {format_instant(start)}.",
            hint="Give validTo later than validFrom.",
        )
    return body


def _unchanged(held: Mapping[str, Any], asked: PlannedMemory, start: datetime) -> bool:
    """Say whether what is asked for holds already."""
    end = expiration_boundary(held)
    wanted = {
        "text": asked.text,
        "metadata": asked.metadata,
        "tags": asked.tags,
        "validFrom": asked.valid_from,
        "validTo": asked.valid_to,
    }
    return (end is None or end > start) and says_the_same(held, wanted)


def _kept(
    transaction: Transaction, step: Step, held: StoredRecord
) -> tuple[StoredRecord, dict[str, Any]]:
    """Leave a memory as it is, a new vector aside."""
    vector = step.body["embedding"]
    if vector is None or same(vector, held.body.get("embedding")):
        return held, _result("NOOP", held.body)
    # What it says did not change, so neither does the time of its last change.
    body = {**held.body, "embedding": vector}
    record = transaction.replace(held, body, "memory.indexed", step.origin)
    return record, {**_result("NOOP", record.body), "indexUpdated": True}


def _check_order(body: Mapping[str, Any], states: list[StoredRecord]) -> None:
    """Refuse a state that would begin within one that was."""
    start = valid_since(body)
    for state in states:
        ends = expiration_boundary(state.body)
        least = valid_since(state.body)
        if state.body.get("status") != "active" and ends is not None:
            least = max(least, ends)
        if start < least:
            raise ConflictError(
                f"{state.id} holds for {body['key']!r} until {format_instant(least)};"
                f" the new text would begin earlier, at {format_instant(start)}."
                if least == ends
                else f"{state.id} holds for {body['key']!r} from {format_instant(least)}"
                f" on; the new text would begin earlier, at {format_instant(start)}.",
                hint="Give validFrom not before that instant.",
                details={"id": state.id},
            )


def _superseded(held: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state that ends where the next begins."""
    temporal = temporal_of(held)
    begins, end = body["temporal"]["validFrom"], expiration_boundary(held)
    if end is not None and end <= parse_instant(begins):
        begins = temporal.get("validTo")
    return {
        **held,
        "status": "superseded",
        "supersededBy": body["id"],
        "temporal": {
            **temporal,
            "validTo": begins,
            "invalidatedAt": body["updatedAt"],
        },
        "updatedAt": body["updatedAt"],
    }


def _forgotten(held: Mapping[str, Any], at: str | None, now: str) -> dict[str, Any]:
    """Return a state that ends at an instant, or where it began, or already has."""
    temporal = temporal_of(held)
    ends = max(valid_since(held), parse_instant(at or now))
    before = expiration_boundary(held)
    until = format_instant(ends if before is None else min(before, ends))
    return {
        **held,
        "status": "invalidated",
        "temporal": {**temporal, "validTo": until, "invalidatedAt": now},
        "updatedAt": now,
    }


def _result(
    done: str, memory: Mapping[str, Any] | None, previous: StoredRecord | None = None
) -> dict[str, Any]:
    """Return what was done with one memory."""
    result: dict[str, Any] = {
        "operation": done,
        "memory": None if memory is None else without_vector(memory),
    }
    if previous is not None:
        result["previous"] = without_vector(previous.body)
    return result


def without_vector(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with the size of its vector in place of its numbers."""
    body = dict(memory)
    vector = body.pop("embedding", None)
    values = vector.get("values") if isinstance(vector, Mapping) else vector
    if isinstance(values, list):
        body["embeddingDimensions"] = len(values)
    return body
