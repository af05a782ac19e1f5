"""Reconsider: recommended, by hand, or unchanged; never unchanged on a guess."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, UnknownRecordError
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def decide(ask: Ask, *rules: Any, title: str = "t") -> str:
    """Record a decision with one alternative; return its id."""
    alternative = {"label": "the other", "reopenWhen": list(rules)}
    return str(
        ask("record_decision", title=title, chosen="c", alternatives=[alternative])["id"]
    )


RULE = {"key": "p99", "operator": "greater_than", "value": 200, "unit": "ms"}


@pytest.mark.parametrize(
    ("facts", "changed", "verdict", "completeness"),
    [
        ({"p99": "0.3 s"}, [], "review_recommended", "complete"),
        ({"p99": 100}, [], "unchanged", "complete"),
        ({"p99": "fast"}, [], "manual_review", "partial"),
        ({"p99": "300 MB"}, [], "manual_review", "partial"),
        ({}, [], "manual_review", "partial"),
        ({}, ["p99"], "manual_review", "partial"),
    ],
)
def test_the_verdict_says_unchanged_only_when_everything_was_decided(
    facts: dict[str, Any], changed: list[str], verdict: str, completeness: str, ask: Ask
) -> None:
    """A value nobody can read is a reason to look, not a sign of health."""
    decide(ask, RULE)
    reply = ask("reconsider", facts=facts, changedFacts=changed)

    (one,) = reply["decisions"]
    assert verdict == reply["verdict"] == one["verdict"]
    assert completeness == reply["evaluationCompleteness"] == one["evaluationCompleteness"]


def test_conditions_are_sorted_by_what_is_known_of_them(ask: Ask) -> None:
    """Fired, grounded, not evaluated; tokens apart."""
    decide(
        ask, RULE, "new runtime", {"key": "rate", "value": 5}, {"key": "gone", "value": 1}
    )
    reply = ask("reconsider", facts={"p99": 300, "rate": 4}, changedFacts=["new runtime"])

    (one,) = reply["decisions"]
    assert ["p99"] == [c["key"] for c in one["triggeredRules"]]
    assert ["changed_fact_token"] == [c["kind"] for c in one["triggeredBy"]]
    assert ["p99", "rate"] == [c["key"] for c in one["groundedConditions"]]
    assert ["gone"] == [c["key"] for c in one["rulesNotEvaluated"]]
    assert ["p99", "rate"] == [c["key"] for c in one["factsConsidered"]]
    assert ["the other"] == one["affectedAlternatives"]
    assert ("review_recommended", "partial") == (
        reply["verdict"],
        reply["evaluationCompleteness"],
    )


def test_a_date_and_an_outcome_are_causes_of_their_own(ask: Ask) -> None:
    """With the instants they are of."""
    decision = ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")["id"]
    ask("record_outcome", decisionId=decision, outcome="failed")
    (one,) = ask("reconsider")["decisions"]

    assert [
        ("review_date", "2026-11-01T00:00:00.000Z"),
        ("outcome_failed", "2026-11-15T12:00:00.000Z"),
    ] == [(cause["kind"], cause["at"]) for cause in one["triggeredBy"]]


def test_a_contested_fact_is_shown_with_its_rival_and_needs_a_look(
    ask: Ask, library: Library
) -> None:
    """Two valid facts of one key that say different things."""
    decide(ask, RULE)
    window = {"validFrom": "2026-11-01T00:00:00Z", "validTo": None}
    facts = [
        {"kind": "fact", "id": f"fact_{n}", "project": "acme/billing-api", "key": "p99",
         "value": value, "status": status, "temporal": window}
        for n, value, status in [(1, 150, "superseded"), (2, 100, "active")]
    ]  # fmt: skip
    import_lines(library, map(json.dumps, facts))
    (one,) = ask("reconsider")["decisions"]

    (contested,) = one["contestedConditions"]
    assert ("manual_review", 100, 150) == (
        one["verdict"],
        contested["observed"],
        contested["conflictingEvidence"][0]["value"],
    )


def test_the_most_urgent_come_first_and_the_counts_are_of_all(ask: Ask) -> None:
    """A page says what it left out."""
    decide(ask, title="calm")
    due = decide(ask, {"key": "a", "value": 1}, title="due")
    decide(ask, "maybe", title="open")
    reply = ask("reconsider", facts={"a": 1}, limit=1)

    assert [due] == [one["decisionId"] for one in reply["decisions"]]
    assert {"review_recommended": 1, "manual_review": 1, "unchanged": 1} == reply["counts"]
    assert 2 == reply["completeness"]["omitted"]


def test_it_stores_the_signal_of_what_is_due(ask: Ask) -> None:
    """As a review does, and not for another instant."""
    decide(ask, {"key": "a", "value": 1})
    ask("reconsider", facts={"a": 1}, asOf="2026-11-16T00:00:00Z")
    before = ask("review_signals")["items"]
    (one,) = ask("reconsider", facts={"a": 1})["decisions"]

    (signal,) = ask("review_signals")["items"]
    assert [] == before
    assert (signal["id"], "open") == (one["reviewSignalId"], one["reviewSignalStatus"])


@pytest.mark.parametrize("status", ["archived", "abandoned"])
def test_a_closed_decision_is_refused(status: str, ask: Ask, refused: Refused) -> None:
    """An empty answer would read as healthy."""
    decision = decide(ask, RULE)
    ask("update_status", decisionId=decision, status=status)
    error = refused("reconsider", decisionId=decision)

    assert isinstance(error, InvalidInputError)
    assert status in error.message
    assert [] == ask("reconsider")["decisions"]


def test_a_superseded_decision_names_its_successor(ask: Ask, refused: Refused) -> None:
    """What to ask about instead."""
    old, new = decide(ask, RULE), decide(ask)
    ask("supersede", decisionId=old, replacementId=new)

    assert new in refused("reconsider", decisionId=old).hint


def test_an_unknown_decision_is_an_error(refused: Refused) -> None:
    """So is one of another project."""
    assert isinstance(refused("reconsider", decisionId="decision_x"), UnknownRecordError)


def test_a_session_without_a_project_is_never_told_that_nothing_changed(
    library: Library,
) -> None:
    """It may be looking in the wrong place."""
    reply = invoke(library, "shadowgraph_reconsider", {}, Caller())

    assert ("manual_review", "partial", []) == (
        reply["verdict"],
        reply["evaluationCompleteness"],
        reply["decisions"],
    )
