"""Nonsense: a query that means nothing here returns nothing, and says what is near.

1. A word like no other finds nothing and suggests nothing.
2. Nonsense of several words, or long, or with digits finds nothing.
3. A wrong hash finds nothing.
4. The nearest words are suggested where a repair was not allowed.
5. Only words of the same scope are suggested.
6. The answer says how many records were searched.
7. A filter that leaves nothing makes every query find nothing.
8. A word of another form of record is suggested in full, never as its stem.
"""

import pytest
from tests.ranking.asking import shown
from tests.store.bodies import PROJECT, attempt

from shadowgraph import Library
from shadowgraph.model.filters import Filter

RECORDS = [
    attempt("attempt_ours", solution="Ran quicksilver through the happily painted pump"),
    attempt("attempt_hash", solution="Reverted 9f8e7d6c5b4a32100123456789abcdef01234567"),
    attempt("attempt_theirs", solution="Ran brimstone", project="acme/web-shop"),
]
OURS = Filter(owner=f"project:{PROJECT}")
THEIRS = Filter(owner="project:acme/web-shop")


def test_1_a_word_like_no_other_finds_and_suggests_nothing(corpus: Library) -> None:
    """Zero hits is an answer."""
    answer = corpus.search("zzyzx")

    assert (0, (), ()) == (answer.total, answer.hits, answer.suggestions)


@pytest.mark.parametrize(
    "query",
    [
        "qwertzuiop asdfghjkl yxcvbnm",
        "xk7 zz9 plural z alpha",
        "brzzgl " * 400,
        "x" * 5000,
        "lorem ipsum dolor sit amet",
        "%%%zq%%% <<vv>> ;; drop table",
    ],
)
def test_2_nonsense_finds_nothing(corpus: Library, query: str) -> None:
    """However long it is."""
    assert [] == shown(corpus, query)


def test_3_a_wrong_hash_finds_nothing(corpus: Library) -> None:
    """Its beginning finds it, another beginning does not."""
    assert [("hash", "Reverted 9f8e7d6c5b4a32100123456789abcdef01234567")] == shown(
        corpus, "9f8e7d6c5b"
    )
    assert [] == shown(corpus, "9f8e7d6c5c")


def test_4_the_nearest_words_are_suggested(corpus: Library) -> None:
    """Near enough to name, not near enough to search unasked."""
    answer = corpus.search('"quicksilvr brimstonne"')

    assert (0, ("quicksilver", "brimstone")) == (answer.total, answer.suggestions)


def test_5_only_words_of_the_scope_are_suggested(corpus: Library) -> None:
    """Guessing letters must not reveal what others hold."""
    query = '"quicksilvr brimstonne"'

    assert ("quicksilver",) == corpus.search(query, OURS).suggestions
    assert ("brimstone",) == corpus.search(query, THEIRS).suggestions


def test_6_the_answer_says_how_many_records_were_searched(corpus: Library) -> None:
    """Nothing among three is not nothing among none."""
    answer = corpus.search("zzyzx")

    assert (3, 0) == (answer.searched, answer.pending)


def test_7_a_filter_that_leaves_nothing_finds_nothing(corpus: Library) -> None:
    """A word that is there elsewhere is not here."""
    assert [] == shown(corpus, "quicksilver", THEIRS)
    assert [] == shown(corpus, "quicksilver", Filter(kinds=("fact",)))
    assert [("ours", "Ran quicksilver through the happily painted pump")] == shown(
        corpus, "quicksilver", OURS
    )


def test_8_a_word_is_suggested_in_full(corpus: Library) -> None:
    """Stems are no words that anybody wrote."""
    assert ("happily",) == corpus.search('"happilly zzyzx"').suggestions
