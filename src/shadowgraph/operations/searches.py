"""What a search is asked and what it answers, with what it says of its own completeness."""

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from shadowgraph.library import Answer, Library
from shadowgraph.model.kinds import KINDS
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.cutting import ITEMS
from shadowgraph.operations.inputs import Limit, Reading
from shadowgraph.operations.present import clip
from shadowgraph.rules.lifecycle import STATES

DEFAULT_LIMIT = 10
MOST_QUERY = 500
"Characters of the query that a reply repeats; a pasted log stays with its sender."
MOST_CHARACTERS = 30_000
"Bytes of the items that a caller asks for by limit or detail: some 7,500 tokens."


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


def room_of(request: Search) -> int:
    """Return the bytes that the items of a reply may take: ours, or the caller's choice."""
    chosen = request.limit is not None or request.detail == "full" or request.explain
    return MOST_CHARACTERS if chosen else ITEMS


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
