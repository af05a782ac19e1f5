"""Function words: alone they match nothing but the exact phrase they form.

1. One function word matches nothing.
2. Several match nothing, unless they stand together in this order.
3. The exact phrase that they form is found.
4. Beside other words they change neither the hits nor their order.
5. Repeating one gives it no weight.
6. A quoted function word demands nothing.
7. A quoted phrase of function words is found where it stands.
8. Signs alone match nothing.
9. A name of one letter is no function word.
"""

import pytest
from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

RECORDS = [
    attempt("attempt_be", solution="Asked whether to be or to have it"),
    attempt("attempt_old", solution="The ledger is the truth of the house"),
    attempt("attempt_new", solution="A ledger of gold"),
    attempt("attempt_c", solution="Wrote it in C for the first time"),
    attempt("attempt_wall", solution="Painted the wall and it was as before"),
]


@pytest.mark.parametrize("query", ["the", "is", "of", "The", "THE", "it's", "that’s"])
def test_1_one_function_word_matches_nothing(corpus: Library, query: str) -> None:
    """Never everything, as elsewhere."""
    assert [] == shown(corpus, query)


@pytest.mark.parametrize("query", ["be to the or", "or be to", "the of", "is a the"])
def test_2_several_match_nothing_unless_they_stand_together(
    corpus: Library, query: str
) -> None:
    """Every record holds some of them."""
    assert [] == shown(corpus, query)


def test_3_the_phrase_they_form_is_found(corpus: Library) -> None:
    """A title of small words is a title."""
    assert [("be", "Asked whether to be or to have it")] == shown(corpus, "to be or to")
    assert [("wall", "Painted the wall and it was as before")] == shown(
        corpus, "and it was as before"
    )


def test_4_beside_other_words_they_change_nothing(corpus: Library) -> None:
    """Not even the order."""
    assert [
        ("new", "A ledger of gold"),
        ("old", "The ledger is the truth of the house"),
    ] == shown(corpus, "ledger")
    assert ["new", "old"] == order(corpus, "what is in the ledger")
    assert ["new", "old"] == order(corpus, "is it the ledger that was there")


def test_5_repeating_one_gives_it_no_weight(corpus: Library) -> None:
    """It is dropped as often as it comes."""
    assert [] == shown(corpus, "the the the the")
    assert ["new", "old"] == order(corpus, "the the ledger the the")


def test_6_a_quoted_function_word_demands_nothing(corpus: Library) -> None:
    """It would only take records out by chance."""
    assert [] == shown(corpus, '"the"')
    assert ["new", "old"] == order(corpus, '"the" ledger')


def test_7_a_quoted_phrase_of_them_is_found_where_it_stands(corpus: Library) -> None:
    """Word for word, as any quoted phrase."""
    assert [("be", "Asked whether to be or to have it")] == shown(corpus, '"to be or"')
    assert [] == shown(corpus, '"or be to"')


@pytest.mark.parametrize("query", ["!!!", ">>> ()", "?", "-", '""', "…", "{}[]", "\\"])
def test_8_signs_alone_match_nothing(corpus: Library, query: str) -> None:
    """They are no words, and no grammar either."""
    assert [] == shown(corpus, query)


def test_9_a_name_of_one_letter_is_no_function_word(corpus: Library) -> None:
    """C is a language."""
    assert [("c", "Wrote it in C for the first time")] == shown(corpus, "c")
