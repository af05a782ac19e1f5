"""What SQL and the index filter on, read from a record's body in one way.

The store keeps these values in columns and the index in fast fields. Both call the
functions here, so a filter means the same wherever it is applied.
"""

from collections.abc import Mapping
from typing import Any

from shadowgraph.clock import to_millis
from shadowgraph.errors import CallerError
from shadowgraph.rules.instants import parse_instant

POLICY_BOUNDARIES = ("effectiveExpirationBoundary", "declaredExpiresAt", "declaredValidTo")
"Members of a fact's validity policy that may end it."


def millis_of(value: object) -> int | None:
    """Return milliseconds since 1970 of an ISO text; None when it is no instant.

    >>> millis_of("1970-01-01T00:00:01Z"), millis_of("soon")
    (1000, None)
    """
    if not isinstance(value, str) or not value:
        return None
    try:
        return to_millis(parse_instant(value))
    except CallerError:
        # Imported records keep whatever time they came with; it just cannot be filtered.
        return None


def text_of(value: object) -> str | None:
    """Return *value* when it is a text."""
    return value if isinstance(value, str) else None


def confidence_of(body: Mapping[str, Any]) -> float | None:
    """Return the current confidence of a decision or a fact, 0 to 1.

    >>> confidence_of({"confidence": {"current": 0.4}}), confidence_of({})
    (0.4, None)
    """
    held = body.get("confidence")
    if isinstance(held, Mapping):
        held = held.get("current")
    if isinstance(held, bool) or not isinstance(held, int | float):
        return None
    return float(held)


def created_of(body: Mapping[str, Any]) -> int:
    """Return when a record was made, milliseconds since 1970; 0 when it does not say.

    >>> created_of({"createdAt": "1970-01-01T00:00:01Z"})
    1000
    """
    for name in ("createdAt", "observedAt", "recordedAt"):
        found = millis_of(body.get(name))
        if found is not None:
            return found
    temporal = body.get("temporal")
    return (
        millis_of(temporal.get("recordedAt")) or 0 if isinstance(temporal, Mapping) else 0
    )


def updated_of(body: Mapping[str, Any]) -> int:
    """Return when a record last changed, milliseconds since 1970."""
    found = millis_of(body.get("updatedAt"))
    return created_of(body) if found is None else found


def expiry_of(body: Mapping[str, Any]) -> int | None:
    """Return the earliest declared end of a fact, milliseconds since 1970."""
    policy, temporal = body.get("validityPolicy"), body.get("temporal")
    ends = [body.get("expiresAt"), body.get("validTo")]
    if isinstance(policy, Mapping):
        # The same boundaries as in `validity`, so that no import escapes maintenance.
        ends += [policy.get(name) for name in POLICY_BOUNDARIES]
    if isinstance(temporal, Mapping):
        ends.append(temporal.get("validTo"))
    return min((end for end in map(millis_of, ends) if end is not None), default=None)
