"""The life of a task: six states and the moves between them.

This module owns the table `MOVES`: which verb may be applied in which state. Where a move
leads depends on the task as well: one that comes back to work is blocked while a reason
says so, verifying while a final verdict stands, else active. The invariant: a closed task
does not change any more, and `updating` never moves.

What a verdict is and what unsettles it is in `rules.verdicts`; who may touch which task is
decided by the operations.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from shadowgraph.errors import IllegalTransitionError

STATES: Final = ("active", "parked", "blocked", "verifying", "completed", "abandoned")
OPEN: Final = STATES[:4]
"States in which a task is worked on, or will be."
WORKING: Final = ("active", "blocked", "verifying")
"States in which a task holds its place: another must park it first."
INITIAL: Final = "active"

MOVES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "update": OPEN,
        "park": WORKING,
        "switch": OPEN,
        "block": WORKING,
        "unblock": ("blocked",),
        "verify": WORKING,
        "finalize": OPEN,
        "abandon": OPEN,
    }
)
"Every verb with the states in which it may be applied."

_WAY_OUT: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("park", "parked"): "It is out of the way already; task_switch brings it back.",
        ("block", "parked"): "Call task_switch first.",
        ("verify", "parked"): "Call task_switch first, then give the verdict.",
        ("unblock", "parked"): "Call task_switch first.",
    }
)


def check_move(verb: str, state: str) -> None:
    """Accept a verb in a state.

    >>> check_move("park", "active")

    Raises:
        IllegalTransitionError: the table does not list it; the text says what is legal.
    """
    if state in MOVES[verb]:
        return
    hint = _WAY_OUT.get((verb, state), "")
    if state not in OPEN:
        hint = "A closed task stays as it is; start another with task_start."
    raise IllegalTransitionError(
        f"task_{verb} needs a task that is {' or '.join(MOVES[verb])}; this one is"
        f" {state or 'in no state'}.",
        hint=hint,
        details={"from": state, "verb": verb, "legal": list(MOVES[verb])},
    )


def resumed(task: Mapping[str, Any], *, final: bool) -> str:
    """Return the state of a task that is worked on again.

    >>> resumed({"blockedReason": "no key"}, final=True), resumed({}, final=True)
    ('blocked', 'verifying')
    """
    if task.get("blockedReason"):
        return "blocked"
    return "verifying" if final else "active"


def moved(
    task: Mapping[str, Any], verb: str, state: str, at: str, reason: str = ""
) -> dict[str, Any]:
    """Return a task in another state, with what moved it and why."""
    change = {"at": at, "verb": verb, "from": task.get("status"), "to": state}
    body = {**task, "status": state, "lastMove": {**change, "reason": reason}}
    if state == "blocked":
        body["blockedReason"] = reason or task.get("blockedReason", "")
    elif state != "parked":
        body.pop("blockedReason", None)
    if state not in OPEN:
        body["closedAt"] = at
    return body
