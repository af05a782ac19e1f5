"""Which task a call is about, and what belongs to it.

A task is a record of kind `task`. Decisions, attempts and evidence belong to it by a live
relation `of_task` from them to it, sources and checkpoints by their own `taskId`. The
invariant: a task of another owner reads exactly like an unknown one, and a call that names
none never guesses a closed one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from shadowgraph.errors import InvalidInputError, UnknownRecordError
from shadowgraph.model.scope import Scope
from shadowgraph.operations.progress import unknown
from shadowgraph.rules.instants import parse_instant
from shadowgraph.rules.presence import temporal_of
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

OF_TASK = "of_task"
"Name of the relation from a record to its task."
WORKED_ON = ("active", "verifying", "blocked")
OPEN = (*WORKED_ON, "parked")
FINAL = ("passed", "failed", "accepted")
"Verdicts that close the question of a task's verification."
CHECKPOINT = "checkpoint"
"Kind of the evidence that says where a task stood."
TaskId = Annotated[
    str | None, Field(description="Id of the task; else the one worked on last.")
]


def current_task(selection: Selection, scope: Scope) -> StoredRecord | None:
    """Return the task that a call without an id is about; None when there is none.

    It is the open task of the owner that changed last, a parked one only when no other is
    open. Where a session keeps a pointer to its task, that pointer belongs here.
    """
    held = selection.of_kind(scope.owner or "", "task")
    for states in (WORKED_ON, ("parked",)):
        for task in held:
            if task.body.get("status") in states:
                return task
    return None


def task_of(selection: Selection, scope: Scope, task_id: str | None) -> StoredRecord | None:
    """Return the task *task_id*, or the current one when none is named.

    Raises:
        UnknownRecordError: there is no such record, or it is another owner's.
        InvalidInputError: the record is no task.
    """
    if task_id is None:
        return current_task(selection, scope)
    found = selection.by_id(task_id, scope.owner)
    if found is None:
        raise unknown(selection, task_id, scope)
    if found.kind != "task":
        raise InvalidInputError(
            f"{task_id} is of kind {found.kind}; this operation takes a task."
        )
    return found


def needed(task: StoredRecord | None) -> StoredRecord:
    """Return the task that a call cannot do without.

    Raises:
        UnknownRecordError: the owner has no open task.
    """
    if task is None:
        raise UnknownRecordError(
            "No task is open in this project.",
            hint="Name one with taskId, or begin one with task_start.",
        )
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
    named = verification(task.body).get("evidence")
    ids = [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
    found = selection.by_ids(list(dict.fromkeys(ids)), task.owner)
    return [record for record in found if record.kind == "evidence"]


def verification(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a task says of its verification; empty when it says nothing."""
    held = body.get("verification")
    return held if isinstance(held, Mapping) else {}


def texts(body: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a list field; what is no text is left out.

    >>> texts({"tags": ["a", 1, " "]}, "tags")
    ['a']
    """
    held = body.get(name)
    items: Iterable[Any] = held if isinstance(held, list) else ()
    return [one for one in items if isinstance(one, str) and one.strip()]


def newest(records: Sequence[StoredRecord]) -> StoredRecord | None:
    """Return the record that was made last."""
    dated = [record for record in records if record.body.get("createdAt")]
    return max(
        dated,
        key=lambda record: (parse_instant(str(record.body["createdAt"])), record.row),
        default=None,
    )
