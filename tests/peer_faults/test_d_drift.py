"""Group D: the index never says other than the store."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.peer_faults.asking import Ask, hits, note
from tests.store.bodies import attempt, put
from tests.sync.finding import found, marked
from tests.sync.processes import run

from shadowgraph import Library
from shadowgraph.doctor import examine
from shadowgraph.errors import LockedError
from shadowgraph.search.engine import Writing
from shadowgraph.sync import Sync

DIES_BETWEEN = """
record(library, "1", "quicksilver")
library.search("x")
record(library, "2", "quicksilver")
engine.Writing.commit = lambda *args, **named: die()
library.search("quicksilver")
"""
"A process that dies between the store's commit and the index's."


def _faults(library: Library) -> list[str]:
    """Return what the doctor finds wrong, by name."""
    return [one.name for one in examine(library) if not one.ok]


def _unindex(library: Library, *rows: int) -> None:
    """Take documents out of the index behind its back."""
    view = library.sync.view()
    engine = library.sync.current.in_use().engine
    with engine.writing() as writing:
        writing.commit((), list(rows), view.snapshot.mark, fresh=False)
    engine.reload()


def test_d01_a_crash_between_both_commits_hides_no_record(tmp_path: Path) -> None:
    """What the index lacks is known by its own mark, and applied by the next read."""
    assert -signal.SIGKILL == run(DIES_BETWEEN, tmp_path).returncode

    with Library(tmp_path) as library:
        assert (1, 2) == marked(library)
        assert {"attempt_1", "attempt_2"} == found(library, "quicksilver")


def test_d02_what_was_taken_out_takes_no_place_in_a_page(ask: Ask) -> None:
    """A page is full of living records."""
    ids = [note(ask, f"quicksilver {number}") for number in range(12)]
    for gone in hits(ask, "quicksilver", limit=6):
        ask("retract", id=gone, reason="wrong")
        ids.remove(gone)

    assert sorted(ids) == sorted(hits(ask, "quicksilver", limit=6))


def test_d04_a_search_right_after_a_write_finds_it(ask: Ask) -> None:
    """Nobody has to index first."""
    hits(ask, "anything")

    assert [note(ask, "quicksilver")] == hits(ask, "quicksilver")


def test_d04_an_answer_that_lacks_something_says_how_much(
    ask: Ask, library: Library
) -> None:
    """When another process keeps the index busy."""
    hits(ask, "anything")
    with library.sync.current.in_use().engine.writing():
        put(library, attempt("attempt_late", reason="quicksilver"))
        answer = library.search("quicksilver", patience=0)

    assert (0, 1) == (answer.total, answer.pending)


def test_d05_a_sound_index_that_finds_nothing_is_noticed(
    ask: Ask, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor searches for a word of the newest record."""
    note(ask, "quicksilver")
    assert [] == _faults(library)

    nothing: tuple[list[Any], int] = ([], 0)
    monkeypatch.setattr(
        "shadowgraph.search.snapshot.Snapshot.matches", lambda *_, **__: nothing
    )
    assert ["canary query"] == _faults(library)


def test_d06_the_first_search_of_a_new_home_is_answered_and_changes_nothing(
    ask: Ask, library: Library
) -> None:
    """Neither does any other search."""
    assert [] == hits(ask, "anything")
    note(ask, "quicksilver")
    before = (library.store.revision(), marked(library)[1])
    hits(ask, "quicksilver")

    assert before == (library.store.revision(), marked(library)[1])


def test_d07_new_records_are_found_once_and_without_a_rebuild(ask: Ask) -> None:
    """Each has one number by which the index knows it."""
    ids = []
    for number in range(5):
        ids.append(note(ask, f"quicksilver {number}"))
        assert sorted(ids) == sorted(hits(ask, "quicksilver"))


def test_d08_catching_up_takes_out_as_well_as_in(tmp_path: Path) -> None:
    """What another process purged or retracted is gone from this one's index."""
    with Library(tmp_path) as library:
        put(library, *(attempt(f"attempt_{n}", reason="quicksilver") for n in range(3)))
        assert 3 == len(found(library, "quicksilver"))
        program = """
from shadowgraph.operations import Caller, invoke
me = Caller("acme/billing-api", "server")
invoke(library, "shadowgraph_retract", {"id": "attempt_0", "reason": "x"}, me)
invoke(library, "shadowgraph_purge",
       {"project": "acme/billing-api", "ids": ["attempt_1"]}, me)
"""
        done = run(program, tmp_path)
        assert 0 == done.returncode, done.stderr

        assert {"attempt_2"} == found(library, "quicksilver")
        assert [] == _faults(library)


def test_d09_no_way_to_read_gives_the_text_before_a_correction(ask: Ask) -> None:
    """Search, check, context, recall and get see the new one, at once."""
    one = note(ask, "quicksilver", resultClass="failed")
    hits(ask, "quicksilver")
    ask("amend", id=one, changes={"solution": "mercury"})

    assert [] == hits(ask, "quicksilver")
    assert [one] == hits(ask, "mercury")
    told = [
        ask("check", action="mercury"),
        ask("context", query="mercury"),
        ask("recall", query="mercury"),
        ask("get", ids=[one]),
    ]
    assert all("mercury" in str(reply) for reply in told)
    assert not any("quicksilver" in str(reply) for reply in told)


