"""Context: one call at the start of a task, within a token budget.

Sections in the order of their worth: failed attempts to avoid, due reviews, current
decisions, attempts worth repeating, stale assumptions, low-confidence decisions. With a
query or an environment the first three are ranked by it, else by recency; nothing is ever
shown oldest first. With a record in focus, what is near it in the graph rises too: the two
orders become one by reciprocal rank, as in a recall. Every section says how much it returned, holds and left out.

The read changes nothing: due reviews are computed, not stored. As of another instant, facts
count by their windows and records made later are left out; states are those of now.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from shadowgraph.library import Hit, Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import Scope
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.candidates import Near, Wanted, by_graph
from shadowgraph.operations.contexts import (
    CHARACTERS_PER_TOKEN,
    FRAME,
    Context,
    ContextReply,
    State,
    completeness_of,
)
from shadowgraph.operations.judging import objects
from shadowgraph.operations.present import clip, preview
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import Circumstances, review
from shadowgraph.operations.sections import Section, share_out, size_of
from shadowgraph.operations.standpoint import Standpoint
from shadowgraph.rules.confidence import LOW
from shadowgraph.rules.fusion import fuse, ranks_of
from shadowgraph.rules.instants import parse_instant
from shadowgraph.rules.lifecycle import CURRENT
from shadowgraph.rules.validity import holds_at, valid_since
from shadowgraph.store import StoredRecord

DEPTH = 3
"Steps from the record in focus that are looked at."
MOST = 50
"Candidates looked at per section when no limit is given."

_Body: TypeAlias = Mapping[str, Any]


@operation(
    "shadowgraph_context",
    title="Context of a task",
    description="""Read what to know before a task: failed attempts to avoid, due
        reviews, decisions in force, attempts worth repeating, stale assumptions. Call it once at the start with the task as query. For one error or
        idea use shadowgraph_search. Changes nothing.""",
    request=Context,
    reply=ContextReply,
    read_only=True,
    idempotent=True,
    example={"query": "move the ledger database", "project": "acme/billing-api"},
)
def context(library: Library, request: Context, caller: Caller) -> Reply:
    """Return the working set of one project."""
    scope = caller.scope(request.project, request.origin_id)
    at = parse_instant(request.as_of) if request.as_of else library.clock()
    then = request.as_of is not None
    when = Circumstances(at, request.facts, request.changed_facts, then=then)
    gather = _Gather(library, request, scope, when)
    with library.store.read() as selection:
        reviews = review(selection, scope.owner or "", when)
    sections = [
        gather.failed(),
        Section("firedConditions", reviews.fired(), len(reviews.due)),
        gather.active(),
        Section("reusableAttempts", reviews.reusable, len(reviews.reusable)),
        gather.stale(),
        gather.doubtful(),
    ]
    # What could not be decided may take a fifth of the room.
    diagnostics: list[dict[str, Any]] = []
    spare = min(request.budget * 4 - FRAME, request.budget * CHARACTERS_PER_TOKEN // 5)
    for one in reviews.undecided[:3]:
        if size_of([*diagnostics, one]) <= spare:
            diagnostics.append(one)
    # Four characters a token is the most the whole reply may take.
    room = min(
        request.budget * CHARACTERS_PER_TOKEN,
        request.budget * 4 - FRAME - size_of(diagnostics),
    )
    share_out(sections, max(0, room), request.limit or MOST)
    return {
        "project": scope.project,
        **{section.name: section.kept for section in sections},
        "conditionDiagnostics": diagnostics,
        "completeness": completeness_of(
            request,
            scope,
            sections,
            State(gather.pending, gather.notices, len(reviews.undecided)),
        ),
    }


class _Gather:
    """Collects the candidates of the sections."""

    def __init__(
        self, library: Library, request: Context, scope: Scope, when: Circumstances
    ) -> None:
        self._library = library
        self._request = request
        self._scope = scope
        self._when = when
        self._until = when.millis + 1 if when.then else None
        self._most = min(request.limit or MOST, MOST)
        self._near = self._around(request.focal_id)
        self.pending = 0
        self.notices: list[str] = []

    def _around(self, focal: str | None) -> Near:
        """Return what relations lead to from the record in focus.

        Raises:
            UnknownRecordError: the project has no such record.
        """
        if focal is None:
            return Near({}, {}, cut=False)
        stand = Standpoint(self._scope, as_of=self._when.at if self._when.then else None)
        wanted = Wanted("", stand, self._when.at, kinds=("attempt", "decision"))
        return by_graph(self._library, wanted, focal, DEPTH)

    def failed(self) -> Section:
        """Failed attempts, by relevance and then the newest of the rest."""
        wanted = Filter(
            owner=self._scope.owner,
            kinds=("attempt",),
            result_classes=("failed",),
            until=self._until,
        )
        return self._ranked("failedAttempts", wanted, self._has_failed, _attempt)

    def active(self) -> Section:
        """Decisions in force."""
        wanted = Filter(
            owner=self._scope.owner,
            kinds=("decision",),
            statuses=tuple(sorted(CURRENT)),
            until=self._until,
        )
        return self._ranked("activeDecisions", wanted, _is_in_force, _decision)

    def _ranked(
        self,
        name: str,
        wanted: Filter,
        fits: Callable[[_Body], bool],
        show: Callable[[_Body], dict[str, Any]],
    ) -> Section:
        """Return what words find and relations lead to, then the newest of the rest.

        A context is never empty because a query had other words.
        """
        found = self._found_by_words(wanted)
        near = {
            one: d
            for one, d in self._near.distances.items()
            if fits(self._near.bodies[one])
        }
        newest = self._library.search("", wanted, limit=self._most)
        self.pending = max(self.pending, newest.pending)
        self.notices += newest.notices
        weights = self._library.definition.ranking["recall"]
        ranks = {
            "lexical": {one: rank for rank, one in enumerate(found, 1)},
            "graph": ranks_of(near.items()),
        }
        order = fuse(ranks, weights, int(weights["k"]))
        bodies = {
            **self._near.bodies,
            **{hit.record.id: hit.record.body for hit in newest.hits},
            **{one: hit.record.body for one, hit in found.items()},
        }
        ids = dict.fromkeys(
            [*(one.id for one in order), *(h.record.id for h in newest.hits)]
        )

        def shown(one: str) -> dict[str, Any]:
            item = show(bodies[one])
            item.pop("project", None)
            if one in near:
                item["distance"] = near[one]
            if one in found:
                item["matched"] = found[one].why.sentence()
            return item

        return Section(name, map(shown, list(ids)[: self._most]), newest.total)

    def _found_by_words(self, wanted: Filter) -> dict[str, Hit]:
        request = self._request
        words = f"{request.query} {request.environment}".strip()
        if not words:
            return {}
        answer = self._library.search(
            words, wanted, limit=self._most, environment=request.environment
        )
        self.notices += answer.notices
        return {hit.record.id: hit for hit in answer.hits}

    def _has_failed(self, body: _Body) -> bool:
        return self._library.result_class(body) == "failed"

    def stale(self) -> Section:
        """Facts that no longer hold, latest change first."""
        owner, now = self._scope.owner or "", self._when.millis
        with self._library.store.read() as selection:
            if self._when.then:
                facts = [f for f in selection.of_kind(owner, "fact") if self._ended(f)]
                total = len(facts)
            else:
                facts = selection.stale_facts(owner, now, self._most)
                total = selection.count_stale_facts(owner, now)
        items = [
            {
                "id": fact.id,
                "key": fact.body.get("key"),
                "value": clip(str(fact.body.get("value")), 120),
                "status": "expired"
                if fact.body.get("status") == "active"
                else fact.body.get("status"),
            }
            for fact in facts[: self._most]
        ]
        return Section("staleAssumptions", items, total)

    def _ended(self, fact: StoredRecord) -> bool:
        """Return whether a fact had begun and no longer held at the instant."""
        at = self._when.at
        return valid_since(fact.body) <= at and not holds_at(fact.body, at)

    def doubtful(self) -> Section:
        """Decisions that their makers were unsure of."""
        owner = self._scope.owner or ""
        with self._library.store.read() as selection:
            most = sys.maxsize if self._when.then else self._most
            decisions = selection.low_confidence(owner, LOW, most)
            total = selection.count_low_confidence(owner, LOW)
        if self._when.then:
            decisions = [one for one in decisions if self._when.existed(one)]
            total = len(decisions)
        items = [
            {
                "decisionId": one.id,
                "title": clip(str(one.body.get("title")), 120),
                "status": one.body.get("status"),
                "confidence": one.body.get("confidence", {}).get("current"),
                "threshold": LOW,
            }
            for one in decisions[: self._most]
        ]
        return Section("belowConfidenceThreshold", items, total)


def _attempt(body: _Body) -> dict[str, Any]:
    return preview(body, "failed")


def _is_in_force(body: _Body) -> bool:
    return body["kind"] == "decision" and body.get("status") in CURRENT


def _decision(body: _Body) -> dict[str, Any]:
    rejected = [
        f"{clip(str(a.get('label', '')), 60)}: {clip(str(a.get('reasonRejected', '')), 80)}"
        for a in objects(body.get("alternatives"))[:3]
    ]
    return {**preview(body, None), **({"rejected": rejected} if rejected else {})}
