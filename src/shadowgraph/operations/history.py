"""What happened: the journal as a list, and the proof that it tells the whole story.

`shadowgraph_journal` shows the changes of a project or of one record, with the states that a
correction replaced. `shadowgraph_rebuild` folds the whole journal in memory and compares the
result with the store; it changes nothing, and when the two differ it says where.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.model.scope import Scope, owner_of
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Limit, Reading
from shadowgraph.operations.present import preview
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.store.history import Asked, Entry
from shadowgraph.store.journal import COMPACTION, PURGE
from shadowgraph.store.replay import Difference, Replay, bodies

DEFAULT_LIMIT = 20
MOST_CHARACTERS = 60_000
"Cap of a reply with full states: some 15,000 tokens."
MOST_NAMED = 50
"Numbers and differences that a reply lists."


class JournalReply(StoredWire):
    """A page of the journal."""

    items: list[dict[str, Any]]
    """Entries: seq, type, at, project, entityKind, entityId, provenance, hash, and payload (detail full) or preview; redacted when a purge or a compaction took the payload."""
    page: dict[str, Any]
    """offset, limit, total, hasMore."""
    completeness: dict[str, Any]
    """Scope, returned, omitted, and gaps in the numbering (none in a sound journal)."""


class Journal(Reading):
    """Read the journal."""

    record_id: str | None = None
    """Only the changes of this record."""
    type: str | None = None
    """Only entries of this type, such as attempt.retracted or decision.amended."""
    detail: Literal["preview", "full"] = "preview"
    """full gives the whole state after each change."""
    newest_first: bool = False
    """True for the latest change first."""
    all_projects: bool = False
    """True to read every project's entries."""
    limit: Limit = None
    """Entries per page; 20 when left out."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Entries to skip."""


@operation(
    "shadowgraph_journal",
    title="Read the journal",
    toolset="admin",
    description="""List the changes of a project or of one record in order: who changed what
        when, and with detail full the whole state after each change. Call it to see what a
        record said before shadowgraph_amend, or why it was taken out. For current records
        use shadowgraph_get. Changes nothing.""",
    request=Journal,
    reply=JournalReply,
    read_only=True,
    idempotent=True,
    example={"recordId": "attempt_ledger-on-nfs", "project": "acme/billing-api"},
)
def journal(library: Library, request: Journal, caller: Caller) -> Reply:
    """Return a page of journal entries."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    asked = Asked(scope.owner, request.record_id, request.type, request.newest_first)
    limit = request.limit or DEFAULT_LIMIT
    with library.store.read() as selection:
        found, total = selection.entries(asked, limit, request.offset)
        gaps = selection.gaps()
        bare = any(entry.payload is None for entry in found)
        compacted = selection.compacted() if bare else []
    items = list(_within([_wire(entry, request.detail, compacted) for entry in found]))
    shown = request.offset + len(items)
    return {
        "items": items,
        "page": {
            "offset": request.offset,
            "limit": limit,
            "total": total,
            "hasMore": total > shown,
        },
        "completeness": {
            "scope": _scope(scope),
            "returned": len(items),
            "total": total,
            "omitted": max(0, total - shown),
            "complete": total <= shown and not gaps,
            "limitSource": "caller" if request.limit else "default",
            "gaps": [{"from": first, "to": last} for first, last in gaps[:MOST_NAMED]],
        },
    }


def _scope(scope: Scope) -> dict[str, Any]:
    state = "project_selected" if scope.resolved else "project_unresolved"
    return {
        "project": scope.project,
        "projectSource": scope.source,
        "requestState": state,
    }


def _within(items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield items while the reply has room; the first one always."""
    room = MOST_CHARACTERS
    for position, item in enumerate(items):
        room -= len(str(item))
        if position and room < 0:
            return
        yield item


def _wire(entry: Entry, detail: str, compacted: list[tuple[int, int]]) -> dict[str, Any]:
    if entry.sealed:
        reason = {"redacted": True, "redactedReason": "hard purge"}
        return {"seq": entry.seq, "type": "sealed", "hash": entry.hash.hex(), **reason}
    told: dict[str, Any] = {
        "seq": entry.seq,
        "type": entry.type,
        "at": entry.at,
        "project": _project(entry.owner),
        "entityKind": entry.kind,
        "entityId": entry.entity,
        "provenance": dict(entry.provenance),
        "hash": entry.hash.hex(),
    }
    if entry.payload is None:
        short = any(first <= entry.seq <= last for first, last in compacted)
        reason = {"redacted": True, "redactedReason": "compaction" if short else "purge"}
        return {**told, **reason}
    if entry.kind in (PURGE, COMPACTION):
        return {**told, "preview": _purge(entry.payload)}
    if detail == "full":
        return {**told, "payload": dict(entry.payload)}
    return {**told, "preview": _brief(entry.payload)}


