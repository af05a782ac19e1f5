"""Correcting records: what may change, what may not, and what stays behind."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import (
    InvalidInputError,
    ScopeUnresolvedError,
    UnknownArgumentError,
    UnknownRecordError,
)
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
NFS = "attempt_ledger-on-nfs"
DECISION = "decision_ledger-in-sqlite"
FACT = "fact_ledger-writers"

pytestmark = pytest.mark.usefixtures("tiny_library")


def states(library: Library, record_id: str) -> int:
    """Return how many states of a record the journal holds."""
    with library.store.read() as selection:
        return sum(
            1 for (one,) in selection._connection.execute("SELECT entity FROM journal")
            if one == record_id
        )  # fmt: skip


def test_a_corrected_field_is_read_and_found_at_once(ask: Ask) -> None:
    """The new words find the record and the old ones do not."""
    ask("amend", id=NFS, changes={"reason": "quagmire of lock files"})

    found = ask("search", query="quagmire")["items"]
    assert [NFS] == [item["record"]["id"] for item in found]
    assert "quagmire of lock files" == ask("get", ids=[NFS])["items"][0]["reason"]


def test_a_correction_says_what_it_changed_when_why_and_by_whom(ask: Ask) -> None:
    """The record carries the note of its last correction."""
    reply = ask("amend", id=NFS, changes={"environment": "Linux 6.8"}, reason="was vague")

    assert ["environment"] == reply["changed"]
    assert {
        "at": "2026-11-15T12:00:00.000Z",
        "fields": ["environment"],
        "reason": "was vague",
        "actor": "tester",
    } == reply["amended"]
    assert "2026-11-15T12:00:00.000Z" == reply["updatedAt"]


def test_the_state_before_a_correction_stays_in_the_journal(
    ask: Ask, library: Library
) -> None:
    """Nothing that was recorded is lost."""
    before = ask("get", ids=[NFS])["items"][0]["reason"]
    ask("amend", id=NFS, changes={"reason": "other"})

    with library.store.read() as selection:
        payloads = [
            payload
            for (payload,) in selection._connection.execute(
                "SELECT payload FROM journal WHERE entity = ? ORDER BY seq", (NFS,)
            )
        ]
    assert 2 == len(payloads)
    assert before in payloads[0]


def test_correcting_nothing_writes_nothing(ask: Ask, library: Library) -> None:
    """No entry, no revision, no note."""
    held = ask("get", ids=[NFS])["items"][0]
    before = (library.store.revision(), states(library, NFS))
    reply = ask("amend", id=NFS, changes={"reason": held["reason"]})

    assert [] == reply["changed"]
    assert "amended" not in reply
    assert before == (library.store.revision(), states(library, NFS))


@pytest.mark.parametrize(
    ("record", "field", "tool"),
    [
        (NFS, "resultClass", "shadowgraph_reclassify"),
        (NFS, "retractedAt", "shadowgraph_retract"),
        (NFS, "project", "shadowgraph_retract"),
        (NFS, "causalClaim", "reason"),
        (DECISION, "status", "shadowgraph_update_status"),
        (DECISION, "outcome", "shadowgraph_record_outcome"),
        (DECISION, "confidence", "shadowgraph_confidence_evidence"),
        (DECISION, "supersededBy", "shadowgraph_supersede"),
        (FACT, "key", "shadowgraph_retract"),
        (FACT, "status", "shadowgraph_record_fact"),
        (FACT, "verificationStatus", "shadowgraph_verify_fact"),
        (FACT, "id", "store"),
    ],
)
def test_a_field_of_the_system_is_refused_and_its_tool_named(
    record: str, field: str, tool: str, refused: Refused
) -> None:
    """The refusal says what to call instead."""
    error = refused("amend", id=record, changes={field: "failed"})

    assert isinstance(error, InvalidInputError)
    assert tool in error.hint
    assert field in error.message


def test_a_misspelt_field_is_answered_with_the_nearest(refused: Refused) -> None:
    """Nothing is dropped in silence."""
    error = refused("amend", id=NFS, changes={"enviroment": "x"})

    assert isinstance(error, UnknownArgumentError)
    assert "'environment'" in error.hint


@pytest.mark.parametrize(
    ("record", "changes"),
    [
        (NFS, {"solution": ""}),
        (NFS, {"result": None}),
        (NFS, {"reusableWhen": [{"key": "a", "operator": "resembles", "value": 1}]}),
        (DECISION, {"assumptions": "one"}),
        (DECISION, {"assumptions": [1]}),
        (DECISION, {"reviewAfter": "soon"}),
        (DECISION, {"alternatives": [{"reason": "no label"}]}),
        (DECISION, {"evidence": [{"detail": "x", "confidence": 3}]}),
        (FACT, {"confidence": 2}),
    ],
)
def test_a_value_that_could_not_be_recorded_cannot_be_amended_in(
    record: str, changes: dict[str, Any], refused: Refused, library: Library
) -> None:
    """The checks of recording hold, and nothing is written."""
    before = library.store.revision()

    assert isinstance(refused("amend", id=record, changes=changes), InvalidInputError)
    assert before == library.store.revision()


def test_one_bad_field_keeps_the_good_ones_from_being_written(
    ask: Ask, refused: Refused
) -> None:
    """All or nothing."""
    refused("amend", id=NFS, changes={"reason": "new", "solution": " "})

    assert "new" != ask("get", ids=[NFS])["items"][0]["reason"]


def test_a_kept_alternative_keeps_its_id(ask: Ask) -> None:
    """Relations and reviews name alternatives by id."""
    made = ask("record_decision", title="t", chosen="c", alternatives=["A", "B"])
    held = made["alternatives"]
    first = held[0]
    edited = {**first, "reasonRejected": "needs a server we do not have"}
    reply = ask("amend", id=made["id"], changes={"alternatives": [edited, "a new one"]})

    assert first["id"] == reply["alternatives"][0]["id"]
    assert "needs a server we do not have" == reply["alternatives"][0]["reasonRejected"]
    assert "a new one" == reply["alternatives"][1]["label"]
    assert reply["alternatives"][1]["id"] not in {one["id"] for one in held}


def test_a_condition_that_was_corrected_is_the_one_that_counts(ask: Ask) -> None:
    """The old key decides nothing any more."""
    ask("amend", id=NFS, changes={"reusableWhen": [{"key": "nfs.locks", "value": "ok"}]})
    reply = ask("context", facts={"nfs.locks": "ok"})

    assert NFS in {one["attemptId"] for one in reply["reusableAttempts"]}


def test_a_corrected_reason_is_a_recorded_cause(ask: Ask) -> None:
    """The causal claim follows the reason, both ways."""
    assert "not_recorded" == ask("amend", id=NFS, changes={"reason": ""})[
        "causalClaim"
    ]["state"]  # fmt: skip
    assert "recorded" == ask("amend", id=NFS, changes={"reason": "why"})[
        "causalClaim"
    ]["state"]  # fmt: skip


def test_a_session_without_a_project_cannot_amend(library: Library) -> None:
    """It is not clear whose record is meant."""
    with pytest.raises(ScopeUnresolvedError):
        invoke(library, "shadowgraph_amend", {"id": NFS, "changes": {"a": 1}}, Caller())


def test_reclassifying_changes_what_the_attempt_counts_as(ask: Ask) -> None:
    """Context lists it no more, and the note says from what to what, and why."""
    reply = ask("reclassify", id=NFS, resultClass="inconclusive", reason="wrong mount")

    assert ["resultClass"] == reply["changed"]
    assert ("failed", "inconclusive", "wrong mount") == tuple(
        reply["reclassified"][name] for name in ("from", "to", "reason")
    )
    failed = {one["id"] for one in ask("context")["failedAttempts"]}
    assert NFS not in failed


def test_reclassifying_as_the_same_class_writes_nothing(ask: Ask, library: Library) -> None:
    """Not even a note."""
    before = library.store.revision()

    assert [] == ask("reclassify", id=NFS, resultClass="failed", reason="x")["changed"]
    assert before == library.store.revision()


def test_only_an_attempt_has_a_class(refused: Refused) -> None:
    """A decision has an outcome."""
    error = refused("reclassify", id=DECISION, resultClass="failed", reason="x")

    assert "is a decision" in error.message


def test_a_record_of_another_project_cannot_be_corrected(refused: Refused) -> None:
    """It reads like one that does not exist."""
    error = refused("amend", id=NFS, changes={"reason": "x"}, project="acme/web-shop")

    assert isinstance(error, UnknownRecordError)
