"""Supersession: one decision takes the place of another.

The old decision is closed for good and names its successor, the new one names what it
replaced, and a `supersedes` relation links the two; all three are journalled in one
transaction. The relation has the shape of any other, and one that somebody made with
shadowgraph_link before is taken instead of a second one; its id is made from the pair, so
doing it again finds it. Which states allow it is in `rules.lifecycle`.
"""

from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.ids import content_id
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.building import new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Writing
from shadowgraph.operations.progress import find_decision
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.relating import live_between
from shadowgraph.rules.lifecycle import INITIAL, check_supersession
from shadowgraph.store import Origin, StoredRecord, Transaction

RELATION = "supersedes"
"The name of the relation from the new decision to the old one."


class Supersede(Writing):
    """Supersede a decision."""

    decision_id: NonBlank
    """The decision that no longer holds."""
    replacement_id: NonBlank
    """The decision that takes its place."""


class SupersedeReply(StoredWire):
    """The two decisions and their relation."""

    previous: dict[str, Any]
    """The decision that was replaced."""
    replacement: dict[str, Any]
    """The decision that replaces it."""
    relation: OrNull[dict[str, Any]]
    """The relation from the one to the other; null when an import brought the pair without one that is known here."""


@operation(
    "shadowgraph_supersede",
    title="Supersede a decision",
    toolset="graph",
    description="""Replace one decision by another of the same project: the old one becomes
        superseded and names its successor, and both are linked. Call it after the new
        decision was recorded with shadowgraph_record_decision. To give a decision up without
        a successor use shadowgraph_update_status. It cannot be undone; the same pair again
        changes nothing.""",
    request=Supersede,
    reply=SupersedeReply,
    destructive=True,
    idempotent=True,
    example={
        "decisionId": "decision_retry-card-twice",
        "replacementId": "decision_ledger-in-sqlite",
        "project": "acme/billing-api",
    },
)
def supersede(library: Library, request: Supersede, caller: Caller) -> Reply:
    """Close one decision in favour of another."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    if request.decision_id == request.replacement_id:
        raise InvalidInputError(
            f"{request.decision_id} cannot supersede itself.",
            hint="Record the new decision first and use its id as replacementId.",
        )
    origin = caller.origin(None, None, None)
    with library.write() as transaction:
        previous = find_decision(transaction, request.decision_id, scope)
        successor = find_decision(transaction, request.replacement_id, scope)
        body = _relation(previous, successor, scope, caller, transaction.at)
        ends = (successor.id, previous.id, RELATION)
        live = live_between(transaction, scope, *ends)
        relation = live[0] if live else transaction.by_id(body["id"], scope.owner)
        if previous.body.get("supersededBy") != successor.id:
            check_supersession(_status(previous), _status(successor))
            if relation is None:
                relation = transaction.insert(body, "relation.created", origin)
            previous = _close(transaction, previous, successor, origin)
            successor = _succeed(transaction, previous, successor, origin)
    return {
        "previous": dict(previous.body),
        "replacement": dict(successor.body),
        "relation": None if relation is None else dict(relation.body),
    }


def _status(decision: StoredRecord) -> str:
    return str(decision.body.get("status") or INITIAL)


def _close(
    transaction: Transaction, previous: StoredRecord, successor: StoredRecord, by: Origin
) -> StoredRecord:
    body = {
        **previous.body,
        "status": "superseded",
        "supersededBy": successor.id,
        "updatedAt": transaction.at,
    }
    return transaction.replace(previous, body, "decision.superseded", by)


def _succeed(
    transaction: Transaction, previous: StoredRecord, successor: StoredRecord, by: Origin
) -> StoredRecord:
    held = successor.body.get("supersedes")
    before = held if isinstance(held, list) else []
    if previous.id in before:
        return successor
    body = {
        **successor.body,
        "supersedes": [*before, previous.id],
        "updatedAt": transaction.at,
    }
    return transaction.replace(successor, body, "decision.recorded", by)


def _relation(
    previous: StoredRecord, successor: StoredRecord, scope: Scope, caller: Caller, now: str
) -> dict[str, Any]:
    pair = {"from": successor.id, "to": previous.id, "relation": RELATION}
    return {
        **new_body("relation", scope, Provenance(), caller),
        "id": content_id("relation", pair),
        **pair,
        "createdAt": now,
        "temporal": {
            "validFrom": now,
            "validTo": None,
            "recordedAt": now,
            "invalidatedAt": None,
        },
    }
