"""The passport of a task: what is to be done, where, and how a change is merged into it.

Lists append and keep their order, each item once; two flags replace a list instead.
What a call leaves out stays. The invariants: a removed constraint stays in the task's
history, a patch that changes nothing is refused, and a patch never moves the status; one
that changes what was to be done unsettles a final verdict (`rules.verdicts`).

Paths are judged by `rules.writescope`; that a worktree is a checkout is looked up by the
operations, which then pass its root.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.rules.verdicts import invalidated, is_final, verification_of

RISKS: Final = ("unknown", "low", "medium", "high")
OF_TASK: Final = "of_task"
"Name of the relation from a record to its task."
PRIMARY: Final = "primary"
"Id of the repository a task was started in; no other may have it."
WORK: Final = ("objective", "writeScope", "repositories")
"Fields that say what a verdict is about."


class Repository(NamedTuple):
    """One further checkout that a task may write to."""

    id: str
    worktree: str
    write_scope: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Return the wire shape."""
        scope = list(self.write_scope)
        return {"id": self.id, "worktree": self.worktree, "writeScope": scope}


class Patch(NamedTuple):
    """A change of a passport; None and empty where it says nothing."""

    objective: str | None = None
    constraints: Sequence[str] | None = None
    write_scope: Sequence[str] | None = None
    next_actions: Sequence[str] | None = None
    tags: Sequence[str] | None = None
    risk: str | None = None
    repositories: Sequence[Repository] = ()
    clear_next_actions: bool = False
    replace_constraints: bool = False


def items(values: Iterable[object]) -> list[str]:
    """Return texts trimmed, without blanks, each once, in order.

    >>> items([" a ", "", "b", "a"])
    ['a', 'b']
    """
    return list(dict.fromkeys(text for v in values if (text := str(v).strip())))


def listed(task: Mapping[str, Any], name: str) -> list[str]:
    """Return a list of a task, whatever an import put in its place."""
    held = task.get(name)
    return items(held) if isinstance(held, list) else items([held] if held else [])


def patched(task: Mapping[str, Any], patch: Patch, at: str) -> dict[str, Any]:
    """Return the task after a patch.

    Raises:
        InvalidInputError: nothing would change.
        ConflictError: repositories of a task that is not being worked on.
    """
    made = {**task, **_lists(task, patch)}
    if patch.objective is not None and patch.objective.strip():
        made["objective"] = patch.objective.strip()
    if patch.risk is not None:
        made["risk"] = patch.risk
    if patch.repositories:
        _check_open_for_repositories(task)
        made["repositories"] = _upserted(task, patch.repositories)
    if made == dict(task):
        raise InvalidInputError(
            "Nothing would change: everything given is in the task already.",
            hint="Give something new, or clearNextActions or replaceConstraints to replace.",
        )
    made |= _history(task, made, at)
    return _unsettled(task, made, at)


def _lists(task: Mapping[str, Any], patch: Patch) -> dict[str, list[str]]:
    """Return the lists that a patch touches, as they are afterwards."""
    given = {
        "constraints": (patch.constraints, patch.replace_constraints),
        "nextActions": (patch.next_actions, patch.clear_next_actions),
        "writeScope": (patch.write_scope, False),
        "tags": (patch.tags, False),
    }
    return {
        name: items([*([] if replace else listed(task, name)), *(values or ())])
        for name, (values, replace) in given.items()
        if replace or values
    }


def _check_open_for_repositories(task: Mapping[str, Any]) -> None:
    if task.get("status") == "active" and not is_final(task):
        return
    raise ConflictError(
        "repositories can be changed only while the task is active and its verification"
        f" pending or unknown; it is {task.get('status')},"
        f" {verification_of(task)['status']}.",
        hint="Call task_update_verification with status pending first.",
    )


def _upserted(task: Mapping[str, Any], given: Sequence[Repository]) -> list[dict[str, Any]]:
    """Return the repositories with *given* ones put in, scopes of a known one appended."""
    held = task.get("repositories")
    kept = {str(one["id"]): dict(one) for one in held or () if isinstance(one, Mapping)}
    for one in given:
        before = kept.get(one.id, {})
        scope = items([*before.get("writeScope", ()), *one.write_scope])
        kept[one.id] = {**before, **one.as_json(), "writeScope": scope}
    return list(kept.values())


def check_repository(one: Repository) -> None:
    """Accept the id and the scope of a further repository.

    Raises:
        InvalidInputError: the id is blank or reserved, or the scope is empty.
    """
    if not one.id.strip() or one.id.strip().casefold() == PRIMARY:
        raise InvalidInputError(
            f"repositories: {one.id!r} cannot be an id; {PRIMARY} is where the task began.",
            hint="Give a short name of your own, such as web-client.",
        )
    if not one.write_scope:
        raise InvalidInputError(
            f"repositories: {one.id} has no writeScope.",
            hint='Name at least one path; "." is the whole checkout.',
        )


def _history(
    task: Mapping[str, Any], made: Mapping[str, Any], at: str
) -> dict[str, list[dict[str, Any]]]:
    """Return the history of constraints with those that went."""
    kept = listed(made, "constraints")
    gone = [one for one in listed(task, "constraints") if one not in kept]
    if not gone:
        return {}
    held = task.get("constraintHistory")
    before = held if isinstance(held, list) else []
    return {
        "constraintHistory": [*before, *({"constraint": g, "removedAt": at} for g in gone)]
    }


def _unsettled(task: Mapping[str, Any], made: dict[str, Any], at: str) -> dict[str, Any]:
    """Take a final verdict back when what it was about has changed."""
    changed = [name for name in WORK if made.get(name) != task.get(name)]
    if changed and is_final(task):
        reason = f"{' and '.join(changed)} changed"
        made["verification"] = invalidated(verification_of(task), reason, at)
    return made
