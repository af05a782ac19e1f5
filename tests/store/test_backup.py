"""Backups and restores: whole files, checked first, replaced in one step."""

import json
import zipfile
from pathlib import Path

import pytest
from tests.store.backups import AT, backed_up, state
from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.errors import (
    CallerError,
    LockedError,
    StoreDamagedError,
)
from shadowgraph.operations import Caller, invoke
from shadowgraph.store import of_one_state
from shadowgraph.store.backup import sweep_work, write_backup
from shadowgraph.store.restoring import kept_stores, restore_backup


@pytest.fixture
def backup(library: Library, tmp_path: Path) -> Path:
    """Return a backup of a store with three records; a fourth came later."""
    return backed_up(library, tmp_path)


def test_a_backup_says_what_is_in_it(library: Library, backup: Path) -> None:
    """One file with a manifest, the store and the tombstones, readable by its owner."""
    with zipfile.ZipFile(backup) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))

    assert ["manifest.json", "graph.db", "tombstones.jsonl"] == names
    assert ("shadowgraph-backup", 1, AT) == (
        manifest["format"],
        manifest["formatVersion"],
        manifest["createdAt"],
    )
    assert ({"attempt": 3}, 3, 3) == (
        manifest["counts"],
        manifest["revision"],
        manifest["journal"]["seq"],
    )
    assert library.store.identity == manifest["store"]
    assert 0o600 == backup.stat().st_mode & 0o777


def test_a_restore_gives_the_state_of_the_backup(library: Library, backup: Path) -> None:
    """Records, journal and index; the revision goes on and is never used twice."""
    before = library.store.revision()
    done = restore_backup(library.store, backup, AT)

    assert 3 == done.records
    assert {"attempt_1"} == found(library, "word1z")
    assert set() == found(library, "word4z")
    assert before < library.store.revision()
    assert library.store.first_fault() is None
    assert [] == library.store.replay()[1]


def test_a_restored_store_goes_on(library: Library, backup: Path) -> None:
    """New records get new rows and the chain continues."""
    restore_backup(library.store, backup, AT)
    put(library, attempt("attempt_5", reason="word5z"))

    assert {"attempt_5"} == found(library, "word5z")
    assert library.store.first_fault() is None
    assert 4 == library.store.counts()["attempt"]


def test_what_was_replaced_is_kept_as_a_home(library: Library, backup: Path) -> None:
    """It can be opened, searched and backed up."""
    before = state(library)
    done = restore_backup(library.store, backup, AT)

    assert [done.kept] == kept_stores(library.home)
    assert done.kept is not None
    with Library(done.kept) as kept:
        assert before == state(kept)
        assert {"attempt_4"} == found(kept, "word4z")


def test_a_restore_into_a_new_home_keeps_nothing(
    library: Library, backup: Path, tmp_path: Path
) -> None:
    """There was nothing to keep, and the store has the identity of the backup."""
    with Library(tmp_path / "elsewhere") as fresh:
        done = restore_backup(fresh.store, backup, AT)

        assert done.kept is None
        assert library.store.identity == fresh.store.identity
        assert {"attempt_2"} == found(fresh, "word2z")


def test_a_check_replaces_nothing(library: Library, backup: Path) -> None:
    """Everything is examined and the store is as it was."""
    before, revision = state(library), library.store.revision()
    done = restore_backup(library.store, backup, AT, replace=False)

    assert (3, None) == (done.records, done.kept)
    assert (before, revision) == (state(library), library.store.revision())
    assert [] == kept_stores(library.home)


def test_another_library_sees_the_restored_state(library: Library, backup: Path) -> None:
    """Its next read and its next write are of the new state."""
    with Library(library.home) as other:
        assert {"attempt_4"} == found(other, "word4z")
        restore_backup(library.store, backup, AT)

        assert set() == found(other, "word4z")
        assert {"attempt_1"} == found(other, "word1z")
        put(other, attempt("attempt_6", reason="word6z"))
        assert {"attempt_6"} == found(library, "word6z")
        assert other.store.first_fault() is None


def test_another_library_follows_to_a_store_of_another_identity(
    library: Library, tmp_path: Path
) -> None:
    """Row numbers mean something else there; no hit is read from the wrong row."""
    put(library, attempt("attempt_here", reason="hereword"))
    with Library(tmp_path / "elsewhere") as foreign:
        put(foreign, *(attempt(f"attempt_f{n}", reason=f"far{n}z") for n in range(3)))
        write_backup(foreign.store, tmp_path / "far.backup", AT)
    with Library(library.home) as other:
        assert {"attempt_here"} == found(other, "hereword")
        restore_backup(library.store, tmp_path / "far.backup", AT)

        assert set() == found(other, "hereword")
        assert {"attempt_f0"} == found(other, "far0z")
        assert {"attempt_f0"} == found(library, "far0z")


def test_a_read_during_a_restore_begins_again(library: Library, backup: Path) -> None:
    """What it saw of the old state is dropped, never mixed with the new."""
    seen: list[int] = []

    def read() -> tuple[int, int]:
        first = library.store.counts()["attempt"]
        if not seen:
            restore_backup(library.store, backup, AT)
        seen.append(first)
        return first, library.store.counts()["attempt"]

    assert (3, 3) == of_one_state(library.store, read)
    assert [4, 3] == seen


