"""Linking records and taking links back.

A relation is a record of kind `relation` with two ends and a name. Both ends belong to its
own owner; an alternative inside a decision can be an end. A live relation stands once: the
same link again is answered with the one that is there. Taking a relation back closes its
window and keeps the record, so that the graph can still be read as it was, and the journal
has its state from before, which `undo` puts back.

Walking over relations is in `traversing`; relations are not in the index.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shadowgraph.errors import ConflictError, InvalidInputError, UnknownRecordError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank, Relation
from shadowgraph.model.scope import Scope
from shadowgraph.operations.building import Written, instant, new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Writing
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.instants import instant_or_none, parse_instant
from shadowgraph.rules.presence import temporal_of
from shadowgraph.rules.validity import expiration_boundary, valid_since
from shadowgraph.store import StoredRecord, Transaction

ENDS = ("attempt", "decision", "fact", "memory", "task", "evidence", "source")
"Kinds that a relation can begin or end at, beside alternatives."


class RelationReply(Relation, Written):
    """A relation between two records."""


class Link(Writing, Provenance):
    """Link two records."""

    source: Annotated[NonBlank, Field(alias="from")]
    """Id of the record it begins at; a decision's alternative can be an end, too."""
    target: Annotated[NonBlank, Field(alias="to")]
    """Id of the record it ends at."""
    relation: NonBlank
    """Name read from the one to the other, such as caused_by or depends_on."""
    valid_from: str | None = None
    """Start of its validity, ISO 8601; now when left out."""
    valid_to: str | None = None
    """End of its validity, ISO 8601, exclusive."""
    created_at: str | None = None
    """When it was made, ISO 8601, if not now."""
    recorded_at: str | None = None
    """When another system recorded it, ISO 8601."""


@operation(
    "shadowgraph_link",
    title="Link two records",
    description="""Link two records of a project by a named relation, such as an attempt to
        the decision it led to. Call it when one record explains, depends on or contradicts
        another. A live relation stands once: the same link again answers with it
        (replayed). Take it back with shadowgraph_unlink, follow relations with
        shadowgraph_traverse.""",
    request=Link,
    reply=RelationReply,
    toolset="graph",
    idempotent=True,
    example={
        "from": "attempt_ledger-on-nfs",
        "to": "decision_ledger-in-sqlite",
        "relation": "led_to",
        "project": "acme/billing-api",
    },
)
def link(library: Library, request: Link, caller: Caller) -> Reply:
    """Store a relation, or find the one that is there."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    name = request.relation.strip()
    if request.source == request.target:
        raise InvalidInputError(
            "from and to are the same record; a relation has two.",
            hint="Give the id of the other record.",
        )
    origin = caller.origin(request.actor, request.client, request.session_id)
    with library.write() as transaction:
        for end in (request.source, request.target):
            _check_end(transaction, end, scope)
        held = live_between(transaction, scope, request.source, request.target, name)
        for relation in held:
            if _as_wanted(relation.body, request):
                return {**relation.body, "replayed": True}
        ends = {"from": request.source, "to": request.target, "relation": name}
        times = _times(request, transaction.at)
        body = new_body("relation", scope, request, caller) | ends | times
        return dict(transaction.insert(body, "relation.created", origin).body)


def _check_end(transaction: Transaction, end: str, scope: Scope) -> None:
    record = transaction.by_id(end, scope.owner)
    if record is None:
        if transaction.holding(scope.owner or "", [end]):
            return
        raise unknown(transaction, end, scope)
    if record.kind not in ENDS:
        raise InvalidInputError(
            f"{end} is of kind {record.kind}; a relation links records and alternatives."
        )


def live_between(
    transaction: Transaction, scope: Scope, source: str, target: str, name: str
) -> list[StoredRecord]:
    """Return the relations of these ends and this name that still hold, oldest first."""
    return [
        relation
        for relation in transaction.between(scope.owner or "", source, target)
        if relation.body.get("relation") == name and holds_at(relation.body, transaction.at)
    ]


def holds_at(body: Mapping[str, Any], now: str) -> bool:
    """Say whether a relation has not ended yet."""
    end = expiration_boundary(body)
    return end is None or end > parse_instant(now)


def _as_wanted(body: Mapping[str, Any], request: Link) -> bool:
    """Say whether a relation has the window that was asked for, if one was."""
    held = temporal_of(body)
    asked = (("validFrom", request.valid_from), ("validTo", request.valid_to))
    return all(
        wanted is None
        or (wanted and instant_or_none(held.get(name)) == instant_or_none(wanted))
        for name, wanted in asked
    )


def _times(request: Link, now: str) -> dict[str, Any]:
    start = instant(request.valid_from, "validFrom") or now
    end = instant(request.valid_to, "validTo")
    if end is not None and parse_instant(end) <= parse_instant(start):
        raise InvalidInputError(
            f"validTo {end} is not after validFrom {start}.",
            hint="Give validTo later than validFrom, or leave it out.",
        )
    return {
        "createdAt": instant(request.created_at, "createdAt") or now,
        "temporal": {
            "validFrom": start,
            "validTo": end,
            "recordedAt": instant(request.recorded_at, "recordedAt") or now,
            "invalidatedAt": None,
        },
    }


class Unlink(Writing, Provenance):
    """Take a relation back."""

    relation_id: str | None = None
    """Id of the relation; or give from, to and relation."""
    source: Annotated[str | None, Field(alias="from")] = None
    """Id of the record it begins at."""
    target: Annotated[str | None, Field(alias="to")] = None
    """Id of the record it ends at."""
    relation: str | None = None
    """Its name."""
    reason: str = ""
    """Why it does not hold."""
    undo: bool = False
    """True to put a relation back that was taken back; needs relationId."""


@operation(
    "shadowgraph_unlink",
    title="Take a link back",
    description="""Take back a relation between two records, named by its id or by both ends
        and its name. Call it when a link was wrong or no longer holds; undo puts it back.
        The relation ends now, stays in the history and can still be walked by
        shadowgraph_traverse with asOf. Links are made by shadowgraph_link.""",
    request=Unlink,
    reply=RelationReply,
    toolset="graph",
    destructive=True,
    idempotent=True,
    example={
        "from": "attempt_ledger-on-nfs",
        "to": "decision_ledger-in-sqlite",
        "relation": "led_to",
        "reason": "another attempt decided it",
        "project": "acme/billing-api",
    },
)
def unlink(library: Library, request: Unlink, caller: Caller) -> Reply:
    """Close a relation, or put it back."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    origin = caller.origin(request.actor, request.client, request.session_id)
    with library.write() as transaction:
        relation = _named(transaction, request, scope)
        taken_back = temporal_of(relation.body).get("invalidatedAt") is not None
        if taken_back != request.undo:
            return {**relation.body, "replayed": True}
        if request.undo:
            body = _before(transaction, relation, scope)
            changed = transaction.replace(relation, body, "relation.restored", origin)
        else:
            _refuse_supersession(transaction, relation, scope)
            body = _closed(relation.body, transaction.at, request.reason)
            changed = transaction.replace(relation, body, "relation.removed", origin)
    return dict(changed.body)


