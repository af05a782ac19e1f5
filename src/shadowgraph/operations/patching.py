"""Changing what a task is about, without moving it.

`rules.passport` merges; here the paths are brought into one form and the checkouts are
looked up, before the transaction begins, because asking git takes longer than a write may.
A relative worktree is relative to where the task was started, so that task is read first.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from shadowgraph import checkout
from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.starting import Risk
from shadowgraph.operations.tasking import (
    OfTask,
    Standing,
    TaskReply,
    changed_reply,
    meant,
    of_task,
    store,
)
from shadowgraph.rules.passport import Patch, Repository, check_repository, items, patched
from shadowgraph.rules.tasklife import check_move
from shadowgraph.rules.verdicts import is_final
from shadowgraph.rules.writescope import prefixes


class RepositoryIn(Wire):
    """A further checkout."""

    id: NonBlank
    """Stable unique id; primary is reserved."""
    worktree: NonBlank
    """Local Git checkout root, absolute or relative to the task's worktree."""
    write_scope: Annotated[list[str], Field(min_length=1)]
    """Repo-relative prefix paths, at least one; a dot is the whole checkout."""


class TaskUpdate(OfTask):
    """Change a task."""

    objective: str | None = None
    """Replacement objective."""
    constraints: list[str] | None = None
    """Constraints to append; the whole list with replaceConstraints."""
    write_scope: list[str] | None = None
    """Repo-relative prefix paths to append. No globs."""
    next_actions: list[str] | None = None
    """Next steps to append; the whole list with clearNextActions."""
    tags: list[str] | None = None
    """Labels to append."""
    risk: Risk | None = None
    """New risk."""
    repositories: list[RepositoryIn] | None = None
    """Further checkouts by id; scopes append. Needs an active task without a verdict."""
    clear_next_actions: bool = False
    """Replace the next actions by nextActions, or clear them."""
    replace_constraints: bool = False
    """Replace the constraints by constraints, or clear them; removed ones stay in history."""


@operation(
    "task_update",
    title="Change a task",
    description="""Change what a task is about without changing its lifecycle status.
        List fields append and deduplicate; repositories upsert by id; omitted fields are
        kept; an empty or no-op update fails. Call it when plan, constraints or scope
        change, not for every edit. A new objective or scope invalidates a final verdict
        (task_update_verification).""",
    request=TaskUpdate,
    reply=TaskReply,
    toolset="tasks",
    destructive=True,
    example={
        "constraints": ["one writer at a time"],
        "nextActions": ["copy", "switch the mount"],
        "clearNextActions": True,
        "project": "acme/billing-api",
    },
)
def task_update(library: Library, request: TaskUpdate, caller: Caller) -> Reply:
    """Merge a patch into a task."""
    here = of_task(caller, request)
    with library.store.read() as selection:
        record = meant(selection, request, here)
    patch = _patch(request, record.body.get("worktree"), here)
    with library.write() as transaction:
        record = meant(transaction, request, here)
        check_move("update", str(record.body.get("status")))
        body = patched(record.body, patch, transaction.at)
        made = store(transaction, record, body, "updated", here)
        notices = []
        if is_final(record.body) and not is_final(body):
            reason = body["verification"]["invalidated"]["reason"]
            notices.append(f"The verdict is pending again: {reason}.")
        return changed_reply(transaction, made, here, notices)


def _patch(request: TaskUpdate, worktree: Any, here: Standing) -> Patch:
    root = str(worktree) if worktree else here.root
    scope = request.write_scope
    return Patch(
        objective=request.objective,
        constraints=request.constraints,
        write_scope=None if scope is None else prefixes(scope, root),
        next_actions=request.next_actions,
        tags=request.tags,
        risk=request.risk,
        repositories=_repositories(request.repositories or (), root),
        clear_next_actions=request.clear_next_actions,
        replace_constraints=request.replace_constraints,
    )


def _repositories(given: Sequence[RepositoryIn], root: str | None) -> list[Repository]:
    """Return the further checkouts, each with its root as git says it."""
    made = []
    for one in given:
        place = _checkout_root(one, root)
        scope = items(prefixes(one.write_scope, place))
        repository = Repository(one.id.strip(), place, scope)
        check_repository(repository)
        made.append(repository)
    return made


def _checkout_root(given: RepositoryIn, root: str | None) -> str:
    """Return the root of a checkout on this machine.

    Raises:
        InvalidInputError: the path is none, or is where the task itself is.
    """
    named = Path(given.worktree.strip()).expanduser()
    if not named.is_absolute() and root is None:
        raise InvalidInputError(
            f"repositories: {given.worktree!r} is relative, and the task has no checkout.",
            hint="Give an absolute path.",
        )
    path = (Path(root or "") / named).resolve()
    found = checkout.root_of(path)
    if found != path:
        near = f" The checkout around it is {found}." if found else ""
        raise InvalidInputError(
            f"repositories: {given.worktree!r} is not the root of a Git checkout.{near}",
            hint="Give the directory that git rev-parse --show-toplevel prints there.",
        )
    if str(path) == root:
        raise InvalidInputError(
            f"repositories: {given.worktree!r} is where the task itself is.",
            hint="Use writeScope for paths in it.",
        )
    return str(path)
