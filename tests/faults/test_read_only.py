"""A home that may be read and not written: every reading command works on it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.faults.read_only import can_be_denied, denied, run
from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.errors import HomeNotWritableError
from shadowgraph.store.connection import connect
from shadowgraph.store.readonly import Watched

PROJECT = "acme/billing-api"
READING = [
    ["search", "ledger"],
    ["context", "move the ledger"],
    ["show", "attempt_ledger-on-nfs"],
    ["projects"],
    ["stats"],
    ["doctor"],
    ["export"],
    ["journal"],
    ["call", "shadowgraph_check", "action=move the ledger to NFS"],
    ["call", "shadowgraph_recall", "query=ledger"],
    ["call", "shadowgraph_rebuild"],
    ["call", "shadowgraph_validate"],
    ["task", "list"],
    ["resume"],
]
WRITING = [
    ["record", "attempt", "--solution", "s", "--result", "r"],
    ["move", "decision_ledger-in-sqlite", "reconsidered"],
    ["purge", PROJECT, "--yes"],
    ["reindex"],
    ["backup", "../x.backup"],
    ["restore", "../x.backup", "--yes"],
]


@pytest.fixture
def home(tiny_library: Library, tmp_path: Path) -> Iterator[Path]:
    """Yield a closed and indexed home with the twelve records that nobody may write."""
    place = tmp_path / "probe"
    place.mkdir()
    if not can_be_denied(place):
        pytest.skip("nobody can be kept from writing here")
    tiny_library.search("ledger")
    tiny_library.close()
    with denied(tiny_library.home):
        yield tiny_library.home


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_reading_command_works(home: Path, words: list[str]) -> None:
    """It answers as in any other home, and leaves the home as it is."""
    before = sorted(one.name for one in home.rglob("*"))
    ended = run(home, "--json", "--project", PROJECT, *words)

    assert (0, "") == (ended.returncode, _said(ended.stderr))
    assert ended.stdout
    assert before == sorted(one.name for one in home.rglob("*"))


def _said(stderr: str) -> str:
    """Return what was said beside the figure of an export."""
    return "" if stderr.endswith("records exported.\n") else stderr


@pytest.mark.parametrize("words", WRITING, ids=lambda words: words[0])
def test_a_writing_command_says_what_to_do(home: Path, words: list[str]) -> None:
    """One error of the home with a next step, and no trace of where it was met."""
    (home.parent / "x.backup").write_bytes(b"")
    ended = run(home, "--project", PROJECT, *words)

    assert ended.returncode in (2, 3), ended.stderr
    assert "Traceback" not in ended.stderr
    if ended.returncode == 3:
        assert "cannot be written" in ended.stderr
        assert "--home" in ended.stderr


def test_an_index_that_is_behind_or_missing_is_made_beside_the_home(
    tiny_library: Library, tmp_path: Path
) -> None:
    """For the process that needs it, and gone with it."""
    (tmp_path / "probe").mkdir()
    if not can_be_denied(tmp_path / "probe"):
        pytest.skip("nobody can be kept from writing here")
    tiny_library.search("ledger")
    put(tiny_library, attempt("attempt_late", solution="quagga"))
    tiny_library.close()
    home = tiny_library.home
    for _ in ("behind", "missing"):
        with denied(home):
            ended = run(home, "--json", "--project", PROJECT, "search", "quagga")
        assert 1 == json.loads(ended.stdout)["page"]["total"], ended.stderr
        shutil.rmtree(home / "index", ignore_errors=True)


def test_a_log_that_cannot_be_read_is_told_and_not_passed_over(
    home: Path, tiny_library: Library
) -> None:
    """What a killed writer left there is the newest there is."""
    home.chmod(0o700)
    (home / "graph.db-wal").write_bytes(b"\0" * 4096)
    home.chmod(0o500)
    ended = run(home, "stats")

    assert 3 == ended.returncode
    assert "cannot be" in ended.stderr
    home.chmod(0o700)
    (home / "graph.db-wal").unlink()
    assert home == tiny_library.home


def test_what_another_one_writes_is_read(
    tiny_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was opened as one that does not change is opened anew when it did."""
    path = tiny_library.store.path
    tiny_library.close()
    readers = ("connection.is_read_only", "store.is_read_only")
    for name in readers:
        monkeypatch.setattr(f"shadowgraph.store.{name}", lambda _: True)
    with Library(tiny_library.home) as reader:
        before = reader.store.revision()
        writer = apsw.Connection(str(path))
        writer.execute("UPDATE meta SET value = value + 1 WHERE key = 'revision'")
        writer.close()

        assert before + 1 == reader.store.revision()
        with pytest.raises(HomeNotWritableError), reader.write():
            pass


def test_a_connection_that_may_only_read_cannot_write(
    tiny_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by a statement of ours either."""
    path = tiny_library.store.path
    tiny_library.close()
    monkeypatch.setattr("shadowgraph.store.connection.is_read_only", lambda _: True)
    connection = connect(path, create=False)

    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("DELETE FROM record")
    connection.close()
    assert not Watched.now(path).changed()
