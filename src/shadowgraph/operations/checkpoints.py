"""Checkpoints, and the differences between two of them.

A checkpoint says where a task stood: a summary, a status, what comes next, and what git said
then. It is a record of kind `evidence` whose `evidenceKind` is `checkpoint`, so search finds
it by its words. Next actions that it names become the task's own: there is one list of them,
in the task. A checkpoint never fails for want of a task or of git.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shadowgraph import checkout
from shadowgraph.errors import InvalidInputError, UnknownRecordError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.building import new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance
from shadowgraph.operations.passports import CHECKPOINT, TaskId, checkpoints, task_of
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.rooted import Root, files_at, stand_in
from shadowgraph.operations.tasking import InProject, InSession, Standing, store
from shadowgraph.rules.passport import listed
from shadowgraph.rules.tasklife import OPEN, WORKING
from shadowgraph.store import StoredRecord, Transaction
from shadowgraph.store.selection import Selection

_UNBOUND = ["The next actions stay in this checkpoint: no task is current."]
_SHOWN = ("summary", "status", "nextActions", "taskId", "git")


class CheckpointReply(StoredWire):
    """The checkpoint."""

    project: str | None = None
    """Project of the checkpoint."""
    id: str
    """Record id."""
    task_id: OrNull[str]
    """Task it belongs to; null when none is worked on."""
    git: dict[str, Any]
    """What git said: available, branch, head."""
    next_actions: list[str]
    """What comes next, as the task has it now."""
    warnings: list[str] | None = None
    """What was not done."""


class Checkpoint(InSession):
    """Make a checkpoint."""

    summary: NonBlank
    """Where the work stands, in a few sentences."""
    status: str = ""
    """A word for it."""
    next_actions: list[str] = []
    """What comes next; replaces the task's list when given."""
    task_id: TaskId = None
    root: Root = None


@operation(
    "checkpoint",
    title="Make a checkpoint",
    toolset="tasks",
    description="""Record where the work stands: what is done, what comes next, branch and
        commit. Call it before the context ends or the work changes hands, not after each
        edit. Next actions replace those of the task. What failed goes to
        record_dead_end; load_context shows the newest checkpoint.""",
    request=Checkpoint,
    reply=CheckpointReply,
    destructive=True,
    example={"summary": "Ledger moved, tests green", "nextActions": ["remove the flag"]},
)
def checkpoint(library: Library, request: Checkpoint, caller: Caller) -> Reply:
    """Store a checkpoint and hand its next actions to the task."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    git = checkout.state(where.root).as_json()
    origin = caller.origin(None, None, request.session_id)
    here = stand_in(caller, scope, request.root, request.session_id)
    by = Provenance(session_id=request.session_id)
    with library.write() as transaction:
        task = task_of(transaction, here, request.task_id)
        belongs = task is not None and (
            request.task_id is not None or task.body.get("status") in WORKING
        )
        body = new_body("evidence", scope, by, caller) | _said(request, git)
        body |= {
            "taskId": task.id if task and belongs else None,
            "createdAt": transaction.at,
        }
        record = transaction.insert(body, "checkpoint.recorded", origin)
        warnings = _UNBOUND if request.next_actions and not belongs else []
        if request.next_actions and task is not None and belongs:
            task, warnings = _handed_on(transaction, task, request, here)
    actions = listed(task.body, "nextActions") if task and belongs else request.next_actions
    return {
        "project": scope.project,
        "id": record.id,
        "taskId": body["taskId"],
        "git": git,
        "nextActions": actions,
        **({"warnings": warnings} if warnings else {}),
    }


def _said(request: Checkpoint, git: Mapping[str, Any]) -> dict[str, Any]:
    actions = [action.strip() for action in request.next_actions if action.strip()]
    return {
        "evidenceKind": CHECKPOINT,
        "summary": request.summary.strip(),
        "status": request.status.strip(),
        "nextActions": list(dict.fromkeys(actions)),
        # What the index reads beside the summary.
        "detail": "\n".join([*([request.status] if request.status else []), *actions]),
        "git": dict(git),
    }


def _handed_on(
    transaction: Transaction, task: StoredRecord, request: Checkpoint, here: Standing
) -> tuple[StoredRecord, list[str]]:
    """Make the checkpoint's next actions those of the task."""
    if task.body.get("status") not in OPEN:
        return task, [f"{task.id} is closed; its next actions stay as they are."]
    wanted = _said(request, {})["nextActions"]
    if listed(task.body, "nextActions") == wanted:
        return task, []
    body = {**task.body, "nextActions": wanted}
    return store(transaction, task, body, "updated", here), []


