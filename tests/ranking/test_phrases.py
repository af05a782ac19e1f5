"""Phrases: words side by side say more than the same words scattered.

1. The query's words side by side come above the same words scattered.
2. The order of the query comes above the reverse.
3. Function words between two words are no distance.
4. A quoted phrase stands word for word, or the record is not found.
5. In a quoted phrase a word may have another form.
6. Two quoted phrases must both stand there.
7. Words outside the quotation marks only rank.
8. One quoted word must stand there.
9. Quotation marks that do not close are signs like any other.
10. A quoted phrase does not run from one field into the next, nor over a title's end.
11. Neighbours of the query near each other, in either order, come above the same far apart.
12. So do two words of the query that have another between them.
"""

from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

FILLED = "Day after day nothing could be seen from the tower, and nobody was sent for it."
MORE = "Then it rained again until noon."

RECORDS = [
    attempt("attempt_together", solution="A door and the old database is locked here"),
    attempt("attempt_scattered", solution="A locked door and is the old database here"),
    attempt("attempt_forward", solution="The queue worker was left alone for an hour"),
    attempt("attempt_backward", solution="The worker queue was left alone for an hour"),
    attempt("attempt_near", solution="Kept the price of the copper in a drawer"),
    attempt("attempt_far", solution="Kept the copper in a drawer with the price"),
    attempt("attempt_both", solution="Cold start of pods, then a slow probe"),
    attempt("attempt_half", solution="Cold start of pods, then a probe that was slow"),
    attempt("attempt_one-field", solution="Anchored", result="The chain link broke twice"),
    attempt("attempt_two-fields", solution="Forged the chain", result="Link broke twice"),
    attempt("attempt_rivet-near", reason=f"The rivet beside some hull. {FILLED} {MORE}"),
    attempt("attempt_rivet-far", reason=f"The rivet beside some plank. {FILLED} And hull."),
    attempt("attempt_canvas-near", reason=f"Canvas of an unknown dye. {FILLED} {MORE}"),
    attempt("attempt_canvas-far", reason=f"Canvas of an unknown age. {FILLED} And dye."),
]


def test_1_side_by_side_comes_above_scattered(corpus: Library) -> None:
    """The same words, the same length."""
    assert [
        ("together", "A door and the old database is locked here"),
        ("scattered", "A locked door and is the old database here"),
    ] == shown(corpus, "database is locked")


def test_2_the_order_of_the_query_comes_first(corpus: Library) -> None:
    """A queue worker is no worker queue."""
    assert [
        ("forward", "The queue worker was left alone for an hour"),
        ("backward", "The worker queue was left alone for an hour"),
    ] == shown(corpus, "queue worker")
    assert ["backward", "forward"] == order(corpus, "worker queue")


def test_3_function_words_between_are_no_distance(corpus: Library) -> None:
    """They are counted, not asked for."""
    assert [
        ("near", "Kept the price of the copper in a drawer"),
        ("far", "Kept the copper in a drawer with the price"),
    ] == shown(corpus, "price of the copper")


def test_4_a_quoted_phrase_stands_word_for_word(corpus: Library) -> None:
    """Quotation marks are a demand."""
    assert [("together", "A door and the old database is locked here")] == shown(
        corpus, '"database is locked"'
    )
    assert [] == shown(corpus, '"locked is database"')


def test_5_a_word_of_a_quoted_phrase_may_have_another_form(corpus: Library) -> None:
    """Words are compared by their stems, as everywhere."""
    assert [("forward", "The queue worker was left alone for an hour")] == shown(
        corpus, '"queues workers"'
    )


def test_6_two_quoted_phrases_must_both_stand_there(corpus: Library) -> None:
    """One of them is not enough."""
    assert [("both", "Cold start of pods, then a slow probe")] == shown(
        corpus, '"cold start" "slow probe"'
    )


def test_7_words_outside_the_quotation_marks_only_rank(corpus: Library) -> None:
    """A record without them is found."""
    assert [
        ("both", "Cold start of pods, then a slow probe"),
        ("half", "Cold start of pods, then a probe that was slow"),
    ] == shown(corpus, '"cold start" slow probe door')


def test_8_one_quoted_word_must_stand_there(corpus: Library) -> None:
    """Without quotation marks the door would be found as well."""
    assert [
        ("near", "Kept the price of the copper in a drawer"),
        ("far", "Kept the copper in a drawer with the price"),
    ] == shown(corpus, 'price of the "copper" door')
    assert 4 == len(order(corpus, "copper door"))


def test_9_quotation_marks_that_do_not_close_are_signs(corpus: Library) -> None:
    """Nothing is demanded, nothing is lost."""
    assert ["together", "scattered"] == order(corpus, '"database is locked')


def test_10_a_quoted_phrase_does_not_run_across_fields(corpus: Library) -> None:
    """What stands at an end and a beginning was never written side by side."""
    assert ["one-field", "two-fields"] == order(corpus, "chain link")
    assert ["one-field"] == order(corpus, '"chain link"')
    assert [] == order(corpus, '"pods then a slow probe cold start"')


def test_11_near_each_other_comes_above_far_apart(corpus: Library) -> None:
    """Whichever of the two the query names first; the shorter record has them far apart."""
    for query in ("rivet hull", "hull rivet"):
        assert ["rivet-near", "rivet-far"] == order(corpus, query)


def test_12_words_with_another_between_them_are_near_each_other(corpus: Library) -> None:
    """The word between them stands in neither record."""
    assert ["canvas-near", "canvas-far"] == order(corpus, "canvas linseed dye")
