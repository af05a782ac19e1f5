"""When a memory is the same memory, and says the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.memories import (
    active,
    identity_of,
    next_version,
    says_the_same,
)

NAMES = st.none() | st.sampled_from(["ada", "bob"])
SCOPES = st.fixed_dictionaries(
    {}, optional={"userId": NAMES, "agentId": NAMES, "runId": NAMES}
)
CONTENTS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["one", "two"]),
        "tags": st.lists(st.sampled_from("ab"), max_size=2),
        "metadata": st.dictionaries(st.sampled_from("xy"), st.integers(0, 1), max_size=2),
    }
)


@given(SCOPES, SCOPES, st.sampled_from("kl"), st.sampled_from("kl"))
def test_an_identity_is_scope_type_and_key(
    scope: dict[str, Any], other: dict[str, Any], key: str, other_key: str
) -> None:
    """A part that is missing is the same as null."""
    first = {"scope": scope, "memoryType": "note", "key": key}
    second = {"scope": other, "memoryType": "note", "key": other_key}
    parts = ("userId", "agentId", "runId")
    same = key == other_key and all(scope.get(p) == other.get(p) for p in parts)

    assert same == (identity_of(first) == identity_of(second))


def test_a_memory_of_another_type_is_another_memory() -> None:
    """The same key may stand for a goal and for a note."""
    goal = {"memoryType": "goal", "key": "k"}

    assert identity_of(goal) != identity_of({**goal, "memoryType": "note"})


@given(CONTENTS, CONTENTS)
def test_memories_say_the_same_when_text_tags_and_metadata_do(
    held: dict[str, Any], wanted: dict[str, Any]
) -> None:
    """Whatever else the state holds."""
    state = {**held, "embedding": [1], "version": 7}

    assert (held == wanted) == says_the_same(state, wanted)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"validFrom": "2026-03-01T01:00:00+01:00"}, True),
        ({"validFrom": "2026-03-02T00:00:00Z"}, False),
        ({"validTo": "2026-04-01"}, False),
    ],
)
def test_a_window_is_compared_when_it_is_given(
    given: dict[str, str], expected: bool
) -> None:
    """As instants; a window that is left out asks for nothing."""
    state = {"text": "a", "temporal": {"validFrom": "2026-03-01", "validTo": None}}

    assert expected == says_the_same(state, {"text": "a", **given})


def test_the_active_state_is_the_one_with_the_highest_number() -> None:
    """An import may bring two; states that ended are never in force."""
    states = [
        {"id": "a", "status": "active", "version": 1},
        {"id": "b", "status": "active", "version": 2},
        {"id": "c", "status": "superseded", "version": 3},
    ]

    assert states[1] is active(states)
    assert 4 == next_version(states)
    assert (None, 1) == (active([]), next_version([]))
