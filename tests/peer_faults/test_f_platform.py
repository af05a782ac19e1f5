"""Group F: steps of the schema, older indexes, the machine around."""

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from click.testing import Result
from tests.peer_faults.asking import Ask, hits, note
from tests.server.conftest import Wire
from tests.store.bodies import attempt, first_schema, put
from tests.sync.finding import found

from shadowgraph import Library, ShadowgraphError
from shadowgraph.store.migrations import MIGRATIONS


def test_f01_an_older_store_ends_with_the_schema_of_a_new_one(tmp_path: Path) -> None:
    """No step is skipped in silence: tables, indexes and ledger are the same."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    first_schema(old, [attempt("attempt_1")])

    with Library(old) as brought, Library(new) as made:
        assert made.store.schema() == brought.store.schema() == len(MIGRATIONS)
        assert made.store.tables() == brought.store.tables()


def test_f02_neither_a_step_nor_a_row_has_a_number_twice(
    ask: Ask, library: Library
) -> None:
    """Steps are numbered by their names; the row of a purged record is not given again."""
    numbers = [int(step.__name__[1:4]) for step in MIGRATIONS]
    assert list(range(1, len(MIGRATIONS) + 1)) == numbers

    gone = note(ask, "quicksilver")
    with library.store.read() as selection:
        row = selection.by_ids([gone])[0].row
    ask("purge", project="acme/billing-api", ids=[gone])
    later = note(ask, "mercury")
    with library.store.read() as selection:
        assert row < selection.by_ids([later])[0].row


def test_f03_a_column_that_is_there_already_leaves_the_store_as_it_was(
    tmp_path: Path,
) -> None:
    """The step fails as a whole, in words, every time, and nothing is half done."""
    first_schema(tmp_path, [attempt("attempt_1")])
    connection = apsw.Connection(str(tmp_path / "graph.db"))
    connection.execute("ALTER TABLE record ADD COLUMN retracted INTEGER")
    connection.close()

    for _ in range(2):
        with pytest.raises(ShadowgraphError, match="retracted"):
            Library(tmp_path)
    connection = apsw.Connection(str(tmp_path / "graph.db"))
    steps = connection.execute("SELECT count(*) FROM migration").get
    connection.close()
    assert 1 == steps


def test_f04_nothing_is_written_into_the_repository(
    tmp_path: Path, cli: Callable[..., Result]
) -> None:
    """So nothing of one machine can be committed."""
    (tmp_path / ".git").mkdir()
    before = sorted(p.name for p in tmp_path.iterdir())
    home = tmp_path.parent / f"{tmp_path.name}-home"

    for command in (("record", "attempt", "--solution", "a", "--result", "b"), ("stats",)):
        done = cli("--home", str(home), *command)
        assert 0 == done.exit_code, done.output

    assert before == sorted(p.name for p in tmp_path.iterdir())


def test_f05_an_index_of_another_format_is_left_and_a_new_one_built(
    ask: Ask, library: Library
) -> None:
    """Its directory is named after its definition and format."""
    made = note(ask, "quicksilver")
    hits(ask, "quicksilver")
    (root,) = (library.home / "index").iterdir()
    library.close()
    foreign = root.with_name("0123456789ab-1")
    shutil.move(root, foreign)
    for file in foreign.rglob("meta.json"):
        file.write_text('{"format": "of another engine"}', encoding="utf-8")

    with Library(library.home) as opened:
        assert {made} == found(opened, "quicksilver")
    assert foreign.is_dir()
    assert root.is_dir()


def test_f06_no_optional_part_of_sqlite_is_needed(library: Library) -> None:
    """The library brings its own SQLite, and the schema has no virtual table."""
    put(library, attempt("attempt_1"))

    assert [] == [
        name for _, name, sql in library.store.tables() if "VIRTUAL" in (sql or "")
    ]
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 38, 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
def test_f07_a_log_that_cannot_be_written_is_not_fatal(
    serve: Callable[..., Wire], tmp_path: Path
) -> None:
    """A damaged index is logged, the log fails, and the answer comes."""
    home = tmp_path / "home"
    with Library(home) as library:
        put(library, attempt("attempt_1", reason="quicksilver", project="acme/wire"))
        library.search("x")
        path = library.sync.as_it_stands().path
    (path / "meta.json").write_bytes(b"garbage")
    (tmp_path / "stderr-0.txt").symlink_to("/dev/full")
    wire = serve("--project", "acme/wire")
    wire.hello()

    assert 1 == wire.reply("search", query="quicksilver")["page"]["total"]
