"""Repair: a misspelt word is put right only when nothing matches, and never silently.

1. A misspelt word finds what was meant, and the answer says what was repaired.
2. Nothing is repaired when anything matches.
3. Of several words only the misspelt ones are repaired.
4. A token with digits is never repaired.
5. A short word is not repaired.
6. A quoted phrase is not repaired.
7. A word of another project is neither used nor suggested.
8. A repaired query is ranked like any other.
9. A word that is right is never called repaired.
"""

import pytest
from tests.ranking.asking import order, shown
from tests.store.bodies import PROJECT, attempt

from shadowgraph import Library
from shadowgraph.model.filters import Filter

RECORDS = [
    attempt("attempt_title", solution="Ran quicksilver on postgres17"),
    attempt("attempt_body", solution="Ran a pump", reason="It is full of quicksilver"),
    attempt("attempt_code", solution="Silenced error E0382"),
    attempt("attempt_theirs", solution="Ran brimstone", project="acme/web-shop"),
]
OURS = Filter(owner=f"project:{PROJECT}")


@pytest.mark.parametrize("query", ["quicksilvr", "quikcsilver", "Quicksilverr"])
def test_1_a_misspelt_word_finds_what_was_meant(corpus: Library, query: str) -> None:
    """A letter lost, two swapped, one too many."""
    assert [
        ("title", "Ran quicksilver on postgres17"),
        ("body", "It is full of quicksilver"),
    ] == shown(corpus, query)
    assert ((query.lower(), "quicksilver"),) == corpus.search(query).found.repaired


def test_2_nothing_is_repaired_when_anything_matches(corpus: Library) -> None:
    """An exact match is never mixed with guesses."""
    assert [("theirs", "Ran brimstone")] == shown(corpus, "quicksilvr brimstone")
    assert () == corpus.search("quicksilvr brimstone").found.repaired


def test_3_only_misspelt_words_are_repaired(corpus: Library) -> None:
    """What is like nothing stays as it is."""
    answer = corpus.search("zzyzxq quicksilvr")

    assert (("quicksilvr", "quicksilver"),) == answer.found.repaired
    assert ["title", "body"] == order(corpus, "zzyzxq quicksilvr")


@pytest.mark.parametrize("query", ["E0383", "E038", "postgres18", "postgres71", "0382"])
def test_4_a_token_with_digits_is_never_repaired(corpus: Library, query: str) -> None:
    """Another error code is another error."""
    assert [] == shown(corpus, query)
    assert () == corpus.search(query).found.repaired


def test_5_a_short_word_is_not_repaired(corpus: Library) -> None:
    """Four letters are one edit away from half the dictionary."""
    assert [] == shown(corpus, "pumq")


def test_6_a_quoted_phrase_is_not_repaired(corpus: Library) -> None:
    """Word for word means word for word."""
    assert [] == shown(corpus, '"ran quicksilvr"')


def test_7_a_word_of_another_project_is_not_used(corpus: Library) -> None:
    """Guessing letters must not reveal what others hold."""
    answer = corpus.search("brimstonne", OURS)

    assert (0, (), ()) == (answer.total, answer.found.repaired, answer.suggestions)
    assert [("theirs", "Ran brimstone")] == shown(corpus, "brimstonne")


def test_8_a_repaired_query_is_ranked_like_any_other(corpus: Library) -> None:
    """As if it had been spelt right at once."""
    assert shown(corpus, "silenced quicksilver") != shown(corpus, "quicksilver")
    assert shown(corpus, "quicksilver") == shown(corpus, "quicksilvar")


def test_9_a_right_word_is_never_called_repaired(corpus: Library) -> None:
    """Another form of a word is no misspelling."""
    assert [("code", "Silenced error E0382")] == shown(corpus, "silencing")
    assert () == corpus.search("silencing").found.repaired
