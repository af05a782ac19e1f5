"""Negation: "no collapse" is not "collapse".

1. A negated query comes first to the record that negates the same word.
2. The negation belongs to the word beside it, not to any word of the record.
3. "Not working" comes above "working".
4. A contraction says the same as its words.
5. "Without" and "never" count like "not".
6. A negation is never dropped as a function word.
7. A negation finds nothing by itself beside other words.
8. What did not collapse is no failure; what collapsed is one, and comes first.
9. A minus takes a word out, whatever form it has.
"""

import pytest
from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

RECORDS = [
    attempt("attempt_no", solution="The bridge saw no collapse at night"),
    attempt("attempt_yes", solution="The bridge saw a collapse at night"),
    attempt("attempt_other", solution="The bridge saw collapse and no night"),
    attempt("attempt_idle", solution="The pump is not working today"),
    attempt("attempt_busy", solution="The pump is working hard today"),
    attempt("attempt_none", solution="Ran the mill without any grease"),
    attempt("attempt_some", solution="Ran the mill with much grease"),
    attempt("attempt_never", solution="The lamp never blinked in March"),
    attempt("attempt_once", solution="The lamp twice blinked in March"),
    attempt("attempt_fell", solution="Raised the tower", result="It collapsed at noon"),
    attempt("attempt_stood", solution="Raised the tower", result="It did not collapse"),
    attempt("attempt_vacuum", solution="The hinge was vacuumed"),
    attempt("attempt_read", solution="The hinge was read"),
]


def test_1_a_negated_query_comes_first_to_what_negates_the_word(corpus: Library) -> None:
    """Everything else about the records is the same."""
    assert [
        ("no", "The bridge saw no collapse at night"),
        ("yes", "The bridge saw a collapse at night"),
    ] == [p for p in shown(corpus, "bridge no collapse") if p[0] in ("no", "yes")]


def test_2_the_negation_belongs_to_the_word_beside_it(corpus: Library) -> None:
    """`no night` negates something else."""
    assert [
        ("no", "The bridge saw no collapse at night"),
        ("other", "The bridge saw collapse and no night"),
    ] == shown(corpus, "no collapse")[:2]


def test_3_not_working_comes_above_working(corpus: Library) -> None:
    """And is found by it all the same."""
    assert [
        ("idle", "The pump is not working today"),
        ("busy", "The pump is working hard today"),
    ] == shown(corpus, "pump not working")


@pytest.mark.parametrize("query", ["pump isn't working", "pump isn’t working"])
def test_4_a_contraction_says_the_same(corpus: Library, query: str) -> None:
    """With either apostrophe."""
    assert [
        ("idle", "The pump is not working today"),
        ("busy", "The pump is working hard today"),
    ] == shown(corpus, query)


@pytest.mark.parametrize("word", ["it's", "that's", "isn't", "don't", "wasn’t"])
def test_4_a_contraction_finds_nothing_beside_an_unknown_word(
    corpus: Library, word: str
) -> None:
    """Its small words stand in every second record."""
    assert [] == shown(corpus, f"{word} xylophone")


def test_4_a_contraction_alone_is_its_negation(corpus: Library) -> None:
    """`isn't` does not find what is."""
    assert [
        ("idle", "The pump is not working today"),
        ("stood", "It did not collapse"),
    ] == shown(corpus, "isn't")
    assert shown(corpus, "not") == shown(corpus, "isn't it")


def test_5_without_and_never_count(corpus: Library) -> None:
    """Negations have many words."""
    assert [
        ("none", "Ran the mill without any grease"),
        ("some", "Ran the mill with much grease"),
    ] == shown(corpus, "mill without grease")
    assert [
        ("never", "The lamp never blinked in March"),
        ("once", "The lamp twice blinked in March"),
    ] == shown(corpus, "lamp never blinked")


@pytest.mark.parametrize("word", ["not", "no", "never", "without", "cannot", "nor"])
def test_6_a_negation_is_never_dropped(corpus: Library, word: str) -> None:
    """The plan keeps it beside the words that find."""
    plan = corpus.search(f"is the pump {word} working").found.plan

    assert word in [group.chunk.surface for group in plan.support]
    assert word not in plan.dropped


def test_7_a_negation_finds_nothing_by_itself_beside_other_words(corpus: Library) -> None:
    """It only orders what they find."""
    assert [] == shown(corpus, "not xylophone")
    assert ["read", "vacuum"] == order(corpus, "hinge not never")


def test_8_what_collapsed_comes_above_what_did_not(corpus: Library) -> None:
    """The one is a failure to avoid, the other is none."""
    assert [
        ("fell", "Raised the tower"),
        ("stood", "Raised the tower"),
    ] == shown(corpus, "tower collapsed")[:2]
    assert ["stood", "fell"] == order(corpus, "tower did not collapse")[:2]


def test_9_a_minus_takes_a_word_out(corpus: Library) -> None:
    """In any of its forms."""
    assert [("read", "The hinge was read")] == shown(corpus, "hinge -vacuum")
