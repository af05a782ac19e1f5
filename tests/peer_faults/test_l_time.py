"""Group L: instants have an offset, and time is a part of the query."""

from datetime import datetime

import pytest
from tests.conftest import StoppedClock
from tests.peer_faults.asking import Ask, Refused, hits, note


def test_l02_times_are_text_with_an_offset(ask: Ask, refused: Refused) -> None:
    """A bare number could be seconds or milliseconds, so it is refused."""
    made = ask("record_attempt", solution="quicksilver", result="x")

    assert datetime.fromisoformat(made["createdAt"]).utcoffset() is not None
    for number in (1_763_208_000, 1_763_208_000_000):
        error = refused("search", query="quicksilver", since=number)
        assert "since" in error.message


def test_l03_a_period_is_part_of_the_query(ask: Ask, clock: StoppedClock) -> None:
    """Older records that match better take no place in the page."""
    for _ in range(30):
        note(ask, "quicksilver quicksilver quicksilver")
    clock.advance(days=7)
    wanted = note(ask, "quicksilver among much else that was said")

    assert [wanted] == hits(ask, "quicksilver", since="2026-11-20", limit=3)


def test_l04_a_record_always_has_a_time(ask: Ask) -> None:
    """The store sets it when the caller does not."""
    made = note(ask, "quicksilver")

    assert [made] == hits(ask, "quicksilver", since="2026-11-15", until="2026-11-16")


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-01-01T00:30:00+09:00", "2025-12-31"),
        ("2026-01-01T00:30:00Z", "2026-01-01"),
        ("2025-12-31T23:30:00-05:00", "2026-01-01"),
    ],
)
def test_l05_an_offset_is_converted(written: str, day: str, ask: Ask) -> None:
    """The day by which a record is found is the one in UTC."""
    made = note(ask, "quicksilver", createdAt=written)

    first, last = f"{day}T00:00:00Z", f"{day}T23:59:59Z"
    assert [made] == hits(ask, "quicksilver", since=first, until=last)
