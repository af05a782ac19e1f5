"""What is learned while a task is worked on: decisions, dead ends, evidence.

They are ordinary records of the graph, found by every search, and linked to their task by
a relation in the same transaction. The invariants: a named task or evidence exists, or
nothing is written; a recording changes no passport. What belongs to no task is recorded all
the same, and the reply says so. What evidence is made of is in `attaching`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import Wire
from shadowgraph.operations.building import new_body, remember, retried
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import files_of_session, kept
from shadowgraph.operations.inputs import Provenance, Retry
from shadowgraph.operations.present import clip
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.recording import causal_claim, evidence_item
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    InSession,
    Standing,
    around,
    looked_at,
    standing,
    task_by_id,
)
from shadowgraph.rules.confidence import initial
from shadowgraph.rules.lifecycle import INITIAL
from shadowgraph.rules.passport import OF_TASK, items
from shadowgraph.store import StoredRecord, Transaction
from shadowgraph.store.selection import Selection


class Noting(InSession, Retry):
    """Arguments of what is recorded for a task."""

    task_id: str | None = None
    """Task; else the current one."""


class NotedReply(Wire):
    """What was recorded."""

    id: str
    kind: str
    task_id: str | None = None
    project: str | None = None
    replayed: bool | None = None
    notices: list[str] | None = None


class RecordTaskDecision(Noting):
    """Record a decision of a task."""

    text: NonBlank
    """What was decided, and why."""
    files: list[str] = []
    """Files it is about."""
    evidence: list[str] = []
    """Ids from attach_evidence."""


@operation(
    "record_decision",
    title="Record a decision of a task",
    description="""Record in one text what was decided for a task. Call it for a choice the
        next session must keep to. Rejected options and what would reopen them go to
        shadowgraph_record_decision, what failed to record_dead_end. Appends a decision
        linked to the task.""",
    request=RecordTaskDecision,
    reply=NotedReply,
    toolset="tasks",
    example={
        "text": "Copy with the API stopped: a copy of a file in use was torn.",
        "files": ["deploy/ledger/copy.sh"],
        "project": "acme/billing-api",
    },
)
def record_decision(library: Library, request: RecordTaskDecision, caller: Caller) -> Reply:
    """Store a decision and link it to its task."""
    here = standing(caller, request)
    files = kept(request.files, files_of_session(caller))

    def made(selection: Selection, at: str) -> dict[str, Any]:
        shown = _evidence(selection, request.evidence, here)
        proof = [_proof(one, at) for one in shown]
        return {
            "title": clip(request.text, 120),
            "goal": "",
            "chosen": request.text.strip(),
            "confidence": initial(0.5, len(proof)),
            "status": INITIAL,
            "assumptions": [],
            "evidence": proof,
            "alternatives": [],
            "failedAttempts": [],
            "outcome": None,
            "reviewAfter": None,
            "files": files,
            "updatedAt": at,
        }

    return noted(library, request, caller, here, ("decision", "decision.recorded", made))


class RecordDeadEnd(Noting):
    """Record what failed."""

    text: NonBlank
    """What was tried."""
    reason: str = ""
    """Why it failed."""
    result: str = ""
    """What happened, with the error text as it was printed."""
    environment: str = ""
    """Where: versions, OS, configuration."""
    files: list[str] = []
    """Files it is about."""
    evidence: list[str] = []
    """Ids from attach_evidence."""


@operation(
    "record_dead_end",
    title="Record a dead end",
    description="""Keep an approach to a task that led nowhere, as a failed attempt linked to
        the task. Call it right after giving it up: shadowgraph_search and shadowgraph_check
        warn of it in other tasks, too. What worked goes to shadowgraph_record_attempt.""",
    request=RecordDeadEnd,
    reply=NotedReply,
    toolset="tasks",
    example={
        "text": "Copy the ledger with rsync while the API writes",
        "reason": "rsync reads the pages one after the other",
        "result": "sqlite3: database disk image is malformed",
        "environment": "rsync 3.2.7, SQLite 3.45, WAL",
        "project": "acme/billing-api",
    },
)
def record_dead_end(library: Library, request: RecordDeadEnd, caller: Caller) -> Reply:
    """Store a failed attempt and link it to its task."""
    here = standing(caller, request)
    files = kept(request.files, files_of_session(caller))

    def made(selection: Selection, _: str) -> dict[str, Any]:
        shown = _evidence(selection, request.evidence, here)
        told = request.result.strip()
        return {
            "solution": request.text.strip(),
            "result": told or "It was a dead end.",
            "resultClass": "failed",
            "environment": request.environment,
            "reason": request.reason,
            "causalClaim": causal_claim(request.reason),
            "reusableWhen": [],
            "relatedTo": [one.id for one in shown],
            "files": files,
        }

    return noted(library, request, caller, here, ("attempt", "attempt.recorded", made))


def noted(
    library: Library, request: Noting, caller: Caller, here: Standing, what: Any
) -> Reply:
    """Store a record of *what* (kind, event, its fields) and link it to its task."""
    kind, event, made = what
    by = Provenance(session_id=here.origin.session_id)
    with library.write() as transaction:
        first = retried(transaction, kind, here.scope, request)
        if first is not None:
            return _reply(first, None, here) | {"replayed": True}
        task, notices = _task(transaction, request, here)
        body = new_body(kind, here.scope, by, caller) | {"createdAt": transaction.at}
        body |= made(transaction, transaction.at)
        body["taskId"] = task.id if task else None
        record = transaction.insert(body, event, here.origin)
        remember(transaction, record, here.scope, request)
        if task is not None:
            link(transaction, record, task, by, caller, here)
    return _reply(record, notices, here)


def _task(
    transaction: Transaction, request: Noting, here: Standing
) -> tuple[StoredRecord | None, list[str]]:
    """Return the task that a recording belongs to, and what has to be said of it."""
    if request.task_id is not None:
        return task_by_id(transaction, request.task_id, here.scope), []
    task = looked_at(transaction, here)
    if task is not None:
        return task, []
    several = [one.id for one in around(transaction, here)]
    if several:
        return None, [f"Linked to no task, several are current here: {', '.join(several)}."]
    return None, ["Linked to no task: none is current here."]


def link(
    transaction: Transaction,
    record: StoredRecord,
    task: StoredRecord,
    by: Provenance,
    caller: Caller,
    here: Standing,
) -> None:
    """Relate a record to its task."""
    at = transaction.at
    ends = {"from": record.id, "to": task.id, "relation": OF_TASK, "createdAt": at}
    window = {"validFrom": at, "validTo": None, "recordedAt": at, "invalidatedAt": None}
    body = new_body("relation", here.scope, by, caller) | ends | {"temporal": window}
    transaction.insert(body, "relation.created", here.origin)


def _evidence(
    selection: Selection, ids: Sequence[str], here: Standing
) -> list[StoredRecord]:
    """Return the evidence of these ids.

    Raises:
        UnknownRecordError: one is unknown or foreign.
        InvalidInputError: one is a record of another kind.
    """
    found = []
    for one in items(ids):
        record = selection.by_id(one, here.scope.owner)
        if record is None:
            raise unknown(selection, one, here.scope)
        if record.kind != "evidence":
            raise InvalidInputError(f"{one} is of kind {record.kind}, not evidence.")
        found.append(record)
    return found


def _proof(record: StoredRecord, at: str) -> Mapping[str, Any]:
    """Return a piece of evidence as a decision holds it."""
    body = record.body
    said = {
        "source": record.id,
        "type": str(body.get("evidenceKind") or "note"),
        "sourceClass": str(body.get("sourceClass") or "agent_claimed"),
        "detail": str(body.get("summary") or ""),
    }
    return evidence_item(said, at)


def _reply(record: StoredRecord, notices: Sequence[str] | None, here: Standing) -> Reply:
    told = {
        "id": record.id,
        "kind": record.kind,
        "taskId": record.body.get("taskId"),
        "project": here.scope.project,
        "notices": list(notices or ()) or None,
    }
    return {name: value for name, value in told.items() if value is not None}
