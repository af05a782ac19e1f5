"""Instants on the wire: strict to read, one form to write.

This module owns the two directions between text and aware `datetime`.
The invariant: what `format_instant` writes, `parse_instant` reads back to the same
millisecond, and no time without an offset ever enters the store. A local time would
mean something else on the next machine, so it is refused instead of guessed.

A plain date is accepted and means midnight UTC, because that is what people write in
`reviewAfter` and in conditions. Precision beyond microseconds is cut off.
Which instant "now" is, the clock says, and rules never ask it.
"""

import re
from datetime import UTC, datetime
from typing import Final

from shadowgraph.errors import InvalidInputError

_INSTANT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?)?"
)
_RIGHT: Final = 'write it like "2026-03-04T09:15:00Z" or "2026-03-04T10:15:00+01:00"'


def parse_instant(text: str) -> datetime:
    """Return the instant that *text* names, in UTC.

    >>> parse_instant("2026-03-04T10:15:00+01:00").isoformat()
    '2026-03-04T09:15:00+00:00'

    Raises:
        InvalidInputError: The text is no ISO 8601 instant, is not in the calendar, or
            has no offset.
    """
    found = _INSTANT.fullmatch(text)
    if found is None:
        raise InvalidInputError(f"{text!r} is not an ISO 8601 instant; {_RIGHT}.")
    date, time, fraction, offset = found.groups()
    if time is not None and offset is None:
        raise InvalidInputError(f"{text!r} has no offset from UTC; {_RIGHT}.")
    micros = (fraction or "")[:6].ljust(6, "0")
    zone = "+00:00" if offset in (None, "Z") else offset
    try:
        local = datetime.fromisoformat(f"{date}T{time or '00:00:00'}.{micros}{zone}")
        return local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"{text!r} is not in the calendar ({error}); {_RIGHT}."
        ) from error


def instant_or_none(value: object) -> datetime | None:
    """Return the instant that *value* names, or None when it names none.

    For stored and imported values, where a malformed time is no time.

    >>> instant_or_none("next week") is None
    True
    """
    if not isinstance(value, str):
        return None
    try:
        return parse_instant(value)
    except InvalidInputError:
        return None


def format_instant(instant: datetime) -> str:
    """Return *instant* as text in UTC with milliseconds.

    >>> format_instant(datetime(2026, 3, 4, 9, 15, tzinfo=UTC))
    '2026-03-04T09:15:00.000Z'

    Raises:
        InvalidInputError: The datetime is naive.
    """
    if instant.utcoffset() is None:
        raise InvalidInputError(
            f"{instant.isoformat()} has no offset from UTC; "
            "pass a datetime with tzinfo, such as datetime.now(UTC)."
        )
    utc = instant.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"
