"""Purges: what goes, that nothing of it is left in any file, and that it stays gone."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, UnknownRecordError
from shadowgraph.operations import Caller, invoke
from shadowgraph.store.tombstones import Graveyard

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
SECRET, OTHER = "north/classified", "south/open"
WORDS = ("zorblatt", "quuxify", "flimsable", "north/classified")
"Words that stand in the secret project alone: in texts, in ids, in keys, in its name."
modes = pytest.mark.parametrize("mode", ["logical", "hard"])


def call(library: Library, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call an operation for the secret project."""
    return invoke(library, f"shadowgraph_{name}", arguments, Caller(SECRET, "server"))


def fill(library: Library) -> list[str]:
    """Store records of both projects; return the ids of the secret ones."""
    ids = []
    for number in range(5):
        made = call(
            library,
            "record_attempt",
            solution=f"zorblatt {number} through quuxify",
            result="flimsable failed",
            reusableWhen=[{"key": "zorblatt.size", "value": number}],
            idempotencyKey=f"quuxify-{number}",
        )
        ids.append(made["id"])
        call(
            library,
            "record_attempt",
            project=OTHER,
            solution=f"plain {number}",
            result="works",
            idempotencyKey=f"plain-{number}",
        )
    made = call(library, "record_decision", title="zorblatt", chosen="flimsable")
    fact = call(library, "record_fact", key="zorblatt.size", value="quuxify")
    call(library, "amend", id=ids[0], changes={"reason": "flimsable twice"})
    call(library, "retract", id=ids[1], reason="quuxify is out")
    return [*ids, made["id"], fact["id"]]


def holding(directory: Path, *words: str) -> list[str]:
    """Return the files below a directory that hold a word, whatever its case."""
    return [
        f"{file.relative_to(directory)}: {word}"
        for file in sorted(directory.rglob("*"))
        if file.is_file()
        for word in words
        if word.encode() in file.read_bytes().lower()
    ]


def indexed(library: Library, word: str) -> int:
    """Return in how many documents a term stands, deleted ones still in segments too."""
    return library.sync.view().snapshot.frequency("text", word)


@modes
def test_no_file_of_the_home_holds_a_word_of_it(
    library: Library, tmp_path: Path, mode: str
) -> None:
    """Rows, free pages, log, retry keys, segments, and the files beside the home."""
    fill(library)
    library.sync.view()
    assert holding(tmp_path, *WORDS[:3])
    assert indexed(library, "zorblatt")
    reply = call(library, "purge", project=SECRET, mode=mode)

    gone = WORDS if mode == "hard" else WORDS[:3]
    assert reply["erased"]
    assert [] == holding(tmp_path, *gone)
    assert 0 == indexed(library, "zorblatt")
    assert 1 == len(list((library.home / "index").glob("*/g-*")))


@modes
def test_the_chain_still_verifies_and_the_other_project_is_untouched(
    library: Library, mode: str
) -> None:
    """The store is sound, and every remaining record is what it was."""
    fill(library)
    before = call(library, "search", project=OTHER, detail="full")["items"]
    call(library, "purge", project=SECRET, mode=mode)

    assert library.store.first_fault() is None
    assert call(library, "doctor")["ok"]
    assert call(library, "rebuild", allProjects=True)["ok"]
    assert before == call(library, "search", project=OTHER, detail="full")["items"]
    assert 0 == call(library, "search")["page"]["total"]


@modes
def test_the_reply_counts_what_the_preview_counted(library: Library, mode: str) -> None:
    """Records by kind, entries, retry keys; retracted records are among them."""
    fill(library)
    preview = call(library, "purge_preview", project=SECRET)
    reply = call(library, "purge", project=SECRET, mode=mode)

    assert preview == {key: reply[key] for key in preview}
    assert ({"attempt": 5, "decision": 1, "fact": 1}, 9, 5) == (
        reply["counts"],
        reply["journal"],
        reply["idempotency"],
    )
    redacted, removed = (9, 0) if mode == "logical" else (0, 9)
    assert redacted == reply["journalEntriesRedacted"]
    assert removed == reply["journalEntriesRemoved"]


def test_a_preview_changes_nothing(library: Library) -> None:
    """It counts and goes."""
    fill(library)
    before = library.store.revision()
    call(library, "purge_preview", project=SECRET)

    assert before == library.store.revision()


def test_a_logical_purge_leaves_who_wrote_which_id_when(library: Library) -> None:
    """The entries stay in the journal of the project, without their states."""
    ids = fill(library)
    call(library, "purge", project=SECRET)
    items = call(library, "journal", limit=50)["items"]

    assert set(ids) <= {item["entityId"] for item in items}
    assert all(item["redacted"] for item in items if item["entityKind"] != "purge")
    assert not any("preview" in item for item in items if item["entityKind"] != "purge")


