"""Examining a task: what is missing or no longer true, and what could be done better.

A reader that changes nothing and blocks nothing. Warnings are about this task: its verdict,
plan, scope, checkout and sources. Advice is about the way of working; what it looks for is
in `rules.advice` and `rules.ceremony`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph import checkout
from shadowgraph.library import Library
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import STALE, states_here
from shadowgraph.operations.overseeing import drift
from shadowgraph.operations.passports import (
    checkpoints,
    evidence_of,
    linked,
    sources,
    task_of,
)
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import (
    InSession,
    Standing,
    around,
    standing,
)
from shadowgraph.rules.advice import on_evidence
from shadowgraph.rules.ceremony import signs
from shadowgraph.rules.passport import listed
from shadowgraph.rules.tasklife import OPEN
from shadowgraph.rules.verdicts import is_final, verification_of
from shadowgraph.store import StoredRecord
from shadowgraph.store.history import Asked
from shadowgraph.store.selection import Selection

MOST_NAMED = 5
"Files and sources that are named."
MOST_STATES = 500
"Oldest states of a task that are looked through."


class TaskAudit(InSession):
    """Ask for what is wrong with a task."""

    id: str | None = None
    """Task; else the current one."""


class AuditReply(Wire):
    """What was found."""

    id: str | None = None
    issues: list[dict[str, Any]]
    """Level (ok, warn, advice), category and message of each finding."""
    warnings: int
    """How many of them warn."""
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
        record = task_of(selection, here, request.id)
        others = len(around(selection, here))
        held = _held(selection, record) if record else None
    found = _issues(held, here, caller) if held else [_no_task(others)]
    reply = {
        "id": record.id if record else None,
        "issues": found or [_finding("ok", "task", "Nothing to remark.")],
        "warnings": sum(one["level"] == "warn" for one in found),
        "project": here.scope.project,
    }
    return {name: value for name, value in reply.items() if value is not None}


@dataclass(frozen=True, slots=True)
class _Held:
    """What the store holds of a task."""

    task: StoredRecord
    states: list[Mapping[str, Any]]
    "Its own states, oldest first."
    linked: list[Mapping[str, Any]]
    "Evidence that its verdict rests on."
    evidence: list[Mapping[str, Any]]
    checkpoints: list[Mapping[str, Any]]
    sources: list[Mapping[str, Any]]
    tasks: list[Mapping[str, Any]]


def _held(selection: Selection, record: StoredRecord) -> _Held:
    owner = record.owner
    entries, _ = selection.entries(Asked(owner, entity=record.id), MOST_STATES, 0)
    belongs = [one.body for one in linked(selection, record) if one.kind == "evidence"]
    return _Held(
        task=record,
        states=[one.payload for one in entries if one.payload],
        linked=[one.body for one in evidence_of(selection, record)],
        evidence=belongs,
        checkpoints=[one.body for one in checkpoints(selection, owner, record.id)],
        sources=[
            one.body
            for one in sources(selection, owner)
            if one.body.get("taskId") == record.id
        ],
        tasks=[one.body for one in selection.of_kind(owner, "task")],
    )


def _finding(level: str, category: str, message: str) -> dict[str, Any]:
    return {"level": level, "category": category, "message": message}


def _no_task(others: int) -> dict[str, Any]:
    which = "None is current." if not others else "Several are current here; pass id."
    return _finding("warn", "pointer", which)


def _issues(held: _Held, here: Standing, caller: Caller) -> list[dict[str, Any]]:
    """Return everything there is to remark on a task: warnings, then advice."""
    body = held.task.body
    told = [("drift", text) for text in drift(body, here)]
    if here.checkout is None:
        told.append(("git", "there is no Git checkout here, so no verdict can be bound"))
    told += audited(body)
    told += [("changes", text) for text in _uncommitted(body, here)]
    told += [("sources", text) for text in _stale(held.sources, caller)]
    advice = [("evidence", text) for text in _advised(held)]
    found = signs(held.states, held.evidence, held.checkpoints, held.tasks)
    advice += [("ceremony", text) for text in found]
    return [
        *(_finding("warn", category, message) for category, message in told),
        *(_finding("advice", category, message) for category, message in advice),
    ]


def _advised(held: _Held) -> list[str]:
    """Return what the evidence of a final verdict lacks."""
    if not is_final(held.task.body):
        return []
    return on_evidence(held.task.body, verification_of(held.task.body)["head"], held.linked)


def _stale(held: Sequence[Mapping[str, Any]], caller: Caller) -> list[str]:
    """Return the sources of a task whose files are not what was read."""
    states = states_here(held, caller)
    return [
        f"source {one['status']}: {one['path']}"
        for files in states
        for one in files
        if one["status"] in STALE
    ][:MOST_NAMED]


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
    return [f"not committed: {name}" for name in files[:MOST_NAMED]]
