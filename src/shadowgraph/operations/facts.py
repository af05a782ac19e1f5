"""Recording facts: a value observed for a key, with the time in which it holds.

One fact per key and owner is active. A new observation ends the one before: its validity
closes where the new one's begins, it stays readable, and it still decides what was true
before that instant. The past is not rewritten: an observation that starts earlier than the
active one is refused.
"""

from typing import Annotated, Any, Literal

from pydantic import JsonValue

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import Fact, NonBlank, Share
from shadowgraph.operations.building import (
    Written,
    instant,
    new_body,
    now_text,
    remember,
    retried,
)
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Retry, Unlisted, Writing
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.instants import format_instant, parse_instant
from shadowgraph.rules.validity import expiration_boundary, valid_since
from shadowgraph.store import Origin, StoredRecord, Transaction


class FactReply(Fact, Written):
    """The stored fact."""

    supersedes: str | None = None
    """The fact of the same key that it ended."""


class RecordFact(Writing, Provenance, Retry):
    """Record a fact."""

    key: NonBlank
    """Such as postgres.version."""
    value: JsonValue
    """Any JSON, also as JSON text."""
    source: Annotated[str | None, Unlisted] = None
    """Alias of sourceClass."""
    confidence: Share = 0.5
    """How sure, 0 to 1."""
    expires_at: str | None = None
    """Counts until, ISO 8601."""
    verification_status: Literal["unverified", "contradicted"] | None = None
    """Other states are set by the store."""
    observed_at: str | None = None
    """When it was observed, if not now."""
    valid_from: str | None = None
    """Valid from, ISO 8601; else observedAt."""
    valid_to: str | None = None
    """Valid before, ISO 8601."""


@operation(
    "shadowgraph_record_fact",
    title="Record a fact",
    description="""Record the observed value of a key, such as a version, a limit or a
        count, that conditions are checked against. Call it when a value was measured or
        changed. Ends the active fact of the key, which stays in the history. Prose
        belongs in shadowgraph_record_attempt.""",
    request=RecordFact,
    reply=FactReply,
    example={"key": "postgres.version", "value": "16.2", "sourceClass": "tool_observed"},
)
def record_fact(library: Library, request: RecordFact, caller: Caller) -> Reply:
    """Store a fact and end the one before it."""
    scope = caller.scope(request.project, request.origin_id)
    origin = caller.origin(request.actor, request.client, request.session_id)
    labelled = request.model_copy(
        update={"source_class": request.source_class or request.source}
    )
    body = new_body("fact", scope, labelled, caller)
    body |= _claim(request, now_text(library), body["sourceClass"])
    _check_interval(body)
    with library.write() as transaction:
        first = retried(transaction, "fact", scope, request)
        if first is not None:
            return {**first.body, "replayed": True}
        owner = scope.owner or ""
        before = transaction.active_fact(owner, request.key)
        ended = _end(transaction, before, body, origin) if before else {}
        record = transaction.insert(body, "fact.observed", origin)
        remember(transaction, record, scope, request)
    return {**record.body, **ended}


def _claim(request: RecordFact, now: str, source: str) -> dict[str, Any]:
    observed = instant(request.observed_at, "observedAt") or now
    valid_from = instant(request.valid_from, "validFrom") or observed
    valid_to = instant(request.valid_to, "validTo")
    expires = instant(request.expires_at, "expiresAt")
    ends = [end for end in (expires, valid_to) if end is not None]
    boundary = min(ends, key=parse_instant, default=None)
    return {
        "key": request.key,
        "value": request.value,
        "source": source,
        "confidence": request.confidence,
        "verificationStatus": request.verification_status or "unverified",
        "status": "active",
        "expiresAt": expires,
        "observedAt": observed,
        "validityPolicy": {
            "declaredExpiresAt": expires,
            "declaredValidTo": valid_to,
            "effectiveExpirationBoundary": boundary,
        },
        "temporal": {
            "validFrom": valid_from,
            "validTo": valid_to,
            "recordedAt": now,
            "invalidatedAt": None,
        },
        "createdAt": now,
    }


def _check_interval(body: dict[str, Any]) -> None:
    start, end = valid_since(body), expiration_boundary(body)
    if end is not None and end <= start:
        raise InvalidInputError(
            f"The fact ends at {format_instant(end)}, not after it begins at"
            f" {format_instant(start)}.",
            hint="Give validTo or expiresAt later than validFrom.",
        )


def _end(
    transaction: Transaction, before: StoredRecord, body: dict[str, Any], origin: Origin
) -> dict[str, Any]:
    """Close the validity of the active fact where the new one begins."""
    start, earlier = valid_since(body), valid_since(before.body)
    if start < earlier:
        raise ConflictError(
            f"{before.id} holds for {body['key']!r} from {format_instant(earlier)} on;"
            f" the new fact would begin earlier, at {format_instant(start)}.",
            hint="Give validFrom not before that instant.",
            details={"id": before.id},
        )
    old_end = before.body.get("temporal", {}).get("validTo")
    begins = body["temporal"]["validFrom"]
    if old_end is not None and parse_instant(old_end) <= start:
        begins = old_end
    closed = {
        **before.body,
        "status": "superseded",
        "supersededBy": body["id"],
        "temporal": {
            **before.body.get("temporal", {}),
            "validTo": begins,
            "invalidatedAt": body["temporal"]["recordedAt"],
        },
        "updatedAt": body["temporal"]["recordedAt"],
    }
    transaction.replace(before, closed, "fact.superseded", origin)
    return {"supersedes": before.id}
