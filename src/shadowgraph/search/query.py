"""From what was asked to a Tantivy query, built from objects, never from grammar.

Each distinct chunk of the query becomes a *group* of weighted terms. A content group makes
a record match; negations ("not", "without") only add to the score of what matches anyway;
function words are dropped as soon as there is anything else. Filters are part of the query,
so a page is always full of what passes them.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import tantivy

from shadowgraph.model.filters import Filter
from shadowgraph.search.analyzer import Analyzer, Chunk
from shadowgraph.search.definition import Definition
from shadowgraph.search.engine import Snapshot, build_schema
from shadowgraph.search.syntax import Asked

NEGATIONS = frozenset({"not", "no", "never", "without", "none", "cannot", "nor"})

Query = tantivy.Query
MUST, SHOULD, NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot


@lru_cache(maxsize=1)
def schema() -> tantivy.Schema:
    """Return the schema that terms are made for."""
    return build_schema()


@dataclass(frozen=True, slots=True)
class Group:
    """One distinct chunk of a query."""

    chunk: Chunk
    count: int
    "How often it stands in the query."
    frequency: int
    "In how many records its commonest sure form stands."

    prefixed: tuple[tuple[str, str, float], ...] = ()
    "Field, term and boost of hashes that begin with this one."

    @property
    def stem(self) -> str:
        """The token that decides its frequency."""
        return self.chunk.terms[0].text


@dataclass(frozen=True, slots=True)
class Plan:
    """A query, ready to run, and what it was made of."""

    groups: tuple[Group, ...]
    "Content groups, in the order of the query."
    support: tuple[Group, ...]
    "Negations."
    pairs: tuple[tuple[Group, Group], ...]
    "Groups that stand side by side in the query."
    phrases: tuple[tuple[str, ...], ...]
    excluded: tuple[str, ...]
    verbatim: tuple[str, ...]
    "The whole query as one phrase, when it is short enough to be one."
    verbatim_score: float
    "What that phrase adds to a score."
    scene: tuple[str, ...]
    "Stems of the environment the caller is in."
    dropped: tuple[str, ...] = ()
    "Function words and words beyond the limit."


class Planner:
    """Makes plans and queries for one definition."""

    def __init__(self, definition: Definition, analyzer: Analyzer) -> None:
        """Use the words and weights of *definition*."""
        self._definition = definition
        self._analyzer = analyzer
        self._boost: dict[str, float] = definition.ranking["boost"]
        self._limits: dict[str, float] = definition.ranking["query"]

    def plan(self, asked: Asked, snapshot: Snapshot, environment: str = "") -> Plan:
        """Weigh what was asked against what the index holds."""
        chunks = [s.chunk for s in self._analyzer.spans(asked.text) if s.chunk.terms]
        groups, support, dropped = self._sort(chunks, snapshot)
        most = int(self._limits["most_terms"])
        if len(groups) > most:
            rarest = sorted(groups.values(), key=lambda g: (g.frequency == 0, g.frequency))
            kept = {g.chunk.surface for g in rarest[:most]}
            dropped += [name for name in groups if name not in kept]
            groups = {name: g for name, g in groups.items() if name in kept}
        verbatim = self._verbatim(chunks) if groups else ()
        return Plan(
            groups=tuple(groups.values()),
            support=tuple(support),
            pairs=self._pairs(chunks, groups, snapshot),
            phrases=self._phrases(asked, groups, chunks),
            verbatim=verbatim,
            verbatim_score=self._verbatim_score(groups.values(), snapshot),
            excluded=tuple(s for word in asked.excluded for s in self._stems(word)),
            scene=self._scene(environment),
            dropped=tuple(dropped),
        )

    def _phrases(
        self, asked: Asked, groups: dict[str, Group], chunks: list[Chunk]
    ) -> tuple[tuple[str, ...], ...]:
        """Return what must stand word for word: quoted, or function words alone."""
        quoted = tuple(
            words
            for words in map(self._stems, asked.phrases)
            if len(words) > 1 or not self._definition.function_words.issuperset(words)
        )
        if groups or quoted or len(chunks) < 2:
            return quoted
        return (tuple(word for chunk in chunks for word in chunk.text.split()),)

    def _verbatim(self, chunks: list[Chunk]) -> tuple[str, ...]:
        words = tuple(word for chunk in chunks for word in chunk.text.split())
        fits = 3 <= len(words) <= int(self._limits["verbatim_words"])
        return words if fits else ()

    def _verbatim_score(self, groups: Iterable[Group], snapshot: Snapshot) -> float:
        """Return a share of the sum of the words' inverse document frequencies."""
        documents = snapshot.documents + 1
        rarity = sum(math.log(1 + documents / (g.frequency + 1)) for g in groups)
        return self._boost["verbatim"] * rarity

    def _sort(
        self, chunks: list[Chunk], snapshot: Snapshot
    ) -> tuple[dict[str, Group], list[Group], list[str]]:
        """Part chunks into content, support and dropped ones."""
        distinct = {chunk.surface: chunk for chunk in chunks}
        counts = Counter(chunk.surface for chunk in chunks)
        content: dict[str, Group] = {}
        support: list[Group] = []
        dropped: list[str] = []
        for surface, chunk in distinct.items():
            if surface in self._definition.function_words:
                dropped.append(surface)
                continue
            frequency = self._frequency(chunk, snapshot)
            prefixed = () if frequency else self._prefixed(chunk, snapshot)
            group = Group(chunk, counts[surface], frequency, prefixed)
            if surface in NEGATIONS:
                support.append(group)
            else:
                content[surface] = group
        if not content:
            content, support = {g.chunk.surface: g for g in support}, []
        return content, support, dropped

    def _frequency(self, chunk: Chunk, snapshot: Snapshot) -> int:
        first = chunk.terms[0]
        field = "text" if first.form in ("stem", "pair") else "exact"
        return snapshot.frequency(field, first.text)

    def _prefixed(
        self, chunk: Chunk, snapshot: Snapshot
    ) -> tuple[tuple[str, str, float], ...]:
        """Return the full hashes that an abbreviated one may stand for."""
        if not self._analyzer.is_hash(chunk.surface):
            return ()
        full = snapshot.starting_with("exact", chunk.surface, 5)
        return tuple(("exact", term, self._boost["whole"]) for term in full)

    def _stems(self, text: str) -> tuple[str, ...]:
        chunks = [span.chunk for span in self._analyzer.spans(text)]
        return tuple(word for chunk in chunks for word in chunk.text.split())

    def _scene(self, environment: str) -> tuple[str, ...]:
        """Return the tokens of an environment, each once."""
        chunks = [span.chunk for span in self._analyzer.spans(environment)]
        tokens = [t for c in chunks for t in (*c.text.split(), *_as_written(c))]
        return tuple(dict.fromkeys(tokens))

    def _pairs(
        self, chunks: list[Chunk], groups: dict[str, Group], snapshot: Snapshot
    ) -> tuple[tuple[Group, Group], ...]:
        """Return neighbouring words worth a phrase: it costs what its rarer word costs."""
        common = max(20.0, self._limits["phrase_share"] * snapshot.documents)
        found = {}
        for one, two in pairwise(chunks):
            if not (one.is_word and two.is_word) or one.surface == two.surface:
                continue
            first, second = groups.get(one.surface), groups.get(two.surface)
            if first and second and min(first.frequency, second.frequency) <= common:
                found[one.surface, two.surface] = (first, second)
        return tuple(found.values())

    def query(self, plan: Plan, wanted: Filter) -> Any:
        """Return the engine's query: the plan's words within the filter."""
        clauses = self._filters(wanted)
        if plan.groups:
            words = [part for group in plan.groups for part in self._group(group)]
            clauses.append((MUST, Query.boolean_query(words)))
        clauses += self._extras(plan)
        return Query.boolean_query(clauses)

    def scope(self, wanted: Filter) -> Any:
        """Return the query of everything in the filter's owner; None across owners."""
        return _term("owner", wanted.owner) if wanted.owner else None

    def _extras(self, plan: Plan) -> list[tuple[Any, Any]]:
        """What only adds to a score, and what phrases and exclusions demand."""
        extras = [part for group in plan.support for part in self._group(group)]
        weight = self._boost["phrase"]
        for one, two in plan.pairs:
            phrase = Query.phrase_query(schema(), "text", [one.stem, two.stem])
            extras.append((SHOULD, Query.boost_query(phrase, weight)))
        if plan.verbatim:
            phrase = Query.phrase_query(schema(), "text", list(plan.verbatim))
            # A constant: that it stands there word for word counts in a long text too.
            extras.append((SHOULD, Query.const_score_query(phrase, plan.verbatim_score)))
        scene = self._boost["scene"]
        extras += [(SHOULD, _term("scene", stem, scene)) for stem in plan.scene]
        extras += [(MUST, self._quoted(words)) for words in plan.phrases]
        extras += [(NOT, _term("text", stem)) for stem in plan.excluded]
        return extras

    def _quoted(self, words: tuple[str, ...]) -> Any:
        if len(words) == 1:
            return _term("text", words[0], self._boost["quoted"])
        phrase = Query.phrase_query(schema(), "text", list(words))
        return Query.boost_query(phrase, self._boost["quoted"])

    def _group(self, group: Group) -> list[tuple[Any, Any]]:
        times = 1.0 + self._limits["repeat"] * math.log(group.count)
        weighted = [*self._weighted(group.chunk), *group.prefixed]
        return [
            (SHOULD, _term(field, text, boost * times)) for field, text, boost in weighted
        ]

    def _weighted(self, chunk: Chunk) -> Iterable[tuple[str, str, float]]:
        for term in chunk.terms:
            if term.part:
                yield (
                    "text" if term.form == "stem" else "exact",
                    term.text,
                    self._boost["part"],
                )
            elif term.form in ("stem", "pair"):
                yield "text", term.text, self._boost[term.form]
            elif chunk.is_word or term.form == "whole":
                yield "exact", term.text, self._boost[term.form]
            else:
                # Single characters of a script without spaces: needed when alone.
                yield from _single(chunk, term.text, self._boost["exact"])

    def _filters(self, wanted: Filter) -> list[tuple[Any, Any]]:
        clauses = [
            (MUST, Query.const_score_query(_any(field, values), 0.0))
            for field, values in (
                ("owner", (wanted.owner,) if wanted.owner else ()),
                ("kind", wanted.kinds),
                ("source", wanted.source_classes),
                ("result", wanted.result_classes),
            )
            if values
        ]
        if wanted.statuses:
            # A result class is how an attempt's state reads to its user.
            either = [(SHOULD, _any(f, wanted.statuses)) for f in ("status", "result")]
            clauses.append(
                (MUST, Query.const_score_query(Query.boolean_query(either), 0.0))
            )
        clauses += [
            (MUST, Query.const_score_query(_somewhere(span.chunk), 0.0))
            for span in self._analyzer.spans(wanted.environment)
            if span.chunk.terms
        ]
        clauses += _ranges(wanted)
        if not any(occur == MUST for occur, _ in clauses):
            # Everything but the mark, which has no row.
            clauses.append((MUST, Query.const_score_query(Query.exists_query("row"), 0.0)))
        return clauses


