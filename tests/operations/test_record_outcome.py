"""Recording outcomes: what they move and what they leave alone."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import (
    InvalidInputError,
    ScopeUnresolvedError,
    UnknownRecordError,
)
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


@pytest.fixture
def decision(ask: Ask) -> str:
    """Return the id of a decision with a confidence of 0.5."""
    return str(ask("record_decision", title="t", chosen="c")["id"])


@pytest.mark.parametrize(
    ("status", "source", "current"),
    [
        ("successful", "agent_claimed", 0.6),
        ("successful", "tool_observed", 0.64),
        ("successful", "human_confirmed", 0.67),
        ("successful", "production_verified", 0.7),
        ("mixed", "production_verified", 0.4),
        ("failed", "production_verified", 0.3),
        ("failed", "agent_claimed", 0.4),
        ("unknown", "production_verified", 0.5),
    ],
)
def test_an_outcome_moves_the_confidence_by_its_weight(
    status: str, source: str, current: float, ask: Ask, decision: str
) -> None:
    """0.2 times the weight of the source class, by the direction of the outcome."""
    reply = ask(
        "record_outcome",
        decisionId=decision,
        outcome={"status": status, "sourceClass": source},
    )

    assert current == reply["confidence"]["current"]


def test_a_second_outcome_replaces_the_first(ask: Ask, decision: str) -> None:
    """There is one slot; the moves do not add up."""
    ask("record_outcome", decisionId=decision, outcome={"status": "successful"})
    reply = ask("record_outcome", decisionId=decision, outcome={"status": "failed"})

    assert "failed" == reply["outcome"]["status"]
    assert 0.4 == reply["confidence"]["current"]
    basis = reply["confidence"]["basis"]
    assert (0, 1) == (basis["successfulOutcomes"], basis["failedOutcomes"])


def test_the_same_outcome_again_moves_nothing(ask: Ask, decision: str) -> None:
    """Repeating a claim adds no weight."""
    first = ask("record_outcome", decisionId=decision, outcome="successful")
    again = ask("record_outcome", decisionId=decision, outcome="successful")

    assert first["confidence"] == again["confidence"]


def test_an_outcome_never_moves_the_state(ask: Ask, decision: str) -> None:
    """The lifecycle is moved by another operation."""
    reply = ask("record_outcome", decisionId=decision, outcome="failed")

    assert "proposed" == reply["status"]


def test_lessons_and_other_members_are_kept(ask: Ask, decision: str) -> None:
    """What a caller adds to an outcome is data."""
    outcome = ask(
        "record_outcome",
        decisionId=decision,
        outcome={"status": "Mixed", "lessons": ["measure first"], "cost": {"days": 3}},
    )["outcome"]

    assert {
        "status": "mixed",
        "lessons": ["measure first"],
        "cost": {"days": 3},
        "sourceClass": "agent_claimed",
        "observedAt": "2026-11-15T12:00:00.000Z",
    } == outcome


@pytest.mark.parametrize("outcome", [{}, {"status": "great"}, "great", {"status": None}])
def test_an_outcome_without_a_known_status_is_refused(
    outcome: object, refused: Refused, decision: str
) -> None:
    """The four words are named."""
    error = refused("record_outcome", decisionId=decision, outcome=outcome)

    assert isinstance(error, InvalidInputError)
    assert "successful, mixed, failed, unknown" in error.message


def test_an_unknown_decision_is_answered_with_the_nearest_ids(
    refused: Refused, tiny_library: Library
) -> None:
    """A mistyped id costs one call."""
    del tiny_library
    error = refused(
        "record_outcome", decisionId="decision_ledger-in-sqlte", outcome="failed"
    )

    assert isinstance(error, UnknownRecordError)
    assert "decision_ledger-in-sqlite" in error.hint


def test_a_record_of_another_kind_is_refused(ask: Ask, refused: Refused) -> None:
    """The message says what it is."""
    attempt = ask("record_attempt", solution="s", result="r")["id"]
    error = refused("record_outcome", decisionId=attempt, outcome="failed")

    assert "is a attempt" in error.message or "is an attempt" in error.message


def test_without_a_project_the_write_is_refused(library: Library, decision: str) -> None:
    """A write by id could only guess whose record is meant."""
    with pytest.raises(ScopeUnresolvedError) as caught:
        invoke(
            library,
            "shadowgraph_record_outcome",
            {"decisionId": decision, "outcome": "failed"},
            Caller(),
        )

    assert "project" in caught.value.hint


def test_the_journal_keeps_who_said_it(ask: Ask, decision: str, library: Library) -> None:
    """An outcome is a journal entry of its own."""
    before = ask("stats")["journal"]
    ask("record_outcome", decisionId=decision, outcome="failed")

    assert before + 1 == ask("stats")["journal"]
    assert library.store.first_fault() is None
