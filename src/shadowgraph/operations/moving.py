"""Moves of a task that need a reason: blocking, unblocking, abandoning.

The reason stays with the task as long as it applies, and in the journal for good. Which
verb may be applied in which state is `rules.tasklife`; a verdict outlives being blocked.
"""

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    OfTask,
    TaskReply,
    changed_reply,
    meant,
    of_task,
    store,
)
from shadowgraph.rules.tasklife import check_move, moved, resumed
from shadowgraph.rules.verdicts import is_final


class WithReason(OfTask):
    """Move a task for a reason."""

    reason: NonBlank
    """Why."""


@operation(
    "task_block",
    title="Block a task",
    description="""Say that a task cannot go on, and what it waits for. Call it when
        somebody or something else has to act first; task_unblock ends it.""",
    request=WithReason,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={"reason": "waits for the new disk", "project": "acme/billing-api"},
)
def task_block(library: Library, request: WithReason, caller: Caller) -> Reply:
    """Move a task to blocked."""
    return _move(library, request, caller, "block", "blocked")


@operation(
    "task_unblock",
    title="Unblock a task",
    description="""Say that a blocked task can go on, and what changed. Call it when
        what it waited for is there; task_block is the opposite.""",
    request=WithReason,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={"reason": "the disk was mounted", "project": "acme/billing-api"},
)
def task_unblock(library: Library, request: WithReason, caller: Caller) -> Reply:
    """Move a task on from blocked."""
    return _move(library, request, caller, "unblock", None)


@operation(
    "task_abandon",
    title="Abandon a task",
    description="""Close a task without a verdict, for good. Call it when work is given up
        or was overtaken; what failed goes to record_dead_end. Work that was done is closed
        by task_finalize.""",
    request=WithReason,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={"reason": "the service is being retired", "project": "acme/billing-api"},
)
def task_abandon(library: Library, request: WithReason, caller: Caller) -> Reply:
    """Move a task to abandoned."""
    return _move(library, request, caller, "abandon", "abandoned")


def _move(
    library: Library, request: WithReason, caller: Caller, verb: str, state: str | None
) -> Reply:
    here = of_task(caller, request)
    reason = request.reason.strip()
    with library.write() as transaction:
        record = meant(transaction, request, here)
        check_move(verb, str(record.body.get("status")))
        if verb == "block" and record.body.get("blockedReason") == reason:
            raise InvalidInputError("The task is blocked for this very reason already.")
        free = {k: v for k, v in record.body.items() if k != "blockedReason"}
        held = free if verb == "unblock" else record.body
        target = state or resumed(held, final=is_final(record.body))
        body = moved(held, verb, target, transaction.at, reason)
        made = store(transaction, record, body, _EVENT[verb], here)
        return changed_reply(transaction, made, here)


_EVENT = {"block": "blocked", "unblock": "unblocked", "abandon": "abandoned"}
