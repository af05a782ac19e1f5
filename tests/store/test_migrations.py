"""The schema as history: a ledger, and files that are refused and left as they are."""

from pathlib import Path

import apsw
import pytest
from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.errors import OperatorError, StoreDamagedError, StoreTooNewError
from shadowgraph.store import migrations
from shadowgraph.store.migrations import MIGRATIONS


def edit(home: Path, *statements: str) -> None:
    """Change the store of a home as another program would."""
    connection = apsw.Connection(str(home / "graph.db"))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def read_everything(home: Path) -> None:
    """Open a home and read every record in it."""
    with Library(home) as library, library.store.read() as selection:
        selection.every()


def test_a_new_store_has_one_ledger_row_for_every_step(library: Library) -> None:
    """The ledger says which steps ran, by number and name, and when."""
    connection = apsw.Connection(str(library.store.path))

    ledger = list(connection.execute("SELECT number, name, at FROM migration"))

    expected = [
        (number, step.__name__, "2026-11-15T12:00:00.000Z")
        for number, step in enumerate(MIGRATIONS, start=1)
    ]
    assert expected == ledger


def test_opening_an_up_to_date_store_writes_nothing(tmp_path: Path) -> None:
    """A home that is only read can be on read-only media once it exists."""
    Library(tmp_path).close()
    before = (tmp_path / "graph.db").read_bytes()

    Library(tmp_path).close()

    assert before == (tmp_path / "graph.db").read_bytes()


def test_a_store_of_an_earlier_version_gets_the_missing_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new step runs once, on the records that are there."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_old"))

    def m999_note(connection: apsw.Connection) -> None:
        connection.execute("ALTER TABLE record ADD COLUMN note TEXT")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, m999_note))
    for _ in range(2):
        with Library(tmp_path) as library, library.store.read() as selection:
            kept = selection.by_id("attempt_old")

    connection = apsw.Connection(str(tmp_path / "graph.db"))
    names = [name for (name,) in connection.execute("SELECT name FROM migration")]
    assert [*(step.__name__ for step in MIGRATIONS), "m999_note"] == names
    assert kept is not None
    assert attempt("attempt_old") == kept.body


def test_a_step_that_fails_leaves_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step and ledger row are one transaction."""
    Library(tmp_path).close()
    before = (tmp_path / "graph.db").read_bytes()

    def m999_breaks(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE half (done TEXT)")
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, m999_breaks))
    with pytest.raises(RuntimeError, match="power cut"):
        Library(tmp_path)

    assert before == (tmp_path / "graph.db").read_bytes()


def test_a_store_of_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    """Not a byte changes, and the message names both numbers."""
    Library(tmp_path).close()
    edit(tmp_path, "INSERT INTO migration VALUES (99, 'm099_tomorrow', '2031-01-01')")
    before = (tmp_path / "graph.db").read_bytes()

    with pytest.raises(StoreTooNewError, match=f"schema 99.*knows {len(MIGRATIONS)}"):
        Library(tmp_path)

    assert before == (tmp_path / "graph.db").read_bytes()
    assert ["graph.db"] == [found.name for found in tmp_path.iterdir()]


def test_a_sqlite_file_of_another_program_is_refused_untouched(tmp_path: Path) -> None:
    """Somebody named their own database graph.db: it is theirs."""
    edit(tmp_path, "CREATE TABLE songs (title TEXT)", "INSERT INTO songs VALUES ('x')")
    before = (tmp_path / "graph.db").read_bytes()

    with pytest.raises(StoreDamagedError, match="not a shadowgraph store"):
        Library(tmp_path)

    assert before == (tmp_path / "graph.db").read_bytes()


def test_a_foreign_file_with_a_table_called_migration_is_refused(tmp_path: Path) -> None:
    """The mark in SQLite's header decides, not a table name that others use too."""
    edit(tmp_path, "CREATE TABLE migration (number INTEGER, name TEXT, at TEXT)")

    with pytest.raises(StoreDamagedError, match="not a shadowgraph store"):
        Library(tmp_path)


@pytest.mark.parametrize("content", [b"notes", b"not a database at all\n" * 500])
def test_a_file_that_is_no_database_is_refused_and_not_overwritten(
    tmp_path: Path, content: bytes
) -> None:
    """The error says to move the file aside; nobody else moves it."""
    (tmp_path / "graph.db").write_bytes(content)

    with pytest.raises(StoreDamagedError, match=r"graph\.db is damaged") as refused:
        Library(tmp_path)

    assert content == (tmp_path / "graph.db").read_bytes()
    assert "Move it aside" in refused.value.hint


def test_a_store_that_was_cut_short_is_refused_and_not_overwritten(
    tmp_path: Path,
) -> None:
    """A copy that broke off half-way is damage, not an older state."""
    Library(tmp_path).close()
    whole = (tmp_path / "graph.db").read_bytes()
    half = whole[: len(whole) // 2]
    (tmp_path / "graph.db").write_bytes(half)

    with pytest.raises(StoreDamagedError):
        Library(tmp_path)

    assert half == (tmp_path / "graph.db").read_bytes()


def test_a_page_that_was_overwritten_is_damage_when_it_is_read(tmp_path: Path) -> None:
    """Damage in the middle of a file has the same name as damage at its head."""
    with Library(tmp_path) as library:
        put(library, *(attempt(f"attempt_{n}", result="x" * 3000) for n in range(50)))
    content = bytearray((tmp_path / "graph.db").read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    (tmp_path / "graph.db").write_bytes(content)

    with pytest.raises(StoreDamagedError):
        read_everything(tmp_path)


def test_a_home_that_is_a_file_is_not_writable(tmp_path: Path) -> None:
    """The message names the path and the hint says what to do."""
    (tmp_path / "home").write_text("a note", encoding="utf-8")

    with pytest.raises(OperatorError, match="home cannot be used as home") as refused:
        Library(tmp_path / "home")

    assert "--home" in refused.value.hint
    assert "home-not-writable" == refused.value.code


def test_a_new_home_is_private(library: Library) -> None:
    """What agents write is nobody else's to read: 0700 and 0600."""
    modes = [
        oct(path.stat().st_mode & 0o777) for path in (library.home, library.store.path)
    ]

    assert ["0o700", "0o600"] == modes
