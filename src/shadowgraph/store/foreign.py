"""Reading tables out of a SQLite file that is not ours.

The file is opened for reading only and nothing is written beside it: without a log that
still waits to be merged it is opened as immutable, because SQLite would otherwise make
shared-memory files next to it. It is examined as a whole before the first row is read, so
that a damaged file gives an error and never a part of its rows.

What the tables mean is the affair of who asks for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import apsw

from shadowgraph.errors import ImportFileError, StoreDamagedError
from shadowgraph.store.connection import translated
from shadowgraph.store.migrations import APPLICATION_ID

Row = tuple[bytes | None, ...]
"Values as the bytes of their text; None for NULL."

MAGIC = b"SQLite format 3\x00"
"The first bytes of every SQLite file."


@dataclass(frozen=True, slots=True)
class ForeignTables:
    """What was read of a file."""

    names: tuple[str, ...]
    "Every table of the file, SQLite's own aside."
    is_home: bool
    "Whether it is the `graph.db` of a home."
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    "The rows of each wanted table that the file has, in the order of their numbers."


def read_tables(path: Path, wanted: Mapping[str, Sequence[str]]) -> ForeignTables:
    """Return the *wanted* columns by table; a table the file does not have is left out.

    Raises:
        StoreDamagedError: the file is no sound SQLite file.
        ImportFileError: a table lacks a wanted column.
    """
    try:
        with translated(path):
            connection = _open(path)
            try:
                return _read(connection, wanted)
            finally:
                connection.close()
    except (StoreDamagedError, UnicodeDecodeError) as error:
        found = (
            error.message
            if isinstance(error, StoreDamagedError)
            else f"{path} is damaged: its schema is no text."
        )
        raise StoreDamagedError(
            found,
            hint="Nothing was imported. Copy the file again while no program writes it.",
        ) from error


def _open(path: Path) -> apsw.Connection:
    waiting = any(_holds(path, ending) for ending in ("-wal", "-journal"))
    name = f"file:{quote(str(path.absolute()))}?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(name if waiting else f"{name}&immutable=1", flags=flags)


def _holds(path: Path, ending: str) -> bool:
    beside = path.with_name(path.name + ending)
    return beside.is_file() and beside.stat().st_size > 0


def _read(
    connection: apsw.Connection, wanted: Mapping[str, Sequence[str]]
) -> ForeignTables:
    connection.pragma("trusted_schema", False)
    names = tuple(
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
    )
    verdict = "; ".join(str(one) for (one,) in connection.execute("PRAGMA quick_check(3)"))
    if verdict != "ok":
        raise StoreDamagedError(f"{connection.filename} is damaged: {verdict}.")
    rows = {
        table: _rows(connection, table, columns)
        for table, columns in wanted.items()
        if table in names
    }
    is_home = connection.pragma("application_id") == APPLICATION_ID
    return ForeignTables(names, is_home, rows)


def _rows(connection: apsw.Connection, table: str, columns: Sequence[str]) -> list[Row]:
    info = list(connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))
    held = {name for (name,) in info}
    missing = [column for column in columns if column not in held]
    if missing:
        raise ImportFileError(
            f"The table {table} has no column {', '.join(missing)};"
            f" it has {', '.join(sorted(held))}."
        )
    without_rowid = connection.execute(
        "SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'", (table,)
    ).get
    order = "" if without_rowid else " ORDER BY rowid"
    # As bytes: a text that is not UTF-8 is for the reader to refuse, with its place.
    wanted = ", ".join(f"CAST({column} AS BLOB)" for column in columns)
    return list(connection.execute(f"SELECT {wanted} FROM {table}{order}"))
