"""Looking at tasks: where one stands, and which there are.

Readers: they move no pointer and change no byte. A session without a current task of its
own is told the one of its worktree, and that it is not its own. A task that an import left
half is shown with what it has; it hides no other.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Limit
from shadowgraph.operations.passports import task_of
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    InSession,
    Standing,
    none_current,
    reply_of,
    standing,
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
        record = task_of(selection, here, request.id)
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
