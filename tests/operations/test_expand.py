"""Expanding a record: did it change, and what stands beside it?"""

from collections.abc import Callable
from typing import Any

import apsw
import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.store import Origin

Ask = Callable[..., dict[str, Any]]


def bound(ask: Ask, query: str, **asked: Any) -> dict[str, str]:
    """Return id and digest of the first record that a recall shows."""
    shown: dict[str, str] = ask("recall", query=query, **asked)["items"][0]["boundRevision"]
    return shown


def test_a_record_that_did_not_change_is_current(ask: Ask) -> None:
    """The whole of it comes along."""
    made = ask("record_attempt", solution="axolotl", result="r")
    shown = bound(ask, "axolotl")

    reply = ask("expand", **shown)

    assert ("current", False) == (reply["status"], reply["revisionChanged"])
    assert shown == reply["boundRevision"] == reply["currentRevision"]
    assert made["causalClaim"] == reply["record"]["causalClaim"]
    assert reply["completeness"]["complete"]


def test_a_record_that_changed_says_so_and_gives_the_new_state(ask: Ask) -> None:
    """With the digest of now, to go on with."""
    decision = ask("record_decision", title="axolotl", chosen="c")["id"]
    shown = bound(ask, "axolotl")
    ask("update_status", decisionId=decision, status="planned")

    reply = ask("expand", **shown)

    assert ("revision_changed", True) == (reply["status"], reply["revisionChanged"])
    assert "planned" == reply["record"]["status"]
    assert reply["currentRevision"] == bound(ask, "axolotl")


def test_a_digest_of_another_instant_needs_that_instant(ask: Ask) -> None:
    """It is part of what was shown."""
    ask("record_attempt", solution="axolotl", result="r", createdAt="2026-01-01")
    shown = bound(ask, "axolotl", asOf="2026-02-01")

    assert "current" == ask("expand", **shown, asOf="2026-02-01")["status"]
    assert "revision_changed" == ask("expand", **shown)["status"]


def test_a_new_vector_is_no_change(ask: Ask, clock: StoppedClock) -> None:
    """It is not what the memory says."""
    note = {"memoryType": "note", "key": "k", "text": "axolotl"}
    ask("remember", **note)
    shown = bound(ask, "axolotl")
    clock.advance(hours=1)
    ask("remember", **note, embedding=[1])

    assert "current" == ask("expand", **shown)["status"]


def test_a_record_that_is_not_there_is_unavailable(ask: Ask) -> None:
    """Unknown or of another project: no difference."""
    there = ask("record_fact", key="k", value=1, project="acme/web-shop")["id"]

    replies = [ask("expand", recordId=one, digest="x") for one in (there, "fact_none")]

    assert ["unavailable"] * 2 == [reply["status"] for reply in replies]
    assert [None] * 2 == [reply["revisionChanged"] for reply in replies]
    assert replies[0]["completeness"] == replies[1]["completeness"]


def test_a_record_whose_text_was_removed_is_purged(ask: Ask, library: Library) -> None:
    """The journal names it and has no state of it."""
    made = ask("record_fact", key="k", value=1)["id"]
    connection = apsw.Connection(str(library.store.path))
    connection.execute("UPDATE journal SET payload = NULL; DELETE FROM record")

    reply = ask("expand", recordId=made, digest="x")

    assert ("purged", None) == (reply["status"], reply["record"])
    assert "expansion_unavailable" == reply["completeness"]["limitation"]["code"]


def test_the_states_of_a_fact_stand_beside_each_other(
    ask: Ask, clock: StoppedClock
) -> None:
    """A successor is named as such; an older state held at another time."""
    ids = []
    for value in (1, 2, 2):
        ids.append(ask("record_fact", key="k", value=value)["id"])
        clock.advance(days=1)

    reply = ask("expand", recordId=ids[1], digest="x")

    pairs = {pair["recordId"]: pair for pair in reply["investigation"]["pairs"]}
    assert ("superseded_by", "resolved") == (
        pairs[ids[2]]["relation"],
        pairs[ids[2]]["state"],
    )
    assert ["explicit_supersession", "different_times", "same_value"] == pairs[ids[2]][
        "basis"
    ]
    assert ("same_key", ["different_times"]) == (
        pairs[ids[0]]["relation"],
        pairs[ids[0]]["basis"],
    )
    assert "fact k = 1 (superseded)" == pairs[ids[0]]["position"]
    assert "structural_only" == reply["investigation"]["limitation"]["code"]


def test_two_facts_that_hold_at_once_and_differ_are_unresolved(
    ask: Ask, library: Library
) -> None:
    """Structure alone cannot say which is right."""
    made = ask("record_fact", key="k", value=1)
    with library.write() as transaction:
        rival = {**made, "id": "fact_rival", "value": 2, "status": "superseded"}
        transaction.insert(rival, "fact.imported", Origin())

    pair = ask("expand", recordId=made["id"], digest="x")["investigation"]["pairs"][0]

    assert ("fact_rival", "unresolved", []) == (
        pair["recordId"],
        pair["state"],
        pair["basis"],
    )


@pytest.mark.parametrize(
    ("most", "used", "outcome", "named", "omitted"),
    [
        (0, 0, "exhausted", 10, 4),
        (5, 5, "exhausted", 10, 4),
        (12, 12, "exhausted", 12, 2),
        (50, 14, "within_budget", 14, 0),
    ],
)
def test_a_budget_limits_what_is_looked_at(
    most: int, used: int, outcome: str, named: int, omitted: int, ask: Ask
) -> None:
    """At least ten are named, and what is left out is counted."""
    for number in range(15):
        made = ask("record_fact", key="k", value=number)["id"]

    reply = ask("expand", recordId=made, digest="x", maxExpansions=most)

    found = reply["investigation"]
    assert {"maxExpansions": most, "used": used, "outcome": outcome} == found["budget"]
    assert (named, omitted, 14) == (len(found["pairs"]), found["omitted"], found["total"])
    assert used == sum("record" in pair for pair in found["pairs"])
    assert (omitted == 0) == reply["completeness"]["complete"]


def test_a_record_it_names_that_is_not_there_is_counted(ask: Ask, library: Library) -> None:
    """An import may bring a record without the one that replaced it."""
    made = ask("record_decision", title="t", chosen="c")
    with library.write() as transaction:
        held = transaction.by_id(made["id"])
        assert held is not None
        body = {**held.body, "supersededBy": "decision_gone"}
        transaction.replace(held, body, "decision.changed", Origin())

    reply = ask("expand", recordId=made["id"], digest="x")

    assert 1 == reply["investigation"]["unreachableLinks"]
    assert "links_unavailable" == reply["completeness"]["limitation"]["code"]
