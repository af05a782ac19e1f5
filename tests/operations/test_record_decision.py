"""Recording decisions: rules, evidence, alternatives."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
CHOICE = {"title": "Where the ledger is stored", "chosen": "SQLite on the local disk"}


def test_a_new_decision_is_proposed_with_everything_else_empty(ask: Ask) -> None:
    """What was not said is empty, not made up."""
    reply = ask("record_decision", **CHOICE)

    assert ("proposed", "", None, None) == (
        reply["status"],
        reply["goal"],
        reply["outcome"],
        reply["reviewAfter"],
    )
    assert [[], [], [], []] == [
        reply[name]
        for name in ("assumptions", "evidence", "alternatives", "failedAttempts")
    ]


def test_the_confidence_starts_at_what_was_said(ask: Ask) -> None:
    """Evidence declared at creation is counted and does not move the number."""
    confidence = ask("record_decision", **CHOICE, confidence=0.8, evidence=["a", "b"])[
        "confidence"
    ]

    assert (0.8, 0.8, []) == (
        confidence["initial"],
        confidence["current"],
        confidence["history"],
    )
    assert 2 == confidence["basis"]["declaredEvidence"]
    assert "evidence_weighted_bounded_v1" == confidence["policy"]


@pytest.mark.parametrize("confidence", [-0.1, 1.1, "much"])
def test_a_confidence_outside_zero_to_one_is_refused(
    confidence: object, refused: Refused
) -> None:
    """It is a share."""
    assert (
        "confidence" in refused("record_decision", **CHOICE, confidence=confidence).message
    )


def test_a_plain_text_of_evidence_becomes_its_detail(ask: Ask) -> None:
    """Every item has all members afterwards."""
    (item,) = ask("record_decision", **CHOICE, evidence=["measured 0.4 ms"])["evidence"]

    assert {
        "source": "unknown",
        "type": "unknown",
        "sourceClass": "agent_claimed",
        "confidence": 0.5,
        "observedAt": "2026-11-15T12:00:00.000Z",
        "detail": "measured 0.4 ms",
    } == item


def test_the_class_of_evidence_is_read_from_its_labels(ask: Ask) -> None:
    """SourceClass comes first, then type; other members are dropped."""
    items = ask(
        "record_decision",
        **CHOICE,
        evidence=[
            {"sourceClass": "Tool-Observed", "type": "benchmark", "colour": "blue"},
            {"type": "production_verified"},
            {"source": "a hunch"},
        ],
    )["evidence"]

    assert ["tool_observed", "production_verified", "agent_claimed"] == [
        item["sourceClass"] for item in items
    ]
    assert "a hunch" == items[2]["sourceRaw"]
    assert "colour" not in items[0]


@pytest.mark.parametrize(
    "item", [{"confidence": 2}, {"confidence": "sure"}, {"observedAt": "once"}]
)
def test_malformed_evidence_is_refused(item: dict[str, Any], refused: Refused) -> None:
    """It would be kept forever as it is."""
    error = refused("record_decision", **CHOICE, evidence=[item])

    assert isinstance(error, InvalidInputError)
    assert "evidence" in error.message


def test_alternatives_get_ids_and_the_state_rejected(ask: Ask) -> None:
    """Each is an end point that relations can name."""
    rules = [{"key": "writers", "operator": "gte", "value": 4}, "disk.removed"]
    found = ask(
        "record_decision",
        **CHOICE,
        alternatives=[
            {"label": "PostgreSQL", "reasonRejected": "a server", "reopenWhen": rules},
            {"label": "files", "reason": "no transactions"},
            "nothing",
        ],
    )["alternatives"]

    assert ["PostgreSQL", "files", "nothing"] == [one["label"] for one in found]
    assert ["a server", "no transactions", ""] == [one["reasonRejected"] for one in found]
    assert [rules, [], []] == [one["reopenWhen"] for one in found]
    assert {"rejected"} == {one["status"] for one in found}
    assert 3 == len({one["id"] for one in found})
    assert all(one["id"].startswith("alternative_") for one in found)


@pytest.mark.parametrize("alternative", [{}, {"label": ""}, {"reasonRejected": "x"}, ""])
def test_an_alternative_without_a_label_is_refused(
    alternative: object, refused: Refused
) -> None:
    """An option without a name cannot be spoken about."""
    error = refused("record_decision", **CHOICE, alternatives=[alternative])

    assert isinstance(error, InvalidInputError)
    assert "alternatives[0]" in error.message


@pytest.mark.parametrize(
    "rule",
    [
        {"key": "a", "operator": "above", "value": 1},
        {"key": "", "value": 1},
        {"key": "a"},
        {"key": "a", "operator": "gte", "value": 1, "unit": "parsecs"},
        {"value": 1},
        7,
    ],
)
def test_a_malformed_rule_is_refused_with_its_place(rule: object, refused: Refused) -> None:
    """The message says which alternative and which rule."""
    error = refused(
        "record_decision", **CHOICE, alternatives=[{"label": "B", "reopenWhen": [rule]}]
    )

    assert isinstance(error, InvalidInputError)
    assert "B: reopenWhen[0]" in error.message


@pytest.mark.parametrize("value", [None, 0, False, ""])
def test_an_empty_operand_is_a_real_one(value: object, ask: Ask) -> None:
    """Null, zero, false and empty can be compared with."""
    reply = ask(
        "record_decision",
        **CHOICE,
        alternatives=[{"label": "B", "reopenWhen": [{"key": "a", "value": value}]}],
    )

    assert value == reply["alternatives"][0]["reopenWhen"][0]["value"]


def test_a_rule_that_nothing_can_answer_is_stored_with_a_warning(ask: Ask) -> None:
    """It is well formed and still useless; the writer is told."""
    reply = ask(
        "record_decision",
        **CHOICE,
        alternatives=[
            {"label": "B", "reopenWhen": [{"key": "a", "operator": "between", "value": 3}]}
        ],
    )

    assert "B: reopenWhen[0]" in reply["warnings"][0]


def test_a_retry_with_the_same_key_returns_the_first_decision(
    ask: Ask, refused: Refused
) -> None:
    """The same key with another choice is a conflict."""
    first = ask("record_decision", **CHOICE, idempotencyKey="d")
    again = ask("record_decision", **CHOICE, idempotencyKey="d")
    error = refused("record_decision", title="other", chosen="x", idempotencyKey="d")

    assert first["id"] == again["id"]
    assert again["replayed"] is True
    assert isinstance(error, ConflictError)


def test_a_review_date_must_be_an_instant(ask: Ask, refused: Refused) -> None:
    """It is compared with the clock later."""
    reply = ask("record_decision", **CHOICE, reviewAfter="2027-01-01T00:00:00Z")
    error = refused("record_decision", **CHOICE, reviewAfter="next year")

    assert "2027-01-01T00:00:00Z" == reply["reviewAfter"]
    assert "reviewAfter" in error.message
