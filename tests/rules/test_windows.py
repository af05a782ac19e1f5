"""The window of a fact, against every boundary that one may carry."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.clock import to_millis
from shadowgraph.rules.facets import expiry_of
from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.validity import expiration_boundary, holds_at

START = datetime(2026, 3, 1, tzinfo=UTC)
ENDS = [
    ("validityPolicy", "effectiveExpirationBoundary"),
    ("validityPolicy", "declaredExpiresAt"),
    ("validityPolicy", "declaredValidTo"),
    ("temporal", "validTo"),
    (None, "expiresAt"),
    (None, "validTo"),
]


def text(hour: int | None) -> str | None:
    """Return the instant *hour* hours after the start, in some offset."""
    if hour is None:
        return None
    instant = START + timedelta(hours=hour)
    if hour % 2:
        return format_instant(instant)
    local = instant.replace(tzinfo=None) + timedelta(hours=2)
    return local.isoformat() + "+02:00"


def fact(begins: int, ends: list[int | None], status: str) -> dict[str, object]:
    """Return a fact with a window and any of the six boundaries."""
    body: dict[str, dict[str, object]] = {"temporal": {"validFrom": text(begins)}}
    outside: dict[str, object] = {}
    for (member, name), hour in zip(ENDS, ends, strict=True):
        held = outside if member is None else body.setdefault(member, {})
        held[name] = text(hour)
    return {"id": "f", "key": "k", "kind": "fact", "status": status, **outside, **body}


HOURS = st.none() | st.integers(0, 9)
STATUSES = st.sampled_from(["active", "superseded", "expired"])


@given(st.integers(0, 9), st.tuples(*[HOURS] * 6).map(list), STATUSES, st.integers(0, 9))
def test_a_fact_holds_from_its_start_until_before_its_first_end(
    begins: int, ends: list[int | None], status: str, now: int
) -> None:
    """Whatever its status says, and in whatever offset the times are written."""
    held = fact(begins, ends, status)
    first = min((hour for hour in ends if hour is not None), default=99)

    assert (begins <= now < first) == holds_at(held, START + timedelta(hours=now))


@given(st.tuples(*[HOURS] * 6).map(list))
def test_the_store_and_the_rule_see_the_same_end(ends: list[int | None]) -> None:
    """Maintenance finds by the column what reads exclude by the rule."""
    held = fact(0, ends, "active")
    boundary = expiration_boundary(held)

    assert (None if boundary is None else to_millis(boundary)) == expiry_of(held)
