"""The life of a decision: eleven states and the moves between them.

This module owns the table `MOVES` and the two questions asked of it: what a status
word means, and whether a caller may move a decision from here to there.
The invariant: a move that `MOVES` does not list never happens at a caller's request.

`stale` and `superseded` belong to the system. They appear in the table as states one
can be in, never as targets, and a refusal names the tool that sets them.
What a move does to relations, reviews and the journal is decided by the operations.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from shadowgraph.errors import IllegalTransitionError, InvalidInputError, nearest

MOVES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "proposed": ("planned", "in_progress", "abandoned", "archived"),
        "planned": ("in_progress", "abandoned", "archived"),
        "in_progress": ("executed", "failed", "abandoned", "archived"),
        "executed": ("validated", "failed", "reconsidered", "archived"),
        "validated": ("reconsidered", "archived"),
        "failed": ("reconsidered", "abandoned", "archived"),
        "reconsidered": ("planned", "in_progress", "abandoned", "archived"),
        "superseded": (),
        "abandoned": ("archived",),
        "stale": ("reconsidered", "archived"),
        "archived": (),
    }
)
"Every state with the states a caller may move it to."

STATES: Final[tuple[str, ...]] = tuple(MOVES)
"The states in the order a decision usually meets them."

INITIAL: Final = "proposed"
"The state of every new decision."

CURRENT: Final[frozenset[str]] = frozenset(
    {"proposed", "planned", "in_progress", "executed", "validated", "reconsidered"}
)
"States in which a decision is in force and shown as active."

REVIEWED: Final[frozenset[str]] = frozenset(STATES) - {
    "archived",
    "superseded",
    "abandoned",
}
"States whose reopening conditions are evaluated; a failed decision is among them."

SYSTEM_OWNED: Final[frozenset[str]] = frozenset({"stale", "superseded"})
"States that only maintenance and supersession set."

LEGACY_STATES: Final[Mapping[str, str]] = MappingProxyType(
    {"active": "proposed", "aging": "stale"}
)
"Words of record schemas before 5, with the state an import turns them into."

REPLACEABLE: Final[frozenset[str]] = frozenset(STATES) - {"superseded", "archived"}
"States in which a decision can be superseded."

REPLACING: Final[frozenset[str]] = REPLACEABLE - {"abandoned", "stale"}
"States in which a decision can supersede another."

_SETTER: Final[Mapping[str, str]] = MappingProxyType(
    {"stale": "shadowgraph_maintain", "superseded": "shadowgraph_supersede"}
)


def normalize_status(text: str) -> str:
    """Return the state that *text* names, whatever its case and hyphens.

    >>> normalize_status(" In-Progress ")
    'in_progress'

    Raises:
        InvalidInputError: The word names none of the eleven states.
    """
    folded = text.strip().lower().replace("-", "_")
    if folded in MOVES:
        return folded
    close = nearest(folded, STATES, most=1)
    guess = f" Did you mean {close[0]}?" if close else ""
    raise InvalidInputError(
        f"{text!r} is not a decision status; use one of {', '.join(STATES)}.{guess}",
        details={"status": text, "legal": list(STATES), "nearest": close},
    )


def check_move(current: str, target: str) -> bool:
    """Return whether there is something to do to bring *current* to *target*.

    False means that the decision is in that state already.

    >>> check_move("proposed", "planned"), check_move("planned", "planned")
    (True, False)

    Raises:
        InvalidInputError: The target names no state.
        IllegalTransitionError: The table does not list the move.
    """
    wanted = normalize_status(target)
    if wanted == current:
        return False
    # A state that a newer version wrote has no moves here; it is refused, not guessed.
    legal = MOVES.get(current, ())
    if wanted in legal:
        return True
    raise _refusal(current, wanted, legal)


def check_supersession(previous: str, replacement: str) -> None:
    """Refuse a supersession that the states of the two decisions do not allow.

    >>> check_supersession("failed", "proposed")

    Raises:
        IllegalTransitionError: the one is closed already, or the other not in force.
    """
    if previous not in REPLACEABLE:
        raise IllegalTransitionError(
            f"a decision that is {previous} cannot be superseded.",
            hint="Supersede the decision that is in force now.",
            details={"from": previous, "to": "superseded", "legal": []},
        )
    if replacement not in REPLACING:
        raise IllegalTransitionError(
            f"a decision that is {replacement} cannot replace another; the replacement"
            f" must be one of {', '.join(s for s in STATES if s in REPLACING)}.",
            hint="Record a new decision and use its id as replacementId.",
            details={"replacement": replacement},
        )


def _refusal(current: str, target: str, legal: tuple[str, ...]) -> IllegalTransitionError:
    hint: str | None = None
    onward = f"can move to {', '.join(legal)}" if legal else "is final"
    if target in SYSTEM_OWNED:
        message = (
            f"a caller cannot set {target}: only {_SETTER[target]} does; "
            f"the decision is {current} and {onward}."
        )
        hint = f"Call {_SETTER[target]} instead."
    else:
        message = f"a decision that is {current} cannot become {target}; it {onward}."
        hint = hint if legal else "Record a new decision."
    return IllegalTransitionError(
        message,
        hint=hint,
        details={"from": current, "to": target, "legal": list(legal)},
    )
