"""What is there at an instant, for every kind."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.presence import began, overlap, present_at

EPOCH = datetime(2026, 3, 1, tzinfo=UTC)
HOURS = st.integers(0, 12)


def at(hours: int) -> datetime:
    """Return an instant some hours after the first of March."""
    return EPOCH + timedelta(hours=hours)


def text(hours: int) -> str:
    """Return that instant as text."""
    return format_instant(at(hours))


def windowed(kind: str, start: int | None, end: int | None) -> dict[str, Any]:
    """Return a record that holds from one hour to another."""
    temporal = {
        "validFrom": None if start is None else text(start),
        "validTo": None if end is None else text(end),
    }
    return {"kind": kind, "temporal": temporal}


@given(
    st.sampled_from(["fact", "memory", "relation"]),
    st.none() | HOURS,
    st.none() | HOURS,
    HOURS,
)
def test_what_has_a_window_is_there_within_it(
    kind: str, start: int | None, end: int | None, now: int
) -> None:
    """Half open; an open end is no end."""
    expected = (start is None or start <= now) and (end is None or now < end)

    assert expected == present_at(windowed(kind, start, end), at(now))


@given(st.sampled_from(["attempt", "decision", "task", "source"]), HOURS, HOURS)
def test_everything_else_is_there_from_when_it_was_made(
    kind: str, made: int, now: int
) -> None:
    """What had not happened is not recalled."""
    assert (made <= now) == present_at({"kind": kind, "createdAt": text(made)}, at(now))


@pytest.mark.parametrize("kind", ["attempt", "decision", "fact", "memory", "relation"])
def test_what_does_not_say_when_it_began_was_always_there(kind: str) -> None:
    """An imported record is not lost for a missing time."""
    assert present_at({"kind": kind, "createdAt": "last spring"}, at(0))


def test_a_fact_without_a_window_was_not_there_before_it_was_observed() -> None:
    """Its status decides whether it holds, not since when."""
    fact = {"kind": "fact", "status": "active", "observedAt": text(5)}

    assert [False, True] == [present_at(fact, at(hours)) for hours in (4, 5)]


def test_the_beginning_is_what_the_record_says_of_its_own_time() -> None:
    """Valid time before the time of observing, of recording, and of making."""
    times: dict[str, Any] = {
        "temporal": {"validFrom": text(1), "recordedAt": text(3)},
        "observedAt": text(2),
        "createdAt": text(4),
    }

    assert text(1) == began(times)
    assert text(2) == began({**times, "temporal": {"recordedAt": text(3)}})
    assert text(4) == began({"createdAt": text(4)})
    assert began({}) is None


@given(HOURS, st.none() | HOURS, HOURS, st.none() | HOURS)
def test_windows_overlap_when_some_hour_is_in_both(
    start: int, end: int | None, other_start: int, other_end: int | None
) -> None:
    """Compared with looking at every hour; windows without any hour aside."""
    first, second = windowed("fact", start, end), windowed("fact", other_start, other_end)
    hours = range(14)
    both = [h for h in hours if present_at(first, at(h)) and present_at(second, at(h))]
    empty = (end is not None and end <= start) or (
        other_end is not None and other_end <= other_start
    )

    assert empty or bool(both) == overlap(first, second)
