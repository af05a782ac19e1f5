"""Rarity: a word that few records hold says more than one that many hold.

1. Of two words of a query the rare one decides.
2. A record with both comes above a record with either.
3. Saying a common word often does not make up for a rare one.
4. Nor does asking for the common word several times.
5. A word that no record holds changes nothing.
6. A rare part of an identifier counts like a rare word.
7. Rarity is counted, not listed: what is common elsewhere may be rare here.
"""

from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

RECORDS = [
    attempt("attempt_rare", solution="Left quicksilver in a drawer"),
    attempt("attempt_two", solution="Left quicksilver near the server in a drawer"),
    attempt("attempt_often", solution="Server by server by server, the server again"),
    attempt("attempt_part", solution="Called melt_tungsten in a drawer"),
    attempt("attempt_error", solution="Found an error in a drawer"),
    *(
        attempt(f"attempt_{n}", solution=f"Gave server number {n} a coat of colour")
        for n in range(8)
    ),
]


def test_1_the_rare_word_decides(corpus: Library) -> None:
    """Everything else holds only the common one."""
    assert [
        ("two", "Left quicksilver near the server in a drawer"),
        ("rare", "Left quicksilver in a drawer"),
        ("often", "Server by server by server, the server again"),
    ] == shown(corpus, "server quicksilver")[:3]


def test_2_both_words_come_above_either(corpus: Library) -> None:
    """Even where the common word hardly counts."""
    assert "two" == order(corpus, "quicksilver server")[0]
    assert 11 == len(order(corpus, "quicksilver server"))


def test_3_a_common_word_said_often_stays_below(corpus: Library) -> None:
    """Four servers are no quicksilver."""
    assert [
        ("error", "Found an error in a drawer"),
        ("often", "Server by server by server, the server again"),
    ] == shown(corpus, "server error")[:2]


def test_4_asking_often_for_the_common_word_changes_no_first_place(
    corpus: Library,
) -> None:
    """A repeated word counts more, but not that much."""
    assert ["two", "rare", "often"] == order(
        corpus, "server server server server quicksilver"
    )[:3]


def test_5_an_unknown_word_changes_nothing(corpus: Library) -> None:
    """It is the rarest of all and finds nothing."""
    assert [
        ("rare", "Left quicksilver in a drawer"),
        ("two", "Left quicksilver near the server in a drawer"),
    ] == shown(corpus, "quicksilver xylophone")
    assert order(corpus, "quicksilver") == order(corpus, "xylophone quicksilver")


def test_6_a_rare_part_counts_like_a_rare_word(corpus: Library) -> None:
    """It stands above every record that holds the common word."""
    assert ("part", "Called melt_tungsten in a drawer") == shown(corpus, "server tungsten")[
        0
    ]


def test_7_what_is_common_elsewhere_may_be_rare_here(corpus: Library) -> None:
    """`error` is one record's word in this store."""
    assert [
        ("error", "Found an error in a drawer"),
        ("two", "Left quicksilver near the server in a drawer"),
    ] == [pair for pair in shown(corpus, "error server") if pair[0] in ("error", "two")]