def test_d09_a_reader_opened_before_sees_what_another_process_commits(
    tmp_path: Path,
) -> None:
    """Text and index alike."""
    with Library(tmp_path) as library:
        assert set() == found(library, "quicksilver")
        run('record(library, "1", "quicksilver")\nlibrary.search("x")', tmp_path)

        assert {"attempt_1"} == found(library, "quicksilver")


def test_d10_a_retracted_record_is_in_no_count(ask: Ask) -> None:
    """Of projects, of figures, of a search."""
    note(ask, "quicksilver one")
    ask("retract", id=note(ask, "quicksilver two"), reason="wrong")

    assert 1 == ask("search", query="quicksilver")["page"]["total"]
    assert 1 == ask("stats")["records"]
    assert [1] == [p["records"] for p in ask("projects")["items"] if p["records"]]


@pytest.mark.parametrize("first", ["", "commit(*args, **named)"])
def test_d11_a_crash_leaves_nothing_for_the_doctor(first: str, tmp_path: Path) -> None:
    """Before the index has committed and after it."""
    dies = f"""
record(library, "1", "quicksilver")
commit = engine.Writing.commit
def ending(*args, **named):
    {first or "pass"}
    die()
engine.Writing.commit = ending
library.search("quicksilver")
"""
    assert -signal.SIGKILL == run(dies, tmp_path).returncode

    with Library(tmp_path) as library:
        assert [] == _faults(library)


def test_d12_one_record_of_many_missing_is_a_fault_and_its_repair_is_proven(
    ask: Ask, library: Library
) -> None:
    """Exact sets are compared; the proof of the repair is a query."""
    ids = [note(ask, f"quicksilver {number}") for number in range(30)]
    _unindex(library, 7)
    assert "index" in _faults(library)

    ask("reindex")

    assert [] == _faults(library)
    assert sorted(ids) == sorted(hits(ask, "quicksilver", limit=50))


def test_d14_a_rebuild_that_fails_leaves_the_index_in_use(
    ask: Ask, library: Library
) -> None:
    """All or nothing, and the write-ahead log does not grow by it."""
    wanted = note(ask, "quicksilver")
    hits(ask, "quicksilver")
    log = library.store.path.with_name("graph.db-wal")
    before = log.stat().st_size

    def fail(*_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        library.reindex(fail)

    assert [wanted] == hits(ask, "quicksilver")
    assert before == log.stat().st_size


def test_d15_a_changed_record_leaves_no_second_document(ask: Ask, library: Library) -> None:
    """The old one is really deleted."""
    one = note(ask, "quicksilver")
    hits(ask, "quicksilver")
    for number in range(5):
        ask("amend", id=one, changes={"reason": f"because {number}"})
        hits(ask, "quicksilver")

    assert 1 == library.sync.as_it_stands().documents
    assert [] == hits(ask, '"because 3"')


@pytest.mark.parametrize("content", [b"{}", b"garbage", b""])
def test_d16_a_damaged_list_of_segments_is_built_again_and_told(
    content: bytes, ask: Ask, library: Library
) -> None:
    """From the store, with a notice."""
    note(ask, "quicksilver")
    hits(ask, "quicksilver")
    path = library.sync.as_it_stands().path
    library.close()
    (path / "meta.json").write_bytes(content)

    with Library(library.home) as opened:
        answer = opened.search("quicksilver")

    assert 1 == answer.total
    assert answer.notices


def test_d17_what_could_not_be_looked_at_is_not_called_different(
    ask: Ask, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor says that it could not, and the index stays."""
    note(ask, "quicksilver")
    hits(ask, "quicksilver")
    path = library.sync.as_it_stands().path

    def busy(*_: Any, **__: Any) -> None:
        raise LockedError("Somebody else is at it.")

    monkeypatch.setattr(Sync, "view", busy)
    (index,) = [one for one in examine(library) if one.name == "index"]
    monkeypatch.undo()

    assert (False, "Somebody else is at it.") == (index.ok, index.detail)
    assert path == library.sync.as_it_stands().path


def test_d17_an_index_write_that_fails_loses_nothing(
    ask: Ask, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so, and the next one is whole."""
    note(ask, "quicksilver one")
    hits(ask, "quicksilver")
    note(ask, "quicksilver two")

    def full(*_: Any, **__: Any) -> None:
        raise LockedError("No room.")

    commit: Callable[..., Any] = Writing.commit
    monkeypatch.setattr(Writing, "commit", full)
    answer = library.search("quicksilver")
    monkeypatch.setattr(Writing, "commit", commit)

    assert (1, 1) == (answer.total, answer.pending)
    assert answer.notices
    assert 2 == len(hits(ask, "quicksilver"))
