"""Beginning a task, taking one up, putting one aside.

All three are about what is current for a session in its worktree. The invariant: a session
leaves a task that is worked on only by putting it aside, so none is forgotten; putting one
aside and taking up another is one transaction. A verdict and what a task waits for survive
both, and decide in which state it comes back.
"""

from typing import Literal

from shadowgraph.errors import ConflictError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.operations.building import new_body, remember, retried
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Retry
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    InSession,
    OfTask,
    Standing,
    TaskReply,
    changed_reply,
    meant,
    of_task,
    reply_of,
    standing,
    store,
)
from shadowgraph.rules.passport import items
from shadowgraph.rules.tasklife import INITIAL, WORKING, check_move, moved, resumed
from shadowgraph.rules.verdicts import NONE, is_final
from shadowgraph.rules.writescope import prefixes
from shadowgraph.store import StoredRecord, Transaction

Risk = Literal["unknown", "low", "medium", "high"]


class TaskStart(InSession, Retry):
    """Begin a task."""

    title: NonBlank
    """Short name of the task."""
    objective: str = ""
    """What is to be reached; the title when left out."""
    constraints: list[str] = []
    """What it must keep to."""
    write_scope: list[str] = []
    """Repo-relative prefix paths it may write to; a directory includes its children."""
    next_actions: list[str] = []
    """What is to be done first, in order."""
    tags: list[str] = []
    """Labels."""
    risk: Risk = "unknown"
    """What a fault would cost."""


@operation(
    "task_start",
    title="Start a task",
    description="""Start a task and make it current for this session in this
        worktree. Call it when work begins that another session may have to go on with, not
        for single edits. A task that is being worked on must be put aside first with
        task_park.""",
    request=TaskStart,
    reply=TaskReply,
    toolset="tasks",
    example={
        "title": "Move the ledger off NFS",
        "objective": "The ledger's file lies on a local disk of the API host",
        "constraints": ["no write is lost"],
        "writeScope": ["deploy/ledger", "src/ledger"],
        "nextActions": ["measure how long a copy takes"],
        "risk": "high",
        "project": "acme/billing-api",
    },
)
def task_start(library: Library, request: TaskStart, caller: Caller) -> Reply:
    """Store a new task and point to it."""
    here = standing(caller, request)
    body = _passport(request, caller, here)
    with library.write() as transaction:
        first = retried(transaction, "task", here.scope, request)
        if first is not None:
            return changed_reply(transaction, first, here)
        _check_free(transaction, here)
        body |= {"createdAt": transaction.at, "updatedAt": transaction.at}
        record = transaction.insert(body, "task.started", here.origin)
        remember(transaction, record, here.scope, request)
        transaction.point(here.place, record)
    return reply_of(record, current=True)


def _passport(request: TaskStart, caller: Caller, here: Standing) -> dict[str, object]:
    by = Provenance(session_id=here.origin.session_id)
    title = request.title.strip()
    return new_body("task", here.scope, by, caller) | {
        "title": title,
        "objective": request.objective.strip() or title,
        "status": INITIAL,
        "constraints": items(request.constraints),
        "constraintHistory": [],
        "writeScope": items(prefixes(request.write_scope, here.root)),
        "nextActions": items(request.next_actions),
        "tags": items(request.tags),
        "risk": request.risk,
        "repositories": [],
        "verification": dict(NONE),
        "revision": 1,
        "branch": here.checkout.branch if here.checkout else None,
        "head": here.head,
        "worktree": here.root,
        "closedAt": None,
    }


def _check_free(transaction: Transaction, here: Standing) -> None:
    """Refuse to leave a task that is being worked on.

    Raises:
        ConflictError: one is current in this session.
    """
    current = transaction.pointed(here.place)
    if current is not None and current.body.get("status") in WORKING:
        raise ConflictError(
            f"{current.id} ({current.body.get('title')}) is {current.body.get('status')}"
            " and current in this session.",
            hint="Put it aside with task_park, or close it with task_finalize.",
            details={"id": current.id},
        )


class TaskSwitch(OfTask):
    """Take a task up."""

    id: NonBlank
    """Id of the task to take up."""
    park_current: bool = False
    """True to put the task aside that is current now."""


@operation(
    "task_switch",
    title="Take up a task",
    description="""Make another open task current for this session. Call it to go on
        with a task that was put aside or that another session began. A current task that is
        being worked on must be put aside: pass parkCurrent. A parked task comes back
        verifying when its verdict is final, blocked when it still waits, else active;
        task_list names them.""",
    request=TaskSwitch,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={
        "id": "task_ledger-off-nfs",
        "parkCurrent": True,
        "project": "acme/billing-api",
    },
)
def task_switch(library: Library, request: TaskSwitch, caller: Caller) -> Reply:
    """Point to a task, and put the one before aside when that was asked for."""
    here = of_task(caller, request)
    with library.write() as transaction:
        record = meant(transaction, request, here)
        check_move("switch", str(record.body.get("status")))
        current = transaction.pointed(here.place)
        notices = []
        if current is not None and current.row != record.row:
            notices = _left(transaction, current, here, park=request.park_current)
        taken = _taken_up(transaction, record, here)
        transaction.point(here.place, taken)
    return reply_of(taken, current=True, notices=notices)


def _left(
    transaction: Transaction, current: StoredRecord, here: Standing, *, park: bool
) -> list[str]:
    if not park:
        _check_free(transaction, here)
    if current.body.get("status") not in WORKING:
        return []
    body = moved(current.body, "park", "parked", transaction.at)
    store(transaction, current, body, "parked", here)
    return [f"{current.id} was put aside."]


def _taken_up(
    transaction: Transaction, record: StoredRecord, here: Standing
) -> StoredRecord:
    if record.body.get("status") != "parked":
        # Who joined stands in the journal; the task itself did not change.
        return transaction.replace(record, record.body, "task.switched", here.origin)
    state = resumed(record.body, final=is_final(record.body))
    body = moved(
        record.body,
        "switch",
        state,
        transaction.at,
        str(record.body.get("blockedReason") or ""),
    )
    return store(transaction, record, body, "switched", here)


class TaskPark(OfTask):
    """Put a task aside."""


@operation(
    "task_park",
    title="Put a task aside",
    description="""Put a task aside. Call it before other work begins, or while a review
        is awaited: verdict, its commit and what the task waits for are kept. task_switch
        takes it up again.""",
    request=TaskPark,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={"project": "acme/billing-api"},
)
def task_park(library: Library, request: TaskPark, caller: Caller) -> Reply:
    """Move a task to parked."""
    here = of_task(caller, request)
    with library.write() as transaction:
        record = meant(transaction, request, here)
        check_move("park", str(record.body.get("status")))
        body = moved(record.body, "park", "parked", transaction.at)
        parked = store(transaction, record, body, "parked", here)
        return changed_reply(transaction, parked, here)
