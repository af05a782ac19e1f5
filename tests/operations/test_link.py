"""Linking records and taking links back."""

from collections.abc import Callable
from typing import Any

import apsw
import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import (
    ConflictError,
    InvalidInputError,
    ScopeUnresolvedError,
    UnknownRecordError,
)
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
NFS, LEDGER = "attempt_ledger-on-nfs", "decision_ledger-in-sqlite"
LED_TO = {"from": NFS, "to": LEDGER, "relation": "led_to"}
pytestmark = pytest.mark.usefixtures("tiny_library")


def names(ask: Ask, record_id: str, **asked: Any) -> list[str]:
    """Return the names of the relations of a record."""
    found = ask("traverse", id=record_id, **asked)["relations"]
    return [one["relation"] for one in found]


def test_a_link_is_a_record_with_two_ends_and_a_name(ask: Ask) -> None:
    """In the project of the call, in force from now on, from whom it is."""
    reply = ask("link", **LED_TO)

    now = "2026-11-15T12:00:00.000Z"
    assert ("relation", "acme/billing-api", 7) == (
        reply["kind"],
        reply["project"],
        reply["schemaVersion"],
    )
    assert (NFS, LEDGER, "led_to") == (reply["from"], reply["to"], reply["relation"])
    assert ("tester", "pytest") == (reply["actor"], reply["client"])
    assert {
        "validFrom": now,
        "validTo": None,
        "recordedAt": now,
        "invalidatedAt": None,
    } == reply["temporal"]


def test_the_same_link_again_is_the_first_one(ask: Ask, library: Library) -> None:
    """A retry doubles nothing, with or without spaces around the name."""
    first = ask("link", **LED_TO)
    again = ask("link", **{**LED_TO, "relation": " led_to "})

    assert (first["id"], True) == (again["id"], again["replayed"])
    assert 1 == library.store.counts()["relation"]


@pytest.mark.parametrize(
    "other",
    [
        {"relation": "caused_by"},
        {"from": LEDGER, "to": NFS},
        {"to": "attempt_begin-immediate"},
        {"validTo": "2027-01-01T00:00:00Z"},
        {"validFrom": "2026-01-01T00:00:00Z"},
    ],
)
def test_another_name_end_or_window_is_another_link(
    other: dict[str, str], ask: Ask, library: Library
) -> None:
    """Only what is alike in all of them is the same."""
    ask("link", **LED_TO)
    ask("link", **{**LED_TO, **other})

    assert 2 == library.store.counts()["relation"]


def test_an_alternative_can_be_an_end(ask: Ask) -> None:
    """It stands inside its decision and has an id of its own."""
    decision = ask(
        "record_decision", title="t", chosen="c", alternatives=[{"label": "other"}]
    )
    alternative = decision["alternatives"][0]["id"]

    reply = ask("link", **{"from": NFS, "to": alternative, "relation": "speaks_against"})

    assert alternative == reply["to"]


@pytest.mark.parametrize("end", ["from", "to"])
@pytest.mark.parametrize("other", ["attempt_none", "alternative_none"])
def test_an_end_that_is_not_there_is_refused(
    end: str, other: str, refused: Refused
) -> None:
    """Nothing leads nowhere."""
    error = refused("link", **{**LED_TO, end: other})

    assert isinstance(error, UnknownRecordError)
    assert other in error.message


def test_an_end_in_another_project_is_refused_like_an_unknown_one(
    library: Library, refused: Refused
) -> None:
    """A link does not tell whether it exists there."""
    there = Caller("acme/web-shop", "server")
    reply = invoke(library, "shadowgraph_record_fact", {"key": "k", "value": 1}, there)

    foreign = refused("link", **{**LED_TO, "to": reply["id"]})
    unknown = refused("link", **{**LED_TO, "to": "fact_01" + "0" * 24})

    assert foreign.message.replace(reply["id"], "fact_01" + "0" * 24) == unknown.message


def test_a_record_is_not_linked_to_itself(refused: Refused) -> None:
    """The message says what a relation has."""
    error = refused("link", **{**LED_TO, "to": NFS})

    assert isinstance(error, InvalidInputError)
    assert "the same record" in error.message


def test_a_relation_is_no_end(ask: Ask, refused: Refused) -> None:
    """Relations tie records, not each other."""
    relation = ask("link", **LED_TO)

    error = refused("link", **{**LED_TO, "to": relation["id"]})

    assert "is of kind relation" in error.message


def test_a_window_that_ends_before_it_begins_is_refused(refused: Refused) -> None:
    """The times are compared as instants."""
    error = refused(
        "link",
        **LED_TO,
        validFrom="2026-02-01T00:00:00Z",
        validTo="2026-02-01T01:00:00+01:00",
    )

    assert "is not after validFrom" in error.message


def test_a_session_without_a_project_must_name_one(tiny_library: Library) -> None:
    """It could only guess whose records are meant."""
    with pytest.raises(ScopeUnresolvedError):
        invoke(tiny_library, "shadowgraph_link", LED_TO, Caller())


def test_a_link_is_taken_back_by_its_ends_and_name(ask: Ask, clock: StoppedClock) -> None:
    """It ends now, with the reason, and no longer leads anywhere."""
    ask("link", **LED_TO)
    clock.advance(hours=1)
    gone = ask("unlink", **LED_TO, reason="another one did")

    assert "2026-11-15T13:00:00.000Z" == gone["temporal"]["validTo"]
    assert "another one did" == gone["unlinkedReason"]
    assert [] == names(ask, NFS)


