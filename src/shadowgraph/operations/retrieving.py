"""Retrieve: a search, and beside each hit what it is linked to.

Neighbours are one step away, exactly: from the hits of the search, never from each other.
A neighbour gets a share of the score of the best hit that leads to it, so it stands behind
that hit wherever the page is cut, and a hit that is also a neighbour keeps the better of
its two scores. The words of the query need not stand in a neighbour; the kind asked for
must fit.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from shadowgraph.library import Answer, Hit, Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import ITEMS, Maker, fitting
from shadowgraph.operations.present import SHARES, preview
from shadowgraph.operations.reconciling import without_vector
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.searches import (
    DEFAULT_LIMIT,
    Ask,
    Page,
    Search,
    completeness_of,
    room_of,
)
from shadowgraph.operations.searching import explanations, filter_of, item_of
from shadowgraph.operations.standpoint import Standpoint
from shadowgraph.operations.traversing import Graph

MOST_HITS = 200
"Best hits whose neighbours are looked for."


class RetrieveItem(StoredWire):
    """One hit, or a neighbour of one."""

    record: dict[str, Any]
    """Preview, or the full record with detail=full."""
    score: float
    """Rank score; comparable within one answer only."""
    matched: list[str]
    """Names of the fields with a matched word; relationship for a neighbour."""
    reason: str
    """Why it was found, in words."""
    matched_by: Literal["content", "filter", "graph"]
    """content: words; filter: no words were asked; graph: a relation."""
    graph_boost: Literal[0, 1]
    """1 when a relation leads to it from another hit."""
    reasons: list[str]
    """Every reason: words, and each relation with the hit it comes from."""


class RetrieveReply(StoredWire):
    """Hits and their neighbours, best first."""

    items: list[RetrieveItem]
    """Hits and their neighbours, best first."""
    page: Page
    """Where this page stands."""
    completeness: dict[str, Any]
    """What was searched: scope, returned, total, omitted, pending, neighbours."""


class Retrieve(Search):
    """Retrieve."""


@dataclass(frozen=True, slots=True)
class _Link:
    """How a record is reached from a hit."""

    score: float
    reasons: tuple[str, ...]


@operation(
    "shadowgraph_retrieve",
    title="Search with neighbours",
    description="""Search like shadowgraph_search and add what the hits are linked to by one
        relation, such as the decision that a failed attempt led to. Call it when a hit
        alone does not tell the story. For more steps use shadowgraph_traverse, for one
        order of words, relations and recency shadowgraph_recall. Changes nothing.""",
    request=Retrieve,
    reply=RetrieveReply,
    toolset="graph",
    read_only=True,
    idempotent=True,
    example={"query": "database is locked", "project": "acme/billing-api"},
)
def retrieve(library: Library, request: Retrieve, caller: Caller) -> Reply:
    """Search within a scope and one step beyond the words."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    ask = Ask(request, scope, request.limit or DEFAULT_LIMIT)
    answer = library.search(
        request.query, filter_of(request, scope), limit=request.offset + ask.limit
    )
    share_of = float(library.definition.ranking["recall"]["neighbour"])
    reached = _neighbours(library, scope, answer.hits[:MOST_HITS], share_of)
    beside = sum(_is_alone(request, answer, body) for body in reached[1].values())
    page = _makers(library, request, answer, reached)
    page = page[request.offset : request.offset + ask.limit]
    room = room_of(request)
    kept = fitting(page, room, SHARES if room == ITEMS else SHARES[:1])
    total = answer.total + beside
    block = completeness_of(library, ask, answer, len(kept), len(page))
    rules = library.definition.fields.values()
    return {
        "items": kept,
        "page": {
            "offset": request.offset,
            "limit": ask.limit,
            "total": total,
            "hasMore": total > request.offset + len(kept),
        },
        "completeness": {
            **block,
            "total": total,
            "omitted": max(0, total - request.offset - len(kept)),
            "complete": not answer.pending and total <= request.offset + len(kept),
            "contentFields": sorted({rule.name for kind in rules for rule in kind}),
            "includesGraphNeighbours": True,
            "neighbours": beside,
        },
    }


