"""Search: every kind, ranked, filtered inside the query, and honest about what it saw."""

from collections.abc import Mapping
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Answer, Hit, Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import Scope
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import ITEMS, Maker, fitting
from shadowgraph.operations.freshness import DEMOTION, STALE, states_here, told
from shadowgraph.operations.present import SHARES, preview
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.searches import (
    DEFAULT_LIMIT,
    Ask,
    Search,
    SearchReply,
    completeness_of,
    room_of,
)
from shadowgraph.rules.confidence import WEIGHTS
from shadowgraph.rules.facets import millis_of
from shadowgraph.rules.instants import parse_instant
from shadowgraph.search.breakdown import Breakdown

EXTRAS = {
    "quoted": "quoted phrase",
    "signature": "the same error",
    "scene": "the same environment",
    "exact": "words as they were written",
    "alone": "words that stand alone",
    "title": "words in the title",
    "neighbours": "words side by side",
    "near": "neighbouring words near each other",
    "apart": "words next but one near each other",
    "verbatim": "the query word for word",
}
"What the extras of a score are called in an explanation."


@operation(
    "shadowgraph_search",
    title="Search",
    description="""Search what was tried, decided and observed, best first; failed
        attempts to avoid rank highest. Call it before trying something and when an error
        appears: paste the error text. For an overview use shadowgraph_context, for full
        records shadowgraph_get. Changes nothing.""",
    request=Search,
    reply=SearchReply,
    read_only=True,
    idempotent=True,
    example={"query": "database is locked", "project": "acme/billing-api"},
)
def search(library: Library, request: Search, caller: Caller) -> Reply:
    """Search within a scope."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    ask = Ask(request, scope, request.limit or DEFAULT_LIMIT)
    answer = library.search(
        request.query, filter_of(request, scope), limit=ask.limit, offset=request.offset
    )
    makers = _makers(library, answer, request, caller)
    room = room_of(request)
    kept = fitting(makers, room, SHARES if room == ITEMS else SHARES[:1])
    upto = request.offset + len(kept)
    return {
        "items": kept,
        "page": {
            "offset": request.offset,
            "limit": ask.limit,
            "total": answer.total,
            "hasMore": answer.total > upto,
        },
        "completeness": completeness_of(library, ask, answer, len(kept), len(makers)),
    }


def _makers(
    library: Library, answer: Answer, request: Search, caller: Caller
) -> list[Maker]:
    """Return what makes each item, in the order in which they are shown."""
    hits = answer.hits
    states = map(told, states_here([hit.record.body for hit in hits], caller))
    parts = explanations(library, answer) if request.explain else [{} for _ in hits]
    # What an item says beside its hit, which is read only of those that are shown.
    beside = [
        {"hit": hit, "score": round(hit.rank.score, 3), **more, **files}
        for hit, more, files in zip(hits, parts, states, strict=True)
    ]

    def maker(more: dict[str, Any]) -> Maker:
        hit = more.pop("hit")
        return lambda share: item_of(hit, request, share) | more

    return [maker(one) for one in stale_later(beside)]


def filter_of(request: Search, scope: Scope) -> Filter:
    """Return what every hit of a search fulfils."""
    source = request.source_class
    if source is not None and source.strip().lower().replace("-", "_") not in WEIGHTS:
        raise InvalidInputError(
            f"sourceClass must be one of {', '.join(WEIGHTS)}, not {source!r}."
        )
    return Filter(
        owner=scope.owner,
        kinds=(request.kind,) if request.kind else (),
        statuses=(request.status,) if request.status else (),
        result_classes=(request.result_class,) if request.result_class else (),
        source_classes=(source.strip().lower().replace("-", "_"),) if source else (),
        environment=request.environment,
        min_confidence=request.min_confidence,
        since=_bound(request.since, "since"),
        until=_bound(request.until, "until"),
    )


def _bound(text: str | None, name: str) -> int | None:
    if text is None:
        return None
    try:
        parse_instant(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error.message}", hint=error.hint) from error
    return millis_of(text)


def item_of(hit: Hit, request: Search, share: float = 1.0) -> dict[str, Any]:
    """Return a hit as it is shown."""
    body = hit.record.body
    record: dict[str, Any]
    match request.detail:
        case "full":
            record = dict(body)
        case "ids":
            record = {"id": body["id"], "kind": body["kind"]}
        case _:
            beside = hit.why.snippet.field if hit.why.snippet and share < 1 else ""
            name = beside.removeprefix(f"{body['kind']} ")
            record = preview(body, hit.rank.result, share, name)
    item: dict[str, Any] = {
        "record": record,
        "score": round(hit.rank.score, 3),
        "matched": list(hit.why.fields),
        "reason": hit.why.sentence(),
        "matchedBy": "content" if hit.why.words else "filter",
    }
    if hit.why.snippet and request.detail == "preview":
        snippet = hit.why.snippet
        item["snippet"] = {
            "field": snippet.field,
            "text": snippet.text,
            "marks": [list(mark) for mark in snippet.marks],
        }
    return item


def stale_later(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the hits of a page in an order in which those with stale files let better pass.

    None is left out, and the others keep their order: that a file changed does not say that
    what was tried would end otherwise now.
    """
    ordered: list[dict[str, Any]] = []
    waiting: list[dict[str, Any]] = []
    for item in items:
        if item.get("freshness") in STALE:
            waiting.append(item | {"score": round(item["score"] * DEMOTION, 3)})
            continue
        while waiting and waiting[0]["score"] >= item["score"]:
            ordered.append(waiting.pop(0))
        ordered.append(item)
    return ordered + waiting


def explanations(library: Library, answer: Answer) -> list[dict[str, Any]]:
    """Return, for each hit, its score taken apart, as its item holds it."""
    parts = library.take_apart(answer)
    return [
        {"explanation": _explanation(hit, part)}
        for hit, part in zip(answer.hits, parts, strict=True)
    ]


def _explanation(hit: Hit, parts: Breakdown) -> dict[str, Any]:
    """Return the score taken apart: a sum of words and extras, times the factors."""
    return {
        "words": list(hit.why.words),
        "wordScore": round(hit.rank.engine_score, 3),
        "byWord": _rounded(parts.words),
        "byField": _rounded(parts.fields),
        "extras": {EXTRAS[name]: value for name, value in _rounded(parts.extras).items()},
        "factors": {name: round(value, 4) for name, value in hit.rank.factors},
    }


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """Return scores, largest first, to three digits."""
    ordered = sorted(scores.items(), key=lambda pair: -pair[1])
    return {name: round(score, 3) for name, score in ordered}
