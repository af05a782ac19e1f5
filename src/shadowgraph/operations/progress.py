"""How a decision goes on: its lifecycle and its outcome.

Both are writes to an existing record, so both need a scope that names its owner. The
lifecycle table is in `rules.lifecycle`; an outcome never changes the status by itself.
"""

from typing import Annotated, Any

from pydantic import JsonValue, WithJsonSchema, field_validator

from shadowgraph.errors import InvalidInputError, UnknownRecordError, nearest
from shadowgraph.library import Library
from shadowgraph.model.records import Decision, NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.operations.building import Written, instant, now_text
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Writing
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.confidence import (
    OUTCOME_DIRECTION,
    normalize_source_class,
    with_contribution,
)
from shadowgraph.rules.lifecycle import STATES, check_move, normalize_status
from shadowgraph.store import Origin, StoredRecord
from shadowgraph.store.selection import Selection

OUTCOMES = ("successful", "mixed", "failed", "unknown")


class MovedDecision(Decision, Written):
    """The decision after the call."""

    supersedes: list[str] | None = None
    """Decisions it replaced."""
    superseded_by: str | None = None
    """The decision that replaced it."""


class UpdateStatus(Writing):
    """Move a decision."""

    decision_id: NonBlank
    """Id of the decision."""
    status: Annotated[str, WithJsonSchema({"type": "string", "enum": [*STATES]})]
    """Target state; a refusal names the legal ones."""


@operation(
    "shadowgraph_update_status",
    title="Move a decision",
    description="""Move one decision to another state of its lifecycle. Call it when work on
        a decision starts, ends or is given up. How it turned out is recorded by
        shadowgraph_record_outcome. stale and superseded are set by the
        store.""",
    request=UpdateStatus,
    reply=MovedDecision,
    destructive=True,
    example={
        "decisionId": "decision_ledger-in-sqlite",
        "status": "reconsidered",
        "project": "acme/billing-api",
    },
)
def update_status(library: Library, request: UpdateStatus, caller: Caller) -> Reply:
    """Move a decision within its lifecycle."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    target = normalize_status(request.status)
    with library.write() as transaction:
        decision = find_decision(transaction, request.decision_id, scope)
        current = str(decision.body.get("status") or STATES[0])
        if not check_move(current, target):
            return dict(decision.body)
        body = {**decision.body, "status": target, "updatedAt": transaction.at}
        moved = transaction.replace(
            decision, body, "decision.status_changed", caller.origin(None, None, None)
        )
    return dict(moved.body)


OutcomeIn = Annotated[
    dict[str, JsonValue],
    WithJsonSchema(
        {
            "type": "object",
            "required": ["status"],
            "properties": {
                "status": {"type": "string", "enum": list(OUTCOMES)},
                "lessons": {"type": "array", "items": {"type": "string"}},
                "sourceClass": {"type": "string"},
                "observedAt": {"type": "string"},
            },
        }
    ),
]


class RecordOutcome(Writing):
    """Record an outcome."""

    decision_id: NonBlank
    """Id of the decision."""
    outcome: OutcomeIn
    """How it turned out.

    Members that are not named here are kept as they come."""

    @field_validator("outcome", mode="before")
    @classmethod
    def _status_alone(cls, given: Any) -> Any:
        return {"status": given} if isinstance(given, str) else given


@operation(
    "shadowgraph_record_outcome",
    title="Record an outcome",
    description="""Record how a decision turned out, with lessons. Call it once the
        result is known. Replaces an earlier outcome (the journal keeps it) and moves the
        confidence; the state is moved by shadowgraph_update_status. A single try goes to
        shadowgraph_record_attempt.""",
    request=RecordOutcome,
    reply=MovedDecision,
    destructive=True,
    example={
        "decisionId": "decision_ledger-in-sqlite",
        "outcome": {"status": "successful", "lessons": ["one writer was enough"]},
        "project": "acme/billing-api",
    },
)
def record_outcome(library: Library, request: RecordOutcome, caller: Caller) -> Reply:
    """Store an outcome and let it move the confidence."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    outcome = _outcome(request.outcome, now_text(library))
    origin = caller.origin(None, None, None)
    with library.write() as transaction:
        decision = find_decision(transaction, request.decision_id, scope)
        body = {
            **decision.body,
            "outcome": outcome,
            "confidence": _moved(decision, outcome, origin, transaction.at),
            "updatedAt": transaction.at,
        }
        changed = transaction.replace(decision, body, "outcome.recorded", origin)
    return dict(changed.body)


def _outcome(given: dict[str, Any], now: str) -> dict[str, Any]:
    status = str(given.get("status") or "").strip().lower()
    if status not in OUTCOMES:
        raise InvalidInputError(
            f"outcome.status must be one of {', '.join(OUTCOMES)}, not"
            f" {given.get('status')!r}."
        )
    label = given.get("sourceClass")
    source_class, raw = normalize_source_class(None if label is None else str(label))
    return {
        **given,
        "status": status,
        "sourceClass": source_class,
        **({"sourceRaw": raw} if raw is not None else {}),
        "observedAt": instant(given.get("observedAt"), "outcome.observedAt") or now,
    }


def _moved(decision: StoredRecord, outcome: dict[str, Any], origin: Origin, at: str) -> Any:
    """Return the decision's confidence with the outcome's contribution."""
    held = decision.body.get("confidence")
    if not isinstance(held, dict):
        return held
    confidence, _ = with_contribution(
        held,
        key=f"outcome:{decision.id}",
        kind="outcome",
        direction=OUTCOME_DIRECTION[outcome["status"]],
        source_class=outcome["sourceClass"],
        reason=f"outcome {outcome['status']}",
        provenance=origin.as_json(),
        at=at,
        outcome_status=outcome["status"],
    )
    return confidence


def find_decision(selection: Selection, record_id: str, scope: Scope) -> StoredRecord:
    """Return the decision *record_id* of the scope.

    Raises:
        UnknownRecordError: unknown, foreign, or not a decision.
    """
    record = selection.by_id(record_id, scope.owner)
    if record is None:
        raise unknown(selection, record_id, scope)
    if record.kind != "decision":
        raise InvalidInputError(
            f"{record_id} is a {record.kind}; this operation takes a decision."
        )
    return record


def unknown(selection: Selection, record_id: str, scope: Scope) -> UnknownRecordError:
    """Return the error for an id that the scope does not hold, with the nearest ids."""
    close = nearest(record_id, selection.ids_like(record_id, scope.owner))
    where = f" in project {scope.project}" if scope.project else ""
    return UnknownRecordError(
        f"There is no record {record_id!r}{where}.",
        hint=f"Nearest: {', '.join(close)}." if close else None,
        details={"id": record_id, "nearest": close},
    )
