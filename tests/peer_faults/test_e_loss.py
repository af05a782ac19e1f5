"""Group E: what was acknowledged is there, and nothing deletes by itself."""

from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.peer_faults.asking import Ask, Refused, hits, note
from tests.store.bodies import attempt, first_schema, put
from tests.sync.finding import found
from tests.sync.processes import beside, heard

from shadowgraph import Library
from shadowgraph.doctor import examine
from shadowgraph.errors import DiskFullError, StoreTooNewError
from shadowgraph.exchange import export_lines
from shadowgraph.search.engine import Writing

SAYS_AND_WAITS = """
record(library, "1", "quicksilver")
say("acknowledged")
sys.stdin.readline()
"""


def test_e01_what_was_acknowledged_outlives_a_restart_that_was_not_asked_for(
    tmp_path: Path,
) -> None:
    """There is no queue that a killed process could take with it."""
    with beside(SAYS_AND_WAITS, tmp_path) as process:
        assert "acknowledged" == heard(process)
        process.kill()
        process.wait(timeout=30)

    with Library(tmp_path) as library:
        assert {"attempt_1"} == found(library, "quicksilver")


def test_e02_the_list_of_projects_says_when_something_was_last_stored(ask: Ask) -> None:
    """A silence of a week can be seen."""
    note(ask, "quicksilver")

    (mine,) = [p for p in ask("projects")["items"] if p["records"]]
    assert mine["lastWrite"].startswith("2026-11-15T12:00")


def test_e03_a_refused_write_leaves_no_row_of_any_sort(
    ask: Ask, refused: Refused, library: Library
) -> None:
    """There are no failed rows to keep, to count or to clean up."""
    note(ask, "quicksilver")
    before = (library.store.counts(), library.store.revision(), ask("stats")["journal"])
    refused("record_attempt", solution="", result="x")
    refused("record_attempt", solution="x", result="y", resultClass="exploded")

    after = (library.store.counts(), library.store.revision(), ask("stats")["journal"])
    assert before == after


def test_e04_upkeep_takes_no_record_away(ask: Ask) -> None:
    """Maintenance, review, examination and repair plan only tell and mark."""
    made = note(ask, "quicksilver")
    ask("record_fact", key="k", value=1, validFrom="2025-01-01", validTo="2026-01-01")
    ask("record_decision", title="t", chosen="c", reviewAfter="2026-01-01")
    before = ask("stats")["counts"]
    for name in ("maintain", "review", "doctor", "validate", "repair_plan", "reindex"):
        ask(name)

    after = ask("stats")["counts"]
    assert before == {kind: after[kind] for kind in before}
    assert [made] == hits(ask, "quicksilver")


def test_e05_the_doctor_deletes_nothing_however_wrong_the_store_is(
    ask: Ask, library: Library
) -> None:
    """Its findings name a command; the records are the same before and after."""
    note(ask, "quicksilver")
    with library.store.write() as transaction:
        transaction._connection.execute("UPDATE journal SET type = 'edited'")
    before = list(export_lines(library))

    assert False is ask("doctor")["ok"]
    assert before == list(export_lines(library))


def test_e06_an_older_store_is_brought_up_in_place_with_all_its_records(
    tmp_path: Path,
) -> None:
    """Once; no copy is left beside it and the second opening changes nothing."""
    bodies = [attempt(f"attempt_{n}", reason="quicksilver") for n in range(5)]
    first_schema(tmp_path, bodies)

    with Library(tmp_path) as library:
        assert 5 == sum(library.store.counts().values())
    before = (tmp_path / "graph.db").read_bytes()
    with Library(tmp_path) as library:
        assert [body["id"] for body in bodies] == [
            record.id for page in library.store.pages() for record in page
        ]

    assert before == (tmp_path / "graph.db").read_bytes()
    assert ["graph.db"] == [f.name for f in tmp_path.glob("*.db*")]


def test_e08_a_store_of_another_version_is_refused_and_not_replaced(
    tmp_path: Path,
) -> None:
    """No write is taken that would go somewhere else."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_1"))
    connection = apsw.Connection(str(tmp_path / "graph.db"))
    connection.execute("INSERT INTO migration VALUES (99, 'm099_future', '2030')")
    connection.close()

    for _ in range(2):
        with pytest.raises(StoreTooNewError):
            Library(tmp_path)


@pytest.mark.parametrize("text", ["x", "ok", "漢", "a plain sentence", "42"])
def test_e09_short_and_plain_text_is_stored_and_found(text: str, ask: Ask) -> None:
    """A success is one: the record is read back and searched."""
    made = note(ask, text, result=text)

    assert text == ask("get", ids=[made])["items"][0]["solution"]
    assert [made] == hits(ask, text)


def test_e11_a_dropped_index_write_is_made_up_for(
    ask: Ask, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark moves with the documents alone."""
    hits(ask, "anything")
    made = note(ask, "quicksilver")

    def full(*_: Any, **__: Any) -> None:
        raise DiskFullError("No room.")

    with monkeypatch.context() as patched:
        patched.setattr(Writing, "commit", full)
        assert 1 == library.search("quicksilver").pending

    assert [made] == hits(ask, "quicksilver")


def test_e12_the_same_memory_twice_is_still_there(ask: Ask) -> None:
    """Nothing decides that one of the two is to be deleted."""
    for _ in range(2):
        ask("remember", memoryType="note", key="tooling", text="quicksilver")

    assert 1 == ask("search", query="quicksilver", kind="memory")["page"]["total"]


def test_e13_reading_writes_nothing_and_a_record_says_who_wrote_it(
    ask: Ask, library: Library
) -> None:
    """What was recalled cannot come back as something new."""
    made = note(ask, "quicksilver", resultClass="failed")
    before = (library.store.revision(), library.store.counts())
    for name, arguments in (
        ("recall", {"query": "quicksilver"}),
        ("context", {"query": "quicksilver"}),
        ("check", {"action": "quicksilver"}),
        ("retrieve", {"query": "quicksilver"}),
    ):
        ask(name, **arguments)

    assert before == (library.store.revision(), library.store.counts())
    record = ask("get", ids=[made])["items"][0]
    assert ("tester", "pytest", "agent_claimed") == tuple(
        record[name] for name in ("actor", "client", "sourceClass")
    )


def test_e14_blank_text_is_refused_and_a_removal_is_told(
    ask: Ask, refused: Refused
) -> None:
    """A purge and a retraction are entries of the journal."""
    assert "solution" in refused("record_attempt", solution="  ", result="x").message
    made = note(ask, "quicksilver")
    ask("retract", id=made, reason="wrong")
    ask("purge", project="acme/billing-api", ids=[made])

    kinds = [entry["type"] for entry in ask("journal")["items"]]
    assert ["attempt.recorded", "attempt.retracted", "records.purged"] == kinds


def test_e14_the_examination_of_a_home_after_it_all_is_clean(
    ask: Ask, library: Library
) -> None:
    """The chain verifies though payloads are gone."""
    made = note(ask, "quicksilver")
    ask("purge", project="acme/billing-api", ids=[made])

    assert [] == [one for one in examine(library) if not one.ok]
