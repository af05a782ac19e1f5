"""Moving decisions: the whole table, no-ops, scopes."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import (
    IllegalTransitionError,
    InvalidInputError,
    ScopeUnresolvedError,
    UnknownRecordError,
)
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
PROJECT = "acme/billing-api"
TABLE = {
    "proposed": {"planned", "in_progress", "abandoned", "archived"},
    "planned": {"in_progress", "abandoned", "archived"},
    "in_progress": {"executed", "failed", "abandoned", "archived"},
    "executed": {"validated", "failed", "reconsidered", "archived"},
    "validated": {"reconsidered", "archived"},
    "failed": {"reconsidered", "abandoned", "archived"},
    "reconsidered": {"planned", "in_progress", "abandoned", "archived"},
    "stale": {"reconsidered", "archived"},
    "abandoned": {"archived"},
    "superseded": set[str](),
    "archived": set[str](),
}
SYSTEM = {"stale", "superseded"}


@pytest.fixture
def in_every_state(library: Library) -> Library:
    """Return a library with one decision in each state, named after it."""
    lines = [
        {
            "kind": "decision",
            "id": f"decision_{state}",
            "project": PROJECT,
            "title": state,
            "chosen": "c",
            "status": state,
        }
        for state in TABLE
    ]
    import_lines(library, map(json.dumps, lines))
    return library


@pytest.mark.parametrize("state", TABLE)
def test_every_move_of_the_table_is_made_or_refused(
    state: str, in_every_state: Library, ask: Ask, refused: Refused
) -> None:
    """A refusal names the state it is in and the legal ones, and changes nothing."""
    record = f"decision_{state}"
    for target in set(TABLE) - TABLE[state] - {state}:
        error = refused("update_status", decisionId=record, status=target)
        assert isinstance(error, IllegalTransitionError)
        if target not in SYSTEM:
            assert all(legal in error.message for legal in TABLE[state])
    assert state == ask("get", ids=[record])["items"][0]["status"]
    for target in TABLE[state]:
        moved = ask("update_status", decisionId=record, status=target)
        assert target == moved["status"]
        _put_back(in_every_state, record, state)


def _put_back(library: Library, record_id: str, state: str) -> None:
    """Set the state of a decision past all rules."""
    caller = Caller(PROJECT, "server")
    with library.write() as transaction:
        record = transaction.by_id(record_id)
        assert record is not None
        body = {**record.body, "status": state}
        transaction.replace(
            record, body, "decision.status_changed", caller.origin(None, None, None)
        )


@pytest.mark.parametrize(
    ("target", "tool"),
    [("stale", "shadowgraph_maintain"), ("superseded", "shadowgraph_supersede")],
)
@pytest.mark.usefixtures("in_every_state")
def test_states_of_the_system_are_refused_with_what_sets_them(
    target: str, tool: str, refused: Refused
) -> None:
    """A caller may not pretend."""
    error = refused("update_status", decisionId="decision_proposed", status=target)

    assert isinstance(error, IllegalTransitionError)
    assert tool in error.text()


@pytest.mark.usefixtures("in_every_state")
def test_setting_the_current_state_advances_the_revision_and_writes_nothing_else(
    ask: Ask,
) -> None:
    """A no-op is a committed write without content."""
    before, stored = ask("stats"), ask("get", ids=["decision_planned"])["items"]
    reply = ask("update_status", decisionId="decision_planned", status="planned")
    after = ask("stats")

    assert stored == [reply]
    assert stored == ask("get", ids=["decision_planned"])["items"]
    assert (before["revision"] + 1, before["journal"]) == (
        after["revision"],
        after["journal"],
    )


@pytest.mark.usefixtures("in_every_state")
def test_a_move_is_journalled_and_dated(ask: Ask) -> None:
    """One entry, one revision, a new updatedAt."""
    before = ask("stats")
    reply = ask("update_status", decisionId="decision_planned", status="in_progress")
    after = ask("stats")

    assert "2026-11-15T12:00:00.000Z" == reply["updatedAt"]
    assert (1, 1) == (
        after["revision"] - before["revision"],
        after["journal"] - before["journal"],
    )


@pytest.mark.usefixtures("in_every_state")
def test_an_unknown_state_is_refused_with_the_nearest(refused: Refused) -> None:
    """The legal words are named."""
    error = refused("update_status", decisionId="decision_planned", status="in_progres")

    assert isinstance(error, InvalidInputError)
    assert "in_progress" in error.text()


@pytest.mark.usefixtures("in_every_state")
def test_a_refused_move_advances_no_revision(ask: Ask, refused: Refused) -> None:
    """Nothing was committed."""
    before = ask("stats")["revision"]
    refused("update_status", decisionId="decision_archived", status="planned")

    assert before == ask("stats")["revision"]


def test_without_a_project_or_an_origin_the_move_is_refused(
    in_every_state: Library,
) -> None:
    """A write by id is never guessed."""
    move = {"decisionId": "decision_proposed", "status": "planned"}
    with pytest.raises(ScopeUnresolvedError) as caught:
        invoke(in_every_state, "shadowgraph_update_status", move, Caller())

    assert "write-scope-unresolved" == caught.value.code


def test_an_origin_alone_is_scope_enough(library: Library) -> None:
    """It means the records of that origin and no others."""
    made = invoke(
        library,
        "shadowgraph_record_decision",
        {"title": "t", "chosen": "c", "originId": "o1"},
        Caller(),
    )
    move = {"decisionId": made["id"], "status": "planned", "originId": "o1"}

    assert (
        "planned"
        == (invoke(library, "shadowgraph_update_status", move, Caller())["status"])
    )


@pytest.mark.usefixtures("in_every_state")
def test_a_decision_of_another_project_reads_like_an_unknown_one(refused: Refused) -> None:
    """Neither the text nor the details tell that it exists."""
    foreign = refused(
        "update_status", decisionId="decision_planned", status="archived", project="acme/x"
    )
    unknown = refused(
        "update_status", decisionId="decision_nowhere", status="archived", project="acme/x"
    )

    assert isinstance(foreign, UnknownRecordError)
    assert foreign.text() == unknown.text().replace("decision_nowhere", "decision_planned")


@pytest.mark.usefixtures("in_every_state")
def test_the_new_state_is_found_at_once(ask: Ask) -> None:
    """Search follows every committed write."""
    ask("update_status", decisionId="decision_executed", status="validated")

    found = ask("search", status="validated", kind="decision")["items"]
    assert {"decision_executed", "decision_validated"} == {
        item["record"]["id"] for item in found
    }
