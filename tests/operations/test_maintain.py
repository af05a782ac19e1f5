"""Maintenance: what the passing of time does, once."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, ScopeUnresolvedError
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def journal(library: Library, kind: str) -> list[tuple[str, str]]:
    """Return which entities have an entry of one type, and by whom."""
    rows = library.store._connection().execute(
        "SELECT entity, provenance ->> 'actor' FROM journal WHERE type = ?", (kind,)
    )
    return list(rows)


def test_a_decision_in_force_becomes_stale_at_its_review_date(
    ask: Ask, library: Library, clock: StoppedClock
) -> None:
    """The instant itself counts; a signal is raised for it."""
    decision = ask(
        "record_decision", title="t", chosen="c", reviewAfter="2026-11-15T13:00:00Z"
    )["id"]
    early = ask("maintain")
    clock.advance(hours=1)
    reply = ask("maintain")

    assert [] == early["staleDecisionIds"]
    assert [decision] == reply["staleDecisionIds"] == reply["agedDecisionIds"]
    assert [decision] == [signal["decisionId"] for signal in reply["reviewSignals"]]
    assert ["open"] == [entry["reviewSignalStatus"] for entry in reply["due"]]
    assert [(decision, "maintain")] == journal(library, "decision.staled")
    assert "stale" == ask("get", ids=[decision])["items"][0]["status"]


def test_a_second_run_finds_nothing_to_do(ask: Ask, library: Library) -> None:
    """No entry is added; what is due stays due."""
    ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")
    ask("record_fact", key="k", value=1, expiresAt="2026-11-20T00:00:00Z")
    ask("maintain", now="2026-11-21T00:00:00Z")
    with library.store.read() as selection:
        head = selection.head()
    again = ask("maintain", now="2026-11-21T00:00:00Z")

    with library.store.read() as selection:
        assert head == selection.head()
    assert ([], [], []) == (
        again["staleDecisionIds"],
        again["expiredFactIds"],
        again["reviewSignals"],
    )
    assert 1 == len(again["due"])


@pytest.mark.parametrize("status", ["failed", "archived", "abandoned"])
def test_only_a_decision_in_force_becomes_stale(
    status: str, ask: Ask, clock: StoppedClock
) -> None:
    """A failed one is due, but it is not stale."""
    decision = ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")["id"]
    for step in ["in_progress", "failed"] if status == "failed" else [status]:
        ask("update_status", decisionId=decision, status=step)
    clock.advance(days=1)
    reply = ask("maintain")

    assert [] == reply["staleDecisionIds"]
    assert (status == "failed") == bool(reply["due"])


def test_a_fact_expires_at_the_earliest_of_its_ends(ask: Ask, library: Library) -> None:
    """The window is closed there, and the journal says when it was noticed."""
    fact = ask(
        "record_fact",
        key="k",
        value=1,
        expiresAt="2026-11-18T00:00:00Z",
        validTo="2026-11-20T00:00:00Z",
    )["id"]
    lasting = ask("record_fact", key="other", value=1)["id"]
    reply = ask("maintain", now="2026-11-19T00:00:00Z")

    expired, untouched = ask("get", ids=[fact, lasting])["items"]
    assert [fact] == reply["expiredFactIds"]
    assert ("expired", "expired") == (expired["status"], expired["verificationStatus"])
    assert ("2026-11-18T00:00:00.000Z", "2026-11-19T00:00:00.000Z") == (
        expired["temporal"]["validTo"],
        expired["temporal"]["invalidatedAt"],
    )
    assert "active" == untouched["status"]
    assert [(fact, "maintain")] == journal(library, "fact.expired")


def test_a_key_can_be_observed_again_after_its_fact_expired(ask: Ask) -> None:
    """An expired fact is not the active one."""
    ask("record_fact", key="k", value=1, expiresAt="2026-11-18T00:00:00Z")
    ask("maintain", now="2026-11-19T00:00:00Z")
    reply = ask("record_fact", key="k", value=2, validFrom="2026-11-19T00:00:00Z")

    assert "active" == reply["status"]
    assert "supersedes" not in reply


def test_conditions_are_evaluated_at_the_instant_of_the_run(ask: Ask) -> None:
    """A fact that has ended by then does not fire."""
    ask(
        "record_decision",
        title="t",
        chosen="c",
        alternatives=[{"label": "b", "reopenWhen": [{"key": "k", "value": 1}]}],
    )
    ask("record_fact", key="k", value=1, validTo="2026-11-18T00:00:00Z")
    later = ask("maintain", now="2026-11-18T00:00:00Z")

    assert [] == later["due"]
    assert ["k"] == [c["key"] for one in later["diagnostics"] for c in one["conditions"]]


def test_a_malformed_instant_changes_nothing(
    ask: Ask, refused: Refused, library: Library
) -> None:
    """All inputs are read before the first change."""
    ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")
    revision = library.store.revision()
    error = refused("maintain", now="tomorrow")

    assert isinstance(error, InvalidInputError)
    assert revision == library.store.revision()


def test_other_projects_are_left_alone(ask: Ask, library: Library) -> None:
    """Maintenance without a project once ran over the whole store."""
    ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")
    reply = invoke(library, "shadowgraph_maintain", {}, Caller("acme/other", "server"))

    assert [] == reply["staleDecisionIds"]
    with pytest.raises(ScopeUnresolvedError):
        invoke(library, "shadowgraph_maintain", {}, Caller())
