"""A misspelt word is repaired only when nothing matches, and never one with digits."""

import pytest
from tests.search.asking import ids
from tests.store.bodies import attempt, put

from shadowgraph import Library


@pytest.fixture
def store(library: Library) -> Library:
    """Return a library with two records, one of them of another project."""
    put(
        library,
        attempt("attempt_1", solution="Ran quicksilver on postgres17 with error E0382"),
        attempt("attempt_2", solution="Ran brimstone", project="acme/web-shop"),
    )
    return library


@pytest.mark.parametrize(
    "query", ["quicksilvr", "quikcsilver", "qucksilver", "quicksilverr", "QUICKSILVR"]
)
def test_a_misspelt_word_finds_what_was_meant(store: Library, query: str) -> None:
    """The answer says which word was searched instead."""
    answer = store.search(query)

    assert ["attempt_1"] == [hit.record.id for hit in answer.hits]
    assert ((query.lower(), "quicksilver"),) == answer.found.repaired


@pytest.mark.parametrize(
    "query", ["E0383", "E038", "postgres18", "postgres71", "17", "0382"]
)
def test_a_word_with_digits_is_never_repaired(store: Library, query: str) -> None:
    """Another error code is another error."""
    answer = store.search(query)

    assert (0, ()) == (answer.total, answer.found.repaired)


def test_nothing_is_repaired_when_something_matches(store: Library) -> None:
    """An exact match is never mixed with guesses."""
    answer = store.search("quicksilvr brimstone")

    assert ["attempt_2"] == [hit.record.id for hit in answer.hits]
    assert () == answer.found.repaired


def test_a_short_word_is_not_repaired(store: Library) -> None:
    """Four letters are one edit away from half the dictionary."""
    assert 0 == store.search("rann").total


def test_a_quoted_phrase_is_not_repaired(store: Library) -> None:
    """Word for word means word for word."""
    assert 0 == store.search('"ran quicksilvr"').total


def test_a_word_of_another_project_is_neither_used_nor_suggested(store: Library) -> None:
    """Guessing letters must not reveal what others hold."""
    answer = ids(store, "brimstonne", owner="project:acme/billing-api")

    assert [] == answer
    assert "attempt_2" in ids(store, "brimstonne", owner="project:acme/web-shop")


def test_no_hit_suggests_words_to_try(store: Library) -> None:
    """Near enough to name, not near enough to search unasked."""
    answer = store.search('"quicksilvr ran"')

    assert (0, ("quicksilver",)) == (answer.total, answer.suggestions)


def test_a_word_unlike_any_other_finds_and_suggests_nothing(store: Library) -> None:
    """Zero hits is an answer."""
    answer = store.search("zzyzx")

    assert (0, ()) == (answer.total, answer.suggestions)
