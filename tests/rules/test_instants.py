"""Reading and writing instants."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.instants import format_instant, instant_or_none, parse_instant

AWARE = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - the strategy adds the zone
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001 - as above
    timezones=st.integers(-840, 840).map(lambda m: timezone(timedelta(minutes=m))),
)


@given(AWARE)
def test_what_is_written_is_read_back_to_the_millisecond(instant: datetime) -> None:
    """Writing cuts to milliseconds and loses nothing else."""
    whole = instant.replace(microsecond=instant.microsecond // 1000 * 1000)

    assert whole == parse_instant(format_instant(instant))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-04T09:15:00Z", "2026-03-04T09:15:00.000Z"),
        ("2026-03-04T09:15:00.123Z", "2026-03-04T09:15:00.123Z"),
        ("2026-03-04T09:15:00.123456789Z", "2026-03-04T09:15:00.123Z"),
        ("2026-03-04T09:15:00.5+05:30", "2026-03-04T03:45:00.500Z"),
        ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z"),
        ("2026-03-04", "2026-03-04T00:00:00.000Z"),
        ("2024-02-29", "2024-02-29T00:00:00.000Z"),
    ],
)
def test_an_instant_is_read_with_its_offset(text: str, expected: str) -> None:
    """Offsets are applied; a plain date is midnight UTC."""
    assert expected == format_instant(parse_instant(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-02-29",
        "2026-13-01T00:00:00Z",
        "2026-03-04T24:00:00Z",
        "2026-03-04T09:15:60Z",
        "2026-03-04T09:15Z",
        "2026-03-04 09:15:00Z",
        "2026-03-04T09:15:00+0100",
        "2026-03-04T09:15:00+24:00",
        "2026-03-04T09:15:00Z\n",
        "٢٠٢٦-03-04T09:15:00Z",
        "20260304",
        "0000-01-01",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    """Only the strict form passes, and only days that exist."""
    assert instant_or_none(text) is None
    with pytest.raises(InvalidInputError, match="write it like"):
        parse_instant(text)


def test_a_local_time_is_refused_with_what_is_right() -> None:
    """Without an offset a time means something else elsewhere."""
    with pytest.raises(InvalidInputError, match=r"no offset.*2026-03-04T09:15:00Z"):
        parse_instant("2026-03-04T09:15:00")


def test_a_naive_datetime_is_not_written() -> None:
    """Nothing local enters the store from the other side either."""
    with pytest.raises(InvalidInputError, match="tzinfo"):
        format_instant(datetime(2026, 3, 4))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize("value", [None, 5, True, {}, datetime(2026, 1, 1, tzinfo=UTC)])
def test_what_is_no_text_names_no_instant(value: object) -> None:
    """Stored values of another type count as absent."""
    assert instant_or_none(value) is None
