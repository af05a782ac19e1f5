"""The journal that came with an imported store, and whether it can go out again.

Upstream rebuilds a store by folding its journal: the last snapshot of an entity wins. An
export may therefore carry the kept entries as its journal only when their fold leads to
what is exported; entities that have moved on since get one more snapshot each, marked as
derived, so that the next import leaves them out. When that cannot be done (entries of two
stores with the same numbers, a gap nobody explains, an entity that is gone) the journal is
begun anew and the kept entries travel beside it.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.store.journal import canonical

DERIVED = "envelope-export"
"The value of `derivedFrom` in an entry that an export of ours made."

TYPES = {
    "decision": "decision.recorded",
    "attempt": "attempt.recorded",
    "memory": "memory.recorded",
    "fact": "fact.observed",
    "relation": "relation.created",
}
"The journal types that hold a snapshot, by kind; other kinds are not journalled."


def is_derived(entry: object) -> bool:
    """Say whether an export of ours made this entry."""
    return isinstance(entry, Mapping) and entry.get("derivedFrom") == DERIVED


class Journals(NamedTuple):
    """What an export writes of journals."""

    journal: list[Any]
    beside: list[Any]
    "Kept entries that cannot be part of it."

    @property
    def seq(self) -> int:
        """The highest number of an entry; 0 without entries."""
        return max((entry["seq"] for entry in self.journal), default=0)

    @property
    def epoch(self) -> int | None:
        """The number of the first entry that can be replayed."""
        numbers = (e["seq"] for e in self.journal if e.get("replayable") is not False)
        return min(numbers, default=None)


def journals_of(
    kept: Sequence[Any], bodies: Sequence[Mapping[str, Any]], at: str
) -> Journals:
    """Return the journal of an export of *bodies*, made at the instant *at*."""
    held = {str(b["id"]): b for b in bodies if b["kind"] in TYPES}
    ordered = _ordered(kept)
    state = None if ordered is None else fold(ordered)
    if ordered is None or state is None or set(state) - set(held):
        ordered, state, beside = [], {}, list(kept)
    else:
        beside = []
    behind = [body for key, body in held.items() if state.get(key) != body]
    first = max((entry["seq"] for entry in ordered), default=0) + 1
    made = (_snapshot(b, n, at) for n, b in enumerate(behind, start=first))
    return Journals([*ordered, *made], beside)


def _ordered(kept: Sequence[Any]) -> list[dict[str, Any]] | None:
    """Return the entries in order; None when numbers are missing or used twice."""
    entries = [e for e in kept if isinstance(e, Mapping) and _is_number(e.get("seq"))]
    if len(entries) != len(kept):
        return None
    ordered = sorted((dict(e) for e in entries), key=lambda e: int(e["seq"]))
    explained = {number for e in ordered for number in _removed(e)}
    expected = 1
    for entry in ordered:
        while expected < entry["seq"] and expected in explained:
            expected += 1
        if entry["seq"] != expected:
            return None
        expected += 1
    return ordered


def _is_number(seq: object) -> bool:
    return isinstance(seq, int) and not isinstance(seq, bool)


def _removed(entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the numbers that a hard purge took out and its marker names."""
    payload = entry.get("payload")
    numbers = payload.get("removedJournalSequences") if isinstance(payload, Mapping) else ()
    yield from numbers if isinstance(numbers, list) else ()


def fold(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the entities that a journal leads to, by id; None when it cannot be told."""
    state: dict[str, Any] = {}
    for entry in entries:
        payload, type_ = entry.get("payload"), entry.get("type")
        if type_ == "project.purged":
            project = entry.get("project")
            state = {k: v for k, v in state.items() if v.get("project") != project}
        elif entry.get("replayable") is False or type_ == "legacy_metadata_event":
            continue
        elif type_ == "projection.baseline":
            state |= dict(_baseline(payload))
        elif payload is None:
            state.pop(str(entry.get("entityId")), None)
        elif isinstance(payload, Mapping) and isinstance(payload.get("id"), str):
            state[payload["id"]] = payload
        else:
            return None
    return state


def _baseline(payload: object) -> Iterator[tuple[str, Any]]:
    """Yield every entity in the arrays of a baseline, by id."""
    arrays = payload.values() if isinstance(payload, Mapping) else ()
    for array in arrays:
        for one in array if isinstance(array, list) else ():
            if isinstance(one, Mapping) and isinstance(one.get("id"), str):
                yield one["id"], one


def _snapshot(body: Mapping[str, Any], seq: int, at: str) -> dict[str, Any]:
    digest = hashlib.sha256(f"{seq} {canonical(body)}".encode()).hexdigest()
    who = {name: body.get(name) for name in ("actor", "client", "sessionId")}
    return {
        "id": f"jentry_{digest[:20]}",
        "seq": seq,
        "type": TYPES[body["kind"]],
        "at": body.get("updatedAt") or body.get("createdAt") or at,
        "project": body.get("project"),
        "entityKind": body["kind"],
        "entityId": body["id"],
        "schemaVersion": SCHEMA_VERSION,
        "payload": dict(body),
        "provenance": who,
        "derivedFrom": DERIVED,
    }
