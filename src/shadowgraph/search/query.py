"""Tantivy queries for a plan.

A search runs in two steps. The first finds records by their words within the filter: a
disjunction that the engine answers fast. The second looks only at the best of them, and
adds what is dear to compute or decisive among near-equals: common words, words as they were
written or at least alone, words in the title, neighbours side by side or near each other,
the query word for word. Filters are part of the first query (`scoping`).
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from shadowgraph.model.filters import Filter
from shadowgraph.search.analyzer import STEMMED, Analyzer
from shadowgraph.search.clauses import (
    MUST,
    NOT,
    SHOULD,
    Clause,
    Query,
    any_of,
    boosted,
    either,
    everything,
    phrase,
    term,
    unscored,
)
from shadowgraph.search.definition import Definition
from shadowgraph.search.forms import forms
from shadowgraph.search.plan import Group, Pair, Plan, Token, inverse_frequency
from shadowgraph.search.scoping import filters
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.words import Words

MOST_SINGLE = 64
"""Clauses up to which each is a level of the second step; the others share one.

Building a level costs as much as all before it, and what comes last are phrases of rare
words: with 140 clauses 64 levels take two thirds of the time of 8, 32 three quarters."""


class Builder:
    """Builds queries with the weights of one definition."""

    def __init__(self, definition: Definition, analyzer: Analyzer) -> None:
        """Use the table `boost` of *definition*."""
        self._analyzer = analyzer
        self._forms = lru_cache(maxsize=4096)(lambda stem: forms(stem, analyzer))
        self._boost: Mapping[str, float] = definition.ranking["boost"]
        self._room = int(definition.ranking["query"]["room"])
        self._phrase_cost = int(definition.ranking["query"]["phrase_cost"])
        self._words = Words(definition)

    def words(self, plan: Plan, wanted: Filter, snapshot: Snapshot) -> Any:
        """Return the query of the first step: the plan's words within the filter."""
        clauses = filters(wanted, snapshot, self._analyzer)
        clauses += [(MUST, self._quoted(stems)) for stems in plan.phrases]
        clauses += [(NOT, term("text", stem)) for stem in plan.excluded]
        content = [c for group in plan.groups for c in self.group(group, but=plan.common)]
        support = [c for group in plan.support for c in self.group(group, but=plan.common)]
        content += self._signature(plan)
        support += self._scene(plan)
        if not clauses and not support and content:
            return Query.boolean_query(content)
        if content:
            clauses.append((MUST, Query.boolean_query(content)))
        if not any(occur == MUST for occur, _ in clauses):
            clauses.append((MUST, everything()))
        return Query.boolean_query(clauses + support)

    def refinement(self, plan: Plan, rows: Sequence[int], snapshot: Snapshot) -> Any:
        """Return the query of the second step over *rows*; None when it adds nothing."""
        extras = [
            *self._words.left(plan),
            *self._exactly(plan),
            *self._alone(plan, snapshot),
            *self._titles(plan, snapshot),
            *self._neighbours(plan, snapshot),
            *self._near(plan, snapshot),
            *self._apart(plan, snapshot),
            *self._verbatim(plan, snapshot),
        ]
        return self.over(rows, extras) if extras and rows else None

    def over(self, rows: Sequence[int], clauses: Sequence[Clause]) -> Any:
        """Return the query that scores *rows* by *clauses* and finds nothing else.

        One clause a level: beside what must match, the engine jumps to it in the postings
        of a single word, while of several together it reads all in between.
        """
        # A disjunction of terms: the engine's set query takes five times as long.
        query = unscored(any_of("row", rows))
        for clause in clauses[:MOST_SINGLE]:
            query = Query.boolean_query([(MUST, query), clause])
        rest = clauses[MOST_SINGLE:]
        return Query.boolean_query([(MUST, query), *rest]) if rest else query

    def without(self, query: Any, rows: Sequence[int]) -> Any:
        """Return *query* for everything but *rows*."""
        if not rows:
            return query
        return Query.boolean_query([(MUST, query), *((NOT, term("row", r)) for r in rows)])

    def coverage(self, plan: Plan, rows: Sequence[int], snapshot: Snapshot) -> Any:
        """Return the query that scores *rows* by the rarity of the words they hold."""
        documents = snapshot.documents
        words = [(either(self.group(group)), group) for group in plan.groups]
        return self.over(
            rows,
            [
                (SHOULD, Query.const_score_query(word, group.rarity(documents)))
                for word, group in words
            ],
        )

    def extras(self, plan: Plan, snapshot: Snapshot) -> dict[str, list[Clause]]:
        """Return what a score is made of beside single words, by its name in `[boost]`."""
        return {
            "quoted": [(SHOULD, self._quoted(stems)) for stems in plan.phrases],
            "signature": [*self._signature(plan)],
            "scene": [*self._scene(plan)],
            "exact": [*self._exactly(plan)],
            "alone": [*self._alone(plan, snapshot)],
            "title": [*self._titles(plan, snapshot)],
            "neighbours": [*self._neighbours(plan, snapshot)],
            "near": [*self._near(plan, snapshot)],
            "apart": [*self._apart(plan, snapshot)],
            "verbatim": [*self._verbatim(plan, snapshot)],
        }

    def _signature(self, plan: Plan) -> Iterable[Clause]:
        """The same error."""
        for token in plan.signature:
            yield SHOULD, term("signature", token, self._boost["signature"])

    def _scene(self, plan: Plan) -> Iterable[Clause]:
        """Words of the environment that the caller is in."""
        for token in plan.scene:
            yield SHOULD, term("scene", token, self._boost["scene"])

    def _exactly(self, plan: Plan) -> Iterable[Clause]:
        """Words as they were written."""
        for group in plan.groups:
            boost = self._boost["exact"] * self._words.times(group)
            for one in group.chunk.terms:
                if one.form == "exact" and not one.part and group.chunk.is_word:
                    yield SHOULD, term("exact", one.text, boost)

    def _alone(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Words that stand alone in any of their forms, not inside an identifier."""
        for group in plan.groups:
            if not group.chunk.is_word:
                continue
            stem = group.chunk.terms[0].text
            held = [word for word in self._forms(stem) if snapshot.frequency("exact", word)]
            if held:
                # A constant: of an exact word the number counts, of this only that it stands.
                score = self._boost["alone"] * group.rarity(snapshot.documents)
                yield SHOULD, Query.const_score_query(any_of("exact", tuple(held)), score)

    def _titles(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Words in the title, each worth what it is worth anywhere.

        A title field has frequencies of its own, and a word that is common in texts but
        rare in titles would count too much: its weight is brought back to the text's.
        """
        documents = snapshot.documents
        for group in plan.groups:
            for one in group.chunk.terms:
                if one.form not in STEMMED:
                    continue
                here = snapshot.frequency("title", one.text)
                if not here:
                    continue
                there = snapshot.frequency("text", one.text)
                fair = inverse_frequency(there, documents) / max(
                    0.1, inverse_frequency(here, documents)
                )
                boost = self._boost["title"] * fair * self._words.times(group)
                yield SHOULD, term("title", one.text, boost)

    def _neighbours(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Neighbours of the query side by side."""
        slops = [(pair, pair.gap) for pair in plan.pairs]
        return self._together(slops, self._boost["neighbours"], snapshot)

    def _near(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Neighbours of the query in one sentence, in any order."""
        slops = [(pair, pair.gap + self._room) for pair in plan.pairs]
        return self._together(slops, self._boost["near"], snapshot)

    def _apart(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Words of the query with another between them, close together."""
        slops = [(pair, self._room // 2) for pair in plan.apart]
        return self._together(slops, self._boost["apart"], snapshot)

    def _together(
        self, pairs: Iterable[tuple[Pair, int]], weight: float, snapshot: Snapshot
    ) -> Iterable[Clause]:
        """Yield a clause for each pair, which may stand a number of words apart."""
        for pair, slop in pairs:
            if self._affordable((pair.first, pair.second), snapshot):
                yield SHOULD, boosted(phrase(pair[:2], slop), weight)

    def _verbatim(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """The query word for word."""
        if plan.verbatim and self._affordable(plan.verbatim, snapshot):
            rarity = sum(group.rarity(snapshot.documents) for group in plan.groups)
            # A constant: that it stands there word for word counts in a long text too.
            score = self._boost["verbatim"] * rarity
            yield SHOULD, Query.const_score_query(phrase(plan.verbatim), score)

    def _affordable(self, words: Sequence[str], snapshot: Snapshot) -> bool:
        """Say whether a phrase may be looked for.

        The engine walks all records that hold its rarest word before it looks at ours.
        """
        rarest = min(snapshot.frequency("text", word) for word in words)
        return 0 < rarest <= self._phrase_cost

    def _quoted(self, stems: tuple[str, ...]) -> Any:
        together = phrase(stems) if len(stems) > 1 else term("text", stems[0])
        return boosted(together, self._boost["quoted"])

    def led(self, plan: Plan, snapshot: Snapshot) -> Plan:
        """Return *plan* with its common tokens marked, when it has rarer ones, too."""
        return self._words.led(plan, snapshot)

    def only_ordering(self, plan: Plan) -> list[str]:
        """Return the words of a query that found nothing, being too common for it."""
        return self._words.only_ordering(plan)

    def group(self, group: Group, *, but: Container[Token] = ()) -> list[Clause]:
        """Return the clauses of one word of the query, without some tokens."""
        return self._words.clauses(group, but=but)