def test_a_link_that_was_taken_back_is_seen_before_that_instant(
    ask: Ask, clock: StoppedClock
) -> None:
    """Both in what held and in what was known."""
    ask("link", **LED_TO)
    clock.advance(hours=1)
    ask("unlink", **LED_TO)

    at = "2026-11-15T12:30:00Z"
    assert ["led_to"] == names(ask, NFS, asOf=at)
    assert ["led_to"] == names(ask, NFS, knownAt=at)
    assert [] == names(ask, NFS, asOf="2026-11-15T13:00:00Z")


def test_a_link_that_was_taken_back_can_be_put_back(ask: Ask, clock: StoppedClock) -> None:
    """As it was before, by the state in the journal."""
    first = ask("link", **LED_TO)
    clock.advance(hours=1)
    ask("unlink", relationId=first["id"], reason="wrong")
    clock.advance(hours=1)
    back = ask("unlink", relationId=first["id"], undo=True)

    assert first == {key: back[key] for key in first}
    assert "unlinkedReason" not in back
    assert ["led_to"] == names(ask, NFS)


def test_a_link_made_again_after_it_was_taken_back_is_a_new_one(
    ask: Ask, refused: Refused
) -> None:
    """And the old one is not put back beside it."""
    first = ask("link", **LED_TO)
    ask("unlink", **LED_TO)
    second = ask("link", **LED_TO)

    assert first["id"] != second["id"]
    error = refused("unlink", relationId=first["id"], undo=True)
    assert isinstance(error, ConflictError)
    assert second["id"] == error.details["id"]


def test_a_link_whose_earlier_state_was_purged_is_not_put_back(
    ask: Ask, refused: Refused, library: Library
) -> None:
    """There is nothing to put back, and the message says so."""
    first = ask("link", **LED_TO)
    ask("unlink", relationId=first["id"])
    connection = apsw.Connection(str(library.store.path))
    connection.execute("UPDATE journal SET payload = NULL WHERE type = 'relation.created'")

    error = refused("unlink", relationId=first["id"], undo=True)

    assert isinstance(error, ConflictError)
    assert "no state" in error.message


def test_taking_back_twice_changes_nothing(ask: Ask, clock: StoppedClock) -> None:
    """The second call says that it was done before."""
    first = ask("link", **LED_TO)
    gone = ask("unlink", relationId=first["id"])
    clock.advance(hours=1)
    again = ask("unlink", relationId=first["id"])

    assert {**gone, "replayed": True} == again


def test_a_link_that_lies_ahead_never_holds_after_it_is_taken_back(ask: Ask) -> None:
    """Its window is empty."""
    made = ask("link", **LED_TO, validFrom="2027-01-01T00:00:00Z")
    ask("unlink", relationId=made["id"])

    assert [] == names(ask, NFS, asOf="2027-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"from": NFS, "to": LEDGER},
        {"relation": "led_to", "undo": True, "from": NFS, "to": LEDGER},
    ],
)
def test_which_link_is_meant_must_be_clear(
    arguments: dict[str, Any], refused: Refused
) -> None:
    """The hint says what to give."""
    error = refused("unlink", **arguments)

    assert isinstance(error, InvalidInputError)
    assert "relationId" in error.hint


def test_a_link_that_is_not_there_is_not_taken_back(refused: Refused) -> None:
    """A mistyped name would otherwise go unnoticed."""
    error = refused("unlink", **LED_TO)

    assert isinstance(error, UnknownRecordError)
    assert "No live relation 'led_to'" in error.message


def test_one_of_two_windows_is_named_by_its_id(ask: Ask, refused: Refused) -> None:
    """The hint lists both."""
    ids = [
        ask("link", **LED_TO)["id"],
        ask("link", **LED_TO, validTo="2027-01-01T00:00:00Z")["id"],
    ]

    error = refused("unlink", **LED_TO)

    assert isinstance(error, ConflictError)
    assert all(one in error.hint for one in ids)


def test_only_a_relation_is_taken_back(refused: Refused) -> None:
    """A record of another kind is named as such."""
    error = refused("unlink", relationId=NFS)

    assert "is of kind attempt" in error.message


def test_the_relation_of_a_supersession_stays(library: Library, refused: Refused) -> None:
    """Both decisions would go on saying what it says."""
    with library.write() as transaction:
        old = transaction.by_id(LEDGER)
        assert old is not None
        new = {**old.body, "id": "decision_new", "supersedes": [LEDGER]}
        ended = {**old.body, "status": "superseded", "supersededBy": "decision_new"}
        origin = Caller().origin(None, None, None)
        transaction.insert(new, "decision.recorded", origin)
        transaction.replace(old, ended, "decision.superseded", origin)
        tie = {
            "id": "relation_1",
            "kind": "relation",
            "project": "acme/billing-api",
            "from": "decision_new",
            "to": LEDGER,
            "relation": "supersedes",
        }
        transaction.insert(tie, "relation.created", origin)

    error = refused("unlink", relationId="relation_1")

    assert isinstance(error, ConflictError)
    assert "supersession" in error.message


def test_a_relation_is_in_no_search_and_in_no_count_of_the_index(
    ask: Ask, library: Library
) -> None:
    """It is kept, walked and exported; the doctor agrees."""
    before = ask("search", limit=50)["page"]["total"]
    ask("link", **{**LED_TO, "relation": "qz17"})

    assert before == ask("search", limit=50)["page"]["total"]
    assert 0 == ask("search", query="qz17")["page"]["total"]
    assert library.search("").searched == sum(
        count for kind, count in library.store.counts().items() if kind != "relation"
    )
    assert ask("doctor")["ok"]
    library.reindex()
    assert ask("doctor")["ok"]
