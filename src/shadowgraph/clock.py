"""The one place that reads the wall clock.

Times are set by the store, never by a caller except where a field says so.
Tests pass their own `Clock`; everything below receives instants as values.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"A function without arguments that returns an aware datetime in UTC."


def system_clock() -> datetime:
    """Return the present instant, aware and in UTC."""
    return datetime.now(UTC)


def to_millis(instant: datetime) -> int:
    """Return milliseconds since 1970-01-01T00:00:00Z.

    >>> to_millis(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000
    """
    return int(instant.timestamp() * 1000)
