"""When two breaches are the same one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.signals import (
    coverage,
    match_ground,
    rule_ground,
    signal_id,
    speaks_of,
)

RULES = st.builds(
    lambda key, value, unit: {"key": key, "operator": "gte", "value": value, **unit},
    st.sampled_from(["users", "p99"]),
    st.integers(0, 3),
    st.sampled_from([{}, {"unit": "ms"}]),
)
CAUSES = st.tuples(
    st.just("rule"), st.sampled_from(["alternative_1", "alternative_2"]), RULES
) | st.tuples(
    st.just("match"),
    st.sampled_from(["review date reached", "decision outcome failed"]),
    st.sampled_from(["2026-03-04T00:00:00.000Z", "2026-03-05T00:00:00.000Z"]),
)
BREACHES = st.lists(CAUSES, min_size=1, max_size=4)


def grounds(causes: list[tuple[str, Any, Any]]) -> list[str]:
    """Return the coverage of a breach."""
    return coverage(
        rule_ground(*rest) if kind == "rule" else match_ground(*rest)
        for kind, *rest in causes
    )


def facts_of(causes: list[tuple[str, Any, Any]]) -> frozenset[str]:
    """Restate a breach so that Python's own equality is sameness."""
    return frozenset(
        repr((k, a, sorted(b.items()) if k == "rule" else b)) for k, a, b in causes
    )


@given(BREACHES, BREACHES, st.sampled_from("dd2"), st.randoms())
def test_a_breach_is_its_decision_and_the_set_of_its_causes(
    one: list[tuple[str, Any, Any]],
    other: list[tuple[str, Any, Any]],
    decision: str,
    chance: Any,
) -> None:
    """Order and repetition do not matter, one cause more or another one does."""
    shuffled = [*other, other[0]]
    chance.shuffle(shuffled)
    same = facts_of(one) == facts_of(other)

    assert same == speaks_of({"coverage": grounds(one)}, grounds(shuffled))
    assert (same and decision == "d") == (
        signal_id("d", grounds(one)) == signal_id(decision, grounds(shuffled))
    )


def test_two_rules_on_one_key_are_two_causes() -> None:
    """An acknowledged small breach says nothing of a larger one."""
    small = rule_ground("alternative_1", {"key": "users", "operator": "gte", "value": 100})
    large = rule_ground("alternative_1", {"key": "users", "operator": "gte", "value": 1000})

    assert speaks_of({"coverage": [small]}, [small])
    assert not speaks_of({"coverage": [small]}, [small, large])
    assert not speaks_of({"coverage": [small, large]}, [small])


def test_a_later_date_is_another_cause() -> None:
    """An acknowledged date does not silence the next one."""
    first, second = (match_ground("review date reached", f"2026-0{n}-01") for n in (3, 4))

    assert not speaks_of({"coverage": [first]}, [second])


def test_members_of_a_rule_may_stand_in_any_order() -> None:
    """And the usual operator may be left out."""
    assert rule_ground("a", {"value": 1, "key": "k"}) == rule_ground(
        "a", {"key": "k", "operator": "equals", "value": 1}
    )


def test_an_imported_signal_without_instants_is_known_again() -> None:
    """Upstream writes causes without them, and tokens as matches."""
    held = ['["match","disk removed"]', '["match","review date reached"]']
    now = coverage(
        [
            rule_ground("a", "disk removed"),
            match_ground("review date reached", "2026-03-04"),
        ]
    )

    assert speaks_of({"coverage": held}, now)
    assert not speaks_of({"coverage": held[:1]}, now)


OLD: dict[str, Any] = {
    "reason": "users",
    "violatedConditions": [
        {"alternativeId": "a", "key": "users", "operator": "gte", "expected": 100}
    ],
}
GROUND = rule_ground("a", {"key": "users", "operator": "gte", "value": 100})


def test_a_signal_from_before_coverage_is_known_by_its_conditions() -> None:
    """When all of them can be put together again."""
    assert speaks_of(OLD, [GROUND])


@pytest.mark.parametrize(
    "changed",
    [
        {"violatedConditions": []},
        {"violatedConditions": [{**OLD["violatedConditions"][0], "unit": "ms"}]},
        {"violatedConditions": [{"alternativeId": "a", "key": "users", "operator": "gte"}]},
        {"violatedConditions": "none"},
        {"reason": "users, review date reached"},
        {"coverage": []},
    ],
)
def test_a_signal_that_may_have_been_of_something_else_covers_nothing(
    changed: dict[str, Any],
) -> None:
    """A missing operand once made an acknowledgement cover what it never saw."""
    assert not speaks_of({**OLD, **changed}, [GROUND])


def test_a_mark_can_be_read_by_others() -> None:
    """It is the JSON of what it stands for."""
    ground = rule_ground("alternative_1", {"any": ["t", {"key": "k", "value": [1]}]})

    tree = {"any": ["t", {"key": "k", "operator": "equals", "value": [1]}]}
    assert ["rule", "alternative_1", tree] == json.loads(ground)
