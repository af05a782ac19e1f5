"""One active fact per key, one active memory per identity.

A file may hold several, and so may two files together. The winner is declared, not taken by
chance: of facts the latest `observedAt`, then the highest id; of memories the highest
version, then validFrom, recordedAt and id. The others are superseded by it. Deciding twice
gives the same bodies, so a second import finds what the first one stored.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from shadowgraph.model.scope import owner_of
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.validity import valid_since

Body = dict[str, Any]
_NEVER = datetime.min.replace(tzinfo=UTC)


def settle(bodies: Iterable[Body]) -> dict[str, Body]:
    """Return what becomes of every body that is not the only active one, by its id."""
    rivals: defaultdict[Hashable, list[Body]] = defaultdict(list)
    for body in bodies:
        found = identity(body)
        if found is not None and body.get("status") == "active":
            rivals[found].append(body)
    settled: dict[str, Body] = {}
    for group in rivals.values():
        winner = max(group, key=rank)
        for body in group:
            if body is not winner:
                settled[str(body["id"])] = superseded_by(body, winner)
    return settled


def identity(body: Mapping[str, Any]) -> Hashable | None:
    """Return what at most one active record may have; None for other kinds."""
    owner = owner_of(dict(body))
    if body.get("kind") == "fact":
        return ("fact", owner, str(body.get("key")))
    if body.get("kind") == "memory":
        scope = body.get("scope")
        held = scope if isinstance(scope, Mapping) else {}
        who = tuple(str(held.get(name)) for name in ("userId", "agentId", "runId"))
        return ("memory", owner, who, str(body.get("memoryType")), str(body.get("key")))
    return None


def rank(body: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what decides between two active records of one identity."""
    temporal = body.get("temporal")
    held = temporal if isinstance(temporal, Mapping) else {}
    own = str(body.get("id"))
    if body.get("kind") == "fact":
        observed = body.get("observedAt") or held.get("recordedAt") or body.get("createdAt")
        return (instant_or_none(observed) or _NEVER, own)
    version = body.get("version")
    number = version if isinstance(version, int) else 0
    times = (instant_or_none(held.get(n)) or _NEVER for n in ("validFrom", "recordedAt"))
    return (number, *times, own)


def superseded_by(body: Mapping[str, Any], winner: Mapping[str, Any]) -> Body:
    """Return *body* as it stands after *winner* took its place.

    >>> old = {"id": "fact_1", "kind": "fact", "key": "k", "status": "active"}
    >>> superseded_by(old, {"id": "fact_2"})["supersededBy"]
    'fact_2'
    """
    made = {**body, "status": "superseded", "supersededBy": winner.get("id")}
    temporal = body.get("temporal")
    start = valid_since(winner)
    if not isinstance(temporal, Mapping) or start <= valid_since(body):
        return made
    end = instant_or_none(temporal.get("validTo"))
    if end is None or end > start:
        made["temporal"] = {**temporal, "validTo": _start_of(winner)}
    return made


def _start_of(winner: Mapping[str, Any]) -> Any:
    temporal = winner.get("temporal")
    held = temporal if isinstance(temporal, Mapping) else {}
    return held.get("validFrom") or winner.get("observedAt") or held.get("recordedAt")
