"""Rules changed after recording: they count from then on, and the journal has the old ones."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, UnknownRecordError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
USERS = {"key": "users", "operator": "gte", "value": 100}
RATE = {"key": "rate", "operator": "gte", "value": 5}


@pytest.fixture
def attempt(ask: Ask) -> str:
    """Record a failed attempt without conditions; return its id."""
    return str(ask("record_attempt", solution="s", result="r", resultClass="failed")["id"])


@pytest.fixture
def decision(ask: Ask) -> str:
    """Record a decision with two alternatives; return its id."""
    alternatives = [{"label": "Redis", "reopenWhen": [USERS]}, {"label": "a file"}]
    return str(
        ask("record_decision", title="t", chosen="c", alternatives=alternatives)["id"]
    )


def test_a_condition_added_later_decides_from_then_on(ask: Ask, attempt: str) -> None:
    """The store watches its key at once."""
    before = ask("context", facts={"users": 500})["reusableAttempts"]
    ask("change_rules", recordId=attempt, rules=[USERS])
    after = ask("context", facts={"users": 500})["reusableAttempts"]

    assert ([], [attempt]) == (before, [one["attemptId"] for one in after])


def test_only_the_named_alternative_changes(ask: Ask, decision: str) -> None:
    """Its id, label and reason stay."""
    held = ask("get", ids=[decision])["items"][0]["alternatives"]
    reply = ask("change_rules", recordId=decision, alternative="a file", rules=["t"])
    after = ask("get", ids=[decision])["items"][0]["alternatives"]

    assert ([], ["t"], True) == (reply["before"], reply["rules"], reply["changed"])
    assert [held[0], {**held[1], "reopenWhen": ["t"]}] == after
    assert held[1]["id"] == reply["alternative"]


@pytest.mark.parametrize(
    ("mode", "given", "rules"),
    [
        ("add", [RATE], [USERS, RATE]),
        ("add", [{**USERS, "unit": None}], [USERS]),
        ("replace", [RATE, RATE], [RATE]),
        ("replace", [], []),
        ("remove", [USERS], []),
        ("remove", [{"value": 100, "key": "users", "operator": "gte"}], []),
    ],
)
def test_rules_are_added_replaced_and_removed(
    mode: str, given: list[Any], rules: list[Any], ask: Ask, decision: str
) -> None:
    """The same question counts once, however it is written."""
    reply = ask(
        "change_rules", recordId=decision, alternative="Redis", rules=given, mode=mode
    )

    assert rules == reply["rules"]
    assert (rules != [USERS]) == reply["changed"]


def test_the_rules_before_stay_in_the_journal(
    ask: Ask, library: Library, decision: str
) -> None:
    """Every state is a whole record there."""
    ask("change_rules", recordId=decision, alternative="Redis", rules=[RATE])
    ask("change_rules", recordId=decision, alternative="Redis", rules=[RATE])

    rows = library.store._connection().execute(
        "SELECT type, payload FROM journal WHERE entity = ? ORDER BY seq", (decision,)
    )
    states = [(k, json.loads(p)["alternatives"][0]["reopenWhen"]) for k, p in rows]
    assert [("decision.recorded", [USERS]), ("rules.changed", [RATE])] == states


def test_a_signal_of_a_rule_that_stays_is_still_its_signal(ask: Ask, decision: str) -> None:
    """An acknowledgement survives a rule that was added beside it."""
    ask("record_fact", key="users", value=500)
    signal = ask("review")["items"][0]["reviewSignalId"]
    ask("ack_review", id=signal)
    ask("change_rules", recordId=decision, alternative="Redis", rules=[RATE], mode="add")
    (same,) = ask("review")["items"]
    (larger,) = ask("review", facts={"rate": 9})["items"]

    assert (signal, "acknowledged") == (same["reviewSignalId"], same["reviewSignalStatus"])
    assert "open" == larger["reviewSignalStatus"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alternative": "redis cluster"}, "0 of them are"),
        ({}, "2 alternatives"),
        ({"alternative": "Redis", "rules": [{"key": "a"}]}, "has no value"),
        ({"alternative": "Redis", "rules": ["gone"], "mode": "remove"}, "no rule"),
        ({"alternative": "Redis", "mode": "merge"}, "mode"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    changed: dict[str, Any], message: str, refused: Refused, decision: str
) -> None:
    """With the alternatives or the rules that there are."""
    error = refused("change_rules", **{"recordId": decision, "rules": [RATE], **changed})

    assert isinstance(error, InvalidInputError)
    assert message in error.message


def test_a_rule_that_nothing_can_decide_is_told(ask: Ask, attempt: str) -> None:
    """As when it is recorded."""
    reply = ask(
        "change_rules",
        recordId=attempt,
        rules=[{"any": [{"key": "a", "operator": "between", "value": 5}]}],
    )

    assert ["between" in warning for warning in reply["warnings"]] == [True]


def test_other_kinds_and_other_projects_have_no_rules_here(
    ask: Ask, refused: Refused, attempt: str
) -> None:
    """A foreign id reads like an unknown one."""
    fact = ask("record_fact", key="k", value=1)["id"]

    assert "is a fact" in refused("change_rules", recordId=fact, rules=[]).message
    assert "is a attempt" in (
        refused("change_rules", recordId=attempt, alternative="x", rules=[]).message
    )
    foreign = refused("change_rules", recordId=attempt, rules=[], project="acme/other")
    assert isinstance(foreign, UnknownRecordError)