class DiffReply(StoredWire):
    """Two checkpoints side by side."""

    project: str | None = None
    """Project of the checkpoints."""
    before: dict[str, Any]
    """The earlier one: id, createdAt, summary, status, nextActions, taskId, git."""
    after: dict[str, Any]
    """The later one, the same members."""
    changed: list[str]
    """Members in which they differ."""
    next_actions: dict[str, list[str]]
    """Next actions that were added and that are gone."""


class Diff(InProject):
    """Compare two checkpoints."""

    from_id: Annotated[str | None, Field(alias="from")] = None
    """Id of the earlier checkpoint; the newest but one when left out."""
    to_id: Annotated[str | None, Field(alias="to")] = None
    """Id of the later checkpoint; the newest when left out."""


@operation(
    "diff",
    title="Compare two checkpoints",
    toolset="tasks",
    description="""Set two checkpoints side by side: summary, status, next actions, task,
        branch and commit. Call it to see what moved between two sessions. It compares what
        was said, not the files; for single changes of records use shadowgraph_journal.
        Changes nothing.""",
    request=Diff,
    reply=DiffReply,
    read_only=True,
    idempotent=True,
    example={},
)
def diff(library: Library, request: Diff, caller: Caller) -> Reply:
    """Return two checkpoints and what differs."""
    scope = caller.scope(request.project)
    with library.store.read() as selection:
        before, after = _pair(selection, request, scope)
    one, other = _side(before.body), _side(after.body)
    gone = [a for a in one["nextActions"] if a not in other["nextActions"]]
    added = [a for a in other["nextActions"] if a not in one["nextActions"]]
    return {
        "project": scope.project,
        "before": one,
        "after": other,
        "changed": [name for name in _SHOWN if one[name] != other[name]],
        "nextActions": {"added": added, "gone": gone},
    }


def _pair(
    selection: Selection, request: Diff, scope: Scope
) -> tuple[StoredRecord, StoredRecord]:
    held = checkpoints(selection, scope.owner or "")
    named = {
        one: _named(selection, one, scope)
        for one in (request.from_id, request.to_id)
        if one
    }
    after = named.get(request.to_id or "") or (held[0] if held else None)
    if after is None:
        raise UnknownRecordError(
            "This project has no checkpoint.", hint="Make one with checkpoint."
        )
    before = named.get(request.from_id or "")
    if before is None:
        older = [one for one in held if one.row < after.row]
        if not older:
            raise UnknownRecordError(
                f"There is no checkpoint before {after.id}.",
                hint="A difference takes two; name another with from.",
            )
        before = older[0]
    return before, after


def _named(selection: Selection, record_id: str, scope: Scope) -> StoredRecord:
    found = selection.by_id(record_id, scope.owner)
    if found is None:
        raise unknown(selection, record_id, scope)
    if found.body.get("evidenceKind") != CHECKPOINT:
        raise InvalidInputError(
            f"{record_id} is no checkpoint.",
            hint="replay lists checkpoints with their ids.",
        )
    return found


def _side(body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": body["id"],
        "createdAt": body.get("createdAt"),
        "summary": body.get("summary"),
        "status": body.get("status"),
        "nextActions": listed(body, "nextActions"),
        "taskId": body.get("taskId"),
        "git": body.get("git") or {},
    }
