"""Following relations from one record.

The walk itself is `rules.walk`; here it gets its relations and is told which records may be
seen. Scope is checked for every record and every relation on the way, so a path cannot lead
through another project or through somebody else's memory.

A root that the scope does not hold gives empty lists and says so, as upstream does; whether
it exists elsewhere makes no difference.
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import ITEMS, within
from shadowgraph.operations.inputs import Reading
from shadowgraph.operations.present import clip, preview
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.standpoint import (
    ScopeIn,
    Standpoint,
    instant_of,
    memory_scope_of,
)
from shadowgraph.rules.presence import present_at
from shadowgraph.rules.walk import DEEPEST, Edge, Walk, walk
from shadowgraph.store import StoredRecord
from shadowgraph.store.links import MOST_TOUCHING
from shadowgraph.store.selection import Selection

MOST_NODES = 200
"Records that one walk returns beside its root."
MOST_CHARACTERS = 20_000
"Bytes of the records when a depth or full ones are asked for; the farthest are left out."
MOST_RELATION_CHARACTERS = 10_000
"The same for relations."


class TraverseReply(StoredWire):
    """What relations lead to."""

    root: str
    """The record the walk began at."""
    direction: str
    """in, out or both."""
    depth: int
    """Most steps of the walk."""
    nodes: list[dict[str, Any]]
    """Records reached, the root first, then by steps."""
    relations: list[dict[str, Any]]
    """Relations walked."""
    distances: dict[str, int]
    """Steps from the root by record id."""
    completeness: dict[str, Any]
    """Scope, counts, what was left out."""
    limitation: dict[str, Any] | None = None
    """Why the answer is not whole: code and detail."""


class Traverse(Reading):
    """Follow relations."""

    id: Annotated[str, Field(min_length=1)]
    """Id of the record, or of an alternative, to begin at."""
    depth: Annotated[int, Field(ge=1, le=DEEPEST)] = 1
    """Most steps, 1 to 10."""
    direction: Literal["in", "out", "both"] = "both"
    """out follows a relation from its beginning, in from its end."""
    relation: str | None = None
    """Exact name of the relations to follow; any when left out."""
    scope: ScopeIn | None = None
    """Whose memories are seen: userId, agentId, runId."""
    as_of: str | None = None
    """Only what held at this instant, ISO 8601."""
    known_at: str | None = None
    """The graph as the store knew it at this instant, ISO 8601."""
    detail: Literal["preview", "full"] = "preview"
    """preview (default) or full records."""


@operation(
    "shadowgraph_traverse",
    title="Follow relations",
    description="""Follow the relations of one record, step by step, and return what they
        lead to. Call it to see what a decision rests on, or what depends on it. To find a
        record by words use shadowgraph_search, to rank by words and relations together
        shadowgraph_recall. Changes nothing. asOf reads the graph as it held, knownAt as it
        was known.""",
    request=Traverse,
    reply=TraverseReply,
    toolset="graph",
    read_only=True,
    idempotent=True,
    example={
        "id": "decision_ledger-in-sqlite",
        "depth": 2,
        "project": "acme/billing-api",
    },
)
def traverse(library: Library, request: Traverse, caller: Caller) -> Reply:
    """Walk from a record."""
    scope = caller.scope(request.project, request.origin_id)
    stand = Standpoint(
        scope,
        instant_of(request.as_of, "asOf"),
        instant_of(request.known_at, "knownAt"),
        memory_scope_of(request.scope),
    )
    with library.store.read() as selection:
        graph = Graph(library, selection, stand)
        if request.id not in graph.nodes([request.id]):
            detail = unknown(selection, request.id, scope)
            return _nothing(request, scope, f"{detail.message} {detail.hint}".strip())
        walked = graph.walk(request.id, request.depth, request.direction, request.relation)
    return _reply(library, request, scope, graph, walked)


class Graph:
    """The graph as it is seen from one standpoint, over one selection."""

    def __init__(self, library: Library, selection: Selection, stand: Standpoint) -> None:
        """Look at the graph from *stand*."""
        self._selection = selection
        self._stand = stand
        # Without an instant of its own, a relation counts while it is in force.
        self._instant = stand.as_of or stand.known_at or library.clock()
        self.known: dict[str, dict[str, Any]] = {}
        "Every record seen so far, by id."
        self.relations: dict[str, StoredRecord] = {}
        "Every relation met so far, by id."
        self.cut = False

    def nodes(self, ids: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return those of some ids that may be seen, with what they are."""
        self.known |= self._stand.nodes(self._selection, set(ids) - self.known.keys())
        return {one: self.known[one] for one in ids if one in self.known}

    def touching(self, ids: Collection[str]) -> list[Edge]:
        """Return the relations in force that begin or end at one of *ids*."""
        found = self._selection.touching(self._stand.owner, ids)
        self.cut = self.cut or len(found) > MOST_TOUCHING
        states = self._stand.states(self._selection, found[:MOST_TOUCHING])
        held = [one for one in states if present_at(one.body, self._instant)]
        self.relations |= {one.id: one for one in held}
        return [_edge(one) for one in held]

    def walk(
        self,
        root: str,
        depth: int,
        direction: str = "both",
        name: str | None = None,
        most: int = MOST_NODES,
    ) -> Walk:
        """Walk from a record that may be seen."""
        return walk(
            root,
            self.touching,
            self.nodes,
            depth=depth,
            direction=direction,
            name=name,
            most=most,
        )