def test_a_hard_purge_leaves_numbers_and_hashes(library: Library) -> None:
    """The project's journal is empty, and all projects' shows that something was there."""
    fill(library)
    call(library, "purge", project=SECRET, mode="hard")

    assert [] == call(library, "journal")["items"]
    items = call(library, "journal", allProjects=True, limit=50)["items"]
    sealed = [item for item in items if item["type"] == "sealed"]
    assert 9 == len(sealed)
    assert {"seq", "type", "hash", "redacted", "redactedReason"} == set(sealed[0])


def test_a_hard_purge_after_a_logical_one_takes_the_headers(
    library: Library, tmp_path: Path
) -> None:
    """Nobody has to choose for good at the first time."""
    fill(library)
    call(library, "purge", project=SECRET)
    reply = call(library, "purge", project=SECRET, mode="hard")

    assert 9 == reply["journalEntriesRemoved"]
    assert library.store.first_fault() is None
    assert [] == holding(tmp_path / "home" / "index", *WORDS)


@modes
def test_purging_again_finds_nothing(library: Library, mode: str) -> None:
    """Only the entry that says so is written."""
    fill(library)
    call(library, "purge", project=SECRET, mode=mode)
    head = call(library, "stats")["journal"]
    reply = call(library, "purge", project=SECRET, mode=mode)

    assert (0, 0) == (reply["removed"], reply["journal"])
    assert head + 1 == call(library, "stats")["journal"]
    assert library.store.first_fault() is None


def test_single_records_can_be_purged(library: Library, tmp_path: Path) -> None:
    """The others of the project stay."""
    fill(library)
    made = call(library, "record_attempt", solution="gribblewick", result="x")
    reply = call(library, "purge", project=SECRET, ids=[made["id"]], mode="hard")

    assert {"attempt": 1} == reply["counts"]
    assert [] == holding(tmp_path, "gribblewick", made["id"])
    assert 6 == call(library, "search")["page"]["total"]
    assert call(library, "doctor")["ok"]


def test_purging_a_record_again_is_no_error_and_may_go_further(library: Library) -> None:
    """A first call may have been logical, or may have met a reader."""
    ids = fill(library)
    call(library, "purge", project=SECRET, ids=ids[:1])
    again = call(library, "purge", project=SECRET, ids=ids[:1], mode="hard")

    assert (0, 2) == (again["removed"], again["journalEntriesRemoved"])
    assert again["erased"]
    assert library.store.first_fault() is None


def test_an_unknown_id_keeps_the_whole_purge_from_happening(library: Library) -> None:
    """Foreign ids are unknown ones."""
    ids = fill(library)
    before = library.store.revision()

    with pytest.raises(UnknownRecordError, match="attempt_nowhere"):
        call(library, "purge", project=SECRET, ids=[ids[0], "attempt_nowhere"])
    with pytest.raises(UnknownRecordError):
        call(library, "purge", project=OTHER, ids=[ids[0]])
    assert before == library.store.revision()


def test_a_retry_after_a_purge_records_anew(library: Library) -> None:
    """No cache of replies brings the old record back."""
    ids = fill(library)
    call(library, "purge", project=SECRET)
    said = {"solution": "something else", "result": "y", "idempotencyKey": "quuxify-1"}
    made = call(library, "record_attempt", **said)

    assert made["id"] not in ids
    assert "replayed" not in made


def test_what_was_written_after_a_purge_stays(library: Library) -> None:
    """A project's name is free again, also for a home that is opened again."""
    fill(library)
    call(library, "purge", project=SECRET)
    call(library, "record_attempt", solution="a new start", result="fine")
    library.close()

    with Library(library.home) as again:
        assert 1 == call(again, "search")["page"]["total"]
        assert 1 == len(Graveyard(again.home).read())


@modes
def test_an_older_store_put_back_by_hand_is_purged_when_it_is_opened(
    library: Library, tmp_path: Path, mode: str
) -> None:
    """The tombstone in the home knows."""
    fill(library)
    library.close()
    shutil.copy(library.store.path, tmp_path / "older")
    with Library(library.home) as opened:
        call(opened, "purge", project=SECRET, mode=mode)
    shutil.move(tmp_path / "older", library.store.path)

    with Library(library.home) as opened:
        assert 0 == call(opened, "search")["page"]["total"]
        assert 5 == call(opened, "search", project=OTHER)["page"]["total"]
        assert opened.store.first_fault() is None
        assert [] == holding(tmp_path, *WORDS)