def _single(chunk: Chunk, text: str, boost: float) -> Iterable[tuple[str, str, float]]:
    if not any(term.form == "pair" for term in chunk.terms):
        yield "exact", text, boost


def _term(field: str, text: str, boost: float = 1.0) -> Any:
    option = {"text": "position", "exact": "freq"}.get(field, "basic")
    query = Query.term_query(schema(), field, text, option)
    return query if boost == 1.0 else Query.boost_query(query, boost)


def _as_written(chunk: Chunk) -> list[str]:
    """Return the tokens that stand for a whole chunk, none of which is a part of it."""
    if any(term.form == "pair" for term in chunk.terms):
        return []
    return [t.text for t in chunk.terms if t.form in ("exact", "whole") and not t.part]


def _somewhere(chunk: Chunk) -> Any:
    """Return the query of an environment word: its stems, or the word as it is written."""
    stems = [(MUST, _term("scene", stem)) for stem in chunk.text.split()]
    exact = [(SHOULD, _term("scene", word)) for word in _as_written(chunk)]
    either = [(SHOULD, Query.boolean_query(stems))] if stems else []
    return Query.boolean_query([*either, *exact])


def _any(field: str, values: tuple[str, ...]) -> Any:
    if len(values) == 1:
        return _term(field, values[0])
    return Query.boolean_query([(SHOULD, _term(field, value)) for value in values])


def _ranges(wanted: Filter) -> list[tuple[Any, Any]]:
    ranges = []
    if wanted.since is not None or wanted.until is not None:
        ranges.append(
            Query.range_query(
                schema(),
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
                schema(), "confidence", tantivy.FieldType.Float, wanted.min_confidence
            )
        )
    return [(MUST, Query.const_score_query(query, 0.0)) for query in ranges]
