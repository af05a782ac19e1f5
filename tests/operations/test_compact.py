"""Compacting the journal: what goes, what stays, and that the chain still proves it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import StoppedClock
from tests.store.bodies import NOBODY, attempt, put

from shadowgraph import Library, ShadowgraphError
from shadowgraph.doctor import examine
from shadowgraph.exchange import export_lines
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
LATE = "2026-11-15T16:30:00Z"
"Half an hour after the last of the changes below."


@pytest.fixture
def changed(ask: Ask, clock: StoppedClock) -> str:
    """Return an attempt of noon whose reason was corrected at one, two, three and four."""
    made = ask("record_attempt", solution="quicksilver", result="x", reason="at 12")["id"]
    for hour in (13, 14, 15, 16):
        clock.advance(hours=1)
        ask("amend", id=made, changes={"reason": f"at {hour}"})
    clock.advance(hours=8)
    return str(made)


def _known(ask: Ask, record_id: str, hour: int) -> str | None:
    """Return the reason as it was known half an hour after *hour*."""
    items = ask("get", ids=[record_id], knownAt=f"2026-11-15T{hour}:30:00Z")["items"]
    return items[0]["reason"] if items else None


def test_states_replaced_before_are_dropped_and_later_ones_are_known(
    changed: str, ask: Ask
) -> None:
    """The state that held at the instant belongs to what stays."""
    reply = ask("compact", before="2026-11-15T14:30:00Z")

    assert 2 == reply["states"]
    assert [None, None, "at 14", "at 15", "at 16"] == [
        _known(ask, changed, hour) for hour in (12, 13, 14, 15, 16)
    ]


def test_records_and_searches_are_the_same_after_it(
    changed: str, ask: Ask, library: Library
) -> None:
    """It is about the past alone."""
    before = list(export_lines(library))

    ask("compact", before=LATE)

    assert before == list(export_lines(library))
    (item,) = ask("search", query="quicksilver", detail="full")["items"]
    assert (changed, "at 16") == (item["record"]["id"], item["record"]["reason"])


def test_the_chain_verifies_and_the_journal_still_gives_the_store(
    changed: str, ask: Ask, library: Library
) -> None:
    """The doctor finds nothing, and a demand for the full history is refused."""
    ask("compact", before=LATE)

    assert [] == [one for one in examine(library) if not one.ok]
    assert True is ask("rebuild")["ok"]
    full = ask("rebuild", requireFullHistory=True)
    assert "compaction" in full["reason"]
    assert changed in {one["entityId"] for one in ask("journal")["items"]}


def test_a_payload_dropped_without_a_compaction_is_still_a_fault(
    changed: str, ask: Ask, library: Library
) -> None:
    """The entry explains what it lists and nothing more."""
    ask("compact", before="2026-11-15T14:30:00Z")
    with library.store.write() as transaction:
        transaction._connection.execute("UPDATE journal SET payload = NULL WHERE seq = 3")

    fault = library.store.first_fault()
    assert fault is not None
    assert 3 == fault.seq
    assert changed


def test_the_reply_has_the_sizes_before_and_after(ask: Ask, clock: StoppedClock) -> None:
    """The file becomes smaller by about what was dropped."""
    made = ask("record_attempt", solution="x", result="y", reason="long " * 20_000)["id"]
    for number in range(5):
        clock.advance(hours=1)
        ask("amend", id=made, changes={"reason": f"{number} " * 40_000})
    clock.advance(hours=1)

    reply = ask("compact", before="2026-11-15T17:30:00Z")

    sizes = reply["journalBytes"]
    assert reply["stateBytes"] > 400_000
    assert reply["stateBytes"] <= sizes["before"] - sizes["after"] + 2_000
    assert reply["storeBytes"]["after"] < reply["storeBytes"]["before"] - 400_000
    assert reply["recordBytes"] <= sizes["after"]


def test_a_dry_run_counts_and_changes_nothing(
    changed: str, ask: Ask, library: Library
) -> None:
    """Not even the revision."""
    before = library.store.revision()
    reply = ask("compact", before=LATE, dryRun=True)

    assert (4, True, None) == (reply["states"], reply["dryRun"], reply["journalEntryId"])
    assert before == library.store.revision()
    assert "at 12" == _known(ask, changed, 12)


@pytest.mark.usefixtures("changed")
def test_a_second_compaction_has_nothing_to_do(ask: Ask, library: Library) -> None:
    """And writes nothing."""
    ask("compact", before=LATE)
    before = library.store.revision()

    reply = ask("compact", before=LATE)

    assert (0, None) == (reply["states"], reply["journalEntryId"])
    assert before == library.store.revision()


def test_the_journal_says_why_a_state_is_missing(changed: str, ask: Ask) -> None:
    """A compaction is told from a purge, and has an entry of its own."""
    ask("compact", before="2026-11-15T14:30:00Z")

    entries = ask("journal", recordId=changed)["items"]
    assert ["compaction", "compaction", None, None, None] == [
        entry.get("redactedReason") for entry in entries
    ]
    (told,) = ask("journal", type="journal.compacted", allProjects=True)["items"]
    assert [[1, 2]] == told["preview"]["entries"]


def test_a_link_that_was_taken_back_can_still_be_put_back(
    ask: Ask, clock: StoppedClock
) -> None:
    """The state before a removal is kept."""
    ends = [ask("record_attempt", solution=n, result="x")["id"] for n in ("a", "b")]
    link = ask("link", **{"from": ends[0], "to": ends[1], "relation": "like"})["id"]
    clock.advance(hours=1)
    ask("unlink", relationId=link)
    clock.advance(hours=1)

    ask("compact", before="2026-11-15T13:30:00Z")

    ask("unlink", relationId=link, undo=True)
    assert link in str(ask("traverse", id=ends[0]))


@pytest.mark.parametrize(
    ("before", "told"), [("2030-01-01", "future"), ("someday", "before")]
)
def test_an_instant_that_cannot_be_meant_is_refused(
    before: str, told: str, refused: Refused
) -> None:
    """With what is wrong about it."""
    assert told in refused("compact", before=before).message


def test_a_backup_of_a_compacted_store_is_restored(
    changed: str, ask: Ask, library: Library, tmp_path: Path
) -> None:
    """What was dropped before stays dropped, and the chain verifies."""
    ask("compact", before=LATE)
    ask("backup", destination=str(tmp_path / "a.backup"))
    with Library(tmp_path / "other", clock=library.clock) as other:
        restored = {"source": str(tmp_path / "a.backup")}
        invoke(other, "shadowgraph_restore", restored, Caller())

        assert list(export_lines(library)) == list(export_lines(other))
        assert other.store.first_fault() is None
        assert None is _known(ask, changed, 12)


@pytest.mark.parametrize("mode", ["logical", "hard"])
def test_a_purge_after_a_compaction_leaves_a_sound_chain(
    mode: str, changed: str, ask: Ask, library: Library
) -> None:
    """Whichever of its entries have lost their payload already."""
    other = ask("record_attempt", solution="stays", result="x")["id"]
    ask("compact", before="2026-11-15T14:30:00Z")
    ask("purge", project="acme/billing-api", ids=[changed], mode=mode)
    ask("compact", before="2026-11-15T23:30:00Z")

    assert [] == [one for one in examine(library) if not one.ok]
    assert True is ask("rebuild")["ok"]
    assert other == ask("get", ids=[other])["items"][0]["id"]


@settings(max_examples=25)
@given(
    steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=12),
    cut=st.integers(0, 40),
)
def test_what_was_known_since_is_the_same_after_any_compaction(
    steps: list[tuple[int, int]], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """For any history, any instant to compact up to and any instant to read at."""
    clock = StoppedClock()
    start = clock.now
    with Library(tmp_path_factory.mktemp("home"), clock=clock) as library:
        records = put(library, *(attempt(f"attempt_{n}", reason="0") for n in range(3)))
        for number, (which, hours) in enumerate(steps, start=1):
            clock.advance(hours=hours)
            body = {**records[which].body, "reason": str(number)}
            with library.write() as transaction:
                records[which] = transaction.replace(
                    records[which], body, "attempt.changed", NOBODY
                )
        hours_in_all = sum(hours for _, hours in steps)
        cut = min(cut, hours_in_all)
        shift = (clock.now - start) / max(1, hours_in_all)
        instants = [start + shift * hour for hour in range(cut, hours_in_all + 1)]
        ids = [record.id for record in records]

        def told() -> list[Any]:
            with library.store.read() as selection:
                return [selection.states_at(ids, instant) for instant in instants]

        before = told()
        at = instants[0].isoformat()
        invoke(library, "shadowgraph_compact", {"before": at}, Caller())

        assert before == told()
        assert library.store.first_fault() is None
        assert [] == library.store.replay()[1]
