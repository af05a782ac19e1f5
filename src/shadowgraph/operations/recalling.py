"""Recall: memories, facts, decisions and attempts in one order, from several signals.

Words, steps from a record in focus and recency each rank the candidates, and reciprocal
rank fusion joins the rankings with the weights of `index/ranking.toml`. Recency orders what
another signal found; it brings nothing in by itself. Vectors are kept with memories and
compared with nothing, and the answer says so.

`asOf` holds for every kind: what had not happened yet is not recalled. Where candidates
come from is `candidates`, the arithmetic `rules.fusion`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.candidates import (
    KINDS,
    Near,
    Wanted,
    Words,
    by_graph,
    by_words,
)
from shadowgraph.operations.cutting import ITEMS, fitting, size
from shadowgraph.operations.present import SHARES, preview
from shadowgraph.operations.recalls import (
    DEFAULT_LIMIT,
    MOST_CHARACTERS,
    SIGNALS,
    Recall,
    Recalled,
    RecallReply,
    completeness_of,
    ranking_of,
    signals_of,
)
from shadowgraph.operations.reconciling import without_vector
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.revisions import bound_revision
from shadowgraph.operations.standpoint import (
    Standpoint,
    instant_of,
    memory_scope_of,
)
from shadowgraph.rules.fusion import Fused, fuse, ranks_of
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.presence import began


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
    room = ITEMS if request.limit is None and request.detail != "full" else MOST_CHARACTERS
    # What is said of the signals stands in the reply twice.
    room -= 2 * size([signals_of(recalled), ranking_of(recalled)]) if room == ITEMS else 0
    items = fitting(
        [partial(_item, library, recalled, one) for one in page],
        room,
        SHARES if room < MOST_CHARACTERS else SHARES[:1],
    )
    total = len(recalled.fused)
    signals, ranking = signals_of(recalled), ranking_of(recalled)
    return {
        "items": items,
        "page": {
            "offset": request.offset,
            "limit": limit,
            "total": total,
            "hasMore": total > request.offset + len(items),
        },
        "completeness": {
            **completeness_of(recalled, len(items)),
            "signals": signals,
            "ranking": ranking,
        },
        "signals": signals,
        "ranking": ranking,
    }


def _recalled(library: Library, request: Recall, scope: Scope) -> Recalled:
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
    return Recalled(request, scope, wanted, words, near, temporal, fused, weights, k)


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


def _item(library: Library, recalled: Recalled, one: Fused, share: float) -> dict[str, Any]:
    body = recalled.words.bodies.get(one.id) or recalled.near.bodies[one.id]
    full = recalled.request.detail == "full"
    ranks = {name: one.ranks.get(name) for name in SIGNALS}
    distance = recalled.near.distances.get(one.id)
    word = recalled.words.scores.get(one.id) if ranks["lexical"] else None
    return {
        "record": without_vector(body)
        if full
        else preview(body, library.result_class(body), share),
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
