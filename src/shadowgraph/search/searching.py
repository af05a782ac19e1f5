"""Running a search over one snapshot.

`Search` ties the pieces together: parse, plan, query, run, rank. It returns rows and
scores; what a row holds is the store's business.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from shadowgraph.model.filters import Filter
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.avoidance import may_rise, risen
from shadowgraph.search.breakdown import Breakdown, take_apart
from shadowgraph.search.definition import Definition
from shadowgraph.search.plan import Group, Plan, Planner
from shadowgraph.search.query import Builder
from shadowgraph.search.ranking import Ranked, Ranking, result_of, unranked
from shadowgraph.search.scoping import scope
from shadowgraph.search.snapshot import Match, Snapshot
from shadowgraph.search.syntax import Asked, parse

CANDIDATE_WORDS = 4_000
"Words of the index that a suggestion is chosen from."


class Found(NamedTuple):
    """The answer of the index."""

    hits: tuple[Ranked, ...]
    total: int
    asked: Asked
    plan: Plan
    repaired: tuple[tuple[str, str], ...] = ()
    "Misspelt words of the query and what was searched instead."
    common: tuple[str, ...] = ()
    "Words of the query that only ordered what rarer ones found."


class Searcher:
    """Searches with one definition."""

    def __init__(
        self, definition: Definition, analyzer: Analyzer, stored: Callable[[str], str] = str
    ) -> None:
        """Use the words, weights and priors of *definition*.

        *stored* gives a text as it would have been stored.
        """
        self._definition = definition
        self._analyzer = analyzer
        self._planner = Planner(definition, analyzer, stored)
        self._builder = Builder(definition, analyzer)
        self._ranking = Ranking(definition.ranking)
        self._limits = definition.ranking["query"]
        self._window = int(self._limits["window"])
        avoid = definition.ranking["avoid"]
        self._failures, self._rise = int(avoid["most"]), float(avoid["rise"])

    def search(
        self,
        snapshot: Snapshot,
        text: str,
        wanted: Filter,
        *,
        now: int,
        limit: int,
        offset: int = 0,
        environment: str = "",
    ) -> Found:
        """Return hits from *offset* on, best first; with no words, newest first.

        *environment* names where the caller is: a record from there rises.
        """
        asked = parse(text)
        wanted = _narrowed(wanted, asked)
        plan = self._planner.plan(asked, snapshot, environment)
        if not plan.groups and not plan.phrases:
            return self._listing(snapshot, asked, plan, wanted, limit, offset)
        found = self._run(snapshot, asked, plan, wanted, now, limit, offset)
        if found.total or plan.phrases:
            return found
        return self._repaired(snapshot, found, wanted, now, limit, offset, environment)

    def take_apart(self, snapshot: Snapshot, found: Found) -> dict[int, Breakdown]:
        """Return the parts of the score of every hit, by row."""
        rows = [hit.row for hit in found.hits]
        # Only what the second step saw has priors.
        refined = [hit.row for hit in found.hits if hit.factors]
        return take_apart(self._builder, snapshot, found.plan, rows, refined)

    def candidates(
        self, snapshot: Snapshot, text: str, wanted: Filter, limit: int
    ) -> list[Match]:
        """Return the matches of the first step alone, for who compares them anyway."""
        plan = self._planner.plan(Asked(text), snapshot)
        if not plan.groups:
            return []
        found: list[Match] = []
        for way in self._ways(plan, snapshot):
            found = snapshot.best(self._builder.words(way, wanted, snapshot), limit)
            if len(found) >= limit:
                break
        return found

    def _ways(self, plan: Plan, snapshot: Snapshot) -> list[Plan]:
        """Return how to find: by the rarer words, then by all when that finds little."""
        led = self._builder.led(plan, snapshot)
        return [led, plan] if led.common else [plan]

    def _listing(
        self,
        snapshot: Snapshot,
        asked: Asked,
        plan: Plan,
        wanted: Filter,
        limit: int,
        offset: int,
    ) -> Found:
        """Answer a query without words: everything the filter passes, newest first."""
        if asked.text.strip():
            # Signs or function words alone say nothing: they match nothing.
            return Found((), 0, asked, plan)
        query = self._builder.words(plan, wanted, snapshot)
        matches, total = snapshot.matches(query, limit, offset, newest=True)
        return Found(tuple(map(unranked, matches)), total, asked, plan)

    def _run(
        self,
        snapshot: Snapshot,
        asked: Asked,
        plan: Plan,
        wanted: Filter,
        now: int,
        limit: int,
        offset: int,
    ) -> Found:
        plan, query, window, total = self._first_step(snapshot, plan, wanted)
        beyond = self._failures_beyond(snapshot, plan, wanted, window, total)
        ranked = self._ranked(snapshot, plan, [*window, *beyond], now)
        hits = ranked[offset : offset + limit]
        end = offset + limit
        if total > len(ranked) and end > len(ranked):
            # The engine's own order goes on, without what was taken out of it.
            start = max(offset, len(ranked))
            rest = self._builder.without(query, [match.row for match in beyond])
            more, _ = snapshot.matches(rest, end - start, start - len(beyond))
            hits += map(unranked, more)
        common = tuple(self._builder.only_ordering(plan))
        return Found(tuple(hits), total, asked, plan, common=common)

    def _first_step(
        self, snapshot: Snapshot, plan: Plan, wanted: Filter
    ) -> tuple[Plan, Any, list[Match], int]:
        """Find by the rarer words, and by all of them when that finds little.

        Returns the plan with what was left to the second step, the query, its best matches
        and how many there are: the same for every page of an answer.
        """
        for way in self._ways(plan, snapshot):
            query = self._builder.words(way, wanted, snapshot)
            window, total = snapshot.matches(query, self._window)
            if total >= self._window:
                break
        return way, query, window, total

    def _failures_beyond(
        self,
        snapshot: Snapshot,
        plan: Plan,
        wanted: Filter,
        window: list[Match],
        total: int,
    ) -> list[Match]:
        """Return the best failed attempts that the window has no room for."""
        held = sum(result_of(match) == "failed" for match in window)
        missing = self._failures - held
        asked = wanted.result_classes or (wanted.kinds and "attempt" not in wanted.kinds)
        if missing <= 0 or total <= len(window) or asked:
            return []
        failed = replace(wanted, result_classes=("failed",))
        query = self._builder.words(plan, failed, snapshot)
        found, _ = snapshot.matches(query, self._failures)
        rows = {match.row for match in window}
        return [match for match in found if match.row not in rows][:missing]

    def _ranked(
        self, snapshot: Snapshot, plan: Plan, matches: list[Match], now: int
    ) -> list[Ranked]:
        """Order what was found by scores, priors, and what is to avoid."""
        ranked = self._ranking.order(self._refined(snapshot, plan, matches), now)
        if not may_rise(ranked, self._failures, self._rise):
            return ranked
        rows = [hit.row for hit in ranked]
        coverage = snapshot.scores(self._builder.coverage(plan, rows, snapshot), len(rows))
        return risen(ranked, coverage, self._failures, self._rise)

    def _refined(self, snapshot: Snapshot, plan: Plan, matches: list[Match]) -> list[Match]:
        """Add what the second step finds in the window to the scores of the first."""
        rows = [match.row for match in matches]
        query = self._builder.refinement(plan, rows, snapshot)
        if query is None:
            return matches
        more = snapshot.scores(query, len(rows))
        return [
            m._replace(score=m.score + more[m.row]) if m.row in more else m for m in matches
        ]

    def _repaired(
        self,
        snapshot: Snapshot,
        found: Found,
        wanted: Filter,
        now: int,
        limit: int,
        offset: int,
        environment: str,
    ) -> Found:
        """Search once more with misspelt words put right, when nothing matched."""
        repaired = []
        text = found.asked.text
        for group in found.plan.groups[: int(self._limits["typo_words"])]:
            near = self.nearest(snapshot, group, wanted, 1)
            if near:
                repaired.append((group.chunk.surface, near[0]))
                text = text.casefold().replace(group.chunk.surface, near[0])
        if not repaired:
            return found
        asked = found.asked._replace(text=text)
        plan = self._planner.plan(asked, snapshot, environment)
        again = self._run(snapshot, asked, plan, wanted, now, limit, offset)
        return again._replace(repaired=tuple(repaired)) if again.total else found

    def nearest(
        self, snapshot: Snapshot, group: Group, wanted: Filter, most: int
    ) -> list[str]:
        """Return words of the same scope that a query word may have meant."""
        word = group.chunk.surface
        if len(word) < int(self._limits["typo_length"]) or not word.isalpha():
            return []
        among: Any = scope(wanted, snapshot)
        candidates = snapshot.starting_with("exact", word[0], CANDIDATE_WORDS, among)
        # Imported here: 3 ms that only a query without matches costs.
        from difflib import get_close_matches  # noqa: PLC0415

        near = [w for w in candidates if abs(len(w) - len(word)) <= 2 and w.isalpha()]
        return get_close_matches(word, near, n=most, cutoff=0.8)

    def suggestions(self, snapshot: Snapshot, found: Found, wanted: Filter) -> list[str]:
        """Return words to try instead, for an answer without hits."""
        near = [
            word
            for group in found.plan.groups[:5]
            for word in self.nearest(snapshot, group, wanted, 2)
        ]
        return list(dict.fromkeys(near))


def _narrowed(wanted: Filter, asked: Asked) -> Filter:
    """Return the filter with what the query itself asks for."""
    return replace(
        wanted,
        kinds=asked.kinds or wanted.kinds,
        statuses=asked.statuses or wanted.statuses,
    )
