"""After a purge no other record names what went: not in its state, not in any file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.mentions import HOLDING, PURGED

Ask = Callable[..., dict[str, Any]]
PROJECT, OTHER = "acme/billing-api", "south/open"
GONE = "attempt_01jd2w3x4y5z6789abcdefghjk"
OPTION = "alternative_01jd2w3x4y5z6789abcdefghjm"
modes = pytest.mark.parametrize("mode", ["logical", "hard"])


def bodies() -> list[dict[str, Any]]:
    """Return a record that goes, and one for every member that may name it."""
    going = {"kind": "attempt", "id": GONE, "solution": "s", "result": "r"}
    naming = [
        {
            "kind": "attempt",
            "id": f"attempt_by-{name}",
            "solution": f"s, unlike {GONE}",
            "result": "r",
            name: [GONE, {"id": GONE}, "attempt_other"] if number % 2 else GONE,
            "details": {name: GONE, "note": f"after {GONE}, twice"},
        }
        for number, name in enumerate(sorted(HOLDING - {"relatedTo", "failedAttempts"}))
    ]
    decision = {
        "kind": "decision",
        "id": "decision_by",
        "title": "t",
        "chosen": "c",
        "failedAttempts": [GONE, "a note"],
        "confidence": {"current": 0.5},
    }
    attempt = {**going, "id": "attempt_by", "relatedTo": [GONE, "attempt_other"]}
    memory = {"kind": "memory", "id": "memory_by", "key": "k", "text": f"see {GONE}"}
    return [going, *naming, decision, attempt, memory]


def fill(library: Library, project: str = PROJECT) -> None:
    """Store the records, as an import brings them."""
    told = [{**body, "project": project} for body in bodies()]
    import_lines(library, map(json.dumps, told))


def naming(library: Library, one: str = GONE) -> list[str]:
    """Return the ids of the records whose state names another one."""
    pages = library.store.pages(retracted=True)
    records = [record for page in pages for record in page]
    return [record.id for record in records if one in json.dumps(record.body)]


def held(library: Library, one: str) -> dict[str, Any]:
    """Return the state of a record."""
    with library.store.read() as selection:
        record = selection.by_id(one, f"project:{PROJECT}")
    assert record is not None
    return dict(record.body)


def holding(directory: Path, word: str) -> list[str]:
    """Return the files below a directory that hold a word."""
    files = [file for file in sorted(directory.rglob("*")) if file.is_file()]
    return [file.name for file in files if word.encode() in file.read_bytes()]


@modes
def test_no_record_names_what_was_purged(library: Library, ask: Ask, mode: str) -> None:
    """In no member that holds ids, and in no text."""
    fill(library)
    before = len(naming(library))
    preview = ask("purge_preview", project=PROJECT, ids=[GONE])
    reply = ask("purge", project=PROJECT, ids=[GONE], mode=mode)

    assert (1, before - 1) == (reply["removed"], reply["rewritten"])
    assert preview == {key: reply[key] for key in preview}
    assert [] == naming(library)
    decision, attempt, memory = (
        held(library, one) for one in ("decision_by", "attempt_by", "memory_by")
    )
    assert ["a note"] == decision["failedAttempts"]
    assert ["attempt_other"] == attempt["relatedTo"]
    assert f"see {PURGED}" == memory["text"]


@modes
def test_store_journal_and_index_agree_afterwards(
    library: Library, ask: Ask, mode: str
) -> None:
    """The chain verifies, the fold gives what is stored, the new words are found."""
    fill(library)
    ask("purge", project=PROJECT, ids=[GONE], mode=mode)

    assert library.store.first_fault() is None
    assert ask("rebuild", allProjects=True)["ok"]
    assert ask("doctor")["ok"]
    items = ask("search", query="purged")["items"]
    assert items
    assert all(PURGED in json.dumps(one["record"]) for one in items)


def test_after_a_hard_purge_no_file_holds_the_id(
    library: Library, ask: Ask, tmp_path: Path
) -> None:
    """Not the earlier states of the records that named it either, however often they changed."""
    fill(library)
    ask("amend", id="attempt_by", changes={"reason": f"{GONE} again"})
    ask("retract", id="attempt_by", reason=f"like {GONE}")
    assert holding(tmp_path, GONE)
    reply = ask("purge", project=PROJECT, ids=[GONE], mode="hard")

    assert reply["erased"]
    assert reply["journalEntriesRedacted"] == reply["rewritten"] + 2
    assert [] == holding(tmp_path, GONE)
    assert library.store.first_fault() is None


def test_after_a_logical_purge_the_journal_still_knows_who_named_it(
    library: Library, ask: Ask
) -> None:
    """Its own header holds the id as well; the change is an entry like any other."""
    fill(library)
    ask("purge", project=PROJECT, ids=[GONE])
    items = ask("journal", recordId="attempt_by", detail="full")["items"]

    assert ["attempt.imported", "attempt.mention-purged"] == [one["type"] for one in items]
    assert GONE in json.dumps(items[0])
    assert GONE not in json.dumps(items[1])


def test_a_retracted_record_that_named_it_can_still_be_put_back(
    library: Library, ask: Ask
) -> None:
    """Without the name."""
    fill(library)
    ask("retract", id="attempt_by", reason="wrong")
    ask("purge", project=PROJECT, ids=[GONE], mode="hard")
    ask("retract", id="attempt_by", undo=True)

    assert ["attempt_other"] == held(library, "attempt_by")["relatedTo"]


def test_what_writing_operations_link_is_let_go(library: Library, ask: Ask) -> None:
    """A successor, a superseded fact, a superseded memory, an attempt of a decision."""
    ends = []
    first = ask("record_decision", title="one", chosen="a")["id"]
    second = ask("record_decision", title="two", chosen="b")["id"]
    ask("supersede", decisionId=first, replacementId=second)
    old = ask("record_fact", key="k", value=1)["id"]
    new = ask("record_fact", key="k", value=2)["id"]
    tried = ask("record_attempt", solution="s", result="r")["id"]
    ask("record_decision", title="three", chosen="c", failedAttempts=[tried])
    ask("record_attempt", solution="s2", result="r", relatedTo=[tried])
    ends = [second, new, tried]
    assert all(len(naming(library, one)) > 1 for one in ends)
    ask("purge", project=PROJECT, ids=ends, mode="hard")

    assert [] == [one for end in ends for one in naming(library, end)]
    assert "superseded" == held(library, old)["status"]
    assert "supersededBy" not in held(library, first)
    assert [] == ask("validate")["issues"]


def test_an_option_of_a_purged_decision_is_let_go_unless_another_one_holds_it(
    library: Library, ask: Ask
) -> None:
    """An imported option may stand in two decisions."""
    option = {"id": OPTION, "label": "x"}
    told: dict[str, Any] = {
        "kind": "decision",
        "title": "t",
        "chosen": "c",
        "project": PROJECT,
    }
    told |= {"confidence": {"current": 0.5}, "alternatives": [option]}
    note = {"kind": "memory", "id": "memory_of", "key": "k", "text": f"no {OPTION}"}
    lines = [{**told, "id": "decision_1"}, {**told, "id": "decision_2"}]
    import_lines(library, map(json.dumps, [*lines, {**note, "project": PROJECT}]))
    ask("purge", project=PROJECT, ids=["decision_1"])
    assert ["decision_2", "memory_of"] == sorted(naming(library, OPTION))
    ask("purge", project=PROJECT, ids=["decision_2"])

    assert [] == naming(library, OPTION)


@modes
def test_another_project_keeps_its_own_text(library: Library, ask: Ask, mode: str) -> None:
    """Nobody changes the records of a project by a purge in another."""
    fill(library)
    text = {"kind": "memory", "id": "memory_o", "key": "k", "text": f"see {GONE}"}
    import_lines(library, [json.dumps({**text, "project": OTHER})])
    ask("purge", project=PROJECT, ids=[GONE], mode=mode)

    assert ["memory_o"] == naming(library)


def test_what_an_imported_store_held_about_it_goes_with_it(
    library: Library, ask: Ask
) -> None:
    """Its journal and its events repeat the record word by word."""
    fill(library)
    kept = {"kind": "kept", "collection": "events", "project": PROJECT}
    about = {**kept, "id": "kept_1", "value": {"entityId": GONE, "after": {"x": "words"}}}
    beside = {**kept, "id": "kept_2", "value": {"entityId": "attempt_by"}}
    import_lines(library, map(json.dumps, [about, beside]))
    reply = ask("purge", project=PROJECT, ids=[GONE], mode="hard")

    assert {"attempt": 1, "kept": 1} == reply["counts"]
    assert [["kept_2"]] == [
        [one.id for one in page if one.kind == "kept"] for page in library.store.pages()
    ]


def test_an_older_store_put_back_forgets_the_names_too(
    library: Library, tmp_path: Path
) -> None:
    """Its records named what the tombstone buries."""
    fill(library)
    library.close()
    shutil.copy(library.store.path, tmp_path / "older")
    caller = Caller(PROJECT, "server")
    with Library(library.home) as opened:
        asked = {"project": PROJECT, "ids": [GONE], "mode": "hard"}
        invoke(opened, "shadowgraph_purge", asked, caller)
    shutil.move(tmp_path / "older", library.store.path)

    with Library(library.home) as opened:
        assert [] == naming(opened)
        assert opened.store.first_fault() is None
    assert [] == holding(tmp_path, GONE)


def test_purging_again_hard_lets_go_of_what_a_first_purge_left(
    library: Library, ask: Ask, tmp_path: Path
) -> None:
    """Earlier states, and a name that an import brought in between."""
    fill(library)
    ask("purge", project=PROJECT, ids=[GONE])
    late = {"kind": "memory", "id": "memory_l", "key": "l", "text": f"late {GONE}"}
    import_lines(library, [json.dumps({**late, "project": PROJECT})])
    ask("purge", project=PROJECT, ids=[GONE], mode="hard")

    assert [] == naming(library)
    assert [] == holding(tmp_path, GONE)
    assert library.store.first_fault() is None
