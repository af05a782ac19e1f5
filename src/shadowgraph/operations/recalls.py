"""The shape of a recall: what is asked, what is answered, and what the answer says of itself.

`Recalled` is everything a reply is made from. Of it a reply tells which signals had a say
and what each found, how they were joined, what was looked at and what was left out, so that
an empty answer and a cut one can be told apart. The ranking itself is in `recalling`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, WithJsonSchema

from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.candidates import (
    KINDS,
    Near,
    Wanted,
    Words,
)
from shadowgraph.operations.inputs import Limit, Reading
from shadowgraph.operations.present import clip
from shadowgraph.operations.reconciling import MemoryType, Vector
from shadowgraph.operations.searches import Page
from shadowgraph.operations.standpoint import (
    ScopeIn,
)
from shadowgraph.operations.traversing import scope_block
from shadowgraph.rules.fusion import Fused
from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.walk import DEEPEST

SIGNALS = ("lexical", "semantic", "graph", "temporal")
"What can rank a candidate."
DEFAULT_LIMIT = 10
DEFAULT_DEPTH = 3
MOST_CHARACTERS = 30_000
"Cap of the records in a reply; those behind are left out and counted."
NO_VECTORS = "Vectors are kept with memories and not compared; words and relations rank."


class RecallItem(StoredWire):
    """One record with its place in every ranking."""

    record: dict[str, Any]
    """Preview, or the full record with detail=full."""
    score: float
    """Joint score; comparable within one answer only."""
    ranks: dict[str, Any]
    """Rank by signal, from 1; null where it has none."""
    scores: dict[str, Any]
    """What each signal ranked by: word score, closeness in the graph, time."""
    reasons: list[str]
    """Signals that found it, each with its rank."""
    bound_revision: dict[str, str]
    """recordId and digest of the state shown, for shadowgraph_expand."""


class RecallReply(StoredWire):
    """Records, best first."""

    items: list[RecallItem]
    """Records, best first."""
    page: Page
    """Where this page stands."""
    completeness: dict[str, Any]
    """Scope, counts, signals, ranking, what was left out."""
    signals: dict[str, Any]
    """What each signal had to say: available, matched, reason."""
    ranking: dict[str, Any]
    """How the signals were joined: strategy, k, weights."""


class Recall(Reading):
    """Recall."""

    query: str = ""
    """Words to recall by; empty with focalId for what is near a record, else the newest."""
    scope: ScopeIn | None = None
    """Whose memories: userId, agentId, runId; those of the whole project when left out."""
    memory_type: MemoryType | None = None
    """Memories of one type; other kinds are not touched by it."""
    kind: Literal[KINDS] | None = None  # type: ignore[valid-type]
    """One kind of record."""
    focal_id: str | None = None
    """Record in focus: what relations lead to from it ranks higher."""
    graph_depth: Annotated[int, Field(ge=1, le=DEEPEST)] = DEFAULT_DEPTH
    """Most steps from the record in focus."""
    prefer_recent: bool = False
    """True to let recency rank, too."""
    as_of: str | None = None
    """Only what held, or had happened, at this instant, ISO 8601."""
    current_at: str | None = None
    """Instant that counts as now for facts and memories, ISO 8601."""
    known_at: str | None = None
    """The graph as the store knew it at this instant, ISO 8601."""
    query_embedding: Vector = None
    weights: Annotated[
        dict[str, JsonValue], WithJsonSchema({"type": "object"}), Field(default={})
    ]
    """Weight by signal (lexical, semantic, graph, temporal), 0 or more."""
    limit: Limit = None
    """Records in the answer, 1 to 1000, default 10."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Records to skip."""
    detail: Literal["preview", "full"] = "preview"
    """preview (default) or full records."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """Everything that a reply is made from."""

    request: Recall
    scope: Scope
    wanted: Wanted
    words: Words
    near: Near
    temporal: Mapping[str, str]
    "Time that recency ranked by, by id; empty when recency had no say."
    fused: list[Fused]
    weights: Mapping[str, float]
    k: int


def signals_of(recalled: Recalled) -> dict[str, Any]:
    """Say of every signal whether it had a say and what it found."""
    request, words = recalled.request, recalled.words
    query, focal = bool(request.query.strip()), request.focal_id is not None
    lexical = len(words.bodies) if query else 0
    timed = bool(recalled.temporal)
    return {
        "lexical": {"available": query, "matched": lexical, "terms": words.terms},
        "semantic": {
            "available": False,
            "matched": 0,
            "indexed": 0,
            "reason": NO_VECTORS,
        },
        "graph": {
            "available": focal,
            "matched": len(recalled.near.bodies),
            "reason": f"relations up to {request.graph_depth} steps from the focus"
            if focal
            else "no focalId was given",
        },
        "temporal": {
            "available": timed,
            "matched": len(recalled.temporal),
            "reason": "orders what the other signals found"
            if timed
            else "neither asOf nor preferRecent was given",
            "asOf": request.as_of,
        },
    }


def ranking_of(recalled: Recalled) -> dict[str, Any]:
    """Say how the signals were joined."""
    return {
        "strategy": "weighted_rrf",
        "k": recalled.k,
        "weights": dict(recalled.weights),
    }


def completeness_of(recalled: Recalled, returned: int) -> dict[str, Any]:
    """Say what was looked at, what was left out and how fresh it was."""
    request, words = recalled.request, recalled.words
    total = len(recalled.fused)
    limitations = _limitations(recalled)
    whole = words.all_read and not recalled.near.cut and not words.pending
    block: dict[str, Any] = {
        "scope": scope_block(recalled.scope, query=clip(request.query, 500))
        | {
            "asOf": request.as_of,
            "knownAt": request.known_at,
            "validAt": format_instant(recalled.wanted.instant),
        },
        "returned": returned,
        "total": total,
        "omitted": max(0, total - request.offset - returned),
        "complete": whole and total <= request.offset + returned,
        "limitSource": "caller" if request.limit else "default",
        "losslessItems": request.detail == "full",
        "pending": words.pending,
    }
    if limitations:
        block["limitation"] = limitations[0]
    if words.repaired:
        block["repaired"] = [{"from": a, "to": b} for a, b in words.repaired]
    if not total and words.suggestions:
        block["suggestions"] = words.suggestions
    notices = words.notices + [one["detail"] for one in limitations[1:]]
    return {**block, "notices": notices} if notices else block


def _limitations(recalled: Recalled) -> list[dict[str, str]]:
    """Return what keeps the answer from being whole, the weightiest first."""
    request, words = recalled.request, recalled.words
    found = {
        "semantic_unavailable": NO_VECTORS if request.query_embedding is not None else "",
        "present_words": "Words are looked up in present texts; a record that said them at"
        " knownAt and no longer does is not found by them."
        if request.known_at and request.query.strip()
        else "",
        "candidates_capped": f"{len(words.bodies)} candidates were ranked of"
        f" {words.matched} that match; ask with more words."
        if not words.all_read
        else "",
        "graph_capped": "The record in focus leads to more records than were ranked."
        if recalled.near.cut
        else "",
    }
    return [{"code": code, "detail": detail} for code, detail in found.items() if detail]
