"""Recording facts: one active value a key, intervals, the past."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def test_a_fact_holds_from_when_it_was_observed(ask: Ask) -> None:
    """Without other times, now."""
    reply = ask("record_fact", key="pg.version", value="16.2")

    now = "2026-11-15T12:00:00.000Z"
    assert {
        "validFrom": now,
        "validTo": None,
        "recordedAt": now,
        "invalidatedAt": None,
    } == reply["temporal"]
    assert ("active", "unverified", now) == (
        reply["status"],
        reply["verificationStatus"],
        reply["observedAt"],
    )


def test_a_second_value_ends_the_first(ask: Ask) -> None:
    """The first stays readable and says what replaced it, and when it ended."""
    first = ask("record_fact", key="k", value=1, validFrom="2026-01-01T00:00:00Z")
    second = ask("record_fact", key="k", value=2, validFrom="2026-03-01T00:00:00Z")

    assert first["id"] == second["supersedes"]
    ended = ask("get", ids=[first["id"]])["items"][0]
    assert ("superseded", second["id"]) == (ended["status"], ended["supersededBy"])
    assert "2026-03-01T00:00:00Z" == ended["temporal"]["validTo"]
    assert "2026-11-15T12:00:00.000Z" == ended["temporal"]["invalidatedAt"]


def test_an_end_that_was_declared_earlier_stays(ask: Ask) -> None:
    """A gap between two facts is a gap."""
    first = ask(
        "record_fact",
        key="k",
        value=1,
        validFrom="2026-01-01T00:00:00Z",
        validTo="2026-02-01T00:00:00Z",
    )
    ask("record_fact", key="k", value=2, validFrom="2026-03-01T00:00:00Z")

    ended = ask("get", ids=[first["id"]])["items"][0]
    assert "2026-02-01T00:00:00Z" == ended["temporal"]["validTo"]


def test_another_key_or_project_ends_nothing(ask: Ask) -> None:
    """One active fact per key and owner."""
    ask("record_fact", key="k", value=1)
    other_key = ask("record_fact", key="K", value=2)
    other_project = ask("record_fact", key="k", value=3, project="acme/other")

    assert "supersedes" not in other_key
    assert "supersedes" not in other_project


def test_a_fact_that_begins_before_the_active_one_is_refused(
    ask: Ask, refused: Refused
) -> None:
    """The past is not rewritten."""
    active = ask("record_fact", key="k", value=1, validFrom="2026-03-01T00:00:00Z")
    error = refused("record_fact", key="k", value=2, validFrom="2026-02-01T00:00:00Z")

    assert isinstance(error, ConflictError)
    assert active["id"] == error.details["id"]
    assert "2026-03-01T00:00:00.000Z" in error.message
    assert 1 == ask("stats")["records"]


@pytest.mark.parametrize(
    "times",
    [
        {"validFrom": "2026-02-01T00:00:00Z", "validTo": "2026-02-01T00:00:00Z"},
        {"validFrom": "2026-02-01T00:00:00Z", "validTo": "2026-01-01T00:00:00Z"},
        {"validFrom": "2026-02-01T00:00:00Z", "expiresAt": "2026-01-31T23:59:59Z"},
        {"observedAt": "2026-02-01T00:00:00Z", "validTo": "2026-02-01T01:00:00+02:00"},
    ],
)
def test_an_interval_that_ends_before_it_begins_is_refused(
    times: dict[str, str], refused: Refused
) -> None:
    """Instants are compared, not their texts."""
    error = refused("record_fact", key="k", value=1, **times)

    assert isinstance(error, InvalidInputError)
    assert "not after it begins" in error.message


def test_the_earlier_of_two_ends_counts(ask: Ask) -> None:
    """The effective boundary is written down."""
    policy = ask(
        "record_fact",
        key="k",
        value=1,
        validTo="2027-03-01T00:00:00Z",
        expiresAt="2027-01-01T00:00:00+01:00",
    )["validityPolicy"]

    assert {
        "declaredExpiresAt": "2027-01-01T00:00:00+01:00",
        "declaredValidTo": "2027-03-01T00:00:00Z",
        "effectiveExpirationBoundary": "2027-01-01T00:00:00+01:00",
    } == policy


@pytest.mark.parametrize("word", ["verified", "expired"])
def test_a_caller_cannot_declare_a_fact_verified_or_expired(
    word: str, refused: Refused
) -> None:
    """Nothing a caller sends makes a fact verified."""
    error = refused("record_fact", key="k", value=1, verificationStatus=word)

    assert "verificationStatus" in error.message
    assert "contradicted" in error.message


def test_a_caller_may_declare_a_fact_contradicted(ask: Ask) -> None:
    """It lowers trust, which anybody may."""
    reply = ask("record_fact", key="k", value=1, verificationStatus="Contradicted")

    assert "contradicted" == reply["verificationStatus"]


def test_source_is_an_alias_of_source_class(ask: Ask) -> None:
    """Older clients send it; the record carries both."""
    reply = ask("record_fact", key="k", value=1, source="tool_observed")

    assert ("tool_observed", "tool_observed") == (reply["sourceClass"], reply["source"])


def test_a_retry_with_the_same_key_ends_nothing(ask: Ask) -> None:
    """The fact that the first call stored is still the active one."""
    first = ask("record_fact", key="k", value=1, idempotencyKey="f")
    again = ask("record_fact", key="k", value=1, idempotencyKey="f")

    assert (first["id"], True) == (again["id"], again["replayed"])
    assert "active" == ask("get", ids=[first["id"]])["items"][0]["status"]
