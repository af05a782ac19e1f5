"""Reading records as they held, and as they were known."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import ShadowgraphError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def test_a_record_is_read_as_it_was_known(ask: Ask, clock: StoppedClock) -> None:
    """Of every change the state after it, until the next."""
    decision = ask("record_decision", title="t", chosen="c")["id"]
    for status in ("planned", "in_progress"):
        clock.advance(hours=1)
        ask("update_status", decisionId=decision, status=status)

    found = [
        ask("get", ids=[decision], knownAt=f"2026-11-15T{hour}:30:00Z")["items"][0][
            "status"
        ]
        for hour in (12, 13, 14)
    ]
    assert ["proposed", "planned", "in_progress"] == found


def test_a_record_that_was_not_known_yet_is_missing(
    ask: Ask, refused: Refused, clock: StoppedClock
) -> None:
    """It is not called unknown, as it is there now; what never was still is."""
    early = ask("record_attempt", solution="a", result="r")["id"]
    clock.advance(hours=1)
    late = ask("record_attempt", solution="b", result="r", createdAt="2026-01-01")["id"]

    at = "2026-11-15T12:30:00Z"
    reply = ask("get", ids=[early, late], knownAt=at)
    assert ([early], [late]) == ([i["id"] for i in reply["items"]], reply["missing"])
    assert [late] == ask("get", ids=[late], knownAt=at)["missing"]
    assert "unknown-record" == refused("get", ids=["attempt_none"], knownAt=at).code


def test_a_fact_is_read_where_it_held(ask: Ask) -> None:
    """By its own window, whatever its status is now."""
    ids = [
        ask("record_fact", key="k", value=n, validFrom=f"2026-0{n}-01")["id"]
        for n in (1, 2, 3)
    ]

    reply = ask("get", ids=ids, asOf="2026-02-15T00:00:00Z")

    assert [2] == [item["value"] for item in reply["items"]]
    assert [ids[0], ids[2]] == reply["missing"]


def test_both_times_are_asked_together(ask: Ask, clock: StoppedClock) -> None:
    """What was known on one day about another."""
    first = ask("record_fact", key="k", value=1, validFrom="2026-01-01T00:00:00Z")["id"]
    clock.advance(days=1)
    ask("record_fact", key="k", value=2, validFrom="2026-02-01T00:00:00Z")

    march = "2026-03-01T00:00:00Z"
    known = ask("get", ids=[first], asOf=march, knownAt="2026-11-15T13:00:00Z")
    assert [1] == [item["value"] for item in known["items"]]
    now = ask("get", ids=[first], asOf="2026-01-15T00:00:00Z")
    assert "superseded" == now["items"][0]["status"]
    recalled = ask("recall", kind="fact", asOf=march, knownAt="2026-11-15T13:00:00Z")
    assert [first] == [item["record"]["id"] for item in recalled["items"]]


def test_an_expiry_is_judged_at_the_instant_of_the_read(ask: Ask) -> None:
    """A fact that has expired by now had not before."""
    fact = ask(
        "record_fact", key="k", value=1, validFrom="2026-01-01", expiresAt="2026-05-01"
    )["id"]

    assert ask("get", ids=[fact])["items"][0]["expired"]
    assert "expired" not in ask("get", ids=[fact], asOf="2026-04-01")["items"][0]


@pytest.mark.parametrize("name", ["asOf", "knownAt"])
def test_a_time_that_is_none_is_refused_by_its_name(name: str, refused: Refused) -> None:
    """With what would be right."""
    error = refused("get", ids=["a"], **{name: "yesterday"})

    assert error.message.startswith(f"{name}: 'yesterday'")
    assert "2026-03-04T09:15:00Z" in error.message
