"""Maintenance: what the passing of time does to decisions and facts.

Three steps at one instant, in one transaction: decisions in force whose review date has come
become stale, active facts whose end has come become expired, and a signal is stored for
every decision that is due. All inputs are read before the first change, and each change has
its journal entry; a run with nothing to do changes no record. Reading never depends on
maintenance having run: expired facts decide nothing in any read.
"""

from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.due import Evaluation
from shadowgraph.operations.inputs import Limit
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import (
    Circumstances,
    due_entry,
    review,
    signals_by_decision,
)
from shadowgraph.operations.scoped import (
    DEFAULT_LIMIT,
    MOST_CHARACTERS,
    completeness,
    fitting,
)
from shadowgraph.operations.signals import store_signals
from shadowgraph.rules.instants import format_instant, instant_or_none, parse_instant
from shadowgraph.rules.lifecycle import CURRENT
from shadowgraph.rules.validity import expiration_boundary
from shadowgraph.store import Origin, StoredRecord, Transaction

_ROOM = MOST_CHARACTERS // 3
"Room of each list of the reply."


class Maintain(Evaluation):
    """Run maintenance."""

    limit: Limit = None
    """Most items per list of the reply, 1 to 1000; 50 when left out."""

    now: str | None = None
    """Instant to maintain at, ISO 8601, if not the present."""


class MaintainReply(StoredWire):
    """What was done."""

    at: str
    """The instant of the run."""
    stale_decision_ids: list[str]
    """Decisions that became stale."""
    aged_decision_ids: list[str]
    """The same, under its older name."""
    expired_fact_ids: list[str]
    """Facts that became expired."""
    review_signals: list[dict[str, Any]]
    """Signals that were raised by this run."""
    due: list[dict[str, Any]]
    """Decisions due for review, each with its signal."""
    diagnostics: list[dict[str, Any]]
    """Conditions that are unknown or contested."""
    completeness: dict[str, Any]
    """Scope, counts of due, and per list how much was left out."""


@operation(
    "shadowgraph_maintain",
    title="Run maintenance",
    toolset="graph",
    description="""Let time take effect in one project: decisions past their review date
        become stale, facts past their end expired, and every due decision gets a signal.
        Call it now and then, or at the start of a review. To only look, use
        shadowgraph_reconsider with asOf; to clear a signal shadowgraph_ack_review. A second
        run finds nothing to do.""",
    request=Maintain,
    reply=MaintainReply,
    idempotent=True,
    example={"project": "acme/billing-api"},
)
def maintain(library: Library, request: Maintain, caller: Caller) -> Reply:
    """Mark what time has overtaken and raise signals."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    at = parse_instant(request.now) if request.now else library.clock()
    then = request.now is not None
    when = Circumstances(at, request.facts, request.changed_facts, then=then)
    # Upstream names it as who moved the decision.
    origin = caller.origin(None, None, None)._replace(actor="maintain")
    owner = scope.owner or ""
    with library.write() as transaction:
        stale = [
            _stale(transaction, decision, origin)
            for decision in transaction.overdue(owner, when.millis, CURRENT)
        ]
        ended = _expire(transaction, scope, when, origin)
        found = review(transaction, owner, when, thorough=True)
        raised = store_signals(transaction, scope, found.due, caller)
        signals = signals_by_decision(transaction, owner)
    most = request.limit or DEFAULT_LIMIT
    due = fitting(
        (due_entry(one, signals, "alternativesToReconsider") for one in found.due[:most]),
        request.limit,
        _ROOM,
    )
    shown = fitting((dict(signal.body) for signal in raised[:most]), request.limit, _ROOM)
    undecided = fitting(found.undecided[:most], request.limit, _ROOM)
    omitted = {
        "reviewSignals": len(raised) - len(shown),
        "due": len(found.due) - len(due),
        "diagnostics": len(found.undecided) - len(undecided),
    }
    return {
        "at": format_instant(at),
        "staleDecisionIds": stale,
        "agedDecisionIds": stale,
        "expiredFactIds": ended,
        "reviewSignals": shown,
        "due": due,
        "diagnostics": undecided,
        "completeness": {
            **completeness(scope, len(due), len(found.due)),
            "omittedFrom": omitted,
        },
    }


def _stale(transaction: Transaction, decision: StoredRecord, origin: Origin) -> str:
    body = {**decision.body, "status": "stale", "updatedAt": transaction.at}
    return transaction.replace(decision, body, "decision.staled", origin).id


def _expire(
    transaction: Transaction, scope: Scope, when: Circumstances, origin: Origin
) -> list[str]:
    """Close every active fact whose end has come; return their ids."""
    ended = []
    for fact in transaction.expired(scope.owner or "", when.millis):
        boundary = expiration_boundary(fact.body)
        if boundary is None or boundary > when.at:
            continue  # The column is in milliseconds; the rule is exact.
        raw = fact.body.get("temporal")
        temporal = raw if isinstance(raw, dict) else {}
        held = instant_or_none(temporal.get("validTo"))
        closed = temporal.get("validTo") if held == boundary else format_instant(boundary)
        body = {
            **fact.body,
            "status": "expired",
            "verificationStatus": "expired",
            "temporal": {
                **temporal,
                "validTo": closed,
                "invalidatedAt": format_instant(when.at),
            },
            "updatedAt": transaction.at,
        }
        ended.append(transaction.replace(fact, body, "fact.expired", origin).id)
    return ended
