"""What recall ranks: records found by words, and records near the one in focus.

Words are looked up in the index; what comes back is seen from the call's standpoint, so a
record that did not hold, was not known or is somebody else's is no candidate. When that
thins out a page the next one is read, up to a limit that the answer names. The graph is
walked over relations in force at the instant.

The index knows present texts alone: a read with `knownAt` finds records by the words they
have now and shows the state that was known then.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from shadowgraph.library import Answer, Hit, Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import audience
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.standpoint import Standpoint
from shadowgraph.operations.traversing import Graph
from shadowgraph.rules.presence import WINDOWED, present_at

KINDS = ("memory", "fact", "decision", "attempt")
"Kinds that recall ranks."
MOST_PAGES = 5
"Pages of the index that are read for one answer."
MOST_NEAR = 500
"Records near the one in focus that are ranked."


class Wanted(NamedTuple):
    """What a recall asks for."""

    query: str
    stand: Standpoint
    instant: datetime
    "When facts and memories must hold."
    kinds: tuple[str, ...] = KINDS
    memory_type: str | None = None

    def admits(self, body: Mapping[str, Any]) -> bool:
        """Say whether a state that is seen is a candidate."""
        kind = str(body.get("kind"))
        if kind not in self.kinds:
            return False
        if kind in WINDOWED and not present_at(body, self.instant):
            return False
        own_type = self.memory_type is None or body.get("memoryType") == self.memory_type
        return kind != "memory" or own_type


@dataclass
class Words:
    """What the words of a query found, best first."""

    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    terms: list[str] = field(default_factory=list)
    matched: int = 0
    "Records that match, those that are no candidates included."
    pending: int = 0
    notices: list[str] = field(default_factory=list)
    repaired: list[tuple[str, str]] = field(default_factory=list)
    "Misspelt words, and what was looked for instead."
    suggestions: list[str] = field(default_factory=list)
    "Words to try instead, when nothing has the words of the query."
    all_read: bool = True
    "Whether every match was looked at."


def by_words(library: Library, wanted: Wanted, enough: int) -> Words:
    """Return the candidates that the words find; without words, the newest records."""
    found = Words()
    hits: list[tuple[Hit, dict[str, Any]]] = []
    for filter_ in _filters(wanted):
        hits += _read(library, wanted, filter_, enough, found)
    ranked = any(hit.rank.score for hit, _ in hits)
    hits.sort(key=lambda one: _order(one[0], ranked=ranked))
    for hit, body in hits:
        found.bodies.setdefault(str(body["id"]), body)
        found.scores.setdefault(str(body["id"]), hit.rank.score)
    return found


def _order(hit: Hit, *, ranked: bool) -> tuple[float, int]:
    """Return the place of a hit: by score, or newest first when nothing has one."""
    return (-hit.rank.score, -hit.record.row) if ranked else (0.0, -hit.record.row)


def _filters(wanted: Wanted) -> list[Filter]:
    """Return what to ask the index: memories with a scope have a key of their own."""
    owner, private = wanted.stand.owner, any(wanted.stand.memory)
    if not private:
        return [Filter(owner=owner, kinds=wanted.kinds)]
    others = tuple(kind for kind in wanted.kinds if kind != "memory")
    asked = [Filter(owner=owner, kinds=others)] if others else []
    if "memory" in wanted.kinds:
        own = audience(owner, wanted.stand.memory)
        asked.append(Filter(owner=own, kinds=("memory",)))
    return asked


def _read(
    library: Library, wanted: Wanted, filter_: Filter, enough: int, found: Words
) -> Iterator[tuple[Hit, dict[str, Any]]]:
    """Yield hits with their state as it is seen, page by page until there are enough."""
    size = max(int(library.definition.ranking["recall"]["candidates"]), enough)
    kept = 0
    for page in range(MOST_PAGES):
        answer = library.search(wanted.query, filter_, limit=size, offset=page * size)
        if page == 0:
            _note(found, answer)
        for hit, body in _seen(library, wanted, answer):
            kept += 1
            yield hit, body
        read = page * size + len(answer.hits)
        if read >= answer.total or not answer.hits:
            return
        if kept >= enough:
            break
    found.all_read = False


def _note(found: Words, answer: Answer) -> None:
    terms = [group.chunk.surface for group in answer.found.plan.groups]
    found.terms = list(dict.fromkeys(found.terms + terms))
    found.matched += answer.total
    found.pending = max(found.pending, answer.pending)
    found.repaired += [one for one in answer.found.repaired if one not in found.repaired]
    found.suggestions += [s for s in answer.suggestions if s not in found.suggestions]
    found.notices += [notice for notice in answer.notices if notice not in found.notices]


def _seen(
    library: Library, wanted: Wanted, answer: Answer
) -> Iterator[tuple[Hit, dict[str, Any]]]:
    with library.store.read() as selection:
        records = [hit.record for hit in answer.hits]
        states = {one.row: one for one in wanted.stand.states(selection, records)}
    for hit in answer.hits:
        state = states.get(hit.record.row)
        if state is not None and wanted.admits(state.body):
            yield hit, dict(state.body)


class Near(NamedTuple):
    """What is near the record in focus."""

    bodies: dict[str, dict[str, Any]]
    distances: dict[str, int]
    "Steps from the focus by id, nearest first."
    cut: bool


def by_graph(library: Library, wanted: Wanted, focal: str, depth: int) -> Near:
    """Return the candidates that relations lead to from the record in focus.

    Raises:
        UnknownRecordError: the standpoint does not see that record.
    """
    with library.store.read() as selection:
        graph = Graph(library, selection, wanted.stand)
        if focal not in graph.nodes([focal]):
            raise unknown(selection, focal, wanted.stand.scope)
        walked = graph.walk(focal, depth, most=MOST_NEAR)
    near = {
        one: distance
        for one, distance in walked.distances.items()
        if distance and wanted.admits(graph.known[one])
    }
    bodies = {one: graph.known[one] for one in near}
    return Near(bodies, near, walked.cut or graph.cut)
