"""Evidence for or against a decision, counted into its confidence.

Evidence counts once per key. The same observation under its key again changes nothing; the
same key with the opposite sign or another source class is refused, because keeping the first
in silence would lose the second. The arithmetic is in `rules.confidence`.
"""

from collections.abc import Mapping
from typing import Any

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.operations.building import instant
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Writing
from shadowgraph.operations.progress import MovedDecision, find_decision
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.confidence import (
    CONTRADICTING,
    SUPPORTING,
    normalize_source_class,
    with_contribution,
)
from shadowgraph.store import StoredRecord


class ConfidenceEvidence(Writing, Provenance):
    """Count evidence."""

    decision_id: NonBlank
    """Id of the decision."""
    key: NonBlank
    """Names the observation, so that it counts once."""
    reason: NonBlank
    """What was observed, and why it matters."""
    supports: bool = True
    """False when it speaks against the decision."""
    observed_at: str | None = None
    """When it was observed, ISO 8601, if not now."""


@operation(
    "shadowgraph_confidence_evidence",
    title="Count evidence",
    toolset="graph",
    description="""Count one observation for or against a decision into its confidence, by
        the weight of its source class. Call it when something was seen that supports or
        contradicts a choice. The same key counts once. The final result goes to
        shadowgraph_record_outcome, a measured value to shadowgraph_record_fact.""",
    request=ConfidenceEvidence,
    reply=MovedDecision,
    idempotent=True,
    example={
        "decisionId": "decision_ledger-in-sqlite",
        "key": "load-test-2026-11",
        "reason": "two writers held 2,000 commits a second",
        "sourceClass": "tool_observed",
        "project": "acme/billing-api",
    },
)
def confidence_evidence(
    library: Library, request: ConfidenceEvidence, caller: Caller
) -> Reply:
    """Move a decision's confidence by one piece of evidence."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    observed = instant(request.observed_at, "observedAt")
    source_class, _ = normalize_source_class(request.source_class)
    origin = caller.origin(request.actor, request.client, request.session_id)
    direction = SUPPORTING if request.supports else CONTRADICTING
    with library.write() as transaction:
        decision = find_decision(transaction, request.decision_id, scope)
        held = _confidence(decision)
        _refuse_reuse(held, request.key, direction, source_class)
        confidence, changed = with_contribution(
            held,
            key=request.key,
            kind="evidence",
            direction=direction,
            source_class=source_class,
            reason=request.reason,
            provenance=origin.as_json(),
            at=observed or transaction.at,
        )
        if not changed:
            return {**decision.body, "replayed": True}
        body = {
            **decision.body,
            "confidence": confidence,
            "updatedAt": transaction.at,
        }
        moved = transaction.replace(decision, body, "confidence.changed", origin)
    return dict(moved.body)


def _confidence(decision: StoredRecord) -> Mapping[str, Any]:
    held = decision.body.get("confidence")
    if not isinstance(held, Mapping):
        raise InvalidInputError(
            f"{decision.id} has no confidence that evidence could move.",
            hint="It was imported without one; record a new decision to supersede it.",
        )
    return held


def _refuse_reuse(
    confidence: Mapping[str, Any], key: str, direction: float, source_class: str
) -> None:
    """Refuse a key that stands for another observation already."""
    basis = confidence.get("basis")
    counted = basis.get("contributions") if isinstance(basis, Mapping) else None
    for one in counted if isinstance(counted, list) else []:
        if not isinstance(one, Mapping) or one.get("key") != key:
            continue
        same = (one.get("direction"), one.get("sourceClass")) == (direction, source_class)
        if one.get("kind") != "outcome" and not same:
            way = "for" if float(one.get("direction") or 0) > 0 else "against"
            raise ConflictError(
                f"The evidence {key!r} was counted {way} the decision already, as"
                f" {one.get('sourceClass')}: {one.get('reason')}.",
                hint="Use another key for another observation.",
                details={"key": key},
            )
