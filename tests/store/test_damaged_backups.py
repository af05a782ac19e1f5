"""Backups that are not what was written: refused before anything changes."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.store.backups import AT, backed_up, state
from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.errors import (
    BackupInvalidError,
    ShadowgraphError,
    StoreDamagedError,
    StoreTooNewError,
)
from shadowgraph.store.backup import unpack
from shadowgraph.store.migrations import APPLICATION_ID, MIGRATIONS
from shadowgraph.store.restoring import kept_stores, restore_backup


@pytest.fixture
def backup(library: Library, tmp_path: Path) -> Path:
    """Return a backup of a store with three records; a fourth came later."""
    return backed_up(library, tmp_path)


def rewritten(backup: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Return a copy of a backup with other members."""
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    file = backup.with_name("changed.backup")
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file


def signed(members: dict[str, bytes], **changes: Any) -> None:
    """Let the manifest fit the members again, with some changes of its own."""
    manifest = json.loads(members["manifest.json"]) | changes
    for name in ("graph.db", "tombstones.jsonl"):
        digest = hashlib.sha256(members[name]).hexdigest()
        manifest["files"][name] = {"bytes": len(members[name]), "sha256": digest}
    members["manifest.json"] = json.dumps(manifest).encode()


def test_a_changed_byte_is_noticed_wherever_it_is(backup: Path, tmp_path: Path) -> None:
    """Or it changed nothing: a date in the zip file's own headers is not looked at."""
    data = backup.read_bytes()
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    refused = 0
    for position in range(0, len(data), 7):
        changed = bytearray(data)
        changed[position] ^= 0x55
        backup.write_bytes(changed)
        work = tmp_path / f"work-{position}"
        work.mkdir()
        try:
            unpack(backup, work)
        except BackupInvalidError:
            refused += 1
        else:
            read = {name: (work / name).read_bytes() for name in ("graph.db",)}
            assert {"graph.db": members["graph.db"]} == read

    assert refused > len(data) // 7 * 0.8


@pytest.mark.parametrize("position", [0.2, 0.4, 0.6])
def test_a_changed_byte_replaces_nothing(
    library: Library, backup: Path, position: float
) -> None:
    """The store is as it was, and nothing is left behind."""
    data = bytearray(backup.read_bytes())
    data[int(len(data) * position)] ^= 0xFF
    backup.write_bytes(data)
    before = state(library)

    with pytest.raises(BackupInvalidError):
        restore_backup(library.store, backup, AT)
    assert before == state(library)
    assert [] == [*library.home.glob("work-*"), *kept_stores(library.home)]


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 0.99])
def test_a_cut_file_is_refused(library: Library, backup: Path, part: float) -> None:
    """A copy that was interrupted is no backup."""
    data = backup.read_bytes()
    backup.write_bytes(data[: int(len(data) * part)])
    before = state(library)

    with pytest.raises(BackupInvalidError, match="no whole backup"):
        restore_backup(library.store, backup, AT)
    assert before == state(library)


def _without_tombstones(members: dict[str, bytes]) -> None:
    """Leave a member out."""
    del members["tombstones.jsonl"]


def _with_more(members: dict[str, bytes]) -> None:
    """Add a member that would be unpacked elsewhere."""
    members["../../evil"] = b"x"


def _of_another_program(members: dict[str, bytes]) -> None:
    """Say that another program made it."""
    signed(members, format="something-else")


def _of_a_newer_format(members: dict[str, bytes]) -> None:
    """Say that a newer version made it."""
    signed(members, formatVersion=2)


def _not_a_database(members: dict[str, bytes]) -> None:
    """Put something else in the place of the store."""
    members["graph.db"] = b"not SQLite" * 100
    signed(members)


def _bad_manifest(members: dict[str, bytes]) -> None:
    """Break the manifest."""
    members["manifest.json"] = b"[1, 2"


def _bad_tombstones(members: dict[str, bytes]) -> None:
    """Put half a tombstone in."""
    members["tombstones.jsonl"] = b'{"id": "purge_1"}\n'
    signed(members)


@pytest.mark.parametrize(
    "change",
    [
        _without_tombstones,
        _with_more,
        _of_another_program,
        _of_a_newer_format,
        _not_a_database,
        _bad_manifest,
        _bad_tombstones,
    ],
    ids=lambda change: str(change.__name__).strip("_"),
)
def test_a_file_that_is_no_backup_is_refused(
    library: Library, backup: Path, change: Callable[[dict[str, bytes]], None]
) -> None:
    """Each with an error of ours, and nothing is changed or left behind."""
    file = rewritten(backup, change)
    before = state(library)

    with pytest.raises((BackupInvalidError, StoreDamagedError)):
        restore_backup(library.store, file, AT)
    assert before == state(library)
    assert [] == [*library.home.glob("work-*"), *kept_stores(library.home)]


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE journal SET payload = '{}' WHERE seq = 2", StoreDamagedError),
        ("DELETE FROM journal WHERE seq = 2", StoreDamagedError),
        ("INSERT INTO migration VALUES (99, 'm099', 'x')", StoreTooNewError),
        ("CREATE TABLE more (x)", BackupInvalidError),
        (
            "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM meta; END",
            BackupInvalidError,
        ),
        ("PRAGMA application_id = 7", StoreDamagedError),
    ],
)
def test_a_store_that_was_edited_inside_a_backup_is_refused(
    library: Library,
    backup: Path,
    tmp_path: Path,
    statement: str,
    error: type[ShadowgraphError],
) -> None:
    """With right checksums, too: chain, schema and mark are examined."""

    def edit(members: dict[str, bytes]) -> None:
        file = tmp_path / "edited.db"
        file.write_bytes(members["graph.db"])
        connection = apsw.Connection(str(file))
        connection.pragma("journal_mode", "delete")
        connection.execute(statement)
        connection.close()
        members["graph.db"] = file.read_bytes()
        signed(members)

    before = state(library)
    with pytest.raises(error):
        restore_backup(library.store, rewritten(backup, edit), AT)
    assert before == state(library)


def test_a_backup_of_an_earlier_schema_is_brought_up_to_date(
    library: Library, backup: Path, tmp_path: Path
) -> None:
    """The copy gets the missing steps before it takes over."""

    def first_schema(members: dict[str, bytes]) -> None:
        file = tmp_path / "first.db"
        connection = apsw.Connection(str(file))
        connection.pragma("application_id", APPLICATION_ID)
        connection.execute(
            "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " at TEXT NOT NULL) STRICT"
        )
        MIGRATIONS[0](connection)
        connection.execute("INSERT INTO migration VALUES (1, 'm001_initial', ?)", (AT,))
        connection.close()
        members["graph.db"] = file.read_bytes()
        signed(members, schema=1)

    done = restore_backup(library.store, rewritten(backup, first_schema), AT)

    assert 0 == done.records
    assert len(MIGRATIONS) == library.store.schema()
    put(library, attempt("attempt_8", reason="word8z"))
    assert {"attempt_8"} == found(library, "word8z")
