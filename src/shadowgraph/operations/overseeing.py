"""Looking at tasks: where one stands, and which there are.

Readers: they move no pointer and change no byte. A session without a current task of its
own is told the one of its worktree, and that it is not its own. A task that an import left
half is shown with what it has; it hides no other.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from shadowgraph import checkout
from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Limit
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    InSession,
    Standing,
    around,
    looked_at,
    none_current,
    reply_of,
    standing,
    task_by_id,
)
from shadowgraph.rules.passport import listed
from shadowgraph.rules.tasklife import OPEN, STATES
from shadowgraph.rules.verdicts import is_final, verification_of
from shadowgraph.rules.writescope import overlap, prefixes
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

DEFAULT_LIMIT = 20


class TaskStatus(InSession):
    """Ask where a task stands."""

    id: Annotated[str | None, Field(min_length=1)] = None
    """Task; else the current one."""
    full: bool = False
    """True for the whole passport."""


class StatusReply(Wire):
    """Where a task stands."""

    task: dict[str, Any] | None = None
    passport: dict[str, Any] | None = None
    current_id: str | None = None
    drift: list[str] | None = None
    project: str | None = None
    notices: list[str] | None = None


@operation(
    "task_status",
    title="Show where a task stands",
    description="""Show where a task stands: state, verdict, next action, drift of the
        checkout. Call it at the start of a session, not after changes: they answer with the
        same. With id, any task in full without switching to it. Others: task_list.""",
    request=TaskStatus,
    reply=StatusReply,
    toolset="tasks",
    read_only=True,
    idempotent=True,
    example={"full": True, "project": "acme/billing-api"},
)
def task_status(library: Library, request: TaskStatus, caller: Caller) -> Reply:
    """Return the state of a task."""
    here = standing(caller, request)
    with library.store.read() as selection:
        own = selection.pointed(here.place)
        if request.id is not None:
            record: StoredRecord | None = task_by_id(selection, request.id, here.scope)
        else:
            record = looked_at(selection, here)
        if record is None:
            return _nothing(selection, here)
        current = own is not None and own.row == record.row
        notices = [] if current or request.id else [_not_own(record)]
    reply = reply_of(record, current=current, notices=notices)
    if own is not None and not current:
        reply["currentId"] = own.id
    if request.full or request.id is not None:
        reply["passport"] = dict(record.body)
    found = drift(record.body, here)
    return reply | ({"drift": found} if found else {})


def _nothing(selection: Selection, here: Standing) -> Reply:
    told = none_current(selection, here)
    reply: Reply = {"notices": [f"{told.message} {told.hint}".strip()]}
    return reply | ({"project": here.scope.project} if here.scope.project else {})


def _not_own(record: StoredRecord) -> str:
    return (
        f"{record.id} is current for another session in this worktree; task_switch takes"
        " it over for this one."
    )


def drift(task: Mapping[str, Any], here: Standing) -> list[str]:
    """Return how the checkout of now differs from the one of the task."""
    if here.checkout is None:
        return []
    told = []
    branch, worktree = task.get("branch"), task.get("worktree")
    if branch and branch != here.checkout.branch:
        told.append(f"started on branch {branch}, now on {here.checkout.branch or 'none'}")
    if worktree and worktree != here.root:
        told.append(f"started in {worktree}, now in {here.root}")
    bound = verification_of(task)["head"]
    if is_final(task) and bound and bound != here.head:
        told.append(f"the verdict is bound to {bound}, HEAD is {here.head}")
    return told


class TaskList(InSession):
    """Ask for tasks."""

    open: bool | None = None
    """True for open tasks only, the default."""
    all: bool = False
    """True for closed ones too."""
    status: Annotated[list[Literal[STATES]], Field(min_length=1)] | None = None  # type: ignore[valid-type]
    """Only in one of these states."""
    scope: Annotated[list[str], Field(min_length=1)] | None = None
    """Only with a write scope that overlaps one of these paths."""
    compact: bool = False
    """True for id, title, status and current alone."""
    limit: Limit = None
    """Most tasks, 1 to 1000; 20 when left out."""


class TaskListReply(Wire):
    """Tasks, newest change first."""

    items: list[dict[str, Any]]
    matched: int
    omitted: int
    closed_hidden: int
    project: str | None = None


@operation(
    "task_list",
    title="List tasks",
    description="""List tasks, the latest change first. Call it to find one to go on with
        by task_switch, or who works on the same paths (scope). Open ones by default. By
        words: shadowgraph_search with kind task.""",
    request=TaskList,
    reply=TaskListReply,
    toolset="tasks",
    read_only=True,
    idempotent=True,
    example={"scope": ["src/ledger"], "project": "acme/billing-api"},
)
def task_list(library: Library, request: TaskList, caller: Caller) -> Reply:
    """Return the tasks that pass every filter."""
    _check_filters(request)
    here = standing(caller, request)
    with library.store.read() as selection:
        tasks = selection.of_kind(here.scope.owner or "", "task")
        own = selection.pointed(here.place)
    states = request.status or (STATES if request.all else OPEN)
    within = prefixes(request.scope or (), here.root)
    found = [
        task
        for task in tasks
        if (task.body.get("status") in states or request.all)
        and (not within or overlap(listed(task.body, "writeScope"), within))
    ]
    shown = found[: request.limit or DEFAULT_LIMIT]
    row = own.row if own else None
    reply = {
        "items": [_item(one, row, compact=request.compact) for one in shown],
        "matched": len(found),
        "omitted": len(found) - len(shown),
        "closedHidden": 0
        if request.all or request.status
        else sum(task.body.get("status") not in OPEN for task in tasks),
    }
    return reply | ({"project": here.scope.project} if here.scope.project else {})


def _check_filters(request: TaskList) -> None:
    given = [
        name
        for name, value in (
            ("open", request.open),
            ("all", request.all),
            ("status", request.status),
        )
        if value
    ]
    if len(given) > 1:
        raise InvalidInputError(
            f"{' and '.join(given)} contradict each other.", hint="Give one of them."
        )


def _item(record: StoredRecord, current: int | None, *, compact: bool) -> dict[str, Any]:
    body = record.body
    item = {
        "id": record.id,
        "title": str(body.get("title", "")),
        "status": str(body.get("status", "")),
        "current": record.row == current,
    }
    if compact:
        return item
    more = {
        "verification": str(verification_of(body)["status"]),
        "branch": body.get("branch"),
        "updatedAt": body.get("updatedAt"),
        "writeScope": listed(body, "writeScope"),
    }
    return item | {name: value for name, value in more.items() if value}


class TaskAudit(InSession):
    """Ask for what is wrong with a task."""

    id: str | None = None
    """Task; else the current one."""


class AuditReply(Wire):
    """What was found."""

    id: str | None = None
    issues: list[dict[str, Any]]
    warnings: int
    project: str | None = None


@operation(
    "task_audit",
    title="Examine a task",
    description="""Examine a task: open verdict, missing scope or plan, drift of branch,
        commit and worktree, uncommitted files, verdicts without or against evidence. Call it
        before task_finalize or task_handoff. Changes nothing.""",
    request=TaskAudit,
    reply=AuditReply,
    toolset="tasks",
    read_only=True,
    idempotent=True,
    example={"project": "acme/billing-api"},
)
def task_audit(library: Library, request: TaskAudit, caller: Caller) -> Reply:
    """Return the findings of a task."""
    here = standing(caller, request)
    with library.store.read() as selection:
        if request.id is not None:
            record: StoredRecord | None = task_by_id(selection, request.id, here.scope)
        else:
            record = looked_at(selection, here)
        others = len(around(selection, here))
    issues = _issues(record, here, others)
    reply = {
        "id": record.id if record else None,
        "issues": issues or [_finding("ok", "task", "Nothing to remark.")],
        "warnings": len(issues),
        "project": here.scope.project,
    }
    return {name: value for name, value in reply.items() if value is not None}


def _finding(level: str, category: str, message: str) -> dict[str, Any]:
    return {"level": level, "category": category, "message": message}


def _issues(
    record: StoredRecord | None, here: Standing, others: int
) -> list[dict[str, Any]]:
    """Return everything there is to remark on a task, as warnings."""
    if record is None:
        which = "None is current." if not others else "Several are current here; pass id."
        return [_finding("warn", "pointer", which)]
    body = record.body
    told = [("drift", text) for text in drift(body, here)]
    if here.checkout is None:
        told.append(("git", "there is no Git checkout here, so no verdict can be bound"))
    told += audited(body)
    told += [("changes", text) for text in _uncommitted(body, here)]
    return [_finding("warn", category, message) for category, message in told]


def audited(task: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a passport alone gives rise to remark."""
    verification = verification_of(task)
    closed = task.get("status") not in OPEN
    steps = listed(task, "nextActions")
    rules = (
        ("pointer", closed, "the task is closed; task_start begins another"),
        ("plan", not steps and not closed, "no next action is named"),
        ("plan", bool(steps) and closed, f"closed with {len(steps)} next actions left"),
        ("scope", not listed(task, "writeScope"), "no write scope is named"),
        (
            "verdict",
            not is_final(task),
            f"the verdict is open: {verification['status']}",
        ),
        (
            "verdict",
            is_final(task) and not verification["evidence"],
            "the verdict has no evidence",
        ),
        (
            "verdict",
            is_final(task) and not verification["head"],
            "the verdict is bound to no commit",
        ),
        (
            "verdict",
            bool(verification.get("forced")),
            "the verdict was forced against evidence of a failed command",
        ),
        (
            "verdict",
            bool(verification.get("invalidated")),
            "a verdict was invalidated by a change of the task",
        ),
    )
    return [(category, message) for category, applies, message in rules if applies]


def _uncommitted(task: Mapping[str, Any], here: Standing) -> list[str]:
    if here.checkout is None or here.root != task.get("worktree"):
        return []
    files = checkout.changed(here.checkout.root, listed(task, "writeScope"))
    return [f"not committed: {name}" for name in files[:5]]