def test_an_older_home_put_back_by_hand_is_purged_when_it_is_opened(
    library: Library, tmp_path: Path
) -> None:
    """The tombstone beside the home knows."""
    fill(library)
    library.close()
    shutil.copytree(library.home, tmp_path / "older")
    with Library(library.home) as opened:
        call(opened, "purge", project=SECRET)
    shutil.rmtree(library.home)
    shutil.move(tmp_path / "older", library.home)

    with Library(library.home) as opened:
        assert 0 == call(opened, "search", query="zorblatt")["page"]["total"]
        assert [] == holding(tmp_path, *WORDS)


def test_a_tombstone_that_was_not_written_down_is_written_at_the_next_start(
    library: Library,
) -> None:
    """A process may die between its commit and the file."""
    fill(library)
    call(library, "purge", project=SECRET)
    graveyard = Graveyard(library.home)
    held = graveyard.read()
    graveyard.inside.unlink()
    graveyard.beside.unlink()
    library.close()
    Library(library.home).close()

    assert [one.id for one in held] == [one.id for one in graveyard.read()]
    assert held[0].records == graveyard.read()[0].records


def test_a_tombstone_holds_no_text(library: Library) -> None:
    """Only digests, the id of the purge and the identity of the store."""
    ids = fill(library)
    call(library, "purge", project=SECRET)
    graveyard = Graveyard(library.home)

    text = graveyard.inside.read_text("utf-8")
    assert text == graveyard.beside.read_text("utf-8")
    assert [] == [word for word in (*WORDS, *ids) if word in text]
    assert 0o600 == graveyard.inside.stat().st_mode & 0o777


def test_an_index_of_another_definition_goes_as_well(library: Library) -> None:
    """Whoever uses that version builds its index again."""
    fill(library)
    old = library.home / "index" / "older-definition" / "g-1"
    old.mkdir(parents=True)
    (old / "terms").write_text("zorblatt")
    call(library, "purge", project=SECRET)

    assert not old.parent.exists()


def test_another_library_over_the_home_forgets_as_well(library: Library) -> None:
    """Its next read finds nothing, and its own index is the new one."""
    fill(library)
    with Library(library.home) as other:
        assert 6 == call(other, "search", query="zorblatt")["page"]["total"]
        call(library, "purge", project=SECRET)

        assert 0 == call(other, "search", query="zorblatt")["page"]["total"]
        assert 0 == indexed(other, "zorblatt")


def test_an_index_that_missed_the_purge_is_made_anew(library: Library) -> None:
    """The process that purged may die before it made the new index."""
    fill(library)
    library.sync.view()
    before = {one.name for one in (library.home / "index").glob("*/g-*")}
    forget = library.sync.forget
    library.sync.forget = lambda: None  # type: ignore[method-assign]
    call(library, "purge", project=SECRET)
    library.sync.forget = forget  # type: ignore[method-assign]
    assert 0 == call(library, "search", query="zorblatt")["page"]["total"]

    assert 0 == indexed(library, "zorblatt")
    assert not before & {one.name for one in (library.home / "index").glob("*/g-*")}


def test_a_reader_of_another_connection_is_reported(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log cannot be emptied under it; the reply says so, and a second call finishes."""
    monkeypatch.setattr("shadowgraph.store.purge.ERASE_MILLIS", 50)
    fill(library)
    with Library(library.home) as other:
        connection = other.store._connection()
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM record").get  # noqa: B018
        reply = call(library, "purge", project=SECRET)
        connection.execute("COMMIT")

    assert reply["erased"] is False
    assert "Run the same purge again" in reply["notices"][0]
    assert call(library, "purge", project=SECRET)["erased"] is True


@pytest.mark.usefixtures("tiny_library")
def test_a_project_has_to_be_named(refused: Refused, ask: Ask) -> None:
    """The session's project is never purged by leaving something out."""
    assert "project" in refused("purge").message
    assert "project" in refused("purge", project="  ").message
    assert 12 == ask("stats")["records"]


def test_a_purged_record_of_a_retry_key_is_no_conflict(library: Library) -> None:
    """The key went with the record, whichever content comes with it now."""
    fill(library)
    call(library, "purge", project=SECRET)
    said = {"solution": "zorblatt", "result": "b", "idempotencyKey": "quuxify-0"}
    try:
        made = call(library, "record_attempt", **said)
    except ConflictError:
        pytest.fail("the retry key was kept")

    assert made["solution"] == "zorblatt"


def test_a_library_that_indexes_in_the_background_forgets_as_well(tmp_path: Path) -> None:
    """Whichever thread meets the purge first, the index is a new one."""
    with Library(tmp_path / "home", background=True) as library:
        fill(library)
        assert 6 == call(library, "search", query="zorblatt")["page"]["total"]
        reply = call(library, "purge", project=SECRET, mode="hard")

        assert reply["erased"]
        assert 0 == indexed(library, "zorblatt")
        assert [] == holding(tmp_path, *WORDS)
        assert call(library, "doctor")["ok"]