def _purge(payload: Any) -> dict[str, Any]:
    """Return what a purge or a compaction took; the digests in its payload say nothing to a reader."""
    ranges = payload["entries"]
    return {
        "mode": payload["mode"],
        "counts": payload["counts"],
        "entries": ranges[:MOST_NAMED],
        "omittedRanges": max(0, len(ranges) - MOST_NAMED),
    }


def _project(owner: str) -> str | None:
    return owner.removeprefix("project:") if owner.startswith("project:") else None


def _brief(payload: Any) -> dict[str, Any]:
    short = preview(payload, payload.get("resultClass"))
    for name in ("id", "kind", "project", "createdAt"):
        short.pop(name, None)
    for name in ("amended", "reclassified", "retractedReason"):
        if payload.get(name):
            short[name] = payload[name]
    return short


class RebuildReply(StoredWire):
    """What a fold of the journal gave."""

    ok: bool
    """True when the journal gives exactly the records that are stored."""
    rebuildable: bool
    """True when every stored record could be made from the journal."""
    reason: OrNull[str]
    """Why not; null when it is."""
    projection: dict[str, Any]
    """schemaVersion, records, facts, relations and reviews that the journal gives."""
    skipped: list[int]
    """Numbers of entries without a payload, purged or compacted; the first fifty."""
    legacy: list[str]
    """Ids of records with an older schemaVersion; the first fifty."""
    duplicates: list[str]
    """Ids that the journal gives more than once."""
    differences: list[dict[str, Any]]
    """Records that journal and store disagree on: id and reason; the first fifty."""
    completeness: dict[str, Any]
    """Scope, entries read, and how many of each list there are in all."""


class Rebuild(Reading):
    """Rebuild from the journal."""

    require_full_history: bool = False
    """True to count purged and compacted entries as a reason not to be rebuildable."""
    all_projects: bool = False
    """True for every project."""


@operation(
    "shadowgraph_rebuild",
    title="Rebuild from the journal, to compare",
    toolset="admin",
    description="""Fold the whole journal in memory and compare the records it gives with
        those that are stored. Call it to prove that nothing was written past the journal.
        Changes nothing. The index is built again by shadowgraph_reindex; records are
        examined one by one by shadowgraph_validate.""",
    request=Rebuild,
    reply=RebuildReply,
    read_only=True,
    idempotent=True,
    example={"project": "acme/billing-api"},
)
def rebuild(library: Library, request: Rebuild, caller: Caller) -> Reply:
    """Compare the journal's fold with the store."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    fault = library.store.first_fault()
    told, unlike = library.store.replay()
    held = [one for one in bodies(told) if scope.owner in (None, owner_of(one))]
    mine = _of_scope(library, told, unlike, scope)
    reason = _reason(fault, mine, told, full=request.require_full_history)
    names = [str(one["id"]) for one in held]
    legacy = [
        str(one["id"]) for one in held if one.get("schemaVersion", 0) < SCHEMA_VERSION
    ]
    return {
        "ok": reason is None,
        "rebuildable": reason is None,
        "reason": reason,
        "projection": _projection(held),
        "skipped": told.skipped[:MOST_NAMED] if scope.every else [],
        "legacy": legacy[:MOST_NAMED],
        "duplicates": sorted({one for one in names if names.count(one) > 1})
        if len(set(names)) < len(names)
        else [],
        "differences": [{"id": d.id, "reason": d.reason} for d in mine[:MOST_NAMED]],
        "completeness": {
            "scope": _scope(scope),
            "skipped": len(told.skipped) if scope.every else 0,
            "legacy": len(legacy),
            "differences": len(mine),
            "complete": len(mine) <= MOST_NAMED,
        },
    }


def _of_scope(
    library: Library, told: Replay, unlike: list[Difference], scope: Scope
) -> list[Difference]:
    """Return the differences of the scope's own records."""
    if scope.owner is None or not unlike:
        return unlike
    with library.store.read() as selection:
        stored = selection.by_ids([d.id for d in unlike], scope.owner, retracted=True)
    mine = {record.id for record in stored}
    rows = told.states
    journaled = {
        str(one["id"])
        for one in bodies(Replay({d.row: rows[d.row] for d in unlike if d.row in rows}))
        if owner_of(one) == scope.owner
    }
    return [d for d in unlike if d.id in mine | journaled]


def _reason(
    fault: Any, unlike: list[Difference], told: Replay, *, full: bool
) -> str | None:
    if fault is not None:
        return f"Journal entry {fault.seq}: {fault.reason}."
    if unlike:
        return (
            f"{len(unlike)} records differ; the first, {unlike[0].id}, {unlike[0].reason}."
        )
    if full and told.skipped:
        return "The history is not whole: a purge or a compaction took payloads."
    return None


def _projection(held: list[dict[str, Any]]) -> dict[str, Any]:
    kinds = [str(one.get("kind")) for one in held]
    apart = {"facts": "fact", "relations": "relation", "reviews": "review"}
    counts = {name: kinds.count(kind) for name, kind in apart.items()}
    return {
        "schemaVersion": SCHEMA_VERSION,
        "records": len(kinds) - sum(counts.values()),
        **counts,
    }
