"""Which task a call means, and how a change of one is stored and answered.

A call names a task by its id, or means the one that is current for its session in its
worktree. The invariants: without an id nothing but the session's own pointer decides what
is written to; `expectedRevision` refuses a write that has not seen the newest state; every
change raises the task's revision by one and leaves its whole state in the journal, with
actor, client and session.

A session that has no pointer of its own *reads* the task of its worktree when there is only
one, and records for it; it changes that task only after `task_switch`. The verbs are in
`starting`, `patching`, `moving` and `concluding`, the readers in `overseeing` and `handing`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from shadowgraph import checkout
from shadowgraph.checkout import Checkout
from shadowgraph.errors import ConflictError, InvalidInputError, UnknownRecordError
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Project
from shadowgraph.operations.present import clip
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply
from shadowgraph.rules.passport import listed
from shadowgraph.rules.tasklife import OPEN
from shadowgraph.rules.verdicts import verification_of
from shadowgraph.store import Origin, Place, StoredRecord, Transaction
from shadowgraph.store.selection import Selection


class InProject(Wire):
    """Arguments of every call about the tasks of a project."""

    project: Project = None


class InSession(InProject):
    """Arguments of a call for which the current task matters."""

    session_id: str | None = None
    """Another session's id."""


class OfTask(InSession):
    """Arguments of every change of a task."""

    id: str | None = None
    """Task; else the current one."""
    expected_revision: Annotated[int | None, Field(ge=1)] = None
    """Refuse another revision."""


class TaskReply(Wire):
    """The state of a task in few words, as `reply_of` makes it.

    One object, because sixteen tools that spell out its members would cost every session
    three kilobytes.
    """

    task: dict[str, Any]
    project: str | None = None
    notices: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a call comes from: its scope, its place and the checkout around it."""

    scope: Scope
    place: Place
    checkout: Checkout | None
    origin: Origin

    @property
    def head(self) -> str | None:
        """The commit of now."""
        return self.checkout.head if self.checkout else None

    @property
    def root(self) -> str | None:
        """The root of the checkout."""
        return str(self.checkout.root) if self.checkout else None


def standing(caller: Caller, request: InSession, *, by_id: bool = False) -> Standing:
    """Return where a call comes from; with *by_id* it has to name a project."""
    scope = caller.scope_by_id(request.project) if by_id else caller.scope(request.project)
    origin = caller.origin(None, None, request.session_id)
    return stand(scope, caller.directory, origin)


def stand(scope: Scope, directory: Path | None, origin: Origin) -> Standing:
    """Return where a call comes from that works in *directory*."""
    here = checkout.look(directory)
    at = here.root if here else directory
    place = Place(scope.owner or "", str(at or ""), origin.session_id or "")
    return Standing(scope, place, here, origin)


def of_task(caller: Caller, request: OfTask) -> Standing:
    """Return where a call about one task comes from."""
    return standing(caller, request, by_id=request.id is not None)


def task_by_id(selection: Selection, record_id: str, scope: Scope) -> StoredRecord:
    """Return a task of the scope.

    Raises:
        UnknownRecordError: unknown or foreign.
        InvalidInputError: it is a record of another kind.
    """
    record = selection.by_id(record_id, scope.owner)
    if record is None:
        raise unknown(selection, record_id, scope)
    if record.kind != "task":
        raise InvalidInputError(
            f"{record_id} is of kind {record.kind}; this operation takes a task."
        )
    return record


def meant(selection: Selection, request: OfTask, here: Standing) -> StoredRecord:
    """Return the task that a change means, in the revision that it expects.

    Raises:
        UnknownRecordError: no such task, or none is current in this session.
        ConflictError: the task has changed since.
    """
    if request.id is not None:
        record = task_by_id(selection, request.id, here.scope)
    else:
        found = selection.pointed(here.place)
        if found is None:
            raise none_current(selection, here)
        record = found
    expected, held = request.expected_revision, revision_of(record.body)
    if expected is not None and expected != held:
        raise ConflictError(
            f"{record.id} is at revision {held}, not {expected}: somebody changed it.",
            hint="Read it with task_status and decide again.",
            details={"id": record.id, "revision": held},
        )
    return record


def none_current(selection: Selection, here: Standing) -> UnknownRecordError:
    """Return the error that names the tasks this session could go on with."""
    told = "; ".join(
        f"{t.id} ({clip(str(t.body.get('title')), 60)})" for t in around(selection, here)
    )
    hint = f"Take one over with task_switch, or pass id: {told}." if told else None
    return UnknownRecordError(
        "No task is current in this session.",
        hint=hint or "Begin one with task_start; task_list shows those that are open.",
    )


def around(selection: Selection, here: Standing) -> list[StoredRecord]:
    """Return the open tasks that are current in this worktree, for whichever session."""
    found = {
        one.task.id: one.task
        for one in selection.pointers(here.place)
        if one.task.body.get("status") in OPEN
    }
    return list(found.values())


def looked_at(selection: Selection, here: Standing) -> StoredRecord | None:
    """Return the session's own task, else the only one of its worktree."""
    own = selection.pointed(here.place)
    if own is not None:
        return own
    others = around(selection, here)
    return others[0] if len(others) == 1 else None


def revision_of(task: Mapping[str, Any]) -> int:
    """Return the number of a task's state; an import may lack it."""
    held = task.get("revision")
    return held if isinstance(held, int) and held > 0 else 1


def store(
    transaction: Transaction,
    record: StoredRecord,
    body: Mapping[str, Any],
    verb: str,
    here: Standing,
) -> StoredRecord:
    """Store the new state of a task under its next revision."""
    made = {
        **body,
        "revision": revision_of(record.body) + 1,
        "updatedAt": transaction.at,
    }
    return transaction.replace(record, made, f"task.{verb}", here.origin)


def reply_of(record: StoredRecord, *, current: bool, notices: Sequence[str] = ()) -> Reply:
    """Return the state of a task in few words."""
    body, verification = record.body, verification_of(record.body)
    steps = listed(body, "nextActions")
    told = {
        "id": record.id,
        "title": str(body.get("title", "")),
        "status": str(body.get("status", "")),
        "verification": str(verification["status"]),
        "head": verification["head"],
        "revision": revision_of(body),
        "nextAction": clip(steps[0], 160) if steps else None,
        "current": current,
    }
    reply: Reply = {
        "task": {name: value for name, value in told.items() if value is not None}
    }
    project = body.get("project")
    reply |= {"project": project} if project is not None else {}
    return reply | ({"notices": list(notices)} if notices else {})


def changed_reply(
    transaction: Selection,
    record: StoredRecord,
    here: Standing,
    notices: Sequence[str] = (),
) -> Reply:
    """Return the answer to a change, which says whether the task is the current one."""
    own = transaction.pointed(here.place)
    current = own is not None and own.row == record.row
    return reply_of(record, current=current, notices=notices)


def unbound(here: Standing) -> list[str]:
    """Return the notice that a verdict cannot be bound to a commit, when it cannot."""
    if here.head is not None:
        return []
    return ["The verdict is bound to no commit: there is no Git checkout with one here."]
