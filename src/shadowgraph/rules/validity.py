"""Which facts hold at an instant.

Valid time decides, not status: a superseded fact still holds until the moment its
successor takes over, and a fact whose window lies ahead does not hold yet. The window
is half open. It begins with `validFrom` and ends before the earliest of all the
boundaries a fact may carry, so the boundary instant itself is already expired.
A fact without `temporal` predates windows, and there its status decides.

When several facts of one key hold, the one valid latest wins, then the highest id;
those that say something else are attached, so that a condition can be contested.
Since when a key has had its value is read from the observations before, whether they
still hold or not: the same value observed again is no change.
Malformed times count as absent, because imported facts come as they are.

Setting a status when a fact has expired is maintenance and happens in the operations.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from shadowgraph.rules.facets import POLICY_BOUNDARIES
from shadowgraph.rules.findings import Observation
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.operands import same

_ALWAYS: Final = datetime.min.replace(tzinfo=UTC)


def expiration_boundary(fact: Mapping[str, object]) -> datetime | None:
    """Return the earliest instant at which *fact* has expired, None when it never does.

    >>> expiration_boundary({"expiresAt": "2026-03-04"}).year
    2026
    """
    policy, temporal = _member(fact, "validityPolicy"), _member(fact, "temporal")
    candidates = [policy.get(name) for name in POLICY_BOUNDARIES]
    candidates += [fact.get("expiresAt"), temporal.get("validTo"), fact.get("validTo")]
    instants = [i for c in candidates if (i := instant_or_none(c)) is not None]
    return min(instants, default=None)


def valid_since(fact: Mapping[str, object]) -> datetime:
    """Return the instant from which *fact* holds; the beginning of time when unsaid.

    >>> valid_since({"temporal": {"validFrom": "2026-03-04T00:00:00Z"}}).month
    3
    """
    temporal = _member(fact, "temporal")
    candidates = (
        temporal.get("validFrom"),
        fact.get("validFrom"),
        fact.get("observedAt"),
        temporal.get("recordedAt"),
    )
    instants = (instant_or_none(candidate) for candidate in candidates)
    return next((instant for instant in instants if instant is not None), _ALWAYS)


def holds_at(fact: Mapping[str, object], instant: datetime) -> bool:
    """Return whether *fact* is valid at *instant*.

    >>> fact = {"temporal": {"validFrom": "2026-03-04", "validTo": "2026-03-05"}}
    >>> holds_at(fact, datetime(2026, 3, 5, tzinfo=UTC))
    False
    """
    boundary = expiration_boundary(fact)
    if boundary is not None and boundary <= instant:
        return False
    if not _member(fact, "temporal"):
        return fact.get("status", "active") == "active"
    return valid_since(fact) <= instant


def applicable(
    facts: Iterable[Mapping[str, object]], instant: datetime
) -> dict[str, Observation]:
    """Return what the *facts* say at *instant*, one observation a key.

    >>> applicable([{"id": "fact_1", "key": "region", "value": "eu"}],
    ...            datetime(2026, 3, 4, tzinfo=UTC))["region"].value
    'eu'
    """
    by_key: defaultdict[str, list[Mapping[str, object]]] = defaultdict(list)
    for fact in facts:
        # A fact without `temporal` holds by its status, whenever it was observed.
        if valid_since(fact) <= instant or holds_at(fact, instant):
            by_key[str(fact.get("key"))].append(fact)
    settled = ((key, _settle(known, instant)) for key, known in by_key.items())
    return {key: seen for key, seen in settled if seen is not None}


def _settle(known: list[Mapping[str, object]], instant: datetime) -> Observation | None:
    """Return the observation that facts of one key, all begun, give at *instant*."""
    newest_first = sorted(
        known, key=lambda fact: (valid_since(fact), str(fact.get("id"))), reverse=True
    )
    rivals = [fact for fact in newest_first if holds_at(fact, instant)]
    if not rivals:
        return None
    winner, *others = rivals
    differing = (o for o in others if not same(o.get("value"), winner.get("value")))
    observation = _observe(winner, tuple(_observe(other) for other in differing))
    since, replaced = _run(winner, newest_first)
    return observation._replace(
        since=None if since == _ALWAYS else since, replaced=replaced
    )


def _run(
    winner: Mapping[str, object], newest_first: list[Mapping[str, object]]
) -> tuple[datetime, bool]:
    """Return since when the winner's value was seen unbroken, and if another was before."""
    since = valid_since(winner)
    for earlier in newest_first[newest_first.index(winner) + 1 :]:
        if not same(earlier.get("value"), winner.get("value")):
            return since, True
        since = valid_since(earlier)
    return since, False


def _observe(
    fact: Mapping[str, object], conflicting: tuple[Observation, ...] = ()
) -> Observation:
    temporal = _member(fact, "temporal")
    return Observation(
        fact.get("value"),
        fact_id=_text(fact.get("id")),
        source_class=_text(fact.get("sourceClass")),
        observed_at=_text(fact.get("observedAt")),
        valid_from=_text(temporal.get("validFrom")),
        verification_status=_text(fact.get("verificationStatus")),
        conflicting=conflicting,
    )


def _member(fact: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = fact.get(name)
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
