"""The policy of a connection: one test for every decision, read back from SQLite."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from shadowgraph.errors import LockedError, OperatorError
from shadowgraph.store import connection as policy


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[apsw.Connection]:
    """Yield a connection as apsw gives it, without any policy."""
    opened = apsw.Connection(str(tmp_path / "plain.db"))
    yield opened
    opened.close()


def test_another_writer_is_waited_for(
    plain: apsw.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself would fail at once."""
    other = apsw.Connection(str(tmp_path / "plain.db"))
    other.execute("BEGIN IMMEDIATE; CREATE TABLE a (b)")
    looks: list[float] = []

    def let_go(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 9:
            other.execute("COMMIT")

    monkeypatch.setattr("shadowgraph.store.connection.time.sleep", let_go)
    policy.wait_for_writers(plain)
    plain.execute("BEGIN IMMEDIATE; COMMIT")

    assert list(policy.PAUSES[:9]) == looks


def test_a_writer_that_has_waited_looks_more_often_than_one_that_comes() -> None:
    """So it is not overtaken for long; SQLite's own waiting does the opposite."""
    assert policy.PAUSES[-1] < max(policy.PAUSES)
    assert policy.PAUSES[-1] <= policy.PAUSES[1]


def test_the_wait_for_another_writer_ends(
    plain: apsw.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the deadline SQLite's own error comes through."""
    other = apsw.Connection(str(tmp_path / "plain.db"))
    other.execute("BEGIN IMMEDIATE; CREATE TABLE a (b)")
    monkeypatch.setattr(policy, "BUSY_MILLIS", 1)
    policy.wait_for_writers(plain)

    with pytest.raises(apsw.BusyError):
        plain.execute("BEGIN IMMEDIATE")


def test_the_log_is_written_ahead(plain: apsw.Connection) -> None:
    """Readers then never wait for the writer."""
    policy.write_ahead(plain)

    assert "wal" == plain.pragma("journal_mode")


def test_the_switch_of_the_log_waits_for_another_process(
    plain: apsw.Connection, tmp_path: Path
) -> None:
    """Two first starts at once: SQLite itself fails the second at once."""
    other = apsw.Connection(str(tmp_path / "plain.db"))
    other.execute("BEGIN IMMEDIATE; CREATE TABLE a (b)")
    waited: list[int] = []

    def let_go(number: int) -> bool:
        waited.append(number)
        other.execute("COMMIT")
        return True

    plain.set_busy_handler(let_go)
    policy.write_ahead(plain)

    assert ("wal", [0]) == (plain.pragma("journal_mode"), waited)


def test_every_commit_is_synced(plain: apsw.Connection) -> None:
    """An acknowledged write survives a power loss: FULL, which is 2."""
    plain.pragma("synchronous", "off")

    policy.survive_power_loss(plain)

    assert 2 == plain.pragma("synchronous")


def test_references_are_enforced(plain: apsw.Connection) -> None:
    """A row that points nowhere is refused."""
    policy.enforce_references(plain)
    plain.execute("CREATE TABLE a (n INTEGER PRIMARY KEY)")
    plain.execute("CREATE TABLE b (n INTEGER REFERENCES a (n))")

    with pytest.raises(apsw.ConstraintError):
        plain.execute("INSERT INTO b VALUES (1)")


def test_the_schema_is_not_trusted(plain: apsw.Connection) -> None:
    """A manipulated file cannot have functions run."""
    policy.distrust_schema(plain)

    assert 0 == plain.pragma("trusted_schema")


def test_the_log_is_bounded(plain: apsw.Connection) -> None:
    """After a long import the log shrinks back to 16 MiB."""
    policy.bound_log(plain)

    assert 16 * 1024 * 1024 == plain.pragma("journal_size_limit")


def test_the_page_cache_is_bounded(plain: apsw.Connection) -> None:
    """8 MiB a connection, said in KiB below zero."""
    policy.cache_pages(plain)

    assert -8192 == plain.pragma("cache_size")


def test_a_connection_comes_with_the_whole_policy(tmp_path: Path) -> None:
    """No decision is forgotten on the way to an open store."""
    opened = policy.connect(tmp_path / "graph.db", create=True)

    names = ("journal_mode", "synchronous", "foreign_keys")
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
    }
    assert expected == {name: opened.pragma(name) for name in names}


def test_a_lost_setting_is_noticed(plain: apsw.Connection) -> None:
    """A file system without shared memory declines the log silently."""
    with pytest.raises(OperatorError, match=r"journal_mode.*delete") as refused:
        policy.verify(plain)

    assert "local file system" in refused.value.hint


def test_opening_does_not_create_unless_told(tmp_path: Path) -> None:
    """A misspelt path is an error, not an empty store."""
    with pytest.raises(OperatorError):
        policy.connect(tmp_path / "graph.db", create=False)

    assert [] == list(tmp_path.iterdir())


def test_the_check_runs_before_anything_is_set(tmp_path: Path) -> None:
    """Even the switch of the journal mode would change a file that is not ours."""
    path = tmp_path / "graph.db"
    seen = []

    def look(opened: apsw.Connection) -> None:
        seen.append(opened.pragma("journal_mode"))

    policy.connect(path, create=True, check=look).close()

    assert ["delete"] == seen


def test_a_store_locked_beyond_the_deadline_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller learns that nothing was written and that trying again is right."""
    monkeypatch.setattr(policy, "BUSY_MILLIS", 1)
    first = policy.connect(tmp_path / "graph.db", create=True)
    second = policy.connect(tmp_path / "graph.db", create=True)
    first.execute("BEGIN IMMEDIATE")

    with pytest.raises(LockedError) as refused, policy.translated(tmp_path / "graph.db"):
        second.execute("BEGIN IMMEDIATE")

    assert "Nothing was written" in refused.value.hint
