"""Full records by id, and the list of projects."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, UnknownRecordError
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


@pytest.mark.usefixtures("tiny_library")
def test_records_come_in_the_order_asked_for(ask: Ask) -> None:
    """An id given twice comes once."""
    ids = ["fact_postgres-version", "attempt_ledger-on-nfs", "decision_ledger-in-sqlite"]

    reply = ask("get", ids=[*ids, ids[0]])

    assert ids == [item["id"] for item in reply["items"]]
    assert ([], [], "acme/billing-api") == (
        reply["missing"],
        reply["omitted"],
        reply["project"],
    )


@pytest.mark.usefixtures("tiny_library")
def test_unknown_ids_beside_known_ones_are_listed(ask: Ask) -> None:
    """What was found is not withheld for what was not."""
    reply = ask("get", ids=["attempt_ledger-on-nfs", "attempt_gone", "fact_gone"])

    assert 1 == len(reply["items"])
    assert ["attempt_gone", "fact_gone"] == reply["missing"]


@pytest.mark.usefixtures("tiny_library")
def test_unknown_ids_alone_are_an_error_with_the_nearest(refused: Refused) -> None:
    """An empty answer would look like success."""
    error = refused("get", ids=["attempt_ledger-on-nsf"])

    assert isinstance(error, UnknownRecordError)
    assert "attempt_ledger-on-nfs" in error.hint
    assert "acme/billing-api" in error.message


@pytest.mark.usefixtures("tiny_library")
def test_a_result_read_from_its_wording_says_so(ask: Ask) -> None:
    """What was declared is not repeated under another name."""
    read, declared = ask("get", ids=["attempt_webhook-replay", "attempt_ledger-on-nfs"])[
        "items"
    ]

    assert ("succeeded", False) == (read["readAs"], "resultClass" in read)
    assert "readAs" not in declared


@pytest.mark.usefixtures("tiny_library")
def test_a_fact_whose_time_has_passed_says_so(ask: Ask) -> None:
    """Its stored state is still active."""
    ended, holding = ask("get", ids=["fact_ledger-writers", "fact_postgres-version"])[
        "items"
    ]

    assert (True, "active") == (ended["expired"], ended["status"])
    assert "expired" not in holding


@pytest.mark.parametrize("count", [0, 51])
def test_one_to_fifty_ids_are_taken(count: int, refused: Refused) -> None:
    """Another number is refused and not cut."""
    error = refused("get", ids=[f"attempt_{n}" for n in range(count)])

    assert isinstance(error, InvalidInputError)
    assert "ids" in error.message


def test_a_reply_that_would_be_too_long_names_what_it_left_out(ask: Ask) -> None:
    """The rest can be asked for."""
    ids = [ask("record_attempt", solution="s", result="x" * 30_000)["id"] for _ in range(4)]

    reply = ask("get", ids=ids)

    assert 0 < len(reply["items"]) < 4
    assert ids == [item["id"] for item in reply["items"]] + reply["omitted"]


def test_a_single_long_record_always_comes(ask: Ask) -> None:
    """Otherwise it could never be read."""
    made = ask("record_attempt", solution="s", result="x" * 200_000)["id"]

    assert [made] == [item["id"] for item in ask("get", ids=[made])["items"]]


@pytest.mark.usefixtures("tiny_library")
def test_all_projects_looks_everywhere(ask: Ask) -> None:
    """Explicitly."""
    reply = ask("get", ids=["decision_avif-only"], allProjects=True)

    assert "acme/web-shop" == reply["items"][0]["project"]
    assert reply["project"] is None


def test_an_empty_store_lists_the_fallback_and_names_the_sessions_project(
    ask: Ask,
) -> None:
    """A first session learns where its records will go."""
    assert {
        "items": [{"project": "default", "records": 0, "counts": {}}],
        "current": "acme/billing-api",
        "source": "server",
    } == ask("projects")


def test_projects_are_listed_with_counts_last_written_first(
    ask: Ask, tiny_library: Library, clock: Any
) -> None:
    """Counts by kind, and the time of the latest change."""
    clock.advance(days=1)
    invoke(
        tiny_library,
        "shadowgraph_record_fact",
        {"key": "k", "value": 1, "project": "acme/web-shop"},
        Caller(),
    )

    shop, billing, _ = ask("projects")["items"]
    assert ("acme/web-shop", 3) == (shop["project"], shop["records"])
    assert {"attempt": 1, "decision": 1, "fact": 1} == shop["counts"]
    assert "2026-11-16T12:00:00.000Z" == shop["lastWrite"]
    assert ("acme/billing-api", 10) == (billing["project"], billing["records"])
    assert {"attempt": 6, "decision": 2, "fact": 2} == billing["counts"]
