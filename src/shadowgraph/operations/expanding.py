"""Expand: is a record still in the state an answer showed, and what stands beside it?

An answer carries the digest of the state it showed. Expanding compares it with the state of
now, gives the whole record, and looks at the records it may disagree with: other values of
its key, what it superseded, what superseded it. Whether two of them can both hold is read
from their structure alone (who replaced whom, whether their windows meet, whether they say
the same); nothing here reads what a text means, and the reply says so.

Only so many of these records are looked at as the call allows; the rest are named.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Reading, Unlisted
from shadowgraph.operations.present import clip
from shadowgraph.operations.reconciling import without_vector
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.revisions import DERIVATION, bound_revision
from shadowgraph.operations.standpoint import (
    ScopeIn,
    Standpoint,
    instant_of,
    memory_scope_of,
)
from shadowgraph.operations.traversing import scope_block
from shadowgraph.rules.memories import identity_of
from shadowgraph.rules.operands import same
from shadowgraph.rules.presence import overlap
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

LEAST_NAMED = 10
"Records beside the expanded one that are named at least."
MOST_EXPANSIONS = 50


class ExpandReply(StoredWire):
    """A record, whether it changed, and what stands beside it."""

    record_id: str
    """The record."""
    status: Literal["current", "revision_changed", "purged", "unavailable"]
    """current: as it was shown; revision_changed: it was changed since; purged: its text was removed; unavailable: not in this project."""
    revision_changed: OrNull[bool]
    """Whether its state is another one; null when there is none."""
    bound_revision: dict[str, str]
    """recordId and digest as the call gave them."""
    current_revision: OrNull[dict[str, str]]
    """recordId and digest of the state now."""
    record: OrNull[dict[str, Any]]
    """The whole record."""
    investigation: OrNull[dict[str, Any]]
    """budget, total, omitted, unreachableLinks, pairs, limitation."""
    completeness: dict[str, Any]
    """Scope, complete, limitation."""


class Expand(Reading):
    """Expand a record."""

    record_id: NonBlank
    """Id of the record."""
    digest: NonBlank
    """Digest of the state that was shown, from boundRevision."""
    scope: ScopeIn | None = None
    """Whose memories are seen: userId, agentId, runId."""
    as_of: str | None = None
    """The asOf of the answer that showed it."""
    derivation_version: str | None = None
    """How the digest was made; record-v1."""
    derived_at: Annotated[str | None, Unlisted] = None
    """When the answer was made; kept for other systems, without effect."""
    max_expansions: Annotated[int, Field(ge=0, le=MOST_EXPANSIONS)] = 5
    """Most records beside it that are looked at, 0 to 50."""


@dataclass(frozen=True, slots=True)
class _Beside:
    """A record that may disagree with the expanded one."""

    record: StoredRecord
    relation: str
    "same_key, supersedes or superseded_by."


@operation(
    "shadowgraph_expand",
    title="Expand a record",
    description="""Expand a record that an answer showed: whether it changed since, the
        whole of it, and the records that replaced it, that it replaced, or that say
        something else under its key. Call it before acting on an item of
        shadowgraph_recall, with the digest of its boundRevision. For records by id alone
        use shadowgraph_get. Changes nothing.""",
    request=Expand,
    reply=ExpandReply,
    toolset="graph",
    read_only=True,
    idempotent=True,
    example={
        "recordId": "fact_ledger-writers",
        "digest": "sha256:0000",
        "project": "acme/billing-api",
    },
)
def expand(library: Library, request: Expand, caller: Caller) -> Reply:
    """Compare a record with what was shown of it."""
    scope = caller.scope(request.project, request.origin_id)
    instant_of(request.as_of, "asOf")
    instant_of(request.derived_at, "derivedAt")
    # Expanding is about the state of now, whatever the answer's instant was.
    stand = Standpoint(scope, memory=memory_scope_of(request.scope))
    with library.store.read() as selection:
        found = stand.records(selection, [request.record_id])
        if not found:
            gone = selection.was_purged(request.record_id, stand.owner)
            return _gone(request, scope, "purged" if gone else "unavailable")
        record = found[0]
        beside, unreachable = _beside(selection, stand, record)
    return _expanded(request, scope, record, beside, unreachable)


def _gone(request: Expand, scope: Scope, status: str) -> Reply:
    limitation = {
        "code": "expansion_unavailable",
        "reason": status,
        "detail": "Its text was removed from the store."
        if status == "purged"
        else "This project has no such record.",
    }
    return {
        **_asked(request),
        "status": status,
        "revisionChanged": None,
        "currentRevision": None,
        "record": None,
        "investigation": None,
        "completeness": {
            "scope": scope_block(scope),
            "complete": False,
            "limitation": limitation,
        },
    }


def _asked(request: Expand) -> dict[str, Any]:
    bound = {"recordId": request.record_id, "digest": request.digest}
    return {"recordId": request.record_id, "boundRevision": bound}


def _expanded(
    request: Expand,
    scope: Scope,
    record: StoredRecord,
    beside: list[_Beside],
    unreachable: int,
) -> Reply:
    current = bound_revision(record.body, request.as_of)
    changed = current["digest"] != request.digest
    investigation = _investigation(request, record, beside, unreachable)
    block: dict[str, Any] = {
        "scope": scope_block(scope),
        "complete": not investigation["omitted"] and not unreachable,
        "losslessItems": True,
    }
    if request.derivation_version not in (None, DERIVATION):
        detail = f"Digests are made as {DERIVATION}; others cannot be compared."
        block["limitation"] = {"code": "revision_changed", "detail": detail}
    elif investigation["budget"]["outcome"] == "exhausted":
        detail = "Not every record beside it was looked at; raise maxExpansions."
        block["limitation"] = {"code": "investigation_budget_exhausted", "detail": detail}
        block["complete"] = False
    elif unreachable:
        detail = f"{unreachable} records it names are not in this project."
        block["limitation"] = {"code": "links_unavailable", "detail": detail}
    return {
        **_asked(request),
        "status": "revision_changed" if changed else "current",
        "revisionChanged": changed,
        "currentRevision": current,
        "record": without_vector(record.body),
        "investigation": investigation,
        "completeness": block,
    }


def _beside(
    selection: Selection, stand: Standpoint, record: StoredRecord
) -> tuple[list[_Beside], int]:
    """Return what replaced a record, what it replaced and what has its key."""
    body = record.body
    after, before = _ids(body.get("supersededBy")), _ids(body.get("supersedes"))
    found = [_Beside(one, "superseded_by") for one in stand.records(selection, after)]
    found += [_Beside(one, "supersedes") for one in stand.records(selection, before)]
    unreachable = len({*after, *before}) - len({one.record.id for one in found})
    known = {record.id, *(one.record.id for one in found)}
    others = stand.states(selection, _of_same_key(selection, stand, record))
    found += [_Beside(one, "same_key") for one in others if one.id not in known]
    return found, unreachable


def _ids(value: Any) -> list[str]:
    held = value if isinstance(value, list) else [value]
    return [one for one in held if isinstance(one, str)]


def _of_same_key(
    selection: Selection, stand: Standpoint, record: StoredRecord
) -> list[StoredRecord]:
    key = str(record.body.get("key") or "")
    if record.kind == "fact":
        return selection.facts_of(stand.owner, [key])
    if record.kind == "memory":
        return [
            one
            for one in selection.memories_of(stand.owner, key)
            if identity_of(one.body) == identity_of(record.body)
        ]
    return []


def _investigation(
    request: Expand, record: StoredRecord, beside: list[_Beside], unreachable: int
) -> dict[str, Any]:
    most = request.max_expansions
    named = beside[: max(most, LEAST_NAMED)]
    return {
        "budget": {
            "maxExpansions": most,
            "used": min(most, len(beside)),
            "outcome": "within_budget" if len(beside) <= most else "exhausted",
        },
        "total": len(beside),
        "omitted": len(beside) - len(named),
        "unreachableLinks": unreachable,
        "pairs": [
            _pair(record.body, one, looked_at=number < most)
            for number, one in enumerate(named)
        ],
        "limitation": {
            "code": "structural_only",
            "detail": "Keys, windows, values and supersession were compared, no meaning.",
        },
    }


def _pair(body: Mapping[str, Any], other: _Beside, *, looked_at: bool) -> dict[str, Any]:
    """Return what is known of two records beside each other."""
    pair: dict[str, Any] = {
        "recordId": other.record.id,
        "relation": other.relation,
        "state": "uninvestigated",
        "basis": [],
        "position": position(other.record.body),
    }
    if looked_at:
        basis = _basis(body, other)
        pair |= {"state": "resolved" if basis else "unresolved", "basis": basis}
        pair["record"] = without_vector(other.record.body)
    return pair


def _basis(body: Mapping[str, Any], other: _Beside) -> list[str]:
    """Return why both records can stand; nothing when they disagree."""
    held = other.record.body
    basis = []
    if other.relation != "same_key":
        basis.append("explicit_supersession")
    if body.get("kind") in ("fact", "memory"):
        if not overlap(body, held):
            basis.append("different_times")
        said = "value" if body.get("kind") == "fact" else "text"
        if same(body.get(said), held.get(said)):
            basis.append("same_value")
    return basis


def position(body: Mapping[str, Any]) -> str:
    """Return on one line what a record says.

    >>> position({"kind": "fact", "key": "a", "value": 1, "status": "active"})
    'fact a = 1 (active)'
    """
    match body.get("kind"):
        case "fact":
            said = f"{body.get('key')} = {body.get('value')}"
        case "memory":
            said = f"{body.get('key')}: {body.get('text')}"
        case _:
            said = f"{body.get('title', body.get('id'))}: {body.get('chosen', '')}"
    status = body.get("status")
    return clip(f"{body.get('kind')} {said}", 200) + (f" ({status})" if status else "")
