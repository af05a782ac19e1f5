"""Reading records in full, and listing projects."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.wire import OrNull, StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import ITEMS, size
from shadowgraph.operations.freshness import states_here, told
from shadowgraph.operations.inputs import Reading, Unlisted
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.standpoint import Standpoint, instant_of
from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.validity import expiration_boundary

MOST_CHARACTERS = 60_000
"Bytes of full records when they are asked for whole: some 15,000 tokens."


class GetReply(StoredWire):
    """Full records."""

    project: OrNull[str] = None
    """Project the call used; null across projects."""
    items: list[dict[str, Any]]
    """The records in the order asked for."""
    missing: list[str]
    """Ids without a record in this project, or at that instant."""
    omitted: list[str]
    """Ids left out because the reply would be too long; ask for fewer at once, or whole."""


class Get(Reading):
    """Get records."""

    ids: Annotated[list[str], Field(min_length=1, max_length=50)]
    """Record ids, 1 to 50."""
    all_projects: bool = False
    """Look in every project."""
    as_of: str | None = None
    """ISO 8601: what held then."""
    known_at: str | None = None
    """ISO 8601: as known then."""
    include_retracted: bool = False
    """Retracted ones too."""
    whole: bool = False
    """Long records uncut.

    Some 60,000 characters of records instead of 6,800, and no text of them is cut."""


@operation(
    "shadowgraph_get",
    title="Get full records",
    description="""Read full records by their ids. Call it when a preview of
        shadowgraph_search or shadowgraph_context is not enough. To find records by words
        use shadowgraph_search. Changes nothing.""",
    request=Get,
    reply=GetReply,
    read_only=True,
    idempotent=True,
    example={"ids": ["attempt_ledger-on-nfs"], "project": "acme/billing-api"},
)
def get(library: Library, request: Get, caller: Caller) -> Reply:
    """Return records by id."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    ids = list(dict.fromkeys(request.ids))
    stand = Standpoint(
        scope,
        instant_of(request.as_of, "asOf"),
        instant_of(request.known_at, "knownAt"),
        retracted=request.include_retracted,
    )
    with library.store.read() as selection:
        records = stand.records(selection, ids)
        if not records and not Standpoint(
            scope, retracted=request.include_retracted
        ).records(selection, ids):
            raise unknown(selection, ids[0], scope)
    items: list[dict[str, Any]] = []
    room = MOST_CHARACTERS if request.whole else ITEMS
    for record in records:
        room -= size(record.body)
        if items and room < 0:
            break
        instant = stand.as_of or stand.known_at or library.clock()
        items.append(_with_age(library, dict(record.body), instant))
    for item, states in zip(items, states_here(items, caller), strict=True):
        item.update(told(states))
    found = {record.id for record in records}
    return {
        "project": scope.project,
        "items": items,
        "missing": [one for one in ids if one not in found],
        "omitted": [record.id for record in records[len(items) :]],
    }


def _with_age(library: Library, body: dict[str, Any], instant: datetime) -> dict[str, Any]:
    """Add what only shows when a record is read: an unstored result class, an expiry."""
    result = library.result_class(body)
    if result and "resultClass" not in body:
        body["readAs"] = result
    boundary = expiration_boundary(body) if body["kind"] == "fact" else None
    if boundary is not None and boundary <= instant:
        body["expired"] = True
    return body


class ProjectRow(StoredWire):
    """One project."""

    project: str
    """Name, to be passed as project."""
    records: int
    """How many records it holds."""
    counts: dict[str, int]
    """Records by kind."""
    last_write: str | None = None
    """Latest change, ISO 8601."""


class ProjectsReply(StoredWire):
    """All projects."""

    items: list[ProjectRow]
    """Projects, last written first."""
    current: str
    """The project this session uses."""
    source: str
    """What named it: server, config, git or fallback."""


class Projects(Wire):
    """List projects."""

    project: Annotated[str | None, Unlisted] = None
    """Ignored."""


@operation(
    "shadowgraph_projects",
    title="List projects",
    description="""List the projects with their record counts and last write, and
        which one this session uses. Call it when a project name is needed or a search
        finds nothing. To read records use shadowgraph_search. Changes nothing.""",
    request=Projects,
    reply=ProjectsReply,
    read_only=True,
    idempotent=True,
    example={},
)
def projects(library: Library, request: Projects, caller: Caller) -> Reply:
    """Return every project."""
    del request
    scope = caller.scope(None)
    rows = [
        {
            "project": found.project,
            "records": sum(found.counts.values()),
            "counts": found.counts,
            **({"lastWrite": _iso(found.last_write)} if found.last_write else {}),
        }
        for found in library.store.projects()
    ]
    return {"items": rows, "current": scope.project, "source": scope.source}


def _iso(millis: int) -> str:
    return format_instant(datetime.fromtimestamp(millis / 1000, UTC))
