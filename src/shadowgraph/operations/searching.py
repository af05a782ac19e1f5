"""Search: every kind, ranked, filtered inside the query, and honest about what it saw."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Answer, Hit, Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.kinds import KINDS
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import ITEMS, Maker, fitting
from shadowgraph.operations.freshness import DEMOTION, STALE, states_here, told
from shadowgraph.operations.inputs import Limit, Reading
from shadowgraph.operations.present import SHARES, clip, preview
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.confidence import WEIGHTS
from shadowgraph.rules.facets import millis_of
from shadowgraph.rules.instants import parse_instant
from shadowgraph.rules.lifecycle import STATES
from shadowgraph.search.breakdown import Breakdown

DEFAULT_LIMIT = 10
MOST_QUERY = 500
"Characters of the query that a reply repeats; a pasted log stays with its sender."
MOST_CHARACTERS = 30_000
"Bytes of the items that a caller asks for by limit or detail: some 7,500 tokens."


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


class SearchItem(StoredWire):
    """One hit."""

    record: dict[str, Any]
    """Preview, or the full record with detail=full."""
    score: float
    """Rank score; comparable within one answer only."""
    matched: list[str]
    """Names of the fields with a matched word."""
    reason: str
    """Why it was found, in words."""
    matched_by: Literal["content", "filter", "graph"]
    """content: words; filter: no words were asked."""
    freshness: Literal["fresh", "changed", "missing", "unknown"] | None = None
    """The worst state of the files it names, which stand in fileStates."""


class Page(StoredWire):
    """Where this page stands."""

    offset: int
    limit: int
    total: int
    """Records that match in all."""
    has_more: bool


class SearchReply(StoredWire):
    """Hits, best first."""

    items: list[SearchItem]
    """Hits, best first."""
    page: Page
    """Where this page stands."""
    completeness: dict[str, Any]
    """What was searched: scope, returned, total, omitted, pending; on no hits also recordsInScope, hint, suggestions."""


class Search(Reading):
    """Search."""

    query: str = ""
    """Words, an error text or a whole traceback. Also "a phrase", -word, kind:attempt, status:failed. Empty: newest first."""
    all_projects: bool = False
    """Search every project."""
    kind: Literal[KINDS] | None = None  # type: ignore[valid-type]
    """One kind of record."""
    status: Literal[(*STATES, "active", "expired")] | None = None  # type: ignore[valid-type]
    """State; failed finds failed attempts, too."""
    result_class: Literal["failed", "succeeded", "inconclusive", "undetermined"] | None = (
        None
    )
    """How an attempt ended."""
    environment: str = ""
    """Words its environment must hold."""
    source_class: str | None = None
    """Claimed origin class."""
    min_confidence: Annotated[float | None, Field(ge=0, le=1)] = None
    """Least confidence."""
    since: str | None = None
    """Recorded since, ISO 8601."""
    until: str | None = None
    """Recorded before, ISO 8601."""
    limit: Limit = None
    """Most hits, default 10."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Hits to skip."""
    detail: Literal["ids", "preview", "full"] = "preview"
    """How much of each record."""
    explain: bool = False
    """Take each score apart."""


class Ask(NamedTuple):
    """A search as it was asked, for the reply."""

    request: Search
    scope: Scope
    limit: int


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


def room_of(request: Search) -> int:
    """Return the bytes that the items of a reply may take: ours, or the caller's choice."""
    chosen = request.limit is not None or request.detail == "full" or request.explain
    return MOST_CHARACTERS if chosen else ITEMS


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


def completeness_of(
    library: Library, ask: Ask, answer: Answer, returned: int, found: int
) -> dict[str, Any]:
    """Say what was searched, what was left out and how fresh it was."""
    request, scope = ask.request, ask.scope
    block: dict[str, Any] = {
        "scope": {
            "query": clip(request.query, MOST_QUERY),
            "filters": _filters(request),
            "project": scope.project,
            "projectSource": scope.source,
            "requestState": "project_selected" if scope.resolved else "project_unresolved",
            "originPresented": scope.origin_id is not None,
            "grant": None,
        },
        "returned": returned,
        "total": answer.total,
        "omitted": max(0, answer.total - request.offset - returned),
        "complete": answer.pending == 0 and answer.total <= request.offset + returned,
        "limitSource": "caller" if request.limit else "default",
        "losslessItems": request.detail == "full",
        "pending": answer.pending,
    }
    if returned < found:
        block["limitation"] = {
            "code": "reply_capped",
            "detail": f"The reply holds {room_of(request):,} bytes of records; use offset"
            " for more, or limit for a longer one.",
        }
    if request.explain:
        rules = library.definition.fields.values()
        block["contentFields"] = sorted({rule.name for kind in rules for rule in kind})
    asked = answer.found.asked
    if asked.excluded:
        block["excludedWords"] = list(asked.excluded)
    if answer.found.common:
        block["commonWords"] = list(answer.found.common)
    if answer.found.repaired:
        block["repaired"] = [{"from": a, "to": b} for a, b in answer.found.repaired]
    if answer.notices:
        block["notices"] = list(answer.notices)
    if not answer.total:
        block |= _nothing(library, ask, answer)
    return block


def _filters(request: Search) -> dict[str, Any]:
    names = [
        "kind",
        "status",
        "result_class",
        "environment",
        "source_class",
        "min_confidence",
        "since",
        "until",
    ]
    given = request.model_dump(by_alias=True, include=set(names), exclude_defaults=True)
    return {key: value for key, value in given.items() if value not in (None, "")}


def _nothing(library: Library, ask: Ask, answer: Answer) -> dict[str, Any]:
    """Say what an empty answer means: nothing found is not nothing known."""
    counts = library.store.counts(ask.scope.owner)
    held = sum(count for kind, count in counts.items() if kind in KINDS)
    told: dict[str, Any] = {"recordsInScope": held}
    if answer.suggestions:
        told["suggestions"] = list(answer.suggestions)
    if held == 0 and not ask.scope.every:
        told["hint"] = "This project holds no records; shadowgraph_projects lists others."
    elif answer.found.plan.groups or not ask.request.query.strip():
        told["hint"] = "Nothing matches these words and filters; try fewer or other words."
    else:
        told["hint"] = "The query holds only function words or signs; name something."
    return told
