"""The journal as a list, and the fold of it that must give the store."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
NFS = "attempt_ledger-on-nfs"
MODES = ("logical", "hard")


@pytest.fixture
def changed(tiny_library: Library, ask: Ask) -> Library:
    """Return the twelve records with one of them amended, retracted and put back."""
    ask("amend", id=NFS, changes={"reason": "second reason"}, reason="was unclear")
    ask("retract", id=NFS, reason="a duplicate")
    ask("retract", id=NFS, undo=True)
    return tiny_library


@pytest.mark.usefixtures("changed")
def test_the_changes_of_a_record_are_listed_in_order(ask: Ask) -> None:
    """Type, time, maker; the preview says why."""
    reply = ask("journal", recordId=NFS)

    assert [
        "attempt.imported",
        "attempt.amended",
        "attempt.retracted",
        "attempt.reinstated",
    ] == [item["type"] for item in reply["items"]]
    assert "tester" == reply["items"][1]["provenance"]["actor"]
    assert "was unclear" == reply["items"][1]["preview"]["amended"]["reason"]
    assert "a duplicate" == reply["items"][2]["preview"]["retractedReason"]
    assert 4 == reply["page"]["total"]


@pytest.mark.usefixtures("changed")
def test_every_state_is_there_in_full_when_asked_for(
    ask: Ask, tiny: list[dict[str, Any]]
) -> None:
    """The first is the record as it came."""
    items = ask("journal", recordId=NFS, detail="full")["items"]
    first = next(record for record in tiny if record["id"] == NFS)

    assert first["reason"] == items[0]["payload"]["reason"]
    assert "second reason" == items[1]["payload"]["reason"]


@pytest.mark.usefixtures("changed")
def test_a_project_reads_its_own_entries(ask: Ask) -> None:
    """Those of others are read on purpose only."""
    here = ask("journal", limit=100)
    everything = ask("journal", limit=100, allProjects=True)

    assert {"acme/billing-api"} == {item["project"] for item in here["items"]}
    assert (13, 15) == (here["page"]["total"], everything["page"]["total"])


@pytest.mark.usefixtures("changed")
def test_pages_follow_each_other_without_overlap(ask: Ask) -> None:
    """In both directions."""
    whole = [item["seq"] for item in ask("journal", limit=100)["items"]]
    pages = [ask("journal", limit=5, offset=at) for at in (0, 5, 10)]
    latest = ask("journal", limit=3, newestFirst=True)

    assert whole == [item["seq"] for page in pages for item in page["items"]]
    assert [True, True, False] == [page["page"]["hasMore"] for page in pages]
    assert whole[-3:][::-1] == [item["seq"] for item in latest["items"]]


@pytest.mark.usefixtures("changed")
def test_entries_are_filtered_by_type(ask: Ask) -> None:
    """So what was retracted can be found again."""
    items = ask("journal", type="attempt.retracted")["items"]

    assert [NFS] == [item["entityId"] for item in items]


def test_a_missing_entry_shows_as_a_gap(ask: Ask, changed: Library) -> None:
    """Where it is missing, from and to."""
    changed.store._connection().execute("DELETE FROM journal WHERE seq IN (4, 5, 9)")
    reply = ask("journal")

    assert [{"from": 4, "to": 5}, {"from": 9, "to": 9}] == reply["completeness"]["gaps"]
    assert reply["completeness"]["complete"] is False


def test_a_long_page_is_cut_and_says_so(ask: Ask) -> None:
    """The reply stays within what a model can take."""
    for number in range(6):
        ask("record_attempt", solution=f"{number}", result="x" * 20_000)
    reply = ask("journal", detail="full")

    assert 0 < len(reply["items"]) < 6
    assert 6 - len(reply["items"]) == reply["completeness"]["omitted"]
    assert reply["page"]["hasMore"]


@pytest.mark.usefixtures("changed")
def test_the_fold_of_a_sound_journal_is_the_store(ask: Ask) -> None:
    """Retracted and restored records included; the counts are those of the project."""
    ask("retract", id=NFS, reason="again")
    reply = ask("rebuild", allProjects=True)

    assert (True, True, None) == (reply["ok"], reply["rebuildable"], reply["reason"])
    assert 10 == reply["projection"]["records"]
    assert 2 == reply["projection"]["facts"]
    assert [] == reply["differences"]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "UPDATE record SET body = replace(body, 'NFS', 'AFS')",
            "stored otherwise than the journal holds it",
        ),
        (f"DELETE FROM record WHERE id = '{NFS}'", "in the journal and not stored"),
        (
            "UPDATE journal SET payload = replace(payload, 'NFS', 'AFS')",
            "payload was changed",
        ),
    ],
)
def test_what_was_written_past_the_journal_is_named(
    statement: str, reason: str, ask: Ask, changed: Library
) -> None:
    """Record and reason, and the project it belongs to alone hears of it."""
    changed.store._connection().execute(statement)
    reply = ask("rebuild")

    assert reply["ok"] is False
    assert NFS in [one["id"] for one in reply["differences"]]
    told = " ".join([reply["reason"], *(one["reason"] for one in reply["differences"])])
    assert reason in told
    assert [] == ask("rebuild", project="acme/nobody")["differences"]


@pytest.mark.parametrize("mode", MODES)
def test_a_purge_leaves_a_store_that_the_journal_still_gives(
    mode: str, ask: Ask, changed: Library
) -> None:
    """Only somebody who wants the whole history hears that it is not."""
    invoke(
        changed,
        "shadowgraph_purge",
        {"project": "acme/web-shop", "mode": mode},
        Caller(),
    )
    whole = ask("rebuild", allProjects=True, requireFullHistory=True)

    assert ask("rebuild", allProjects=True)["ok"]
    assert whole["ok"] is False
    assert "a purge or a compaction took" in whole["reason"]
    assert 2 == len(whole["skipped"])
