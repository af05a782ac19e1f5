"""Putting a backup in the place of a store.

Everything is checked before anything changes: the backup's digests, SQLite's integrity, the
schema, the chain of the journal. Then the content is replaced in *one* transaction on the
living file, so that another process sees the old state or the new one; renaming a file
under it would leave it writing into a file that nobody reads. What was there is kept as a
home of its own below `replaced/`. The count of restores, `epoch`, lets a read of several
questions notice that one came between (`store.of_one_state`).

Tombstones of both sides are applied to the copy before it takes over. What a backup is, is
in `backup`.
"""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from shadowgraph.errors import BackupInvalidError
from shadowgraph.store.backup import check, online_copy, unpack, workshop
from shadowgraph.store.connection import connect, translated
from shadowgraph.store.store import FILE_NAME, Store
from shadowgraph.store.tombstones import FILE_NAME as TOMBSTONES
from shadowgraph.store.tombstones import Tombstone, read_lines

REPLACED = "replaced"
"Directory in a home below which a restore keeps what it replaced."


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did."""

    manifest: dict[str, Any]
    reapplied: int
    "Purges that took something from the backup's content again."
    known: int
    "Tombstones known in all."
    kept: Path | None
    "Where the replaced store is; None when it was empty or nothing was replaced."
    records: int
    "Records of the restored store."


def kept_stores(home: Path) -> list[Path]:
    """Return the homes that restores kept, oldest first."""
    return sorted(file.parent for file in (home / REPLACED).glob(f"*/{FILE_NAME}"))


def restore_backup(
    store: Store, source: Path, at: str, *, replace: bool = True
) -> Restored:
    """Check the backup *source* and put its content in the place of the store's.

    With *replace* false everything is checked and nothing changed.

    Raises:
        BackupInvalidError: the file is no backup, or not what was written.
        StoreDamagedError: what is in it is no sound store.
        StoreTooNewError: a newer version wrote it.
    """
    home = store.path.parent
    with workshop(home) as work:
        manifest = unpack(source, work)
        check(work / FILE_NAME)
        with Store(work) as copy:
            _check_schema(store, copy)
            stones = _stones(store, copy, work / TOMBSTONES)
            reapplied = copy.bury(stones)
            records = sum(copy.counts().values())
        kept = _swap(store, work / FILE_NAME, at) if replace else None
    if replace:
        store.graveyard.add(stones)
    return Restored(manifest, reapplied, len(stones), kept, records)


def _stones(store: Store, copy: Store, file: Path) -> list[Tombstone]:
    """Return the tombstones of the home, of its journal, and of the backup."""
    with store.read() as here, copy.read() as there:
        stones = [*here.tombstones(), *there.tombstones(), *store.graveyard.read()]
    stones += read_lines(file.read_text(encoding="utf-8"))
    return list({one.id: one for one in stones}.values())


def _check_schema(store: Store, copy: Store) -> None:
    """Refuse a file whose tables are not ours, triggers and views included."""
    if store.tables() != copy.tables():
        raise BackupInvalidError("The tables of graph.db are not those of a store.")


def _swap(store: Store, copy: Path, at: str) -> Path | None:
    """Replace the store's content by the copy's in one transaction."""
    connection = connect(store.path, create=False)
    try:
        with translated(store.path):
            connection.execute("ATTACH ? AS copy", (str(copy),))
            connection.execute("BEGIN IMMEDIATE")
            # Nobody can write any more: what is kept is what is replaced.
            kept = _keep(store, at)
            try:
                _replace_content(connection)
                connection.execute("COMMIT")
            except BaseException:
                if kept is not None:
                    shutil.rmtree(kept, ignore_errors=True)
                raise
    finally:
        connection.close()
    return kept


def _keep(store: Store, at: str) -> Path | None:
    with store.read() as selection:
        if selection.head().seq == 0:
            return None
    home = store.path.parent
    stamp = at.replace(":", "").replace("-", "")
    (home / REPLACED).mkdir(mode=0o700, exist_ok=True)
    kept = Path(tempfile.mkdtemp(prefix=f"{stamp}-", dir=home / REPLACED))
    online_copy(store.path, kept / FILE_NAME)
    return kept


def _replace_content(connection: apsw.Connection) -> None:
    """Empty every table and fill it from the attached copy."""
    kept = dict(
        connection.execute(
            "SELECT key, max(value) FROM (SELECT * FROM main.meta UNION ALL"
            " SELECT * FROM copy.meta) WHERE key IN ('revision', 'epoch') GROUP BY key"
        )
    )
    connection.pragma("defer_foreign_keys", True)
    tables = [
        name
        for (name,) in connection.execute(
            "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
            " AND (name NOT LIKE 'sqlite%' OR name = 'sqlite_sequence')"
        )
    ]
    # The sequences last: filling a table moves its own.
    tables.sort(key=lambda name: name == "sqlite_sequence")
    for name in tables[:-1]:
        connection.execute(f'DELETE FROM main."{name}"')
    for name in tables:
        columns = ", ".join(
            f'"{column}"'
            for (column,) in connection.execute(
                "SELECT name FROM pragma_table_info(?, 'main')", (name,)
            )
        )
        connection.execute(f'DELETE FROM main."{name}"')
        connection.execute(
            f'INSERT INTO main."{name}" ({columns}) SELECT {columns} FROM copy."{name}"'
        )
    for key, value in kept.items():
        # Above both histories: no reader takes one state for the other.
        connection.execute("UPDATE main.meta SET value = ? WHERE key = ?", (value + 1, key))
