"""Why a record was found: the marks of a snippet lie on the words that matched."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.conftest import read_lines
from tests.store.bodies import attempt, decision, put

from shadowgraph import Library
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import packaged
from shadowgraph.search.explain import SNIPPET_CHARACTERS, Explainer, Why

FIXTURES = Path(__file__).parents[2] / "fixtures"


def why(library: Library, query: str) -> Why:
    """Return why the first hit was found."""
    return library.search(query).hits[0].why


def explained_alone(text: str, word: str) -> Why:
    """Explain an attempt without any index: the plan alone decides what is marked."""
    definition = packaged()
    analyzer = Analyzer(definition.analysis)
    groups = [SimpleNamespace(chunk=span.chunk) for span in analyzer.spans(word)]
    plan: Any = SimpleNamespace(groups=groups, support=[])
    return Explainer(definition, analyzer, plan).why({"kind": "attempt", "solution": text})


def marked(found: Why) -> list[str]:
    """Return the marked words of a snippet."""
    assert found.snippet is not None
    return [found.snippet.text[start:end] for start, end in found.snippet.marks]


def test_matched_fields_and_words_are_named(library: Library) -> None:
    """Words in the order of the query, fields in the order of the definition."""
    put(library, attempt("attempt_1", solution="Moved the ledger", result="It was locked."))

    found = why(library, "locked ledgers nowhere")

    assert ("locked", "ledgers") == found.words
    assert ("attempt solution", "attempt result") == found.fields
    assert '"locked", "ledgers" in attempt solution, attempt result' == found.sentence()


def test_a_mark_lies_on_the_word_in_the_form_it_has(library: Library) -> None:
    """The stem matched, the word is shown."""
    put(library, attempt("attempt_1", solution="Kept locking, then locked it: lockfile"))

    assert ["locking", "locked"] == marked(why(library, "lock"))


def test_an_identifier_is_marked_as_a_whole(library: Library) -> None:
    """A part of it matched."""
    put(library, attempt("attempt_1", solution="Called get_user_by_id twice"))

    assert ["get_user_by_id"] == marked(why(library, "user"))


def test_an_accent_does_not_shift_a_mark(library: Library) -> None:
    """Offsets count characters of the text as it is stored."""
    put(library, attempt("attempt_1", solution="Le cafe\u0301 était fermé, naïve ledger"))

    assert ["ledger"] == marked(why(library, "ledger"))
    assert ["cafe\u0301"] == marked(why(library, "café"))


def test_a_long_text_is_cut_around_its_matches(library: Library) -> None:
    """Dots say where something was left out."""
    filler = "painted the wall in another colour " * 20
    put(library, attempt("attempt_1", solution=f"{filler}quicksilver ledger {filler}"))

    found = why(library, "quicksilver ledger").snippet

    assert found is not None
    assert found.text.startswith("…")
    assert found.text.endswith("…")
    assert ["quicksilver", "ledger"] == [found.text[a:b] for a, b in found.marks]


def test_a_match_longer_than_a_snippet_is_shown_without_marks(library: Library) -> None:
    """Half a mark would be a lie."""
    put(library, attempt("attempt_1", solution="x" * 1200))

    found = why(library, "x" * 1200)

    assert ("attempt solution",) == found.fields
    assert [] == marked(found)


def test_a_line_break_becomes_a_space(library: Library) -> None:
    """A snippet is one line."""
    put(library, attempt("attempt_1", result="Traceback:\n  quicksilver\nledger"))

    found = why(library, "ledger")

    assert found.snippet is not None
    assert "\n" not in found.snippet.text
    assert ["ledger"] == marked(found)


def test_a_rejected_alternative_is_named_as_such(library: Library) -> None:
    """A word in it says that the option was rejected, not chosen."""
    put(
        library,
        decision("decision_1", alternatives=[{"label": "Quicksilver on the share"}]),
    )

    assert ("alternative",) == why(library, "quicksilver").fields


def test_a_listing_has_no_reason_but_its_filters(library: Library) -> None:
    """No words, no marks."""
    put(library, attempt("attempt_1"))

    found = why(library, "")

    assert ((), None, "passes the filters") == (
        found.words,
        found.snippet,
        found.sentence(),
    )


def test_many_words_are_counted_not_listed(library: Library) -> None:
    """A pasted log does not come back as its reason."""
    words = [f"word{letter}x" for letter in "abcdefghij"]
    put(library, attempt("attempt_1", solution=" ".join(words)))

    assert "and 4 more in attempt solution" in why(library, " ".join(words)).sentence()


@pytest.mark.parametrize("name", ["languages", "hostile"])
def test_every_mark_of_every_fixture_query_lies_on_a_matched_word(
    request: pytest.FixtureRequest, name: str, analyzer: Analyzer
) -> None:
    """The marked text, analysed again, has a token of the query."""
    library: Library = request.getfixturevalue(name)
    shown = 0
    for line in read_lines(FIXTURES / name / "queries.jsonl"):
        answer = library.search(line["query"], limit=50)
        wanted = {
            term.text
            for group in (*answer.found.plan.groups, *answer.found.plan.support)
            for term in group.chunk.terms
        }
        for hit in answer.hits:
            if hit.why.snippet is None:
                continue
            text = hit.why.snippet.text
            for start, end in hit.why.snippet.marks:
                tokens = {
                    term.text
                    for span in analyzer.spans(text[start:end])
                    for term in span.chunk.terms
                }
                assert tokens & wanted, (line["query"], text[start:end])
                shown += 1
    assert shown > 100


@given(
    before=st.text(max_size=300),
    after=st.text(max_size=300),
    word=st.sampled_from(["ledger", "数据库", "café", "get_ledger_row"]),
)
def test_marks_lie_inside_a_snippet_of_bounded_length(
    before: str, after: str, word: str
) -> None:
    """Whatever stands around the match."""
    explained = explained_alone(f"{before} {word} {after}", word)

    assert explained.snippet is not None
    assert len(explained.snippet.text) <= SNIPPET_CHARACTERS + 2
    assert explained.snippet.marks
    for start, end in explained.snippet.marks:
        assert 0 <= start < end <= len(explained.snippet.text)
    assert word in [explained.snippet.text[a:b] for a, b in explained.snippet.marks]
