"""`changed_since`: whether a key's value became another one after an instant."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.conditions import FactRule, evaluate, overlay, parse_rule
from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.validity import applicable

START = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Return the instant *number* days after the start."""
    return START + timedelta(days=number)


def history(*values: object) -> list[dict[str, object]]:
    """Return observations of the key k, one every second day, each ending the one before."""
    return [
        {
            "id": f"fact_{number}",
            "key": "k",
            "value": value,
            "temporal": {
                "validFrom": format_instant(day(2 * number)),
                "validTo": format_instant(day(2 * number + 2))
                if number + 1 < len(values)
                else None,
            },
        }
        for number, value in enumerate(values)
    ]


def changed(facts: list[dict[str, object]], since: int, now: int) -> str:
    """Return the verdict of the rule at an instant."""
    rule = parse_rule(
        {"key": "k", "operator": "changed_since", "value": format_instant(day(since))}
    )
    return evaluate(rule, applicable(facts, day(now))).verdict


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.integers(-1, 12))
def test_it_is_true_exactly_when_the_value_turned_after_the_instant(
    values: list[int], since: int
) -> None:
    """Read off the list: where does the last run begin, and was there one before?"""
    first = len(values) - 1
    while first and values[first - 1] == values[-1]:
        first -= 1
    expected = "false" if 2 * first <= since else "true" if first else "unknown"

    assert expected == changed(history(*values), since, now=20)


def test_the_same_value_seen_again_is_no_change() -> None:
    """Observing is not changing."""
    assert "false" == changed(history(1, 2, 2.0, 2), since=3, now=20)


def test_an_earlier_instant_sees_the_history_up_to_then() -> None:
    """What was observed later did not happen yet."""
    facts = history("a", "b", "a")

    assert "unknown" == changed(facts, since=-1, now=1)
    assert "true" == changed(facts, since=1, now=3)
    assert "false" == changed(facts, since=2, now=3)


def test_without_a_fact_it_is_unknown() -> None:
    """Nobody has looked, so nobody can say."""
    assert "unknown" == changed([], since=0, now=5)


def test_a_report_of_the_caller_is_a_change() -> None:
    """It names the key among the changed facts."""
    rule = FactRule("k", "changed_since", "2026-03-04")

    assert "true" == evaluate(rule, {}, ["k"]).verdict


@pytest.mark.parametrize(
    ("supplied", "expected"), [(2, "true"), (1, "unknown"), (1.0, "unknown")]
)
def test_a_supplied_value_is_a_change_when_it_differs_from_the_stored_one(
    supplied: object, expected: str
) -> None:
    """The same value carries the history of the stored one."""
    stored = applicable(history(1), day(5))
    known = overlay(stored, {"k": supplied}, day(5))
    rule = FactRule("k", "changed_since", format_instant(day(-1)))

    assert expected == evaluate(rule, known).verdict


def test_a_supplied_value_without_a_stored_one_is_unknown() -> None:
    """There is nothing that it could have changed from."""
    rule = FactRule("k", "changed_since", "2026-03-04")

    assert "unknown" == evaluate(rule, overlay({}, {"k": 1}, day(5))).verdict


@pytest.mark.parametrize("value", ["soon", 5, None, "2026-03-04T09:00:00"])
def test_what_is_no_instant_is_refused(value: object) -> None:
    """A local time would mean something else on the next machine."""
    with pytest.raises(InvalidInputError, match=r"instant|offset"):
        parse_rule({"key": "k", "operator": "changed_since", "value": value})
