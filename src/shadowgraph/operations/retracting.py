"""Taking a record out of every read, with a reason, and putting it back.

A retracted record stays in the store with its reason, in exports and in the journal; no
search, context, check or read by id finds it, its conditions decide nothing and a retracted
fact holds no key. The review signals about a decision go and come back with it, because
they repeat its words; each of them says with which record it went. Nothing else changes:
what it superseded stays superseded, and the reply says so. A read with `knownAt` shows what
was known then, so what was retracted later is in it. Erasing for good is a purge, in
`purging`.
"""

from collections.abc import Sequence
from typing import Any

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.correcting import found
from shadowgraph.operations.inputs import Writing
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.relating import holds_at, live_between
from shadowgraph.rules.memories import active, identity_of
from shadowgraph.store import StoredRecord, Transaction


class RetractReply(StoredWire):
    """The record after the call."""

    project: OrNull[str]
    """Project of the record."""
    id: str
    """Record id."""
    kind: str
    """Kind of the record."""
    retracted: bool
    """Whether it is out of every read now."""
    changed: bool
    """Whether the call changed that; false when it was so already."""
    retracted_at: str | None = None
    """Since when it is out."""
    retracted_reason: str | None = None
    """Why it is out."""
    signals: list[str] | None = None
    """Ids of the review signals that went with it, or came back with it."""
    warnings: list[str] | None = None
    """What stays as it was."""


class Retract(Writing):
    """Retract a record."""

    id: NonBlank
    """Id of the record."""
    reason: str = ""
    """Why it should not be read any more; required unless undo."""
    undo: bool = False
    """True to put a retracted record back."""


@operation(
    "shadowgraph_retract",
    title="Retract a record",
    toolset="graph",
    description="""Take one record out of every read, with the reason, or put it back with
        undo. Call it when a record is wrong as a whole, a duplicate or about something else.
        A wrong field is corrected by shadowgraph_amend, a decision that was replaced is
        superseded. The record stays in the store, in exports and in shadowgraph_journal; to
        erase text for good use shadowgraph_purge.""",
    request=Retract,
    reply=RetractReply,
    destructive=True,
    idempotent=True,
    example={
        "id": "attempt_ledger-on-nfs",
        "reason": "recorded twice",
        "project": "acme/billing-api",
    },
)
def retract(library: Library, request: Retract, caller: Caller) -> Reply:
    """Take a record out of every read, or put it back."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    if not request.undo and not request.reason.strip():
        raise InvalidInputError(
            "reason is missing.", hint="Say in a sentence why the record should go."
        )
    with library.store.read() as selection:
        held = found(selection, request.id, scope, retracted=True)
    if _is_out(held) is not request.undo:
        return _reply(held, changed=False)
    with library.write() as transaction:
        held = found(transaction, request.id, scope, retracted=True)
        if _is_out(held) is not request.undo:
            return _reply(held, changed=False)
        if request.undo:
            _refuse_alone(held)
            _refuse_second(transaction, held, scope)
        record = _moved(transaction, held, request, caller)
        signals = [
            _moved(transaction, signal, request, caller, went_with=record.id).id
            for signal in _signals(transaction, record, request)
        ]
    return _reply(record, changed=True, signals=signals)


_WITH = "retractedWith"
"The decision that a signal went with."
_MARKS = ("retractedAt", "retractedReason", _WITH)
"Members of a record that is out."


def _is_out(record: StoredRecord) -> bool:
    return record.body.get("retractedAt") is not None


def _refuse_second(transaction: Transaction, held: StoredRecord, scope: Scope) -> None:
    """Refuse to put a memory or a relation back beside the one that took its place."""
    now = _in_its_place(transaction, held, scope)
    if now is not None:
        raise ConflictError(
            f"{now} took the place of {held.id} meanwhile; only one of the two may hold.",
            hint=f"Retract {now} first, or leave this one out.",
            details={"id": now},
        )


def _in_its_place(transaction: Transaction, held: StoredRecord, scope: Scope) -> str | None:
    """Return what holds where a record would hold again."""
    body = held.body
    if held.kind == "memory" and body.get("status", "active") == "active":
        states = transaction.memories_of(held.owner, str(body.get("key")))
        own = identity_of(body)
        now = active(one.body for one in states if identity_of(one.body) == own)
        return None if now is None else str(now["id"])
    if held.kind == "relation" and holds_at(body, transaction.at):
        ends = (str(body.get(name)) for name in ("from", "to", "relation"))
        live = live_between(transaction, scope, *ends)
        return live[0].id if live else None
    return None


def _refuse_alone(held: StoredRecord) -> None:
    """Refuse to put back a signal whose decision is out."""
    decision = held.body.get(_WITH)
    if decision is not None:
        raise ConflictError(
            f"{held.id} was retracted with {decision} and comes back with it.",
            hint=f"Put {decision} back.",
            details={"id": decision},
        )


def _signals(
    transaction: Transaction, decision: StoredRecord, request: Retract
) -> list[StoredRecord]:
    """Return the review signals that go with a decision, or went with it before."""
    if decision.kind != "decision":
        return []
    signals = transaction.signals_of(decision.owner, decision.id)
    if request.undo:
        return [one for one in signals if one.body.get(_WITH) == decision.id]
    return [one for one in signals if not _is_out(one)]


def _moved(
    transaction: Transaction,
    held: StoredRecord,
    request: Retract,
    caller: Caller,
    went_with: str | None = None,
) -> StoredRecord:
    body: dict[str, Any] = {n: v for n, v in held.body.items() if n not in _MARKS}
    verb = "reinstated"
    if not request.undo:
        verb = "retracted"
        body |= {"retractedAt": transaction.at, "retractedReason": request.reason}
        body |= {_WITH: went_with} if went_with else {}
    body["updatedAt"] = transaction.at
    origin = caller.origin(None, None, None)
    try:
        return transaction.replace(held, body, f"{held.kind}.{verb}", origin)
    except ConflictError as error:
        raise ConflictError(
            error.message, hint="Retract the active fact first, or leave this one out."
        ) from error


def _reply(record: StoredRecord, *, changed: bool, signals: Sequence[str] = ()) -> Reply:
    body = record.body
    told = {n: body[n] for n in ("retractedAt", "retractedReason") if body.get(n)}
    warnings = _left(record) if changed and told else []
    return {
        "project": body.get("project"),
        "id": record.id,
        "kind": record.kind,
        "retracted": _is_out(record),
        "changed": changed,
        **told,
        **({"signals": [*signals]} if signals else {}),
        **({"warnings": warnings} if warnings else {}),
    }


def _left(record: StoredRecord) -> list[str]:
    """Say what a retraction does not undo."""
    warnings = []
    if record.kind == "fact" and record.body.get("status") == "active":
        key = record.body.get("key")
        warnings.append(
            f"{key!r} has no active fact now; what it ended stays ended. Record the value"
            " that holds."
        )
    if record.body.get("supersedes"):
        warnings.append("What it supersedes stays superseded.")
    return warnings
