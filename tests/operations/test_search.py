"""The search operation: envelope, filters, detail, and what an empty answer says."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError
from shadowgraph.operations import Caller, invoke
from shadowgraph.operations.searching import EXTRAS

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
pytestmark = pytest.mark.usefixtures("tiny_library")


def _ids(reply: dict[str, Any]) -> list[str]:
    """Return the ids of the hits, in order."""
    return [item["record"]["id"] for item in reply["items"]]


def test_an_answer_has_the_promised_envelope(ask: Ask) -> None:
    """Items, page and completeness, with what was asked and where."""
    reply = ask("search", query="database is locked")

    assert {"items", "page", "completeness"} == set(reply)
    total, returned = reply["page"]["total"], len(reply["items"])
    assert {"offset": 0, "limit": 10, "total": total, "hasMore": False} == reply["page"]
    block = reply["completeness"]
    assert (returned, total, 0, True, "default", 0) == tuple(
        block[name]
        for name in ("returned", "total", "omitted", "complete", "limitSource", "pending")
    )
    assert {
        "query": "database is locked",
        "filters": {},
        "project": "acme/billing-api",
        "projectSource": "server",
        "requestState": "project_selected",
        "originPresented": False,
        "grant": None,
    } == block["scope"]


def test_an_item_says_why_it_was_found(ask: Ask) -> None:
    """Score, fields, a sentence and a snippet with marks on the words."""
    item = ask("search", query="database is locked")["items"][0]

    assert "attempt_ledger-on-nfs" == item["record"]["id"]
    assert item["score"] > 0
    assert "attempt result" in item["matched"]
    assert "locked" in item["reason"]
    assert "content" == item["matchedBy"]
    marked = [item["snippet"]["text"][a:b] for a, b in item["snippet"]["marks"]]
    assert {"database", "locked"} <= {word.lower() for word in marked}


def test_a_preview_holds_what_is_needed_to_judge_a_record(ask: Ask) -> None:
    """The result class, the reason and the environment of a failure."""
    record = ask("search", query="database is locked", limit=1)["items"][0]["record"]

    assert {
        "id", "kind", "project", "solution", "result", "reason", "environment",
        "resultClass", "createdAt",
    } == set(record)  # fmt: skip


def test_full_detail_is_the_stored_record(ask: Ask) -> None:
    """Nothing is left out and nothing added."""
    (item,) = ask("search", query="webhooks", detail="full")["items"]

    stored = ask("get", ids=[item["record"]["id"]])["items"][0]
    assert {k: v for k, v in stored.items() if k != "readAs"} == item["record"]
    assert "snippet" not in item


def test_ids_are_the_smallest_detail(ask: Ask) -> None:
    """Id and kind, for a client that reads on by id."""
    (item,) = ask("search", query="webhooks", detail="ids")["items"]

    assert {"id": "attempt_webhook-replay", "kind": "attempt"} == item["record"]


def test_an_explanation_takes_the_score_apart(ask: Ask) -> None:
    """The factors multiply to the score."""
    for item in ask("search", query="database is locked", explain=True)["items"]:
        told = item["explanation"]
        product = told["wordScore"]
        for factor in told["factors"].values():
            product *= factor

        assert product == pytest.approx(item["score"], rel=0.01)


def test_words_and_extras_of_an_explanation_add_up_to_the_word_score(ask: Ask) -> None:
    """What a word gave is shared among the fields that hold it."""
    reply = ask("search", query="the database is locked by SQLite writers", explain=True)

    for item in reply["items"]:
        told = item["explanation"]
        words, extras = sum(told["byWord"].values()), sum(told["extras"].values())
        assert words + extras == pytest.approx(told["wordScore"], rel=0.01)
        assert sum(told["byField"].values()) == pytest.approx(words, rel=0.01)
        assert set(item["matched"]) == set(told["byField"])


def test_an_explanation_names_what_a_hit_has_beside_the_words(ask: Ask) -> None:
    """Words side by side, in the title, as they were written."""
    query = "database is locked"

    first = ask("search", query=query, explain=True)["items"][0]

    assert (
        {"words side by side"}
        <= set(first["explanation"]["extras"])
        <= set(EXTRAS.values())
    )


def test_without_a_query_the_newest_come_first(ask: Ask) -> None:
    """A listing is found by filters alone."""
    reply = ask("search", kind="attempt")

    created = [item["record"]["createdAt"] for item in reply["items"]]
    assert sorted(created, reverse=True) == created
    assert {"filter"} == {item["matchedBy"] for item in reply["items"]}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kind": "fact"}, {"fact_postgres-version", "fact_ledger-writers"}),
        ({"status": "validated"}, {"decision_ledger-in-sqlite"}),
        (
            {"resultClass": "succeeded"},
            {"attempt_begin-immediate", "attempt_webhook-replay"},
        ),
        (
            {"resultClass": "failed", "environment": "macOS"},
            {"attempt_ledger-on-smb-macos"},
        ),
        ({"environment": "kubernetes"}, {"attempt_pdf-in-one-worker"}),
        (
            {"sourceClass": "production_verified"},
            {"attempt_ledger-on-nfs", "attempt_begin-immediate", "fact_ledger-writers"},
        ),
        (
            {"minConfidence": 0.9},
            {"fact_postgres-version", "fact_ledger-writers"},
        ),
        ({"since": "2026-04-01T00:00:00Z"}, {"attempt_webhook-replay"}),
        ({"until": "2026-01-01"}, {"decision_retry-card-twice"}),
        (
            {"since": "2026-03-18T09:40:00Z", "until": "2026-03-18T09:45:00Z"},
            {"fact_postgres-version"},
        ),
        ({"kind": "decision", "query": "declined card"}, {"decision_retry-card-twice"}),
        ({"kind": "task"}, set()),
    ],
)
def test_a_filter_keeps_what_fulfils_it(
    filters: dict[str, Any], expected: set[str], ask: Ask
) -> None:
    """Filters are part of the query, so totals and pages count what is left."""
    reply = ask("search", limit=50, **filters)

    assert expected == set(_ids(reply))
    assert len(expected) == reply["page"]["total"]


def test_status_failed_finds_failed_attempts(ask: Ask) -> None:
    """Attempts have a result and no state; the word means the same."""
    assert {
        "attempt_ledger-on-nfs",
        "attempt_ledger-on-smb-macos",
        "attempt_pdf-in-one-worker",
        "attempt_merge-returning",
    } == set(_ids(ask("search", status="failed")))


def test_filters_are_repeated_in_the_answer(ask: Ask) -> None:
    """A reader sees what was left out, and why."""
    block = ask("search", kind="fact", minConfidence=0.2, environment="")["completeness"]

    assert {"kind": "fact", "minConfidence": 0.2} == block["scope"]["filters"]


@pytest.mark.parametrize("name", ["since", "until"])
def test_a_bound_that_is_no_instant_is_refused(name: str, refused: Refused) -> None:
    """The argument is named."""
    error = refused("search", **{name: "last week"})

    assert isinstance(error, InvalidInputError)
    assert name in error.message


def test_an_unknown_source_class_is_refused_in_a_filter(refused: Refused) -> None:
    """A filter nothing can fulfil would look like an empty store."""
    error = refused("search", sourceClass="hearsay")

    assert "production_verified" in error.message


def test_pages_join_without_gap_or_repeat(ask: Ask) -> None:
    """Offset and limit walk through the whole list."""
    whole = _ids(ask("search", limit=50))
    pages = [ask("search", limit=3, offset=start) for start in range(0, len(whole), 3)]

    assert whole == [one for page in pages for one in _ids(page)]
    assert [True] * (len(pages) - 1) + [False] == [
        page["page"]["hasMore"] for page in pages
    ]


def test_an_offset_behind_the_end_is_an_empty_page(ask: Ask) -> None:
    """The total is still told."""
    reply = ask("search", offset=500)

    assert ([], 10, False) == (
        reply["items"],
        reply["page"]["total"],
        reply["page"]["hasMore"],
    )


def test_no_hits_say_what_was_searched(ask: Ask) -> None:
    """Nothing found is not nothing known."""
    block = ask("search", query="zebrafish genome")["completeness"]

    assert 10 == block["recordsInScope"]
    assert "fewer or other words" in block["hint"]
    assert block["complete"] is True


def test_no_hits_name_the_nearest_words(ask: Ask) -> None:
    """A word with a digit is never repaired, and is still suggested for."""
    block = ask("search", query="sqlite345x webhoks77")["completeness"]

    assert 0 == block["total"]
    assert "recordsInScope" in block


def test_a_typing_error_is_repaired_and_told(ask: Ask) -> None:
    """Only because nothing matches it as written."""
    reply = ask("search", query="webhoks")

    assert ["attempt_webhook-replay"] == _ids(reply)
    assert "webhoks" == reply["completeness"]["repaired"][0]["from"]


def test_an_excluded_word_is_told(ask: Ask) -> None:
    """What a minus took away is visible."""
    reply = ask("search", query="ledger -macos")

    assert "attempt_ledger-on-smb-macos" not in _ids(reply)
    assert ["macos"] == reply["completeness"]["excludedWords"]


@pytest.mark.parametrize("query", ["the of and", "?!", "-"])
def test_a_query_without_a_word_to_look_for_finds_nothing_and_says_so(
    query: str, ask: Ask
) -> None:
    """Never the whole store."""
    reply = ask("search", query=query)

    assert [] == reply["items"]
    assert "only function words or signs" in reply["completeness"]["hint"]


def test_a_project_without_records_points_to_the_others(ask: Ask) -> None:
    """A wrong project name is the commonest reason for an empty answer."""
    block = ask("search", query="ledger", project="acme/bilingapi")["completeness"]

    assert 0 == block["recordsInScope"]
    assert "shadowgraph_projects" in block["hint"]


def test_all_projects_reads_across_them(ask: Ask) -> None:
    """Explicitly, and the answer names no single project."""
    reply = ask("search", query="carousel pictures", allProjects=True)

    assert {"acme/web-shop"} == {item["record"]["project"] for item in reply["items"]}
    assert reply["completeness"]["scope"]["project"] is None


def test_a_project_and_all_projects_contradict_each_other(refused: Refused) -> None:
    """Guessing which was meant could leak."""
    error = refused("search", project="acme/web-shop", allProjects=True)

    assert "allProjects" in error.message


def test_a_write_is_found_by_the_next_search(ask: Ask) -> None:
    """The index is brought up to the store before it answers."""
    made = ask("record_attempt", solution="Tried quixotically", result="no luck")

    assert [made["id"]] == _ids(ask("search", query="quixotically"))


def test_an_answer_of_many_long_records_is_capped_and_says_so(ask: Ask) -> None:
    """A reply that fills the reader's memory helps nobody."""
    for number in range(6):
        ask("record_attempt", solution=f"longwinded {number}", result="word " * 2_000)

    reply = ask("search", query="longwinded", detail="full")
    assert 0 < len(reply["items"]) < 6
    assert "reply_capped" == reply["completeness"]["limitation"]["code"]
    assert 6 - len(reply["items"]) == reply["completeness"]["omitted"]
    assert reply["page"]["hasMore"] is True


def test_a_pasted_log_is_not_sent_back(ask: Ask) -> None:
    """The answer repeats the beginning of a long query."""
    block = ask("search", query="database is locked\n" * 5_000)["completeness"]

    assert 450 < len(block["scope"]["query"]) <= 500


def test_a_session_without_a_project_says_that_it_fell_back(
    tiny_library: Library,
) -> None:
    """The reader learns why nothing was found."""
    reply = invoke(tiny_library, "shadowgraph_search", {"query": "ledger"}, Caller())

    scope = reply["completeness"]["scope"]
    assert ("default", "fallback", "project_unresolved") == (
        scope["project"],
        scope["projectSource"],
        scope["requestState"],
    )
