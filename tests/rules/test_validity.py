"""Which facts hold at an instant, and which of them wins."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.validity import (
    applicable,
    expiration_boundary,
    holds_at,
    valid_since,
)

START = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Return the instant *number* days after the start."""
    return START + timedelta(days=number)


def text(number: int | None) -> str | None:
    """Return that instant as it is stored."""
    return None if number is None else format_instant(day(number))


def fact(
    name: str, value: object, since: int | None = 0, until: int | None = None
) -> dict[str, object]:
    """Return a stored fact of the key k."""
    window = {"validFrom": text(since), "validTo": text(until)}
    return {"id": name, "key": "k", "value": value, "temporal": window}


FACTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.none() | st.integers(1, 6)),
    max_size=5,
)


@given(FACTS, st.integers(0, 6))
def test_the_winner_is_the_latest_window_then_the_highest_id(
    rows: list[tuple[int, int, int | None]], now: int
) -> None:
    """Whatever holds and says something else is attached."""
    facts = [fact(f"fact_{i}", *row) for i, row in enumerate(rows)]
    holding = [
        (since, f"fact_{i}", value)
        for i, (value, since, until) in enumerate(rows)
        if since <= now and (until is None or now < until)
    ]
    found = applicable(facts, day(now))

    if not holding:
        assert {} == found
        return
    _, name, value = max(holding)
    rivals = {other for _, other, said in holding if said != value}
    assert (name, value) == (found["k"].fact_id, found["k"].value)
    assert rivals == {rival.fact_id for rival in found["k"].conflicting}


@pytest.mark.parametrize(
    "member",
    [
        {"validityPolicy": {"effectiveExpirationBoundary": text(2)}},
        {"validityPolicy": {"declaredExpiresAt": text(2)}},
        {"validityPolicy": {"declaredValidTo": text(2)}},
        {"expiresAt": text(2)},
        {"temporal": {"validFrom": text(0), "validTo": text(2)}},
        {"validTo": text(2)},
    ],
)
def test_every_boundary_expires_a_fact_at_its_own_instant(
    member: Mapping[str, object],
) -> None:
    """The window is half open."""
    stored = {"key": "k", "value": 1, "status": "active", **member}

    assert day(2) == expiration_boundary(stored)
    assert holds_at(stored, day(2) - timedelta(milliseconds=1))
    assert not holds_at(stored, day(2))


def test_the_earliest_boundary_counts_and_a_malformed_one_does_not() -> None:
    """Imported facts come as they are."""
    stored = {
        "expiresAt": text(5),
        "validTo": "someday",
        "temporal": {"validTo": text(3)},
        "validityPolicy": "none",
    }

    assert day(3) == expiration_boundary(stored)
    assert expiration_boundary({"expiresAt": None}) is None


def test_a_superseded_fact_holds_until_its_successor_takes_over() -> None:
    """Windows decide, not status."""
    old = {**fact("fact_1", "eu", 0, 4), "status": "superseded"}
    new = {**fact("fact_2", "us", 4), "status": "active"}

    assert "eu" == applicable([old, new], day(3))["k"].value
    assert "us" == applicable([old, new], day(4))["k"].value
    assert () == applicable([old, new], day(4))["k"].conflicting


def test_a_fact_of_tomorrow_does_not_hold_today() -> None:
    """The future does not leak into the past."""
    assert {} == applicable([fact("fact_1", 1, 2)], day(1))


@pytest.mark.parametrize(
    ("status", "expected"),
    [("active", True), ("superseded", False), ("expired", False)],
)
def test_without_a_window_the_status_decides(status: str, expected: bool) -> None:
    """Such facts were written before there were windows."""
    assert expected == holds_at({"value": 1, "status": status}, day(0))


def test_the_beginning_falls_back_to_when_it_was_observed() -> None:
    """A window without a beginning begins with the observation."""
    stored = {"temporal": {"validFrom": None}, "observedAt": text(2)}

    assert day(2) == valid_since(stored)
    assert not holds_at(stored, day(1))


def test_facts_that_agree_do_not_contest_each_other() -> None:
    """1 and 1.0 say the same."""
    found = applicable([fact("fact_1", 1), fact("fact_2", 1.0)], day(1))

    assert ("fact_2", ()) == (found["k"].fact_id, found["k"].conflicting)
