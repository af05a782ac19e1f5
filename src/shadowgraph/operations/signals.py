"""Review signals: what is stored about a decision that is due, and its acknowledgement.

A signal is a record of kind `review` that names the decision and the exact breach. Raising it
is idempotent: its id is made from the breach, and a breach that has a signal, acknowledged,
retracted or neither, gets no second one. So an acknowledgement is not lost by asking again, and it never
covers more than what was seen. Both steps are journalled.

What a breach is, is decided in `rules.signals`; who is due, in `reviewing`; when signals are
raised, by the operations of `due`, `reconsidering` and `maintaining`.
"""

from typing import Any, Literal

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import SCHEMA_VERSION, NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Page, Reading, Writing
from shadowgraph.operations.judging import Judged
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import Signals, signal_for, signals_by_decision
from shadowgraph.operations.scoped import completeness, fitting, page_of
from shadowgraph.rules.lifecycle import REVIEWED
from shadowgraph.rules.signals import signal_id
from shadowgraph.store import StoredRecord, Transaction
from shadowgraph.store.selection import Selection


def raise_signals(
    library: Library, scope: Scope, due: list[Judged], signals: Signals, caller: Caller
) -> Signals:
    """Store a signal for every breach without one; return what is stored afterwards.

    Nothing is written when every breach has its signal.
    """
    with library.store.read() as selection:
        fresh = [one for one in due if not _has_signal(selection, one, scope, signals)]
    if not fresh:
        return signals
    with library.write() as transaction:
        store_signals(transaction, scope, fresh, caller)
        return signals_by_decision(transaction, scope.owner or "")


def store_signals(
    transaction: Transaction, scope: Scope, due: list[Judged], caller: Caller
) -> list[StoredRecord]:
    """Store the signals that are missing; return the new ones.

    Another process may have raised one, or closed its decision, since *due* was judged.
    """
    held = signals_by_decision(transaction, scope.owner or "")
    stored = []
    for judged in due:
        decision = transaction.by_id(judged.record.id, scope.owner)
        closed = decision is None or decision.body.get("status") not in REVIEWED
        if not closed and not _has_signal(transaction, judged, scope, held):
            body = _body(judged, scope, transaction.at)
            origin = caller.origin(None, None, None)
            stored.append(transaction.insert(body, "review.opened", origin))
    return stored


def _has_signal(
    selection: Selection, judged: Judged, scope: Scope, signals: Signals
) -> bool:
    """Say whether a breach has its signal, one that was retracted included."""
    if signal_for(judged, signals) is not None:
        return True
    own = signal_id(judged.record.id, judged.coverage())
    return selection.by_id(own, scope.owner, retracted=True) is not None


def _body(judged: Judged, scope: Scope, now: str) -> dict[str, Any]:
    grounds = judged.coverage()
    return {
        "id": signal_id(judged.record.id, grounds),
        "kind": "review",
        "schemaVersion": SCHEMA_VERSION,
        "project": scope.project,
        "attribution": scope.attribution,
        **({"originId": scope.origin_id} if scope.origin_id else {}),
        **judged.to_wire("alternativesToReconsider"),
        "coverage": grounds,
        "status": "open",
        "createdAt": now,
    }


class ReviewSignals(Reading, Page):
    """List signals."""

    status: Literal["open", "acknowledged"] | None = None
    """Only signals of this status."""


class SignalsReply(StoredWire):
    """Stored signals."""

    items: list[dict[str, Any]]
    """The signals, latest change first; historical is true when the decision is closed."""
    completeness: dict[str, Any]
    """Scope and counts."""


