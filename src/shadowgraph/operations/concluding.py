"""Verdicts on a task, and closing it with one.

Evidence is looked up before anything is written: one unknown id refuses the whole call. A
repeated verdict writes nothing. What a verdict is bound to and what contradicts it is
`rules.verdicts`; what could be missing when a task is closed is told and prevents nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from shadowgraph import checkout
from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.passports import evidence_of
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    OfTask,
    Standing,
    TaskReply,
    changed_reply,
    meant,
    of_task,
    store,
    unbound,
)
from shadowgraph.rules.advice import on_evidence
from shadowgraph.rules.passport import listed
from shadowgraph.rules.tasklife import check_move, moved
from shadowgraph.rules.verdicts import (
    FINAL,
    Said,
    check_final,
    contradictions,
    judged,
    verification_of,
)
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

MOST_NAMED = 5
"Changed files that a notice names."


class Judging(OfTask):
    """What a verdict says."""

    evidence: list[str] = []
    """Ids from attach_evidence, to link."""
    summary: str | None = None
    """What was verified; else kept."""
    force: bool = False
    """True to insist against evidence of a failed command."""

    def said(self, status: str | None) -> Said:
        """Return what the call says, with its *status*."""
        ids = tuple(dict.fromkeys(one.strip() for one in self.evidence if one.strip()))
        return Said(status, ids, self.summary, self.force)


class TaskVerify(Judging):
    """Give a verdict."""

    status: Literal["unknown", "pending", "passed", "failed", "accepted"] | None = None
    """The verdict; else kept."""


@operation(
    "task_update_verification",
    title="Record a verdict on a task",
    description="""Record the verdict on a task, bound to the commit of now. Call
        it when checks were run: pending while faults are fixed, passed, failed or accepted
        when done. What is omitted is kept; the same again changes nothing; an unknown
        evidence id refuses all. A parked task is taken up with task_switch first;
        task_finalize closes.""",
    request=TaskVerify,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    idempotent=True,
    example={
        "status": "passed",
        "summary": "copied and compared, nothing missing",
        "project": "acme/billing-api",
    },
)
def task_update_verification(
    library: Library, request: TaskVerify, caller: Caller
) -> Reply:
    """Store what a call says of the verdict."""
    said = request.said(request.status)
    if not said.anything:
        raise InvalidInputError(
            "Nothing is said of the verdict.", hint="Give status, evidence or summary."
        )
    here, _ = _seen(library, request, caller)
    with library.write() as transaction:
        record = meant(transaction, request, here)
        state = str(record.body.get("status"))
        check_move("verify", state)
        made = _judged(transaction, record, said, here, transaction.at)
        if said.status is not None:
            state = "verifying" if said.status in FINAL else "active"
        notices = unbound(here) if said.status in FINAL else []
        if made == record.body.get("verification") and state == record.body.get("status"):
            return changed_reply(transaction, record, here, notices)
        body = {**record.body, "verification": made}
        if state != record.body.get("status"):
            body = moved(body, "verify", state, transaction.at, said.summary or "")
        stored = store(transaction, record, body, "verified", here)
        return changed_reply(transaction, stored, here, notices)


def _seen(
    library: Library, request: OfTask, caller: Caller
) -> tuple[Standing, Mapping[str, Any]]:
    """Return where a verdict is given, and the task; git is asked before the write.

    A caller outside of any checkout means the one that the task was started in.
    """
    here = of_task(caller, request)
    with library.store.read() as selection:
        task = meant(selection, request, here).body
    worktree = task.get("worktree")
    if here.checkout is None and isinstance(worktree, str):
        here = replace(here, checkout=checkout.look(Path(worktree)))
    return here, task


def _judged(
    selection: Selection, record: StoredRecord, said: Said, here: Standing, at: str
) -> dict[str, Any]:
    """Return the verification after a call, its evidence checked."""
    held = verification_of(record.body)
    for one in said.evidence:
        if one not in held["evidence"]:
            _check_evidence(selection, one, here)
    ids = [*held["evidence"], *said.evidence]
    shown = sorted(selection.by_ids(ids, here.scope.owner), key=lambda one: one.row)
    against = contradictions([one.body for one in shown])
    return judged(held, said, here.head, at, against)


def _check_evidence(selection: Selection, record_id: str, here: Standing) -> None:
    found = selection.by_id(record_id, here.scope.owner)
    if found is None:
        raise unknown(selection, record_id, here.scope)
    if found.kind != "evidence":
        raise InvalidInputError(
            f"{record_id} is of kind {found.kind}; a verdict takes evidence.",
            hint="Attach the output with attach_evidence and give the id it returns.",
        )


class TaskFinalize(Judging):
    """Close a task."""

    status: Literal["passed", "failed", "accepted"] | None = None
    """The final verdict; left out when it was given before."""
    force: bool = False
    """True to accept with next actions left, or to insist against a failed command."""


@operation(
    "task_finalize",
    title="Close a task",
    description="""Close a task with its final verdict, given now or before. Call it
        once, when work is committed and checked: a closed task does not change. Tells what
        could be missing, such as uncommitted files in the write scope. Without a verdict:
        task_abandon.""",
    request=TaskFinalize,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={
        "status": "passed",
        "summary": "the mount was switched, a day without a lock",
        "project": "acme/billing-api",
    },
)
def task_finalize(library: Library, request: TaskFinalize, caller: Caller) -> Reply:
    """Move a task to completed."""
    here, task = _seen(library, request, caller)
    told = _missing(task, here)
    said = request.said(request.status)
    with library.write() as transaction:
        record = meant(transaction, request, here)
        state = str(record.body.get("status"))
        check_move("finalize", state)
        made = verification_of(record.body)
        if said.anything:
            check_move("verify", state)
            made = _judged(transaction, record, said, here, transaction.at)
            told += unbound(here) if said.status else []
        steps = listed(record.body, "nextActions")
        check_final(made, len(steps), force=request.force)
        body = {**record.body, "verification": made}
        body = moved(body, "finalize", "completed", transaction.at, made["summary"] or "")
        stored = store(transaction, record, body, "finalized", here)
        shown = [one.body for one in evidence_of(transaction, stored)]
        told += [] if shown else ["No evidence is linked to the verdict."]
        advice = on_evidence(stored.body, made["head"], shown)
        told += [f"{text[0].upper()}{text[1:]}." for text in advice]
        return changed_reply(transaction, stored, here, told)


def _missing(task: Mapping[str, Any], here: Standing) -> list[str]:
    """Return what could be missing when a task is closed."""
    told = []
    scope = listed(task, "writeScope")
    # What is changed elsewhere says nothing about this task.
    there = here.checkout if here.root == task.get("worktree") else None
    files = checkout.changed(there.root, scope) if there else []
    if files:
        more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
        named = ", ".join(files[:MOST_NAMED])
        told.append(f"Not committed in the write scope: {named}{more}.")
    steps = len(listed(task, "nextActions"))
    if steps:
        told.append(f"{steps} next actions are left.")
    return told