def _named(transaction: Transaction, request: Unlink, scope: Scope) -> StoredRecord:
    """Return the relation that a call means."""
    if request.relation_id is not None:
        found = transaction.by_id(request.relation_id, scope.owner)
        if found is None:
            raise unknown(transaction, request.relation_id, scope)
        if found.kind != "relation":
            raise InvalidInputError(
                f"{found.id} is of kind {found.kind}; this operation takes a relation."
            )
        return found
    if request.undo or not (request.source and request.target and request.relation):
        raise InvalidInputError(
            "Which relation is not clear.",
            hint="Give relationId"
            + ("." if request.undo else ", or from, to and relation together."),
        )
    name = request.relation.strip()
    live = live_between(transaction, scope, request.source, request.target, name)
    if not live:
        raise UnknownRecordError(
            f"No live relation {name!r} leads from {request.source} to {request.target}.",
            hint="shadowgraph_traverse lists the relations of a record.",
        )
    if len(live) > 1:
        raise ConflictError(
            f"{len(live)} relations {name!r} lead from {request.source} to"
            f" {request.target}, with different windows.",
            hint=f"Give relationId: {', '.join(one.id for one in live)}.",
        )
    return live[0]


def _refuse_supersession(
    transaction: Transaction, relation: StoredRecord, scope: Scope
) -> None:
    """Keep the relation that a supersession made: two decisions say the same."""
    body = relation.body
    if body.get("relation") != "supersedes":
        return
    ended = transaction.by_id(str(body.get("to")), scope.owner)
    if ended is not None and ended.body.get("supersededBy") == body.get("from"):
        raise ConflictError(
            f"{relation.id} belongs to a supersession: {ended.id} is superseded by"
            f" {body.get('from')}.",
            hint="A supersession is not taken back by removing its relation.",
        )


def _closed(body: Mapping[str, Any], now: str, reason: str) -> dict[str, Any]:
    """Return a relation that ends now, or never began when it lies ahead."""
    start, end, at = valid_since(body), expiration_boundary(body), parse_instant(now)
    temporal = temporal_of(body)
    if end is None or end > at:
        ends = now if start <= at else temporal.get("validFrom")
    else:
        ends = temporal.get("validTo")
    return {
        **body,
        "temporal": {**temporal, "validTo": ends, "invalidatedAt": now},
        "updatedAt": now,
        **({"unlinkedReason": reason} if reason else {}),
    }


def _before(
    transaction: Transaction, relation: StoredRecord, scope: Scope
) -> dict[str, Any]:
    """Return the state of a relation from before it was taken back.

    Raises:
        ConflictError: the same link was made again meanwhile, or the state is gone.
    """
    held = transaction.state_before(relation.id, "relation.removed")
    if held is None:
        raise ConflictError(
            f"The journal has no state of {relation.id} from before it was taken back."
        )
    ends = (str(held["from"]), str(held["to"]), str(held["relation"]))
    again = live_between(transaction, scope, *ends)
    if again:
        raise ConflictError(
            f"{again[0].id} links the same records meanwhile.",
            hint="Nothing has to be put back.",
            details={"id": again[0].id},
        )
    return {**held, "updatedAt": transaction.at}
