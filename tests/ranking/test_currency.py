"""Currency: what holds comes above what held, and the new only between near-equals.

1. A superseded decision comes below its successor, even when its words match better.
2. In a chain of decisions the last one comes first.
3. A fact that was replaced comes below the one that holds.
4. An invalidated record comes below an equal one, and so does an archived one.
5. History is found: nothing that held is left out.
6. Of two equal records the newer comes first, whichever was stored first.
7. Recency never beats a better match.
8. A date in the future is worth no more than today.
9. Time passing alone changes no order.
"""

from tests.conftest import StoppedClock
from tests.ranking.asking import order, shown
from tests.store.bodies import attempt, decision, fact

from shadowgraph import Library

RECORDS = [
    decision("decision_now", title="Ledger on the local disk of one host"),
    decision(
        "decision_then",
        title="Ledger on the share, ledger rules",
        status="superseded",
        supersededBy="decision_now",
    ),
    decision("decision_third", title="Mill grain with a stone of granite, slowly"),
    decision(
        "decision_second",
        title="Mill grain by wind",
        status="superseded",
        supersededBy="decision_third",
    ),
    decision(
        "decision_first",
        title="Mill grain, mill by hand",
        status="superseded",
        supersededBy="decision_second",
    ),
    fact("fact_holds", key="turbine.blades", value="four"),
    fact("fact_held", key="turbine.blades", value="two", status="superseded"),
    decision("decision_valid", title="Salt the roads"),
    decision("decision_archived", title="Salt the roads", status="archived"),
    decision("decision_invalid", title="Salt the roads", status="invalidated"),
    attempt("attempt_new", solution="The hinge", createdAt="2026-11-01T00:00:00Z"),
    attempt("attempt_old", solution="The hinge", createdAt="2024-01-01T00:00:00Z"),
    attempt(
        "attempt_about",
        solution="The gearbox on the night shift",
        createdAt="2020-01-01T00:00:00Z",
    ),
    attempt(
        "attempt_aside",
        solution="The wall",
        reason="Beside the gearbox on the night shift stood a wall",
        createdAt="2026-11-14T00:00:00Z",
    ),
    attempt(
        "attempt_today",
        solution="Open the sluice gate",
        createdAt="2026-11-15T12:00:00Z",
    ),
    attempt("attempt_beyond", solution="Open the sluice", createdAt="2031-01-01T00:00:00Z"),
]


def test_1_a_superseded_decision_comes_below_its_successor(corpus: Library) -> None:
    """It says the word twice, and still."""
    assert [
        ("now", "Ledger on the local disk of one host"),
        ("then", "Ledger on the share, ledger rules"),
    ] == shown(corpus, "ledger")
    assert ["now", "then"] == order(corpus, "ledger rules on the share")


def test_2_the_last_of_a_chain_comes_first(corpus: Library) -> None:
    """The words fit the first one best."""
    assert [
        ("third", "Mill grain with a stone of granite, slowly"),
        ("second", "Mill grain by wind"),
        ("first", "Mill grain, mill by hand"),
    ] == shown(corpus, "mill grain by hand")


def test_3_a_replaced_fact_comes_below_the_one_that_holds(corpus: Library) -> None:
    """Their keys are the same."""
    assert [("holds", "turbine.blades"), ("held", "turbine.blades")] == shown(
        corpus, "turbine blades"
    )


def test_4_archived_and_invalidated_records_come_below_an_equal(corpus: Library) -> None:
    """What was wrong comes last."""
    assert [
        ("valid", "Salt the roads"),
        ("archived", "Salt the roads"),
        ("invalid", "Salt the roads"),
    ] == shown(corpus, "salt roads")


def test_5_history_is_found(corpus: Library) -> None:
    """Words of the old record alone lead to it."""
    assert [("held", "two")] == shown(corpus, "two")
    assert "second" == order(corpus, "wind")[0]


def test_6_of_equal_records_the_newer_comes_first(corpus: Library) -> None:
    """The older one was stored last."""
    assert [("new", "The hinge"), ("old", "The hinge")] == shown(corpus, "hinge")


def test_7_recency_never_beats_a_better_match(corpus: Library) -> None:
    """Six years between them."""
    assert [
        ("about", "The gearbox on the night shift"),
        ("aside", "Beside the gearbox on the night shift stood a wall"),
    ] == shown(corpus, "gearbox night shift")


def test_8_the_future_is_worth_no_more_than_today(corpus: Library) -> None:
    """A wrong clock somewhere must not hold the first place."""
    assert [
        ("today", "Open the sluice gate"),
        ("beyond", "Open the sluice"),
    ] == shown(corpus, "open the sluice gate")
    factors = [dict(hit.rank.factors) for hit in corpus.search("sluice").hits]
    assert [1.0, 1.0] == [factor["recency"] for factor in factors]


def test_9_time_passing_changes_no_order(corpus: Library, clock: StoppedClock) -> None:
    """The old stays old."""
    before = [order(corpus, query) for query in ("hinge", "gearbox shift", "salt roads")]
    clock.advance(days=400)

    after = [order(corpus, query) for query in ("hinge", "gearbox shift", "salt roads")]

    assert before == after
