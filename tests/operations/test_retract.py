"""Retracting: out of every read, kept with its reason, and put back."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError, UnknownRecordError
from shadowgraph.exchange import export_lines, import_lines

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
NFS = "attempt_ledger-on-nfs"
FACT = "fact_ledger-writers"
DECISION = "decision_ledger-in-sqlite"
ACTION = "Keep the ledger's SQLite file on the NFS share in WAL mode"

pytestmark = pytest.mark.usefixtures("tiny_library")


@pytest.mark.parametrize("record", [NFS, DECISION, FACT])
def test_no_read_mentions_a_retracted_record(record: str, ask: Ask) -> None:
    """Search, context, check, similar attempts and the lists of projects."""
    ask("retract", id=record, reason="recorded twice")
    replies = [
        ask("search"),
        ask("search", query="ledger sqlite nfs writers", detail="full"),
        ask("search", query="ledger", allProjects=True),
        ask("context", query="ledger sqlite nfs", budget=50_000),
        ask("context", facts={"ledger.writers": 9}, changedFacts=["ledger.writers"]),
        ask("check", action=ACTION),
        ask("record_attempt", solution=ACTION, result="x"),
    ]

    # Other records may still name it, as what they came from.
    told = json.dumps(replies)
    assert [] == [
        n for n in ("id", "attemptId", "decisionId") if f'"{n}": "{record}"' in told
    ]


def test_counts_leave_a_retracted_record_out(ask: Ask) -> None:
    """Figures, projects and the doctor agree with the index."""
    ask("retract", id=NFS, reason="recorded twice")

    assert 11 == ask("stats")["records"]
    assert 11 == ask("stats")["index"]["documents"]
    assert 11 == sum(row["records"] for row in ask("projects")["items"])
    assert ask("doctor")["ok"]
    assert 11 == ask("reindex")["documents"]


def test_reading_by_id_finds_it_only_when_asked_to(ask: Ask, refused: Refused) -> None:
    """The reason is read with it."""
    ask("retract", id=NFS, reason="recorded twice")

    assert isinstance(refused("get", ids=[NFS]), UnknownRecordError)
    found = ask("get", ids=[NFS], includeRetracted=True)["items"][0]
    assert ("recorded twice", "2026-11-15T12:00:00.000Z") == (
        found["retractedReason"],
        found["retractedAt"],
    )


def test_undoing_brings_everything_back(ask: Ask) -> None:
    """The record is what it was, its date of change aside."""
    before = ask("get", ids=[NFS])["items"][0]
    ask("retract", id=NFS, reason="recorded twice")
    reply = ask("retract", id=NFS, undo=True)

    after = ask("get", ids=[NFS])["items"][0]
    assert (False, True) == (reply["retracted"], reply["changed"])
    assert before == {k: v for k, v in after.items() if k != "updatedAt"}
    assert NFS == ask("search", query="NFS share WAL")["items"][0]["record"]["id"]


def test_a_second_retraction_writes_nothing_and_keeps_the_first_reason(
    ask: Ask, library: Library
) -> None:
    """A retry is harmless."""
    ask("retract", id=NFS, reason="first")
    before = library.store.revision()
    reply = ask("retract", id=NFS, reason="second")

    assert (True, False, "first") == (
        reply["retracted"],
        reply["changed"],
        reply["retractedReason"],
    )
    assert before == library.store.revision()


def test_a_retraction_needs_a_reason(refused: Refused) -> None:
    """Nobody could judge it later."""
    assert isinstance(refused("retract", id=NFS), InvalidInputError)


def test_a_retracted_record_cannot_be_written_to(ask: Ask, refused: Refused) -> None:
    """It has to be put back first."""
    ask("retract", id=DECISION, reason="x")

    for call in (
        ("amend", {"id": DECISION, "changes": {"goal": "y"}}),
        ("update_status", {"decisionId": DECISION, "status": "archived"}),
        ("record_outcome", {"decisionId": DECISION, "outcome": "failed"}),
    ):
        assert isinstance(refused(call[0], **call[1]), UnknownRecordError)


def test_a_retracted_fact_decides_nothing_and_leaves_its_key_free(ask: Ask) -> None:
    """The reply says that the key has no value now."""
    reply = ask("retract", id=FACT, reason="measured on the wrong machine")
    ask("record_fact", key="ledger.writers", value=2)

    assert "no active fact" in reply["warnings"][0]
    facts = ask("search", kind="fact", detail="full")["items"]
    found = [f["record"] for f in facts if f["record"]["key"] == "ledger.writers"]
    assert [2] == [fact["value"] for fact in found]


def test_a_fact_is_not_put_back_beside_an_active_one(ask: Ask, refused: Refused) -> None:
    """One active fact a key."""
    ask("retract", id=FACT, reason="x")
    ask("record_fact", key="ledger.writers", value=2)
    error = refused("retract", id=FACT, undo=True)

    assert isinstance(error, ConflictError)
    assert "Retract the active fact first" in error.hint


def test_a_retry_key_of_a_retracted_record_does_not_record_it_again(
    ask: Ask, refused: Refused
) -> None:
    """The retry is told instead of bringing back what was taken out."""
    said = {"solution": "a", "result": "b", "idempotencyKey": "k"}
    first = ask("record_attempt", **said)
    ask("retract", id=first["id"], reason="x")

    assert isinstance(refused("record_attempt", **said), ConflictError)


def test_an_export_keeps_a_retracted_record_retracted(
    ask: Ask, library: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A copy is whole, and a second import of it changes nothing."""
    ask("retract", id=NFS, reason="recorded twice")
    lines = list(export_lines(library))

    with Library(tmp_path_factory.mktemp("copy")) as copy:
        assert 12 == import_lines(copy, lines).imported
        assert 12 == import_lines(copy, lines).unchanged
        assert 0 == copy.search("NFS share").total or all(
            NFS != hit.record.id for hit in copy.search("NFS share").hits
        )
        assert lines == list(export_lines(copy))


def test_an_unknown_and_a_foreign_id_are_refused(refused: Refused) -> None:
    """In the same words."""
    foreign = refused("retract", id=NFS, reason="x", project="acme/web-shop")
    unknown = refused(
        "retract", id="attempt_ledger-on-nfz", reason="x", project="acme/web-shop"
    )

    assert foreign.text() == unknown.text().replace("nfz", "nfs")
