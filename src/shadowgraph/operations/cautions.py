"""What an agent should hear before it goes on with a task.

Warnings are computed from the task, from git and from the state of the sources; none is
stored and none blocks. The gravest come first: a task that is not being worked on, a verdict
that no longer speaks of this commit, work outside the scope, stale sources, another branch.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shadowgraph.checkout import GitState
from shadowgraph.operations.freshness import STALE
from shadowgraph.rules.passport import listed
from shadowgraph.rules.verdicts import FINAL, verification_of
from shadowgraph.rules.writescope import covers

NAMED = 4
"Files that one warning names."


def warnings_of(
    task: Mapping[str, Any],
    git: GitState,
    measured: Sequence[tuple[Mapping[str, Any], str]],
) -> list[str]:
    """Return the warnings of a task, gravest first."""
    return [
        *_status(task),
        *_verdict(task, git),
        *_outside(task, git),
        *_stale(measured),
        *_branch(task, git),
    ]


def _status(task: Mapping[str, Any]) -> Iterator[str]:
    status = task.get("status")
    if status in ("parked", "completed", "abandoned"):
        yield f"the task is {status}"
    if status == "blocked":
        reason = task.get("blockedReason")
        yield f"the task is blocked{f': {reason}' if reason else ''}"


def _verdict(task: Mapping[str, Any], git: GitState) -> Iterator[str]:
    held = verification_of(task)
    status, head = held.get("status"), held.get("head")
    if held.get("invalidated"):
        yield "the verdict was made invalid by a later change; verify again"
    if held.get("forced"):
        yield "the verdict was forced against its evidence"
    if status == "failed":
        yield "verification failed"
    if status in FINAL and isinstance(head, str) and git.head and git.head != head:
        yield f"{status} at {head[:10]}, but the commit is {git.head[:10]}; verify again"


def _outside(task: Mapping[str, Any], git: GitState) -> Iterator[str]:
    scope = listed(task, "writeScope")
    if not scope:
        return
    outside = [path for path in git.dirty if not covers(scope, path)]
    if outside:
        yield f"changed outside the scope: {_named(outside)}"


def _stale(measured: Sequence[tuple[Mapping[str, Any], str]]) -> Iterator[str]:
    for state in sorted(STALE):
        paths = [str(body.get("path")) for body, found in measured if found == state]
        if paths:
            yield f"source {state}: {_named(paths)}"


def _branch(task: Mapping[str, Any], git: GitState) -> Iterator[str]:
    began = task.get("branch")
    if isinstance(began, str) and git.branch and git.branch != began:
        yield f"on branch {git.branch}; the task began on {began}"


def _named(paths: Sequence[str]) -> str:
    more = len(paths) - NAMED
    told = ", ".join(paths[:NAMED])
    return f"{told} and {more} more" if more > 0 else told
