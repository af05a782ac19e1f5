"""`shadowgraph_check`: avoid, caution, clear or unknown, and on what it rests."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError

SAME = "put the ledger database on the NFS share with journal_mode=WAL for both API hosts"
Ask = Callable[..., dict[str, Any]]


@pytest.mark.usefixtures("tiny_library")
def test_an_action_that_failed_is_to_be_avoided(ask: Ask) -> None:
    """The attempt, its reason and its basis come with the verdict."""
    reply = ask("check", action=SAME)

    first = reply["matches"][0]
    assert "avoid" == reply["verdict"]
    assert ("attempt_ledger-on-nfs", "failed", "declared") == (
        first["id"],
        first["resultClass"],
        first["basis"],
    )
    assert "shared memory" in reply["advice"]


@pytest.mark.usefixtures("tiny_library")
def test_another_environment_is_a_caution(ask: Ask) -> None:
    """It failed elsewhere, in surroundings that share nothing with these."""
    reply = ask("check", action=SAME, environment="Windows ReFS")

    assert ("caution", False) == (reply["verdict"], reply["matches"][0]["sameEnvironment"])


@pytest.mark.usefixtures("tiny_library")
def test_an_action_nobody_tried_is_unknown(ask: Ask) -> None:
    """And unknown is said to be no permission."""
    reply = ask("check", action="upgrade the operator of the message broker")

    assert ("unknown", []) == (reply["verdict"], reply["matches"])
    assert "no sign that it works" in reply["advice"]


def test_an_action_that_worked_is_clear(ask: Ask) -> None:
    """What worked and is closest speaks for the action."""
    for noise in (
        "Pinned the base image",
        "Raised the probe delay",
        "Split the queue table",
    ):
        ask(
            "record_attempt", solution=noise, result="no change", resultClass="inconclusive"
        )
    ask(
        "record_attempt",
        solution="Start every writing transaction with BEGIN IMMEDIATE",
        result="no lock error in a week",
        resultClass="succeeded",
    )

    reply = ask("check", action="start every writing transaction with BEGIN IMMEDIATE")

    assert "clear" == reply["verdict"]


@pytest.mark.parametrize(
    ("version", "verdict", "holds"),
    [(17, "clear", "true"), (16, "avoid", "false")],
)
def test_conditions_for_another_try_are_checked(
    ask: Ask, version: int, verdict: str, holds: str
) -> None:
    """A failed attempt stops speaking against the action when all of them hold."""
    for noise in (
        "Pinned the base image",
        "Raised the probe delay",
        "Split the queue table",
    ):
        ask(
            "record_attempt", solution=noise, result="no change", resultClass="inconclusive"
        )
    ask(
        "record_attempt",
        solution="Fold the rollup upsert into MERGE with RETURNING",
        result="syntax error",
        resultClass="failed",
        reusableWhen=[{"key": "pg.version", "operator": "gte", "value": 17}],
    )

    reply = ask(
        "check",
        action="fold the rollup upsert into one MERGE with RETURNING",
        facts={"pg.version": version},
    )

    assert (verdict, holds) == (reply["verdict"], reply["matches"][0]["reusableWhen"])


def test_unknown_conditions_permit_nothing(ask: Ask) -> None:
    """Without the fact the attempt still speaks against the action."""
    for noise in (
        "Pinned the base image",
        "Raised the probe delay",
        "Split the queue table",
    ):
        ask(
            "record_attempt", solution=noise, result="no change", resultClass="inconclusive"
        )
    ask(
        "record_attempt",
        solution="Fold the rollup upsert into MERGE with RETURNING",
        result="syntax error",
        resultClass="failed",
        reusableWhen=[{"key": "pg.version", "operator": "gte", "value": 17}],
    )

    reply = ask("check", action="fold the rollup upsert into one MERGE with RETURNING")

    assert ("avoid", "unknown") == (reply["verdict"], reply["matches"][0]["reusableWhen"])


def test_an_empty_store_knows_nothing(ask: Ask) -> None:
    """And says so, whatever the action."""
    assert "unknown" == ask("check", action="rm -rf build")["verdict"]


def test_an_action_is_required(refused: Callable[..., ShadowgraphError]) -> None:
    """There is nothing to judge without one."""
    assert "invalid-input" == refused("check").code


@pytest.mark.usefixtures("tiny_library")
def test_a_check_writes_nothing(ask: Ask, library: Library) -> None:
    """It is a read."""
    before = library.store.revision()

    ask("check", action=SAME)

    assert before == library.store.revision()