def _edge(relation: StoredRecord) -> Edge:
    body = relation.body
    return Edge(
        relation.id, str(body.get("from")), str(body.get("to")), str(body.get("relation"))
    )


def _nothing(request: Traverse, scope: Scope, detail: str) -> Reply:
    limitation = {"code": "scoped_coverage", "detail": detail}
    return {
        "root": request.id,
        "direction": request.direction,
        "depth": request.depth,
        "nodes": [],
        "relations": [],
        "distances": {},
        "completeness": {
            "scope": scope_block(scope),
            "returned": 0,
            "total": 0,
            "omitted": 0,
            "complete": False,
            "losslessItems": request.detail == "full",
            "limitation": limitation,
        },
        "limitation": limitation,
    }


def _reply(
    library: Library, request: Traverse, scope: Scope, graph: Graph, walked: Walk
) -> Reply:
    full = request.detail == "full"
    bodies = [graph.known[one] for one in walked.distances]
    room, rest = _room(request)
    nodes = within([body if full else brief(library, body) for body in bodies], room)
    ids = {str(node["id"]) for node in nodes}
    met = [graph.relations[edge.id].body for edge in walked.edges]
    ties = [body for body in met if {body["from"], body["to"]} <= ids]
    relations = within([dict(body) if full else _tie(body) for body in ties], rest)
    omitted, untold = len(bodies) - len(nodes), len(ties) - len(relations)
    whole = not (omitted or untold or walked.cut or graph.cut)
    reply: Reply = {
        "root": request.id,
        "direction": request.direction,
        "depth": request.depth,
        "nodes": nodes,
        "relations": relations,
        "distances": {one: at for one, at in walked.distances.items() if one in ids},
        "completeness": {
            "scope": scope_block(scope),
            "returned": len(nodes),
            "total": len(bodies),
            "omitted": omitted,
            "relationsOmitted": untold,
            "complete": whole,
            "losslessItems": full,
        },
    }
    if not whole:
        reply["limitation"] = {
            "code": "reply_capped",
            "detail": f"A walk returns the nearest {MOST_NODES} records and"
            f" {room:,} bytes of them; begin at a further one, name a relation, or name"
            " a depth from 2 for a longer reply.",
        }
        reply["completeness"]["limitation"] = reply["limitation"]
    return reply


def _room(request: Traverse) -> tuple[int, int]:
    """Return the bytes for records and for relations: ours, or what the caller chose."""
    if request.depth > 1 or request.detail == "full":
        return MOST_CHARACTERS, MOST_RELATION_CHARACTERS
    return ITEMS * 2 // 3, ITEMS // 5


def _tie(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short form of a relation."""
    names = ("id", "kind", "from", "to", "relation", "createdAt")
    return {name: body[name] for name in names if name in body}


def brief(library: Library, body: dict[str, Any]) -> dict[str, Any]:
    """Return the preview of a record, or of an alternative."""
    if body["kind"] == "alternative":
        names = ("id", "kind", "decisionId", "label", "reasonRejected", "status")
        told = {name: body[name] for name in names if name in body}
        texts = {name: clip(str(told[name]), 200) for name in names[3:5] if told.get(name)}
        return told | texts
    return preview(body, library.result_class(body))


def scope_block(scope: Scope, **asked: Any) -> dict[str, Any]:
    """Return what a reply says of its scope."""
    return {
        **asked,
        "project": scope.project,
        "projectSource": scope.source,
        "requestState": "project_selected" if scope.resolved else "project_unresolved",
        "originPresented": scope.origin_id is not None,
        "grant": None,
    }
