"""Tantivy queries for a plan, built from objects, never from grammar.

A search runs in two steps. The first finds records by their words within the filter: a
disjunction that the engine answers fast. The second looks only at the best of them, and
adds what is dear to compute or decisive among near-equals: words as they were written or
at least alone, words in the title, neighbours side by side or near each other, the query
word for word. Filters are part of the first query, so a page is always full of what passes
them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import tantivy

from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import is_audience
from shadowgraph.search.analyzer import STEMMED, Analyzer, Chunk
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import PRIVATE
from shadowgraph.search.engine import Snapshot, build_schema
from shadowgraph.search.forms import forms
from shadowgraph.search.plan import Group, Pair, Plan, as_written, inverse_frequency

Query = tantivy.Query
MUST, SHOULD, NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot

MOST_SINGLE = 32
"Clauses up to which each is a level of the second step."
LEVELS_OF_MANY = 8
"Levels for more of them: building another costs as much as all before it."

Clause = tuple[Any, Any]
"An occurrence and a query of the engine."


class Builder:
    """Builds queries with the weights of one definition."""

    def __init__(self, definition: Definition, analyzer: Analyzer) -> None:
        """Use the table `boost` of *definition*."""
        self._analyzer = analyzer
        self._forms = lru_cache(maxsize=4096)(lambda stem: forms(stem, analyzer))
        self._boost: Mapping[str, float] = definition.ranking["boost"]
        self._repeat = float(definition.ranking["query"]["repeat"])
        self._room = int(definition.ranking["query"]["room"])
        self._phrase_cost = int(definition.ranking["query"]["phrase_cost"])

    def words(self, plan: Plan, wanted: Filter, snapshot: Snapshot) -> Any:
        """Return the query of the first step: the plan's words within the filter."""
        clauses = self._filters(wanted, snapshot)
        clauses += [(MUST, self._quoted(stems)) for stems in plan.phrases]
        clauses += [(NOT, _term("text", stem)) for stem in plan.excluded]
        content = [clause for group in plan.groups for clause in self.group(group)]
        support = [clause for group in plan.support for clause in self.group(group)]
        content += self._signature(plan)
        support += self._scene(plan)
        if not clauses and not support and content:
            return Query.boolean_query(content)
        if content:
            clauses.append((MUST, Query.boolean_query(content)))
        if not any(occur == MUST for occur, _ in clauses):
            # Everything but the mark, which has no row.
            clauses.append((MUST, _unscored(Query.exists_query("row"))))
        return Query.boolean_query(clauses + support)

    def refinement(self, plan: Plan, rows: Sequence[int], snapshot: Snapshot) -> Any:
        """Return the query of the second step over *rows*; None when it adds nothing."""
        extras = [
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
        query = _unscored(Query.boolean_query([(SHOULD, _term("row", r)) for r in rows]))
        levels = len(clauses) if len(clauses) <= MOST_SINGLE else LEVELS_OF_MANY
        at_once = -(-len(clauses) // levels) if clauses else 1
        for start in range(0, len(clauses), at_once):
            more = clauses[start : start + at_once]
            query = Query.boolean_query([(MUST, query), *more])
        return query

    def without(self, query: Any, rows: Sequence[int]) -> Any:
        """Return *query* for everything but *rows*."""
        if not rows:
            return query
        return Query.boolean_query([(MUST, query), *((NOT, _term("row", r)) for r in rows)])

    def coverage(self, plan: Plan, rows: Sequence[int], snapshot: Snapshot) -> Any:
        """Return the query that scores *rows* by the rarity of the words they hold."""
        documents = snapshot.documents
        words = [(_either(self.group(group)), group) for group in plan.groups]
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

    def scope(self, wanted: Filter, snapshot: Snapshot) -> Any:
        """Return the query of all that the filter's owner may know of; None for all."""
        if wanted.owner:
            return _term("owner", wanted.owner)
        if not snapshot.frequency("kind", PRIVATE):
            return None
        everything = (MUST, _unscored(Query.exists_query("row")))
        return Query.boolean_query([everything, (NOT, _term("kind", PRIVATE))])

    def _signature(self, plan: Plan) -> Iterable[Clause]:
        """The same error."""
        for token in plan.signature:
            yield SHOULD, _term("signature", token, self._boost["signature"])

    def _scene(self, plan: Plan) -> Iterable[Clause]:
        """Words of the environment that the caller is in."""
        for token in plan.scene:
            yield SHOULD, _term("scene", token, self._boost["scene"])

    def _exactly(self, plan: Plan) -> Iterable[Clause]:
        """Words as they were written."""
        for group in plan.groups:
            boost = self._boost["exact"] * self._times(group)
            for term in group.chunk.terms:
                if term.form == "exact" and not term.part and group.chunk.is_word:
                    yield SHOULD, _term("exact", term.text, boost)

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
                yield SHOULD, Query.const_score_query(_any("exact", tuple(held)), score)

    def _titles(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """Words in the title, each worth what it is worth anywhere.

        A title field has frequencies of its own, and a word that is common in texts but
        rare in titles would count too much: its weight is brought back to the text's.
        """
        documents = snapshot.documents
        for group in plan.groups:
            for term in group.chunk.terms:
                if term.form not in STEMMED:
                    continue
                here = snapshot.frequency("title", term.text)
                if not here:
                    continue
                there = snapshot.frequency("text", term.text)
                fair = inverse_frequency(there, documents) / max(
                    0.1, inverse_frequency(here, documents)
                )
                boost = self._boost["title"] * fair * self._times(group)
                yield SHOULD, _term("title", term.text, boost)

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
                phrase = Query.phrase_query(
                    build_schema(), "text", [pair.first, pair.second], slop=slop
                )
                yield SHOULD, Query.boost_query(phrase, weight)

    def _verbatim(self, plan: Plan, snapshot: Snapshot) -> Iterable[Clause]:
        """The query word for word."""
        if plan.verbatim and self._affordable(plan.verbatim, snapshot):
            phrase = Query.phrase_query(build_schema(), "text", list(plan.verbatim))
            rarity = sum(group.rarity(snapshot.documents) for group in plan.groups)
            # A constant: that it stands there word for word counts in a long text too.
            score = self._boost["verbatim"] * rarity
            yield SHOULD, Query.const_score_query(phrase, score)

    def _affordable(self, words: Sequence[str], snapshot: Snapshot) -> bool:
        """Say whether a phrase may be looked for.

        The engine walks all records that hold its rarest word before it looks at ours.
        """
        rarest = min(snapshot.frequency("text", word) for word in words)
        return 0 < rarest <= self._phrase_cost

    def _quoted(self, stems: tuple[str, ...]) -> Any:
        if len(stems) == 1:
            return _term("text", stems[0], self._boost["quoted"])
        phrase = Query.phrase_query(build_schema(), "text", list(stems))
        return Query.boost_query(phrase, self._boost["quoted"])

    def _times(self, group: Group) -> float:
        """Return how much more a repeated word counts than a single one."""
        return 1.0 + self._repeat * math.log(group.count)

    def group(self, group: Group) -> list[Clause]:
        """Return the clauses of one word of the query."""
        times = self._times(group)
        weighted = [*self._weighted(group.chunk)]
        weighted += [("exact", full, self._boost["whole"]) for full in group.prefixed]
        return [(SHOULD, _term(f, text, boost * times)) for f, text, boost in weighted]

    def _weighted(self, chunk: Chunk) -> Iterable[tuple[str, str, float]]:
        """Yield field, token and boost of everything a chunk is found by."""
        known = any(term.form != "exact" for term in chunk.terms)
        for term in chunk.terms:
            if term.form == "joined":
                # The whole stands for it, also where it was written in one case.
                continue
            field = "text" if term.form in STEMMED else "exact"
            if term.part:
                yield field, term.text, self._boost["part"]
            elif term.form != "exact":
                yield field, term.text, self._boost[term.form]
            elif not known:
                # A single character of a script without spaces has no other token.
                yield field, term.text, 1.0

    def _filters(self, wanted: Filter, snapshot: Snapshot) -> list[Clause]:
        clauses = [
            (MUST, _unscored(_any(field, values)))
            for field, values in (
                ("kind", _kinds(wanted)),
                ("source", wanted.source_classes),
                ("result", wanted.result_classes),
            )
            if values
        ]
        clauses += _owned(wanted.owner, snapshot)
        if wanted.statuses:
            # A result class is how an attempt's state reads to its user.
            either = [(SHOULD, _any(f, wanted.statuses)) for f in ("status", "result")]
            clauses.append((MUST, _unscored(Query.boolean_query(either))))
        if wanted.owner is None and snapshot.frequency("kind", PRIVATE):
            clauses.append((NOT, _term("kind", PRIVATE)))
        clauses += [
            (MUST, _unscored(_somewhere(span.chunk)))
            for span in self._analyzer.spans(wanted.environment)
            if span.chunk.terms
        ]
        return clauses + _ranges(wanted)


def _owned(owner: str | None, snapshot: Snapshot) -> list[Clause]:
    """Return what keeps a search to one owner.

    Who owns most records would cost as much as the words do, so the others are left out
    instead; without others there is nothing to say.
    """
    if owner is None:
        return []
    others = snapshot.owners_beside(owner)
    if others is None:
        return [(MUST, _unscored(_term("owner", owner)))]
    return [(NOT, _term("owner", other)) for other in others]


def _kinds(wanted: Filter) -> tuple[str, ...]:
    """Return the terms of the wanted kinds: memories with a scope have one of their own."""
    private = "memory" in wanted.kinds and is_audience(wanted.owner)
    return (*wanted.kinds, PRIVATE) if private else wanted.kinds


def _unscored(query: Any) -> Any:
    return Query.const_score_query(query, 0.0)


def _term(field: str, text: str | int, boost: float = 1.0) -> Any:
    option = {"text": "position", "exact": "freq", "title": "freq"}.get(field, "basic")
    query = Query.term_query(build_schema(), field, text, option)
    return query if boost == 1.0 else Query.boost_query(query, boost)


def _somewhere(chunk: Chunk) -> Any:
    """Return the query of an environment word: its stems, or the word as it is written."""
    stems = [(MUST, _term("scene", stem)) for stem in chunk.text.split()]
    exact = [(SHOULD, _term("scene", word)) for word in as_written(chunk)]
    either = [(SHOULD, Query.boolean_query(stems))] if stems else []
    return Query.boolean_query([*either, *exact])


def _either(clauses: list[Clause]) -> Any:
    return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)


def _any(field: str, values: tuple[str, ...]) -> Any:
    if len(values) == 1:
        return _term(field, values[0])
    return Query.boolean_query([(SHOULD, _term(field, value)) for value in values])


def _ranges(wanted: Filter) -> list[Clause]:
    ranges = []
    if wanted.since is not None or wanted.until is not None:
        ranges.append(
            Query.range_query(
                build_schema(),
                "created",
                tantivy.FieldType.Integer,
                wanted.since,
                wanted.until,
                include_upper=wanted.until is None,
            )
        )
    if wanted.min_confidence is not None:
        ranges.append(
            Query.range_query(
                build_schema(), "confidence", tantivy.FieldType.Float, wanted.min_confidence
            )
        )
    return [(MUST, _unscored(query)) for query in ranges]
