"""Every error apsw can raise has a decision: one of ours, or a bug that passes through.

The table names them all. A new apsw that brings a new error fails here until somebody
decides what it means to a caller.
"""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from shadowgraph.errors import (
    ConflictError,
    DiskFullError,
    HomeNotWritableError,
    LockedError,
    OperatorError,
    ShadowgraphError,
    StoreDamagedError,
)
from shadowgraph.store.connection import connect, translated

BUG = None
"Only a mistake of ours can cause it: it passes through and ends in a traceback."

DECISIONS: dict[str, type[ShadowgraphError] | None] = {
    "AbortError": BUG,
    "AuthError": OperatorError,
    "BindingsError": BUG,
    "BusyError": LockedError,
    "CantOpenError": HomeNotWritableError,
    "ConnectionClosedError": BUG,
    "ConnectionNotClosedError": BUG,
    "ConstraintError": ConflictError,
    "CorruptError": StoreDamagedError,
    "CursorClosedError": BUG,
    "EmptyError": OperatorError,
    "Error": BUG,
    "ExecTraceAbort": BUG,
    "ExecutionCompleteError": BUG,
    "ExtensionLoadingError": BUG,
    "ForkingViolationError": BUG,
    "FormatError": OperatorError,
    "FullError": DiskFullError,
    "IOError": OperatorError,
    "IncompleteExecutionError": BUG,
    "InternalError": BUG,
    "InterruptError": OperatorError,
    "InvalidContextError": BUG,
    "LockedError": LockedError,
    "MismatchError": BUG,
    "MisuseError": BUG,
    "NoFTS5Error": BUG,
    "NoLFSError": OperatorError,
    "NoMemError": OperatorError,
    "NotADBError": StoreDamagedError,
    "NotFoundError": BUG,
    "PermissionsError": HomeNotWritableError,
    "ProtocolError": OperatorError,
    "RangeError": BUG,
    "ReadOnlyError": HomeNotWritableError,
    "SQLError": BUG,
    "SchemaChangeError": OperatorError,
    "ThreadingViolationError": BUG,
    "TooBigError": OperatorError,
    "VFSFileClosedError": BUG,
    "VFSNotImplementedError": BUG,
}


def errors_of_apsw() -> dict[str, type[apsw.Error]]:
    """Return every exception class that apsw has."""
    return {
        name: found
        for name, found in vars(apsw).items()
        if isinstance(found, type) and issubclass(found, apsw.Error)
    }


def test_every_error_of_apsw_has_a_decision() -> None:
    """Neither an error without a decision nor a decision without an error."""
    assert set(DECISIONS) == set(errors_of_apsw())


@pytest.mark.parametrize("name", sorted(DECISIONS))
def test_an_error_of_apsw_becomes_what_was_decided(name: str, tmp_path: Path) -> None:
    """Ours is raised from the original, and a bug is raised as it is."""
    original = errors_of_apsw()[name]("said by SQLite")
    wanted = DECISIONS[name]

    with pytest.raises((apsw.Error, ShadowgraphError)) as raised:  # noqa: SIM117
        with translated(tmp_path / "graph.db"):
            raise original

    assert (wanted or type(original)) is type(raised.value)
    assert (original if wanted else None) is raised.value.__cause__


def fill_up(connection: apsw.Connection) -> None:
    """Write more than the file may hold."""
    connection.execute("CREATE TABLE a (b)")
    connection.pragma("max_page_count", 4)
    connection.execute("INSERT INTO a VALUES (zeroblob(100000))")


def write_to_read_only(connection: apsw.Connection) -> None:
    """Write where only reading is allowed."""
    connection.pragma("query_only", True)
    connection.execute("CREATE TABLE a (b)")


def repeat_a_key(connection: apsw.Connection) -> None:
    """Break a rule of the schema."""
    connection.execute("CREATE TABLE a (b PRIMARY KEY)")
    connection.execute("INSERT INTO a VALUES (1), (1)")


def write_too_much(connection: apsw.Connection) -> None:
    """Make a value that is longer than SQLite's limit."""
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, 1000)
    list(connection.execute("SELECT zeroblob(2000)"))


def stop_half_way(connection: apsw.Connection) -> None:
    """Interrupt a long statement from its own progress handler."""
    connection.set_progress_handler(lambda: True, 10)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    list(connection.execute(f"{endless} SELECT max(x) FROM n"))


def misspell(connection: apsw.Connection) -> None:
    """Send a statement that is no SQL."""
    connection.execute("SELEC 1")


@pytest.mark.parametrize(
    ("act", "wanted"),
    [
        (fill_up, DiskFullError),
        (write_to_read_only, HomeNotWritableError),
        (repeat_a_key, ConflictError),
        (write_too_much, OperatorError),
        (stop_half_way, OperatorError),
        (misspell, apsw.SQLError),
    ],
)
def test_what_sqlite_really_raises_is_translated(
    tmp_path: Path,
    act: Callable[[apsw.Connection], None],
    wanted: type[Exception],
) -> None:
    """The table holds for errors of the engine, not only for those made by hand."""
    opened = connect(tmp_path / "graph.db", create=True)

    with pytest.raises((apsw.Error, ShadowgraphError)) as raised:  # noqa: SIM117
        with translated(tmp_path / "graph.db"):
            act(opened)

    assert wanted is type(raised.value)


def test_an_error_without_a_path_still_has_a_sentence() -> None:
    """Not every door knows the file; the sentence reads well without it."""
    with pytest.raises(DiskFullError, match="No room left to write the store"):  # noqa: SIM117
        with translated():
            raise apsw.FullError("database or disk is full")
