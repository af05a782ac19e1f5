"""How an attempt ended, where its record says so: declared, or by an observed exit status.

Apart from `outcome`, which reads the wording of all others: its patterns take 10 ms to
compile, and a hook mostly meets records that say how they ended.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

OutcomeClass: TypeAlias = Literal["failed", "succeeded", "inconclusive", "undetermined"]
"How an attempt ended; undetermined means that nothing says so."

Basis: TypeAlias = Literal["declared", "exit_status", "wording", "none"]
"What the class was read from."

LISTS: Final = (
    "failure",
    "success",
    "negation",
    "harmless",
    "ability",
    "symptom",
    "deed",
    "rise",
    "fall",
)
"The word lists that wording is read by; `wording` compiles them."

_DECLARABLE: Final[Mapping[str, OutcomeClass]] = {
    "failed": "failed",
    "succeeded": "succeeded",
    "inconclusive": "inconclusive",
}


class Outcome(NamedTuple):
    """How an attempt ended, and how we know."""

    cls: OutcomeClass
    "The class."
    basis: Basis
    "What it was read from."
    cue: str | None = None
    "The words or the number it rests on, in folded form."


def told(attempt: Mapping[str, object]) -> Outcome | None:
    """Return how *attempt* ended when it is declared or observed, without reading wording.

    >>> told({"resultClass": "failed"}).cls, told({"result": "it crashed"})
    ('failed', None)
    """
    return _declared(attempt.get("resultClass")) or _observed(
        attempt.get("outcomeEvidence")
    )


def _declared(raw: object) -> Outcome | None:
    cls = _DECLARABLE.get(raw.strip().lower()) if isinstance(raw, str) else None
    return None if cls is None else Outcome(cls, "declared")


def _observed(evidence: object) -> Outcome | None:
    if not isinstance(evidence, Mapping):
        return None
    status = evidence.get("exitStatus")
    seen = evidence.get("state", "observed") == "observed"
    if not seen or not isinstance(status, int) or isinstance(status, bool):
        return None
    return Outcome(
        "failed" if status else "succeeded", "exit_status", f"exit status {status}"
    )
