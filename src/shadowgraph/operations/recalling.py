"""Recall: memories, facts, decisions and attempts in one order, from several signals.

Words, steps from a record in focus and recency each rank the candidates, and reciprocal
rank fusion joins the rankings with the weights of `index/ranking.toml`. Recency orders what
another signal found; it brings nothing in by itself. Vectors are kept with memories and
compared with nothing, and the answer says so.

`asOf` holds for every kind: what had not happened yet is not recalled. Where candidates
come from is `candidates`, the arithmetic `rules.fusion`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, WithJsonSchema

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.candidates import (
    KINDS,
    Near,
    Wanted,
    Words,
    by_graph,
    by_words,
)
from shadowgraph.operations.inputs import Limit, Reading
from shadowgraph.operations.present import clip, preview
from shadowgraph.operations.reconciling import MemoryType, Vector, without_vector
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.revisions import bound_revision
from shadowgraph.operations.searching import Page, within
from shadowgraph.operations.standpoint import (
    ScopeIn,
    Standpoint,
    instant_of,
    memory_scope_of,
)
from shadowgraph.operations.traversing import scope_block
from shadowgraph.rules.fusion import Fused, fuse, ranks_of
from shadowgraph.rules.instants import format_instant, instant_or_none
from shadowgraph.rules.presence import began
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
class _Recalled:
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


@operation(
    "shadowgraph_recall",
    title="Recall",
    description="""Recall memories, facts, decisions and attempts in one order, by words, by
        relations to a record in focus and by recency. Call it to bring back what is known
        about a subject, or was at an earlier time (asOf, knownAt). To look for failed
        attempts use shadowgraph_search. Changes nothing. Each item says which signal found
        it; shadowgraph_expand tells later whether it changed.""",
    request=Recall,
    reply=RecallReply,
    toolset="graph",
    read_only=True,
    idempotent=True,
    example={
        "query": "where the ledger is stored",
        "focalId": "decision_ledger-in-sqlite",
        "project": "acme/billing-api",
    },
)
def recall(library: Library, request: Recall, caller: Caller) -> Reply:
    """Rank what is known by every signal there is."""
    scope = caller.scope(request.project, request.origin_id)
    recalled = _recalled(library, request, scope)
    limit = request.limit or DEFAULT_LIMIT
    page = recalled.fused[request.offset : request.offset + limit]
    items = within([_item(library, recalled, one) for one in page], MOST_CHARACTERS)
    total = len(recalled.fused)
    signals, ranking = _signals(recalled), _ranking(recalled)
    return {
        "items": items,
        "page": {
            "offset": request.offset,
            "limit": limit,
            "total": total,
            "hasMore": total > request.offset + len(items),
        },
        "completeness": {
            **_completeness(recalled, len(items)),
            "signals": signals,
            "ranking": ranking,
        },
        "signals": signals,
        "ranking": ranking,
    }


def _recalled(library: Library, request: Recall, scope: Scope) -> _Recalled:
    settings = library.definition.ranking["recall"]
    weights = _weights(request.weights, settings)
    wanted = _wanted(library, request, scope)
    focal, query = request.focal_id, request.query.strip()
    words, near = Words(), Near({}, {}, cut=False)
    if query or focal is None:
        enough = request.offset + (request.limit or DEFAULT_LIMIT)
        words = by_words(library, wanted, enough)
    if focal is not None:
        near = by_graph(library, wanted, focal, request.graph_depth)
    lexical = {one: at for at, one in enumerate(words.bodies, start=1)} if query else {}
    rankings = {"lexical": lexical, "graph": ranks_of(near.distances.items())}
    temporal: dict[str, str] = {}
    if request.prefer_recent or request.as_of or not (query or focal):
        temporal, rankings["temporal"] = _by_time({**words.bodies, **near.bodies})
    k = int(settings["k"])
    fused = fuse(rankings, weights, k)
    return _Recalled(request, scope, wanted, words, near, temporal, fused, weights, k)


def _wanted(library: Library, request: Recall, scope: Scope) -> Wanted:
    as_of = instant_of(request.as_of, "asOf")
    known_at = instant_of(request.known_at, "knownAt")
    current = instant_of(request.current_at, "currentAt")
    return Wanted(
        request.query,
        Standpoint(scope, as_of, known_at, memory_scope_of(request.scope)),
        as_of or current or known_at or library.clock(),
        (request.kind,) if request.kind else KINDS,
        request.memory_type,
    )


def _weights(given: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, float]:
    """Return the weight of every signal, those of the call first.

    Raises:
        InvalidInputError: a name is no signal, or a weight no number from 0.
    """
    for name, value in given.items():
        if name not in SIGNALS:
            raise InvalidInputError(
                f"weights has no signal {name!r}.", hint=f"Signals: {', '.join(SIGNALS)}."
            )
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= 1_000:
            raise InvalidInputError(f"weights.{name} must be a number from 0 to 1000.")
    return {name: float(given.get(name, usual[name])) for name in SIGNALS}


def _by_time(
    bodies: Mapping[str, Mapping[str, Any]],
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the time of every candidate that has one, and its rank, newest first."""
    times = {one: time for one, body in bodies.items() if (time := began(body))}
    instants = {one: instant_or_none(time) for one, time in times.items()}
    newest = sorted(
        ((at, one) for one, at in instants.items() if at is not None),
        key=lambda pair: (-pair[0].timestamp(), pair[1]),
    )
    return times, ranks_of((one, at) for at, one in newest)


def _item(library: Library, recalled: _Recalled, one: Fused) -> dict[str, Any]:
    body = recalled.words.bodies.get(one.id) or recalled.near.bodies[one.id]
    full = recalled.request.detail == "full"
    ranks = {name: one.ranks.get(name) for name in SIGNALS}
    distance = recalled.near.distances.get(one.id)
    word = recalled.words.scores.get(one.id) if ranks["lexical"] else None
    return {
        "record": without_vector(body)
        if full
        else preview(body, library.result_class(body)),
        "score": round(one.score, 6),
        "ranks": ranks,
        "scores": {
            "lexical": None if word is None else round(word, 3),
            "semantic": None,
            "graph": None if distance is None else round(1 / distance, 3),
            "temporal": recalled.temporal.get(one.id),
        },
        "reasons": [f"{name} rank {rank}" for name, rank in ranks.items() if rank],
        "boundRevision": bound_revision(body, recalled.request.as_of),
    }


def _signals(recalled: _Recalled) -> dict[str, Any]:
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


def _ranking(recalled: _Recalled) -> dict[str, Any]:
    return {
        "strategy": "weighted_rrf",
        "k": recalled.k,
        "weights": dict(recalled.weights),
    }


def _completeness(recalled: _Recalled, returned: int) -> dict[str, Any]:
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
    notices = words.notices + [one["detail"] for one in limitations[1:]]
    return {**block, "notices": notices} if notices else block


def _limitations(recalled: _Recalled) -> list[dict[str, str]]:
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
