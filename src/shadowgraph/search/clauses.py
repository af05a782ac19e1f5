"""The engine's queries that ours are made of: objects, never grammar.

Text of a user gets into a query here and nowhere else, always as one token of one field.
"""

from collections.abc import Iterable
from typing import Any

import tantivy

from shadowgraph.search.schema import build_schema

Query = tantivy.Query
MUST, SHOULD, NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot

Clause = tuple[Any, Any]
"An occurrence and a query of the engine."

_OPTIONS = {"text": "freq", "exact": "freq", "title": "freq"}
"What the engine reads of a field's postings; of others, only who holds the token."


def term(field: str, text: str | int, boost: float = 1.0) -> Any:
    """Return the query of one token."""
    option = _OPTIONS.get(field, "basic")
    return boosted(Query.term_query(build_schema(), field, text, option), boost)


def boosted(query: Any, boost: float) -> Any:
    """Return *query* with its score times *boost*."""
    return query if boost == 1.0 else Query.boost_query(query, boost)


def phrase(stems: Iterable[str], slop: int = 0) -> Any:
    """Return the query of stems side by side, or up to *slop* words apart."""
    return Query.phrase_query(build_schema(), "text", list(stems), slop=slop)


def unscored(query: Any) -> Any:
    """Return *query* for what it matches alone."""
    return Query.const_score_query(query, 0.0)


def everything() -> Any:
    """Return the query of all records: all but the mark, which has no row."""
    return unscored(Query.exists_query("row"))


def either(clauses: list[Clause]) -> Any:
    """Return *clauses* as one query."""
    return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)


def any_of(field: str, values: Iterable[str | int]) -> Any:
    """Return the query of what holds one of some tokens."""
    return either([(SHOULD, term(field, value)) for value in values])