def _is_alone(request: Retrieve, answer: Answer, body: Mapping[str, Any]) -> bool:
    """Return whether a neighbour stands in the answer and is no hit."""
    fits = request.kind in (None, body["kind"])
    return fits and all(hit.record.id != body["id"] for hit in answer.hits)


def _makers(
    library: Library,
    request: Retrieve,
    answer: Answer,
    reached: tuple[dict[str, _Link], dict[str, dict[str, Any]]],
) -> list[Maker]:
    """Return what makes each hit and neighbour, best first."""
    links, bodies = dict(reached[0]), reached[1]
    placed: list[tuple[float, Maker]] = []
    least = math.inf
    parts = explanations(library, answer) if request.explain else [{} for _ in answer.hits]
    for hit, more in zip(answer.hits, parts, strict=True):
        # The order of the search stands: a successor is above what it replaced.
        least = min(least, hit.rank.score)
        link = links.pop(hit.record.id, None)
        at = max(least, link.score) if link else least
        placed.append((at, partial(_hit, request, hit, link, more)))
    placed += [
        (link.score, partial(_neighbour, library, request, bodies[one], link))
        for one, link in links.items()
        if request.kind in (None, bodies[one]["kind"])
    ]
    # Of equals the hit comes first: sorting is stable.
    return [make for _, make in sorted(placed, key=lambda one: -one[0])]


def _neighbours(
    library: Library, scope: Scope, hits: tuple[Hit, ...], share: float
) -> tuple[dict[str, _Link], dict[str, dict[str, Any]]]:
    """Return what one relation leads to from the hits, each hit in its own project."""
    links: dict[str, _Link] = {}
    bodies: dict[str, dict[str, Any]] = {}
    with library.store.read() as selection:
        graphs: dict[str, Graph] = {}
        for hit in hits:
            owner = hit.record.owner
            if owner not in graphs:
                at = scope if scope.owner == owner else _scope_of(hit)
                graphs[owner] = Graph(library, selection, Standpoint(at))
            graph, here = graphs[owner], hit.record.id
            for edge in graph.touching([here]):
                far = edge.far(here, "both")
                body = graph.nodes([far]).get(far) if far else None
                if body is None or body["kind"] == "alternative":
                    continue
                arrow = "to" if here == edge.target else "from"
                reason = f"{edge.name} {arrow} {here}"
                held = links.get(body["id"], _Link(0.0, ()))
                links[body["id"]] = _Link(
                    max(held.score, hit.rank.score * share), (*held.reasons, reason)
                )
                bodies[body["id"]] = body
    return links, bodies


def _scope_of(hit: Hit) -> Scope:
    """Return the scope of a hit's own project, in a read across projects."""
    project, origin = hit.record.body.get("project"), hit.record.body.get("originId")
    return Scope(project, origin) if project else Scope(None, origin)


def _hit(
    request: Retrieve, hit: Hit, link: _Link | None, more: dict[str, Any], share: float
) -> dict[str, Any]:
    """Return a hit with what is known of the relations that lead to it."""
    item = item_of(hit, request, share) | more
    if link is None:
        return {**item, "graphBoost": 0, "reasons": [item["reason"]]}
    return {
        **item,
        "score": max(item["score"], round(link.score, 3)),
        "graphBoost": 1,
        "reasons": [item["reason"], *link.reasons],
    }


def _neighbour(
    library: Library,
    request: Retrieve,
    body: Mapping[str, Any],
    link: _Link,
    share: float,
) -> dict[str, Any]:
    record: dict[str, Any]
    match request.detail:
        case "full":
            record = without_vector(body)
        case "ids":
            record = {"id": body["id"], "kind": body["kind"]}
        case _:
            record = preview(body, library.result_class(body), share)
    return {
        "record": record,
        "score": round(link.score, 3),
        "matched": ["relationship"],
        "reason": link.reasons[0],
        "matchedBy": "graph",
        "graphBoost": 1,
        "reasons": list(link.reasons),
    }
