"""Failures: what to avoid is never buried.

1. A failed attempt comes above a decision with the same words in its title.
2. It comes above any number of decisions that merely mention the words.
3. So does one whose words stand in its result alone.
4. A failure that is told by its wording comes above a success.
5. A declared failure comes above one that is only told by its wording.
6. An observed exit status counts like a declaration.
7. What is declared outranks the wording: a declared success is no failure to avoid.
8. "It did not fail" is no failure.
9. A failure lifts no record above one that matches much better.
10. Every hit says how it ended.
11. A long record of a failure comes above decisions of one line with the same words.
12. It is found behind any number of better matches of another kind.
13. Pages hold every record once, also when a failure was taken from behind the window.
14. A failure does not rise above what holds more of the words.
"""

from tests.ranking.asking import order, shown
from tests.store.bodies import attempt, decision

from shadowgraph import Library

SHARE = "Keep the ledger on the network share"
GEAR = "Grease the gearbox each night"

RECORDS = [
    attempt("attempt_avoid", solution=SHARE, resultClass="failed"),
    decision("decision_same", title=SHARE, chosen="As it is"),
    attempt("attempt_mast", solution="Raise the mast in a storm", resultClass="failed"),
    attempt(
        "attempt_keel", solution="Scrape it", result="Keel broke", resultClass="failed"
    ),
    *(
        decision(
            f"decision_{n}",
            title=f"Sail number {n}",
            goal="Wait with the mast in a storm, and with the keel that broke",
        )
        for n in range(60)
    ),
    attempt("attempt_declared", solution=GEAR, resultClass="failed"),
    attempt(
        "attempt_status",
        solution=GEAR,
        outcomeEvidence={"state": "observed", "exitStatus": 3},
    ),
    attempt("attempt_worded", solution=GEAR, result="It crashed as it was."),
    attempt("attempt_unsaid", solution=GEAR),
    attempt("attempt_bell-broke", solution="Ring the bell", result="It always crashed"),
    attempt("attempt_bell-held", solution="Ring the bell", result="It never crashed"),
    attempt("attempt_lamp-bad", solution="Light the lamp", resultClass="failed"),
    attempt(
        "attempt_lamp-good",
        solution="Light the lamp",
        result="It crashed as it was meant to",
        resultClass="succeeded",
    ),
    attempt(
        "attempt_hull",
        solution="Coat it",
        result="Day after day nothing could be seen. " * 17 + "The hull rotted",
        resultClass="failed",
    ),
    *(
        decision(f"decision_hull-{n}", title=f"Hull {n}", goal="It rotted")
        for n in range(3)
    ),
    attempt(
        "attempt_sail", solution="Dye it", result="The canvas tore", resultClass="failed"
    ),
    *(decision(f"decision_canvas-{n}", title=f"The canvas tore {n}") for n in range(60)),
    attempt("attempt_rope", solution="Splice the hemp", resultClass="failed"),
    decision("decision_rope", title="Splice the hemp rope"),
    attempt("attempt_vague", solution="Dig here", resultClass="failed"),
    attempt(
        "attempt_clear", solution="Dig the northern well here", resultClass="succeeded"
    ),
]


def test_1_a_failed_attempt_comes_above_a_decision_of_its_name(corpus: Library) -> None:
    """What to avoid comes first."""
    assert [
        ("avoid", "Keep the ledger on the network share"),
        ("same", "Keep the ledger on the network share"),
    ] == shown(corpus, "ledger network share")


def test_2_it_is_not_buried_under_decisions_that_mention_the_words(
    corpus: Library,
) -> None:
    """Sixty of them, stored later."""
    found = shown(corpus, "mast in a storm")

    assert ("mast", "Raise the mast in a storm") == found[0]
    assert 50 == len(found)


def test_3_nor_is_one_whose_words_stand_in_its_result(corpus: Library) -> None:
    """That is where an error text stands."""
    found = shown(corpus, "keel broke")

    assert ("keel", "Keel broke") == found[0]
    assert 50 == len(found)


def test_4_a_failure_told_by_its_wording_comes_above_a_success(corpus: Library) -> None:
    """Nobody has to declare it."""
    assert [
        ("bell-broke", "Ring the bell"),
        ("bell-held", "Ring the bell"),
    ] == shown(corpus, "ring the bell")


def test_5_declared_comes_above_told_by_wording(corpus: Library) -> None:
    """And above what says nothing."""
    found = shown(corpus, "grease the gearbox")

    assert [
        ("declared", "Grease the gearbox each night"),
        ("worded", "Grease the gearbox each night"),
        ("unsaid", "Grease the gearbox each night"),
    ] == [pair for pair in found if pair[0] != "status"]


def test_6_an_observed_exit_status_counts_like_a_declaration(corpus: Library) -> None:
    """It stands above the wording."""
    found = order(corpus, "grease the gearbox")

    assert {"declared", "status"} == set(found[:2])


def test_7_a_declared_success_is_no_failure(corpus: Library) -> None:
    """Whoever declared it has read the wording."""
    assert [
        ("lamp-bad", "Light the lamp"),
        ("lamp-good", "Light the lamp"),
    ] == shown(corpus, "light the lamp")


def test_8_not_to_fail_is_no_failure(corpus: Library) -> None:
    """The same words, with a negation before them."""
    found = order(corpus, "ring bell crashed")

    assert found.index("bell-broke") < found.index("bell-held")


def test_9_a_much_better_match_stays_above_a_failure(corpus: Library) -> None:
    """A prior orders what is alike."""
    assert [
        ("clear", "Dig the northern well here"),
        ("vague", "Dig here"),
    ] == shown(corpus, "dig the northern well")


def test_10_every_hit_says_how_it_ended(corpus: Library) -> None:
    """Without another call."""
    hits = [*corpus.search("bell").hits, *corpus.search("lamp").hits]

    assert [
        ("attempt_bell-broke", "failed"),
        ("attempt_bell-held", "succeeded"),
        ("attempt_lamp-bad", "failed"),
        ("attempt_lamp-good", "succeeded"),
    ] == [(hit.record.id, hit.rank.result) for hit in hits]


def test_11_a_long_record_comes_above_decisions_of_one_line(corpus: Library) -> None:
    """A hundred words more do not make it less of a warning."""
    assert "hull" == order(corpus, "hull rotted")[0]


def test_12_a_failure_is_found_behind_the_window(corpus: Library) -> None:
    """Sixty decisions have the words in their titles."""
    assert ("sail", "The canvas tore") == shown(corpus, "canvas tore")[0]


def test_13_pages_hold_every_record_once(corpus: Library) -> None:
    """What was taken from behind the window does not come again."""
    pages = [
        corpus.search("canvas tore", limit=7, offset=offset) for offset in range(0, 70, 7)
    ]

    walked = [hit.record.id for page in pages for hit in page.hits]
    assert (61, 61) == (len(walked), len(set(walked)))
    assert {61} == {page.total for page in pages}
    assert [hit.record.id for hit in corpus.search("canvas tore", limit=61).hits] == walked


def test_14_a_failure_stays_below_what_holds_more_of_the_words(corpus: Library) -> None:
    """It has not tried all of that."""
    assert ["rope", "rope"] == order(corpus, "splice the hemp rope")
    first = corpus.search("splice the hemp rope").hits[0]
    assert "decision_rope" == first.record.id
