"""What the priors look at, packed into one fast integer per document.

Reordering a hundred hits then needs no row of the store. The positions in the lists below
are written into indexes: append, never reorder; a change needs a new definition version.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from shadowgraph.rules.ending import Outcome, OutcomeClass

KINDS = (
    "other", "attempt", "decision", "fact", "memory", "task", "evidence", "source"
)  # fmt: skip
RESULTS = (
    "none", "failed", "succeeded", "inconclusive", "undetermined", "failed_by_wording",
    "succeeded_by_wording",
)  # fmt: skip
"How an attempt ended; read from its wording it is less sure than declared or observed."
STATES = (
    "other", "active", "proposed", "planned", "in_progress", "executed", "validated",
    "failed", "reconsidered", "superseded", "abandoned", "stale", "archived", "expired",
    "invalidated",
)  # fmt: skip
SOURCES = (
    "other", "agent_claimed", "tool_observed", "human_confirmed", "production_verified"
)  # fmt: skip
_READ: Mapping[str, OutcomeClass] = {
    "failed": "failed",
    "succeeded": "succeeded",
    "inconclusive": "inconclusive",
}
"What a wording can be read as."
_LISTS = (KINDS, RESULTS, STATES, SOURCES)
_NUMBERS = tuple({name: at for at, name in enumerate(names)} for names in _LISTS)
_BITS = 5


class Traits(NamedTuple):
    """The unpacked form."""

    kind: str
    result: str
    state: str
    source: str


def result_of(outcome: Outcome | None) -> str | None:
    """Return the trait of an attempt's outcome; None for another kind of record."""
    if outcome is None:
        return None
    worded = f"{outcome.cls}_by_wording"
    return worded if outcome.basis == "wording" and worded in RESULTS else outcome.cls


def outcome_of_traits(packed: int) -> Outcome:
    """Return the outcome that was read when an attempt was indexed, without its cue.

    >>> outcome_of_traits(pack({"kind": "attempt"}, "failed_by_wording")).basis
    'wording'
    """
    cls = _READ.get(unpack(packed).result.removesuffix("_by_wording"))
    return Outcome("undetermined", "none") if cls is None else Outcome(cls, "wording")


def pack(body: Mapping[str, Any], result: str | None) -> int:
    """Return the integer that stands for a record's traits.

    >>> unpack(pack({"kind": "fact", "status": "active"}, None)).kind
    'fact'
    """
    packed = 0
    values = (body.get("kind"), result, body.get("status"), body.get("sourceClass"))
    for numbers, value in zip(_NUMBERS, values, strict=True):
        number = numbers.get(value, 0) if isinstance(value, str) else 0
        packed = packed << _BITS | number
    return packed


@lru_cache(maxsize=4096)
def unpack(packed: int) -> Traits:
    """Return the traits that an integer stands for."""
    found = []
    for names in reversed(_LISTS):
        position = packed & ((1 << _BITS) - 1)
        found.append(names[position] if position < len(names) else names[0])
        packed >>= _BITS
    return Traits(*reversed(found))
