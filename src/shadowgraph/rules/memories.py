"""When is a memory the same memory, and what does a new text do to it?

A memory's identity is its scope, type and key, within its owner. One state of an identity
is active; a new text ends it and begins the next, so its history stays. Saying what is
said already changes nothing. Only a vector that is new is taken over without a new state:
it is how the text is stored for a machine, not what it says.

Order matters as with facts: a state that would begin before the active one is refused,
because the past is not rewritten.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from shadowgraph.model.scope import memory_scope
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.operands import same
from shadowgraph.rules.presence import temporal_of
from shadowgraph.rules.validity import valid_since

TYPES: Final = (
    "preference", "profile", "goal", "instruction", "procedure", "episode", "note",
)  # fmt: skip
"What a memory can be."
ACTIONS: Final = ("ADD", "UPDATE", "DELETE", "NOOP")
"What a plan can ask for."

Identity = tuple[str | None, ...]
"userId, agentId, runId, type and key."


def identity_of(memory: Mapping[str, Any]) -> Identity:
    """Return what makes a memory itself within its owner.

    >>> identity_of({"scope": {"userId": "ada"}, "memoryType": "goal", "key": "k"})
    ('ada', None, None, 'goal', 'k')
    """
    named = (memory.get("memoryType"), memory.get("key"))
    return (*memory_scope(memory.get("scope")), *(str(one or "") for one in named))


def active(states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the state in force; of several, as an import may bring, the latest.

    >>> active([{"id": "a", "status": "superseded"}]) is None
    True
    """
    held = [state for state in states if state.get("status", "active") == "active"]
    return max(held, key=_order, default=None)


def _order(state: Mapping[str, Any]) -> tuple[int, datetime, str]:
    return (version_of(state), valid_since(state), str(state.get("id")))


def version_of(state: Mapping[str, Any]) -> int:
    """Return the number of a state, 1 when it does not say."""
    number = state.get("version")
    return number if isinstance(number, int) and not isinstance(number, bool) else 1


def next_version(states: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of the state after these; 1 for the first."""
    return max((version_of(state) for state in states), default=0) + 1


def says_the_same(state: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether *wanted* adds nothing to a state, its vector aside.

    Text, metadata and tags are compared, and the ends of its validity when they are given.

    >>> says_the_same({"text": "a", "tags": []}, {"text": "a", "tags": [], "metadata": {}})
    True
    """
    empty: dict[str, Any] = {"text": "", "metadata": {}, "tags": []}
    if not all(
        same(state.get(name, default), wanted.get(name, default))
        for name, default in empty.items()
    ):
        return False
    held = temporal_of(state)
    ends = ("validFrom", "validTo")
    return all(
        instant_or_none(held.get(end)) == instant_or_none(wanted[end])
        for end in ends
        if wanted.get(end) is not None
    )
