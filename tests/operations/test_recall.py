"""Recall: several signals, one order, both times."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, UnknownRecordError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
NFS, LEDGER = "attempt_ledger-on-nfs", "decision_ledger-in-sqlite"


def recalled(ask: Ask, **asked: Any) -> list[str]:
    """Return the ids of what is recalled, in its order."""
    return [item["record"]["id"] for item in ask("recall", **asked)["items"]]


def remember(ask: Ask, key: str, text: str, **more: Any) -> str:
    """Remember a note and return its id."""
    reply = ask("remember", memoryType="note", key=key, text=text, **more)
    return str(reply["memory"]["id"])


def attempt(ask: Ask, solution: str, **more: Any) -> str:
    """Record an attempt and return its id."""
    return str(ask("record_attempt", solution=solution, result="done", **more)["id"])


def test_every_kind_is_recalled_by_its_words(ask: Ask) -> None:
    """Memories, facts, decisions and attempts in one list, and no other kind."""
    ids = {
        remember(ask, "m", "the axolotl regrows"),
        ask("record_fact", key="axolotl.count", value=3)["id"],
        ask("record_decision", title="Keep the axolotl", chosen="yes")["id"],
        attempt(ask, "fed the axolotl"),
    }

    assert ids == set(recalled(ask, query="axolotl"))


def test_an_item_says_which_signal_found_it_at_which_rank(ask: Ask) -> None:
    """Ranks, scores and reasons name the four signals; the sum is checked by hand."""
    first, second = attempt(ask, "axolotl"), attempt(ask, "fed the axolotl at noon")
    ask("link", **{"from": second, "to": first, "relation": "needs"})

    reply = ask("recall", query="axolotl", focalId=first)

    by_id = {item["record"]["id"]: item for item in reply["items"]}
    item = by_id[second]
    assert {"lexical": 2, "semantic": None, "graph": 1, "temporal": None} == item["ranks"]
    assert ["lexical rank 2", "graph rank 1"] == item["reasons"]
    assert (1.0, None) == (item["scores"]["graph"], item["scores"]["semantic"])
    assert round(1 / 62 + 0.8 / 61, 6) == item["score"]
    assert [second, first] == list(by_id)


def test_the_reply_says_how_the_signals_were_joined(ask: Ask) -> None:
    """Once for the page and once at the top, as clients of either place expect."""
    reply = ask("recall", query="axolotl")

    assert {
        "strategy": "weighted_rrf",
        "k": 60,
        "weights": {"lexical": 1.0, "semantic": 1.0, "graph": 0.8, "temporal": 0.4},
    } == reply["ranking"]
    assert reply["ranking"] == reply["completeness"]["ranking"]
    assert reply["signals"] == reply["completeness"]["signals"]
    assert ["axolotl"] == reply["signals"]["lexical"]["terms"]


def test_vectors_are_taken_and_not_compared(ask: Ask) -> None:
    """The reply says so instead of pretending."""
    reply = ask("recall", query="axolotl", queryEmbedding=[0.1, 0.2])

    assert reply["signals"]["semantic"]["available"] is False
    assert "semantic_unavailable" == reply["completeness"]["limitation"]["code"]


@pytest.mark.usefixtures("tiny_library")
def test_what_is_linked_is_recalled_without_a_common_word(ask: Ask) -> None:
    """By steps from the record in focus, which is not its own neighbour."""
    odd = remember(ask, "odd", "xylophone")
    further = remember(ask, "further", "marimba")
    ask("link", **{"from": odd, "to": LEDGER, "relation": "about"})
    ask("link", **{"from": further, "to": odd, "relation": "about"})

    reply = ask("recall", focalId=LEDGER)

    found = [
        (item["record"]["id"], item["ranks"]["graph"], item["scores"]["graph"])
        for item in reply["items"]
    ]
    assert [(odd, 1, 1.0), (further, 2, 0.5)] == found
    assert [odd] == recalled(ask, focalId=LEDGER, graphDepth=1)


@pytest.mark.usefixtures("tiny_library")
def test_equally_far_records_have_the_same_rank(ask: Ask) -> None:
    """Nothing in the graph puts one before the other."""
    for key in ("a", "b"):
        made = remember(ask, key, "x")
        ask("link", **{"from": made, "to": LEDGER, "relation": "about"})

    items = ask("recall", focalId=LEDGER)["items"]

    assert [1, 1] == [item["ranks"]["graph"] for item in items]


def test_a_focus_that_is_not_there_is_refused(refused: Refused) -> None:
    """An answer without it would look like an answer with it."""
    error = refused("recall", query="x", focalId="decision_none")

    assert isinstance(error, UnknownRecordError)


def test_recency_orders_what_was_found_and_brings_nothing_in(ask: Ask) -> None:
    """Asking for the recent does not empty the query of its meaning."""
    old = attempt(ask, "axolotl", createdAt="2026-01-01")
    new = attempt(ask, "axolotl", createdAt="2026-10-01")
    attempt(ask, "newt", createdAt="2026-11-01")

    reply = ask("recall", query="axolotl", preferRecent=True)

    assert {old, new} == {item["record"]["id"] for item in reply["items"]}
    ranks = {item["record"]["id"]: item["ranks"]["temporal"] for item in reply["items"]}
    assert {new: 1, old: 2} == ranks
    assert "2026-10-01" in [item["scores"]["temporal"] for item in reply["items"]]


def test_without_words_and_focus_the_newest_come_first(ask: Ask) -> None:
    """Of every kind that recall knows."""
    old = attempt(ask, "one", createdAt="2026-01-01")
    fact = ask("record_fact", key="k", value=1, validFrom="2026-05-01T00:00:00Z")["id"]
    new = remember(ask, "m", "three")

    assert [new, fact, old] == recalled(ask)


def test_what_had_not_happened_is_not_recalled(ask: Ask) -> None:
    """AsOf holds for attempts and decisions as for facts and memories."""
    attempt(ask, "axolotl", createdAt="2026-06-01")
    ask("record_decision", title="axolotl", chosen="c", createdAt="2026-06-01")
    early = attempt(ask, "early axolotl", createdAt="2026-02-01")
    ask("record_fact", key="axolotl", value=1, validFrom="2026-06-01T00:00:00Z")
    remember(ask, "axolotl", "x", validFrom="2026-06-01T00:00:00Z")

    assert [early] == recalled(ask, query="axolotl", asOf="2026-05-31T23:59:59Z")
    assert 5 == len(recalled(ask, query="axolotl", asOf="2026-06-01T00:00:00Z"))


def test_a_fact_or_memory_is_recalled_with_the_value_of_then(ask: Ask) -> None:
    """Superseded states hold for their own time, and only for it."""
    facts = [
        ask("record_fact", key="axolotl.count", value=n, validFrom=f"2026-0{n}-01")["id"]
        for n in (1, 2)
    ]
    memories = [
        remember(ask, "axolotl.note", f"text {n}", validFrom=f"2026-0{n}-01")
        for n in (1, 2)
    ]

    then = set(recalled(ask, query="axolotl", asOf="2026-01-15"))
    now = set(recalled(ask, query="axolotl"))

    assert ({facts[0], memories[0]}, {facts[1], memories[1]}) == (then, now)
    assert {facts[0], memories[0]} == set(
        recalled(ask, query="axolotl", currentAt="2026-01-15")
    )


def test_what_was_not_known_is_not_recalled(ask: Ask, clock: StoppedClock) -> None:
    """Whatever time it gives itself; and what was known comes in its state of then."""
    decision = ask("record_decision", title="axolotl", chosen="c")["id"]
    clock.advance(days=1)
    attempt(ask, "axolotl", createdAt="2026-01-01")
    ask("update_status", decisionId=decision, status="planned")

    reply = ask("recall", query="axolotl", knownAt="2026-11-15T18:00:00Z")

    assert [(decision, "proposed")] == [
        (item["record"]["id"], item["record"]["status"]) for item in reply["items"]
    ]
    assert "present_words" == reply["completeness"]["limitation"]["code"]


def test_a_memory_that_was_deleted_is_recalled_for_before(
    ask: Ask, clock: StoppedClock
) -> None:
    """In what held and in what was known."""
    made = remember(ask, "k", "axolotl")
    clock.advance(days=1)
    ask("remember", operations=[{"action": "DELETE", "memoryType": "note", "key": "k"}])

    assert [] == recalled(ask, query="axolotl")
    assert [made] == recalled(ask, query="axolotl", asOf="2026-11-15T18:00:00Z")
    assert [made] == recalled(ask, query="axolotl", knownAt="2026-11-15T18:00:00Z")


def test_a_type_narrows_memories_alone(ask: Ask) -> None:
    """A kind narrows everything."""
    goal = ask("remember", memoryType="goal", key="g", text="axolotl")["memory"]["id"]
    note = remember(ask, "n", "axolotl")
    tried = attempt(ask, "axolotl")

    assert {goal, tried} == set(recalled(ask, query="axolotl", memoryType="goal"))
    assert {goal, note} == set(recalled(ask, query="axolotl", kind="memory"))


def test_weights_of_the_call_replace_the_usual_ones(ask: Ask) -> None:
    """One signal can be switched off."""
    first, second = attempt(ask, "axolotl"), attempt(ask, "newt")
    ask("link", **{"from": first, "to": second, "relation": "needs"})

    reply = ask("recall", query="axolotl newt", focalId=second, weights={"lexical": 0})

    assert first == reply["items"][0]["record"]["id"]
    assert [round(0.8 / 61, 6), 0.0] == [item["score"] for item in reply["items"]]
    assert 0.0 == reply["ranking"]["weights"]["lexical"]


@pytest.mark.parametrize(
    "weights", [{"words": 1}, {"lexical": -1}, {"graph": True}, {"graph": "much"}]
)
def test_weights_are_numbers_of_known_signals(
    weights: dict[str, Any], refused: Refused
) -> None:
    """The message names what is not."""
    error = refused("recall", query="x", weights=weights)

    assert isinstance(error, InvalidInputError)
    assert next(iter(weights)) in error.message


def test_pages_follow_each_other(ask: Ask) -> None:
    """Together they are the whole, without a record twice."""
    for number in range(7):
        attempt(ask, f"axolotl {number}")

    whole = recalled(ask, query="axolotl", limit=7)
    pages = [recalled(ask, query="axolotl", limit=3, offset=at) for at in (0, 3, 6)]

    assert whole == [one for page in pages for one in page]
    reply = ask("recall", query="axolotl", limit=3, offset=3)
    assert (7, True, 1) == (
        reply["page"]["total"],
        reply["page"]["hasMore"],
        reply["completeness"]["omitted"],
    )


def test_states_that_ended_do_not_crowd_out_the_one_that_holds(
    ask: Ask, clock: StoppedClock
) -> None:
    """More of them than one look into the index brings."""
    last = ""
    for number in range(130):
        clock.advance(minutes=1)
        last = remember(ask, "k", f"axolotl {'x' * (number % 3)}{number}")
    other = attempt(ask, "watched an axolotl that was far away from the others")

    assert {last, other} == set(recalled(ask, query="axolotl"))


@pytest.mark.usefixtures("tiny_library")
def test_what_was_not_looked_at_is_said(ask: Ask, library: Library) -> None:
    """A query that everything matches is answered by the best."""
    for number in range(120):
        attempt(ask, f"axolotl {number}")

    reply = ask("recall", query="axolotl", limit=5)

    assert 100 == reply["page"]["total"]
    assert "candidates_capped" == reply["completeness"]["limitation"]["code"]
    assert "120" in reply["completeness"]["limitation"]["detail"]
    assert not reply["completeness"]["complete"]
    assert library.store.counts()["attempt"] > 120


def test_full_records_come_without_their_vectors(ask: Ask) -> None:
    """Numbers take room and say nothing to a reader."""
    remember(ask, "k", "axolotl", embedding=[0.5] * 700)

    item = ask("recall", query="axolotl", detail="full")["items"][0]

    assert 700 == item["record"]["embeddingDimensions"]
    assert "embedding" not in item["record"]


def test_a_misspelt_word_is_repaired_and_the_reply_says_so(ask: Ask) -> None:
    """As in a search."""
    made = attempt(ask, "axolotl")

    reply = ask("recall", query="axalotl")

    assert [made] == [item["record"]["id"] for item in reply["items"]]
    assert [{"from": "axalotl", "to": "axolotl"}] == reply["completeness"]["repaired"]
