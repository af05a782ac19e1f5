"""What belongs to the task that a reading call is about.

Decisions, attempts and evidence belong to it by a live
relation `of_task` from them to it, sources and checkpoints by their own `taskId`. Which
task that is, is found by `tasking`: the one that is named, else the current one.
"""

from typing import Annotated

from pydantic import Field

from shadowgraph.operations.tasking import (
    Standing,
    around,
    looked_at,
    none_current,
    task_by_id,
)
from shadowgraph.rules.passport import OF_TASK
from shadowgraph.rules.presence import temporal_of
from shadowgraph.rules.tasklife import OPEN
from shadowgraph.rules.verdicts import verification_of
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

CHECKPOINT = "checkpoint"
"Kind of the evidence that says where a task stood."
TaskId = Annotated[str | None, Field(description="Task; else the current one.")]


def task_of(
    selection: Selection, here: Standing, task_id: str | None
) -> StoredRecord | None:
    """Return the task *task_id*, else the current one; None when none is current.

    Raises:
        UnknownRecordError: there is no such record, or it is another owner's.
        InvalidInputError: the record is no task.
    """
    if task_id is None:
        return looked_at(selection, here)
    return task_by_id(selection, task_id, here.scope)


def read_of(
    selection: Selection, here: Standing, task_id: str | None
) -> StoredRecord | None:
    """Return the task that a reading call is about: also the only open one of the project.

    A new session, another worktree or an imported bundle has no current task yet; what is
    read may be of another session, what is written may not.
    """
    found = task_of(selection, here, task_id)
    if found is not None or around(selection, here):
        return found
    others = open_tasks(selection, here)
    return others[0] if len(others) == 1 else None


def open_tasks(selection: Selection, here: Standing) -> list[StoredRecord]:
    """Return the open tasks of the project, the latest change first."""
    held = selection.of_kind(here.scope.owner or "", "task")
    return [task for task in held if task.body.get("status") in OPEN]


def needed(selection: Selection, here: Standing, task_id: str | None) -> StoredRecord:
    """Return the task that a reading call cannot do without.

    Raises:
        UnknownRecordError: none is named, none is current, and several or none are open.
    """
    task = read_of(selection, here, task_id)
    if task is None:
        raise none_current(selection, here)
    return task


def linked(selection: Selection, task: StoredRecord) -> list[StoredRecord]:
    """Return the records with a live relation to *task*, newest relation first."""
    ids = [
        str(relation.body.get("from"))
        for relation in reversed(selection.touching(task.owner, [task.id]))
        if relation.body.get("relation") == OF_TASK
        and relation.body.get("to") == task.id
        and temporal_of(relation.body).get("invalidatedAt") is None
    ]
    return selection.by_ids(list(dict.fromkeys(ids)), task.owner)


def sources(selection: Selection, owner: str) -> list[StoredRecord]:
    """Return the sources of an owner, latest change first."""
    return selection.of_kind(owner, "source")


def checkpoints(
    selection: Selection, owner: str, task_id: str | None = None
) -> list[StoredRecord]:
    """Return checkpoints, newest first; those of one task when one is named."""
    return [
        record
        for record in selection.of_kind(owner, "evidence")
        if record.body.get("evidenceKind") == CHECKPOINT
        and task_id in (None, record.body.get("taskId"))
    ]


def evidence_of(selection: Selection, task: StoredRecord) -> list[StoredRecord]:
    """Return the evidence that the task's verification rests on, in its order."""
    named = verification_of(task.body)["evidence"]
    ids = [one for one in named if isinstance(one, str)]
    found = selection.by_ids(list(dict.fromkeys(ids)), task.owner)
    return [record for record in found if record.kind == "evidence"]