@operation(
    "shadowgraph_review_signals",
    title="List review signals",
    toolset="graph",
    description="""List the stored review signals of a project, open and acknowledged, latest
        change first. Call it to see what still waits for somebody. A signal of a closed
        decision is marked historical. To look for new ones use shadowgraph_review, to clear
        one shadowgraph_ack_review. Changes nothing.""",
    request=ReviewSignals,
    reply=SignalsReply,
    read_only=True,
    idempotent=True,
    example={"project": "acme/billing-api", "status": "open"},
)
def review_signals(library: Library, request: ReviewSignals, caller: Caller) -> Reply:
    """Return stored signals."""
    scope = caller.scope(request.project, request.origin_id)
    with library.store.read() as selection:
        wanted = [
            signal
            for signal in selection.of_kind(scope.owner or "", "review")
            if request.status in (None, signal.body.get("status"))
        ]
        shown = page_of(wanted, request)
        ids = list({str(signal.body.get("decisionId")) for signal in shown})
        decisions = {one.id: one for one in selection.by_ids(ids, scope.owner)}
    items = fitting((_with_decision(one, decisions) for one in shown), request.limit)
    return {
        "items": items,
        "completeness": completeness(scope, len(items), len(wanted), request),
    }


def _with_decision(
    signal: StoredRecord, decisions: dict[str, StoredRecord]
) -> dict[str, Any]:
    """Return a signal, marked when nobody needs to act on it any more."""
    decision = decisions.get(str(signal.body.get("decisionId")))
    state = decision.body.get("status") if decision is not None else None
    if decision is None or state in REVIEWED:
        return dict(signal.body)
    successor = decision.body.get("supersededBy")
    return {
        **signal.body,
        "historical": True,
        "decisionState": state,
        **({"supersededBy": successor} if successor else {}),
    }


class Signal(StoredWire):
    """A review signal."""

    id: str
    """Id of the signal."""
    kind: Literal["review"]
    """Entity kind."""
    project: OrNull[str] = None
    """Project it belongs to."""
    decision_id: str
    """The decision that is due."""
    title: str = ""
    """Title of the decision."""
    reason: str = ""
    """Why it is due: fact keys, named changes, a date, an outcome."""
    alternatives_to_reconsider: list[str] = []
    """Labels of the alternatives that the reason is about."""
    violated_conditions: list[dict[str, Any]] = []
    """The conditions that fired."""
    coverage: list[str] = []
    """Grounds of the breach; the same set is the same signal."""
    status: Literal["open", "acknowledged"]
    """Whether somebody has seen it."""
    created_at: str = ""
    """When it was raised."""
    acknowledged_at: str | None = None
    """When it was acknowledged."""


class AckReview(Writing):
    """Acknowledge a signal."""

    id: NonBlank
    """Id of the signal, from shadowgraph_review or shadowgraph_review_signals."""


@operation(
    "shadowgraph_ack_review",
    title="Acknowledge a review",
    toolset="graph",
    description="""Mark one review signal as seen, so that the same breach is shown as
        acknowledged from now on; a larger or different breach raises a new signal. Call it
        after the decision was looked at again. The decision itself is moved by
        shadowgraph_update_status or replaced by shadowgraph_supersede. Acknowledging twice
        changes nothing.""",
    request=AckReview,
    reply=Signal,
    destructive=True,
    idempotent=True,
    example={"id": "review_6992c6ffeb3eb3deb2e55093a4", "project": "acme/billing-api"},
)
def ack_review(library: Library, request: AckReview, caller: Caller) -> Reply:
    """Acknowledge a signal."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    with library.write() as transaction:
        signal = transaction.by_id(request.id, scope.owner)
        if signal is None:
            raise unknown(transaction, request.id, scope)
        if signal.kind != "review":
            raise InvalidInputError(
                f"{request.id} is a {signal.kind}; this operation takes a review signal.",
                hint="shadowgraph_review_signals lists them.",
            )
        if signal.body.get("status") != "acknowledged":
            body = {
                **signal.body,
                "status": "acknowledged",
                "acknowledgedAt": transaction.at,
                "updatedAt": transaction.at,
            }
            origin = caller.origin(None, None, None)
            signal = transaction.replace(signal, body, "review.acknowledged", origin)
    return dict(signal.body)