def test_a_read_that_is_overtaken_again_and_again_gives_up(
    library: Library, backup: Path
) -> None:
    """A clear error that says to try again."""
    with pytest.raises(LockedError, match="being replaced"):
        of_one_state(library.store, lambda: restore_backup(library.store, backup, AT))


def test_a_purge_after_the_backup_holds_after_its_restore(
    library: Library, tmp_path: Path
) -> None:
    """The backup still has the records; the home has the tombstone."""
    caller = Caller("north/classified", "server")
    put(library, attempt("attempt_open"))
    said = {"solution": "zorblatt", "result": "zorblatt"}
    invoke(library, "shadowgraph_record_attempt", said, caller)
    write_backup(library.store, tmp_path / "file.backup", AT)
    invoke(library, "shadowgraph_purge", {"project": caller.project}, caller)
    done = restore_backup(library.store, tmp_path / "file.backup", AT)
    library.sync.view()

    assert (1, 1) == (done.reapplied, done.records)
    assert set() == found(library, "zorblatt")
    assert library.store.first_fault() is None
    for file in library.home.rglob("*"):
        assert file.is_dir() or b"zorblatt" not in file.read_bytes()


def test_a_backup_carries_its_tombstones_into_another_home(
    library: Library, tmp_path: Path
) -> None:
    """An older backup restored there afterwards is purged as well."""
    caller = Caller("north/classified", "server")
    said = {"solution": "zorblatt", "result": "zorblatt"}
    invoke(library, "shadowgraph_record_attempt", said, caller)
    write_backup(library.store, tmp_path / "older.backup", AT)
    invoke(library, "shadowgraph_purge", {"project": caller.project}, caller)
    write_backup(library.store, tmp_path / "newer.backup", AT)

    with Library(tmp_path / "elsewhere") as fresh:
        assert 0 == restore_backup(fresh.store, tmp_path / "newer.backup", AT).records
        done = restore_backup(fresh.store, tmp_path / "older.backup", AT)
        assert (1, 0) == (done.reapplied, done.records)


def test_a_purge_reaches_the_stores_that_restores_kept(
    library: Library, backup: Path
) -> None:
    """They stand in the home, so they are part of it, their indexes too."""
    caller = Caller("north/classified", "server")
    said = {"solution": "zorblatt", "result": "zorblatt"}
    invoke(library, "shadowgraph_record_attempt", said, caller)
    restore_backup(library.store, backup, AT)
    with Library(kept_stores(library.home)[0]) as kept:
        assert 1 == len(found(kept, "zorblatt"))
    reply = invoke(library, "shadowgraph_purge", {"project": caller.project}, caller)

    assert reply["erased"]
    for file in library.home.rglob("*"):
        assert file.is_dir() or b"zorblatt" not in file.read_bytes(), file
    with Library(kept_stores(library.home)[0]) as kept:
        assert {"attempt_4"} == found(kept, "word4z")
        assert kept.store.first_fault() is None


def test_a_damaged_store_is_not_backed_up(library: Library, backup: Path) -> None:
    """A backup that cannot be restored is worse than none."""
    library.store._connection().execute("UPDATE journal SET payload = '{}' WHERE seq = 1")
    file = backup.with_name("second.backup")

    with pytest.raises(StoreDamagedError):
        write_backup(library.store, file, AT)
    assert not file.exists()


def test_a_backup_overwrites_nothing(library: Library, backup: Path) -> None:
    """Also no file that is in the home or in a directory that does not exist."""
    before = backup.read_bytes()
    for file in (
        backup,
        library.store.path,
        library.home / "inside.backup",
        backup.parent / "nowhere" / "x.backup",
    ):
        with pytest.raises(CallerError):
            write_backup(library.store, file, AT)
    assert before == backup.read_bytes()
    assert ["file.backup"] == [one.name for one in backup.parent.glob("*.backup*")]


def test_a_missing_file_is_named(library: Library, tmp_path: Path) -> None:
    """A typing mistake reads like one."""
    with pytest.raises(CallerError, match=r"no file .*nowhere"):
        restore_backup(library.store, tmp_path / "nowhere", AT)


def test_a_failed_swap_leaves_the_old_state(
    library: Library, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content is replaced in one transaction or not at all."""

    def breaks(_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr("shadowgraph.store.restoring._replace_content", breaks)
    before = state(library)
    with pytest.raises(RuntimeError, match="power cut"):
        restore_backup(library.store, backup, AT)

    assert before == state(library)
    assert [] == kept_stores(library.home)
    put(library, attempt("attempt_7"))


def test_what_a_killed_process_left_is_removed(library: Library) -> None:
    """A working directory holds whole records; only one in use stays."""
    left = library.home / "work-left"
    left.mkdir()
    (left / "graph.db").write_text("zorblatt")
    sweep_work(library.home)

    assert not left.exists()
