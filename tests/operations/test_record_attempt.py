"""Recording attempts: similar ones, retries, the project."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
TRIED = {
    "solution": "Keep the SQLite ledger on the NFS share with WAL",
    "result": "database is locked",
    "resultClass": "failed",
    "reason": "no shared memory between hosts",
    "environment": "SQLite 3.45, NFSv4",
}


def test_the_reply_is_the_stored_record(ask: Ask) -> None:
    """What was sent comes back, with what the store adds."""
    reply = ask("record_attempt", **TRIED)

    assert TRIED == {key: reply[key] for key in TRIED}
    assert "2026-11-15T12:00:00.000Z" == reply["createdAt"]
    assert ("tester", "pytest") == (reply["actor"], reply["client"])
    assert 7 == reply["schemaVersion"]
    assert reply["id"].startswith("attempt_")


def test_what_was_recorded_can_be_got_by_its_id(ask: Ask) -> None:
    """The id in the reply is the record's."""
    reply = ask("record_attempt", **TRIED)

    stored = ask("get", ids=[reply["id"]])["items"][0]
    assert {k: v for k, v in reply.items() if k != "similar"} == stored


@pytest.mark.usefixtures("tiny_library")
def test_an_earlier_attempt_like_it_is_reported(ask: Ask) -> None:
    """A repeat is noticed at once, with why the first one failed."""
    ask("search", query="warm the index")

    similar = ask("record_attempt", **TRIED)["similar"]

    assert "attempt_ledger-on-nfs" == similar[0]["id"]
    assert "failed" == similar[0]["resultClass"]
    assert similar[0]["reason"]
    assert 0 < similar[0]["score"] <= 1


def test_an_attempt_is_not_similar_to_itself(ask: Ask) -> None:
    """A first attempt has no predecessors."""
    first = ask("record_attempt", **TRIED)
    ask("search", query="ledger")
    second = ask("record_attempt", **TRIED)

    assert [] == first["similar"]
    assert [first["id"]] == [one["id"] for one in second["similar"]]


def test_an_unlike_attempt_is_not_reported(ask: Ask, tiny_library: Library) -> None:
    """A warning that always comes is not read."""
    tiny_library.sync.view()

    reply = ask("record_attempt", solution="Cached the logo for a year", result="fine")

    assert [] == reply["similar"]


def test_a_retry_with_the_same_key_returns_the_first_record(ask: Ask) -> None:
    """A client that lost the answer may send the call again."""
    first = ask("record_attempt", **TRIED, idempotencyKey="k1")
    second = ask("record_attempt", **TRIED, idempotencyKey="k1")

    assert first["id"] == second["id"]
    assert "replayed" not in first
    assert second["replayed"] is True
    assert 1 == ask("stats")["records"]


def test_without_a_key_a_second_call_records_a_second_attempt(ask: Ask) -> None:
    """The description says so."""
    ids = {ask("record_attempt", **TRIED)["id"] for _ in range(2)}

    assert 2 == len(ids)


def test_a_key_reused_with_other_content_is_a_conflict(ask: Ask, refused: Refused) -> None:
    """Answering with the old record would lose the new one in silence."""
    first = ask("record_attempt", **TRIED, idempotencyKey="k1")
    error = refused("record_attempt", **{**TRIED, "result": "ok"}, idempotencyKey="k1")

    assert isinstance(error, ConflictError)
    assert first["id"] == error.details["id"]
    assert 1 == ask("stats")["records"]


def test_a_key_counts_within_its_kind_and_project(ask: Ask) -> None:
    """Two tools may number their calls alike."""
    ask("record_attempt", **TRIED, idempotencyKey="1")
    ask("record_attempt", **TRIED, idempotencyKey="1", project="acme/other")
    ask("record_fact", key="a", value=1, idempotencyKey="1")

    assert 3 == ask("stats")["records"]


