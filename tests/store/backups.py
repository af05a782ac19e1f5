"""A backup to restore, and what a store holds, for the tests of both."""

from pathlib import Path

from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.exchange import export_lines
from shadowgraph.store.backup import write_backup

AT = "2026-11-15T12:00:00.000Z"


def backed_up(library: Library, directory: Path) -> Path:
    """Return a backup of a store with three records; a fourth came later."""
    put(library, *(attempt(f"attempt_{n}", reason=f"word{n}z") for n in (1, 2, 3)))
    write_backup(library.store, directory / "file.backup", AT)
    put(library, attempt("attempt_4", reason="word4z"))
    return directory / "file.backup"


def state(library: Library) -> list[str]:
    """Return everything that is stored, as text."""
    return list(export_lines(library))
