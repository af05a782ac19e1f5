"""The judged queries of the fixture sets: every expected record is among the hits.

An empty expectation means no hits at all. Each set's README says what its queries stand
for; a query that fails is named by its note.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.search.asking import ids
from tests.search.conftest import read_lines

from shadowgraph import Library

FIXTURES = Path(__file__).parents[2] / "fixtures"


def judged(name: str) -> list[Any]:
    """Return the queries of a set as parameters named after their notes."""
    return [
        pytest.param(line["query"], line["expect"], id=f"{number}-{line['note'][:40]}")
        for number, line in enumerate(read_lines(FIXTURES / name / "queries.jsonl"), 1)
    ]


def assert_found(library: Library, query: str, expect: list[str]) -> None:
    """Hold the hits of a query against what was judged."""
    hits = ids(library, query)

    if expect:
        assert set() == set(expect) - set(hits)
    else:
        assert [] == hits


@pytest.mark.parametrize(("query", "expect"), judged("languages"))
def test_a_query_in_any_language_finds_its_record(
    languages: Library, query: str, expect: list[str]
) -> None:
    """Sixteen languages, with and without accents, spaces and full-width forms."""
    assert_found(languages, query, expect)


@pytest.mark.parametrize(("query", "expect"), judged("hostile"))
def test_a_pasted_string_finds_the_record_that_holds_it(
    hostile: Library, query: str, expect: list[str]
) -> None:
    """Whatever grammar the string would mean elsewhere, here it is text."""
    assert_found(hostile, query, expect)


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("attempt", "solution"),
        ("attempt", "result"),
        ("attempt", "reason"),
        ("decision", "title"),
        ("decision", "chosen"),
        ("decision", "goal"),
        ("fact", "key"),
    ],
)
def test_a_record_is_found_by_its_own_text(
    everything: Library, kind: str, field: str
) -> None:
    """Documents and queries go through the same analyzer, so a text finds itself."""
    with everything.store.read() as selection:
        records = [one for one in selection.every() if one.kind == kind]
    texts = {one.id: str(one.body.get(field) or "") for one in records}

    function_words = everything.definition.function_words
    lost = [
        record_id
        for record_id, text in texts.items()
        if set(re.findall(r"\w+", text.lower())) - function_words
        and record_id not in ids(everything, text)
    ]
    assert len(texts) > 10
    assert [] == lost
