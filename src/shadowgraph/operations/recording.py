"""Recording attempts and decisions.

A record is built whole before the transaction opens and is never changed by what it is
like: similar earlier attempts are reported beside it, not merged into it. A retry with the
same key returns the first record; the same key with other content is refused, because
answering with the old record would lose the new one in silence.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import JsonValue, WithJsonSchema, model_validator

from shadowgraph.errors import InvalidInputError
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.model.records import Attempt, Decision, NonBlank, Share
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.building import (
    Written,
    check_rules,
    extras,
    instant,
    new_body,
    now_text,
    store_once,
)
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import files_of_session, kept
from shadowgraph.operations.inputs import (
    InnerRuleIn,
    Provenance,
    ResultClassIn,
    Retry,
    RuleIn,
    Unlisted,
    Writing,
)
from shadowgraph.operations.present import clip
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.confidence import initial, normalize_source_class
from shadowgraph.rules.lifecycle import INITIAL


class SimilarAttempt(StoredWire):
    """An earlier attempt like the new one."""

    id: str
    """Record id."""
    solution: str
    """What was tried, shortened."""
    result_class: str
    """failed, succeeded, inconclusive or undetermined."""
    reason: str = ""
    """Why it turned out that way, shortened."""
    score: Share
    """How alike, 0 to 1."""


class AttemptReply(Attempt, Written):
    """The stored attempt."""

    similar: list[SimilarAttempt] = []
    """Earlier attempts like this one, most alike first."""


class DecisionReply(Decision, Written):
    """The stored decision."""


class RecordAttempt(Writing, Provenance, Retry):
    """Record an attempt."""

    solution: NonBlank
    """What was tried."""
    result: NonBlank
    """What happened, errors as printed."""
    result_class: ResultClassIn | None = None
    """How it ended; else the wording of result decides."""
    reason: str = ""
    """Why it ended so."""
    environment: str = ""
    """Where: versions, OS, configuration."""
    reusable_when: list[RuleIn] = []
    """What must hold before another try."""
    related_to: list[JsonValue] = []
    """Ids of related records."""
    files: list[str] = []
    """Files it is about.

    Hits tell if they changed since."""
    created_at: str | None = None
    """When it happened, if not now."""


class AlternativeIn(Wire):
    """A rejected option; a plain text is its label."""

    label: NonBlank
    """Name of the option."""
    reason_rejected: str | None = None
    """Why it was not chosen."""
    reason: Annotated[str | None, Unlisted] = None
    """Alias of reasonRejected."""
    reopen_when: list[InnerRuleIn] = []
    """Conditions, any of which reopens it."""

    @model_validator(mode="before")
    @classmethod
    def _label_alone(cls, given: Any) -> Any:
        return {"label": given} if isinstance(given, str) else given


EvidenceIn = Annotated[
    JsonValue,
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                "source": {"type": "string"},
                "type": {"type": "string"},
                "detail": {"type": "string"},
                "sourceClass": {"type": "string"},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "observedAt": {"type": "string"},
            },
        }
    ),
]


class RecordDecision(Writing, Provenance, Retry):
    """Record a decision."""

    title: NonBlank
    """Its short name."""
    chosen: NonBlank
    """The option that was chosen."""
    goal: str = ""
    """What it is for."""
    confidence: Share = 0.5
    """How sure, 0 to 1."""
    assumptions: list[str] = []
    """What it rests on."""
    evidence: list[EvidenceIn] = []
    """Evidence for it; a text is its detail."""
    alternatives: list[AlternativeIn] = []
    """Rejected options."""
    failed_attempts: list[JsonValue] = []
    """Ids or notes of what failed."""
    files: list[str] = []
    """Files it is about.

    Hits tell if they changed since."""
    review_after: str | None = None
    """Review due, ISO 8601."""
    created_at: str | None = None
    """When it was made, if not now."""


@operation(
    "shadowgraph_record_attempt",
    title="Record an attempt",
    description="""Record one thing that was tried and how it ended. Call it right
        after something failed, or worked after failing. For a choice use
        shadowgraph_record_decision. Appends a record and answers with similar earlier
        attempts; without idempotencyKey a retry records a second one.""",
    request=RecordAttempt,
    reply=AttemptReply,
    example={
        "solution": "Keep the ledger on the NFS share, in WAL mode",
        "result": "database is locked, later malformed",
        "resultClass": "failed",
        "reason": "WAL needs shared memory, which NFS does not give",
        "environment": "SQLite 3.45, NFSv4, Linux",
    },
)
def record_attempt(library: Library, request: RecordAttempt, caller: Caller) -> Reply:
    """Store an attempt and look for earlier ones like it."""
    scope = caller.scope(request.project, request.origin_id)
    warnings = check_rules(request.reusable_when, "reusableWhen")
    reason = request.reason
    body = new_body("attempt", scope, request, caller) | {
        "solution": request.solution,
        "result": request.result,
        "environment": request.environment,
        **({"resultClass": request.result_class} if request.result_class else {}),
        "reason": reason,
        "causalClaim": causal_claim(reason),
        "reusableWhen": request.reusable_when,
        "relatedTo": request.related_to,
        **_files(request.files, caller),
        "createdAt": instant(request.created_at, "createdAt") or now_text(library),
    }
    record, replayed = store_once(library, body, "attempt.recorded", scope, request, caller)
    similar = library.similar(request.solution, scope.owner, but=record.row)
    return {
        **record.body,
        "similar": [
            {
                "id": earlier.id,
                "solution": clip(str(earlier.body.get("solution", "")), 120),
                "resultClass": library.result_class(earlier.body),
                "reason": clip(str(earlier.body.get("reason") or ""), 160),
                "score": likeness.score,
            }
            for earlier, likeness in similar
        ],
        **extras(replayed, warnings),
    }


@operation(
    "shadowgraph_record_decision",
    title="Record a decision",
    description="""Record a choice with its goal, its assumptions and the rejected
        options: why, and what would reopen them. Call it when somebody may question the
        choice later. What was tried goes to shadowgraph_record_attempt, how a decision
        turned out to shadowgraph_record_outcome. Appends a record that starts as
        proposed.""",
    request=RecordDecision,
    reply=DecisionReply,
    example={
        "title": "Where the ledger is stored",
        "chosen": "SQLite on the local disk",
        "alternatives": [
            {
                "label": "PostgreSQL",
                "reasonRejected": "one writer does not need a server",
                "reopenWhen": [{"key": "ledger.writers", "operator": "gte", "value": 4}],
            }
        ],
    },
)
def record_decision(library: Library, request: RecordDecision, caller: Caller) -> Reply:
    """Store a decision."""
    scope = caller.scope(request.project, request.origin_id)
    now = now_text(library)
    warnings: list[str] = []
    body = new_body("decision", scope, request, caller) | {
        "title": request.title,
        "goal": request.goal,
        "chosen": request.chosen,
        "confidence": initial(request.confidence, len(request.evidence)),
        "status": INITIAL,
        "assumptions": request.assumptions,
        "evidence": [evidence_item(item, now) for item in request.evidence],
        "alternatives": [alternative_item(a, warnings) for a in request.alternatives],
        "failedAttempts": request.failed_attempts,
        **_files(request.files, caller),
        "outcome": None,
        "reviewAfter": instant(request.review_after, "reviewAfter"),
        "createdAt": instant(request.created_at, "createdAt") or now,
        "updatedAt": now,
    }
    record, replayed = store_once(
        library, body, "decision.recorded", scope, request, caller
    )
    return {**record.body, **extras(replayed, warnings)}


def _files(named: list[str], caller: Caller) -> dict[str, Any]:
    """Return the member that names files, when some are named."""
    return {"files": kept(named, files_of_session(caller))} if named else {}


def alternative_item(given: AlternativeIn, warnings: list[str]) -> dict[str, Any]:
    """Return a rejected option in full; *warnings* gets what its rules give rise to."""
    warnings += check_rules(given.reopen_when, f"{given.label}: reopenWhen")
    return {
        "id": new_id("alternative"),
        "label": given.label,
        "reasonRejected": given.reason_rejected or given.reason or "",
        "reopenWhen": given.reopen_when,
        "status": "rejected",
    }


def evidence_item(given: Any, now: str) -> dict[str, Any]:
    """Return an evidence item in full; a plain text is its detail."""
    item: Mapping[str, Any] = given if isinstance(given, Mapping) else {"detail": given}
    label = item.get("sourceClass") or item.get("type") or item.get("source")
    source_class, source_raw = normalize_source_class(str(label) if label else None)
    confidence = item.get("confidence", 0.5)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise InvalidInputError("evidence: confidence must be a number from 0 to 1.")
    if not 0 <= confidence <= 1:
        raise InvalidInputError("evidence: confidence must be from 0 to 1.")
    return {
        "source": str(item.get("source", "unknown")),
        "type": str(item.get("type", "unknown")),
        "sourceClass": source_class,
        **({"sourceRaw": source_raw} if source_raw is not None else {}),
        "confidence": confidence,
        "observedAt": instant(item.get("observedAt"), "evidence.observedAt") or now,
        "detail": str(item.get("detail", "")),
    }


def causal_claim(reason: str) -> dict[str, Any]:
    """Return what an attempt says of its cause, as upstream writes it."""
    if not reason.strip():
        return {"state": "not_recorded"}
    return {"state": "recorded", "sourceClass": "agent_claimed", "evidence": []}
