"""What is there at an instant: one question for every kind of record.

A fact, a memory and a relation hold in a half-open window and say so in `temporal`; an
attempt, a decision and everything else is there from when it was made. A relation that was
taken back ends with the instant at which that happened. The window of facts and memories
is `rules.validity`; this module decides which of the two questions a kind is asked.

Either way nothing is there before it began, as far as it says when: a fact from before
windows, whose status decides whether it holds, did not hold before it was observed. A record
that does not say when it began was always there: imported records come as they are, and
hiding one for a missing time would lose it.

What the store knew at an instant is another matter (`store.past`).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.validity import expiration_boundary, holds_at

WINDOWED = ("fact", "memory", "relation")
"Kinds that hold from one instant to another."


def present_at(body: Mapping[str, object], instant: datetime) -> bool:
    """Say whether a record was there, and held, at *instant*.

    >>> from datetime import UTC
    >>> attempt = {"kind": "attempt", "createdAt": "2026-03-04"}
    >>> present_at(attempt, datetime(2026, 3, 3, tzinfo=UTC))
    False
    """
    start = instant_or_none(began(body))
    if start is not None and start > instant:
        return False
    return body.get("kind") not in WINDOWED or holds_at(body, instant)


def temporal_of(body: Mapping[str, object]) -> dict[str, Any]:
    """Return the times a record keeps of itself; none when an import brought no object.

    >>> temporal_of({"temporal": "soon"})
    {}
    """
    held = body.get("temporal")
    return dict(held) if isinstance(held, Mapping) else {}


def began(body: Mapping[str, object]) -> str | None:
    """Return when what a record says began, as it is written there.

    >>> began({"temporal": {"validFrom": "2026-03-04"}, "createdAt": "2026-05-06"})
    '2026-03-04'
    """
    held = temporal_of(body)
    times = (
        held.get("validFrom"),
        body.get("validFrom"),
        body.get("observedAt"),
        held.get("recordedAt"),
        body.get("createdAt"),
    )
    return next((str(time) for time in times if instant_or_none(time)), None)


def overlap(first: Mapping[str, object], second: Mapping[str, object]) -> bool:
    """Say whether the windows of two facts or memories have an instant in common.

    >>> may = {"temporal": {"validFrom": "2026-05-01", "validTo": "2026-06-01"}}
    >>> june = {"temporal": {"validFrom": "2026-06-01"}}
    >>> overlap(may, june), overlap(june, june)
    (False, True)
    """
    starts = [instant_or_none(began(body)) for body in (first, second)]
    ends = [expiration_boundary(body) for body in (first, second)]
    for start, end in ((starts[1], ends[0]), (starts[0], ends[1])):
        if start is not None and end is not None and end <= start:
            return False
    return True