def test_a_key_of_more_than_200_characters_is_refused(refused: Refused) -> None:
    """The limit is named."""
    error = refused("record_attempt", **TRIED, idempotencyKey="k" * 201)

    assert "idempotencyKey may have 200 characters" in error.message


@pytest.mark.parametrize(
    ("argument", "session", "used"),
    [
        ("acme/x", "acme/y", "acme/x"),
        (None, "acme/y", "acme/y"),
        (None, None, "default"),
        ("acme/x", None, "acme/x"),
    ],
)
def test_the_project_is_the_argument_then_the_session_then_default(
    argument: str | None, session: str | None, used: str, library: Library
) -> None:
    """Every reply names the project it used."""
    caller = Caller(session, "server" if session else "fallback")
    reply = invoke(
        library, "shadowgraph_record_attempt", {**TRIED, "project": argument}, caller
    )

    assert used == reply["project"]
    assert "project" == reply["attribution"]


def test_an_origin_alone_keeps_the_record_to_itself(library: Library) -> None:
    """Without a project the record belongs to its capture origin."""
    reply = invoke(
        library, "shadowgraph_record_attempt", {**TRIED, "originId": "o1"}, Caller()
    )

    assert (None, "unattributed", "o1") == (
        reply["project"],
        reply["attribution"],
        reply["originId"],
    )


def test_an_unrecognised_source_class_is_kept_beside_the_lowest_one(ask: Ask) -> None:
    """A label nobody knows gives no trust and is not lost."""
    reply = ask("record_attempt", **TRIED, sourceClass="Divine Insight")

    assert ("agent_claimed", "Divine Insight") == (reply["sourceClass"], reply["sourceRaw"])


@pytest.mark.parametrize(
    ("reason", "state"),
    [("because", "recorded"), (None, "not_recorded"), (" ", "not_recorded")],
)
def test_the_causal_claim_says_whether_a_cause_was_given(
    reason: str | None, state: str, ask: Ask
) -> None:
    """A blank reason is none."""
    reply = ask("record_attempt", solution="s", result="r", reason=reason)

    assert state == reply["causalClaim"]["state"]


def test_conditions_are_kept_as_they_were_written(ask: Ask) -> None:
    """The rule is stored verbatim and evaluated when it is read."""
    rules = [{"key": "postgres.version", "operator": "gte", "value": 17}, "disk.replaced"]

    reply = ask("record_attempt", **TRIED, reusableWhen=rules, relatedTo=["attempt_x"])

    assert rules == reply["reusableWhen"]
    assert ["attempt_x"] == reply["relatedTo"]


def test_a_condition_with_an_unknown_operator_names_the_nearest(refused: Refused) -> None:
    """A rule that can never fire is refused when it is written."""
    error = refused(
        "record_attempt",
        **TRIED,
        reusableWhen=[{"key": "a", "operator": "greater", "value": 1}],
    )

    assert isinstance(error, InvalidInputError)
    assert "reusableWhen[0]" in error.message
    assert "greater_than" in error.text()


def test_the_time_of_an_attempt_may_lie_in_the_past(ask: Ask) -> None:
    """Notes are often written down later."""
    reply = ask("record_attempt", **TRIED, createdAt="2025-01-02T03:04:05+02:00")

    assert "2025-01-02T03:04:05+02:00" == reply["createdAt"]


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-02-30T00:00:00Z", "2026-02-03T00:00:00"]
)
def test_a_time_that_is_none_is_refused(text: str, refused: Refused) -> None:
    """Without an offset an instant is ambiguous."""
    assert "createdAt" in refused("record_attempt", **TRIED, createdAt=text).message


def test_a_refused_call_stores_nothing(ask: Ask, refused: Refused) -> None:
    """Checks come before the first write."""
    refused("record_attempt", **TRIED, reusableWhen=[{"operator": "gte"}])

    assert (0, 0) == (ask("stats")["records"], ask("stats")["revision"])
