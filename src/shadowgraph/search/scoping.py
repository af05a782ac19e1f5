"""What a filter asks of an index: whose records, of which kinds, from when.

A filter is part of the query, so a page is always full of what passes it, and no score
comes of it.
"""

from collections.abc import Iterable
from typing import Any

import tantivy

from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import is_audience
from shadowgraph.search.analyzer import Analyzer, Chunk
from shadowgraph.search.clauses import (
    MUST,
    NOT,
    SHOULD,
    Clause,
    Query,
    any_of,
    everything,
    term,
    unscored,
)
from shadowgraph.search.documents import PRIVATE
from shadowgraph.search.plan import as_written
from shadowgraph.search.schema import build_schema
from shadowgraph.search.snapshot import Snapshot


def scope(wanted: Filter, snapshot: Snapshot) -> Any:
    """Return the query of all that the filter's owner may know of; None for all."""
    if wanted.owner:
        return term("owner", wanted.owner)
    if not snapshot.frequency("kind", PRIVATE):
        return None
    return Query.boolean_query([(MUST, everything()), (NOT, term("kind", PRIVATE))])


def filters(wanted: Filter, snapshot: Snapshot, analyzer: Analyzer) -> list[Clause]:
    """Return the clauses that every hit fulfils."""
    clauses = [
        (MUST, unscored(any_of(field, values)))
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
        states = [(SHOULD, any_of(name, wanted.statuses)) for name in ("status", "result")]
        clauses.append((MUST, unscored(Query.boolean_query(states))))
    if wanted.owner is None and snapshot.frequency("kind", PRIVATE):
        clauses.append((NOT, term("kind", PRIVATE)))
    return [*clauses, *_somewhere(wanted.environment, analyzer), *_ranges(wanted)]


def _owned(owner: str | None, snapshot: Snapshot) -> list[Clause]:
    """Return what keeps a search to one owner.

    Who owns most records would cost as much as the words do, so the others are left out
    instead; without others there is nothing to say.
    """
    if owner is None:
        return []
    others = snapshot.owners_beside(owner)
    if others is None:
        return [(MUST, unscored(term("owner", owner)))]
    return [(NOT, term("owner", other)) for other in others]


def _kinds(wanted: Filter) -> tuple[str, ...]:
    """Return the terms of the wanted kinds: memories with a scope have one of their own."""
    private = "memory" in wanted.kinds and is_audience(wanted.owner)
    return (*wanted.kinds, PRIVATE) if private else wanted.kinds


def _somewhere(environment: str, analyzer: Analyzer) -> Iterable[Clause]:
    """Yield what keeps a search to an environment that holds some words."""
    for span in analyzer.spans(environment):
        if span.chunk.terms:
            yield MUST, unscored(_either_way(span.chunk))


def _either_way(chunk: Chunk) -> Any:
    """Return the query of an environment word: its stems, or the word as it is written."""
    stems = [(MUST, term("scene", stem)) for stem in chunk.text.split()]
    exact = [(SHOULD, term("scene", word)) for word in as_written(chunk)]
    return Query.boolean_query(
        [*([(SHOULD, Query.boolean_query(stems))] if stems else []), *exact]
    )


def _ranges(wanted: Filter) -> Iterable[Clause]:
    """Yield what keeps a search to a span of time and a least confidence."""
    if wanted.since is not None or wanted.until is not None:
        times = Query.range_query(
            build_schema(),
            "created",
            tantivy.FieldType.Integer,
            wanted.since,
            wanted.until,
            include_upper=wanted.until is None,
        )
        yield MUST, unscored(times)
    if wanted.min_confidence is not None:
        least = Query.range_query(
            build_schema(), "confidence", tantivy.FieldType.Float, wanted.min_confidence
        )
        yield MUST, unscored(least)
