"""shadowgraph log: what happened, newest last, and as it happens."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from shadowgraph import Library
from shadowgraph.cli.log import followed, since_of
from shadowgraph.errors import InvalidInputError
from shadowgraph.operations import Caller, invoke

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def _record(cli: Cli, key: str, *options: str) -> None:
    """Record a fact."""
    made = cli("record", "fact", "--key", key, "--value", "1", *(options or PROJECT))
    assert 0 == made.exit_code


def test_the_newest_entry_stands_last(cli: Cli) -> None:
    """With its time, what happened, to what, and how it is called."""
    for key in ("one", "two", "three"):
        _record(cli, key)
    lines = cli(*PROJECT, "log", "--limit", "2").output.splitlines()

    assert 2 == len(lines)
    assert "two" in lines[0]
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  observed +fact +ACTIVE three", lines[1])


def test_a_log_is_of_one_project_or_of_all(cli: Cli) -> None:
    """Nothing of another project is told."""
    _record(cli, "mine")
    _record(cli, "theirs", "--project", "acme/web-shop")

    assert "theirs" not in cli(*PROJECT, "log").output
    assert "theirs" in cli(*PROJECT, "log", "--all-projects").output


@pytest.mark.usefixtures("filled")
def test_a_log_may_be_of_one_record(cli: Cli) -> None:
    """By its id."""
    cli(*PROJECT, "move", "decision_ledger-in-sqlite", "reconsidered")
    lines = cli(*PROJECT, "log", "decision_ledger-in-sqlite").output.splitlines()

    assert 2 == len(lines)
    assert "imported" in lines[0]
    assert "RECONSIDERED" in lines[1]


@pytest.mark.usefixtures("filled")
def test_a_relation_is_told_with_its_ends(cli: Cli) -> None:
    """Its id alone says nothing."""
    arguments = {
        "from": "attempt_ledger-on-nfs", "to": "decision_ledger-in-sqlite",
        "relation": "led_to",
    }  # fmt: skip
    cli(*PROJECT, "call", "link", json.dumps(arguments))

    assert "attempt_ledger-on-nfs led_to decision_ledger-in-sqlite" in (
        cli(*PROJECT, "log", "--limit", "1").output
    )


def test_json_is_one_object_with_the_same_entries(cli: Cli) -> None:
    """In the same order."""
    for key in ("one", "two"):
        _record(cli, key)
    items = json.loads(cli(*PROJECT, "--json", "log").output)["items"]

    assert ["one", "two"] == [one["preview"]["key"] for one in items]


def test_since_leaves_out_what_was_before(cli: Cli) -> None:
    """All that is left, however much it is."""
    for number in range(25):
        _record(cli, f"k{number}")

    assert 20 == len(cli(*PROJECT, "log").output.splitlines())
    assert 25 == len(cli(*PROJECT, "log", "--since", "1d").output.splitlines())
    assert "" == cli(*PROJECT, "log", "--since", "2999-01-01").output


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30m", "2026-11-15T11:30"), ("2h", "2026-11-15T10:00"), ("3d", "2026-11-12T12:00"),
        ("1w", "2026-11-08T12:00"), ("2026-03-04", "2026-03-04T00:00"),
    ],
)  # fmt: skip
def test_since_is_an_instant_or_a_span(text: str, expected: str) -> None:
    """As people write them."""
    found = since_of(text, NOW)

    assert found is not None
    assert expected == found.isoformat()[:16]


@pytest.mark.parametrize("text", ["", "yesterday", "3x", "-1d", "d"])
def test_a_since_that_means_nothing_is_refused(text: str) -> None:
    """With what would be right."""
    with pytest.raises(InvalidInputError) as caught:
        since_of(text, NOW)

    assert "3d" in (caught.value.hint or "")


class _Watched:
    """A library that is followed, and how often its journal was asked."""

    def __init__(self, library: Library) -> None:
        """Follow the project of the caller."""
        self.library = library
        self.caller = Caller("acme/billing-api", "server")
        self.asked = 0

    def ask(self, **more: Any) -> dict[str, Any]:
        """Ask the journal, newest first."""
        self.asked += 1
        arguments = {"newestFirst": True, **more}
        return invoke(self.library, "shadowgraph_journal", arguments, self.caller)

    def write(self, key: str) -> None:
        """Record a fact."""
        fact = {"key": key, "value": 1}
        invoke(self.library, "shadowgraph_record_fact", fact, self.caller)

    def follow(self, *steps: Callable[[], object]) -> Iterator[list[str]]:
        """Yield the keys that are told when each of *steps* happens between two looks."""
        waiting = iter(steps)

        def over() -> bool:
            step = next(waiting, None)
            if step is not None:
                step()
            return step is None

        revision = self.library.store.revision()
        seen = max([0, *(one["seq"] for one in self.ask(limit=1)["items"])])
        for entries in followed(self.library, self.ask, revision, seen, over):
            yield [one["preview"]["key"] for one in entries]


@pytest.fixture
def watched(library: Library) -> _Watched:
    """Return the empty library, watched."""
    return _Watched(library)


def test_following_tells_what_is_written_in_order(watched: _Watched) -> None:
    """What stood there before is not told again."""
    watched.write("before")

    def both() -> None:
        watched.write("two")
        watched.write("three")

    assert [["one"], ["two", "three"]] == list(
        watched.follow(lambda: watched.write("one"), both)
    )


def test_following_reads_no_journal_while_nothing_is_written(watched: _Watched) -> None:
    """The revision alone is looked at."""
    assert [] == list(watched.follow(*[lambda: None] * 50))
    assert 1 == watched.asked


def test_following_tells_more_than_one_page(watched: _Watched) -> None:
    """A large import between two looks is told whole."""

    def many() -> None:
        for number in range(230):
            watched.write(f"k{number}")

    (told,) = watched.follow(many)
    assert [f"k{number}" for number in range(230)] == told


def test_following_tells_nothing_of_another_project(watched: _Watched) -> None:
    """Though the revision is one for all."""

    def elsewhere() -> None:
        fact = {"key": "theirs", "value": 1, "project": "acme/web-shop"}
        invoke(watched.library, "shadowgraph_record_fact", fact, watched.caller)

    assert [["mine"]] == list(watched.follow(elsewhere, lambda: watched.write("mine")))


def test_following_goes_on_after_a_restore(watched: _Watched, tmp_path: Path) -> None:
    """The journal is shorter then, and its numbers are used again."""
    watched.write("kept")
    source = str(tmp_path / "x.backup")
    invoke(watched.library, "shadowgraph_backup", {"destination": source}, watched.caller)
    for key in ("lost", "lost too"):
        watched.write(key)

    def restore() -> None:
        invoke(watched.library, "shadowgraph_restore", {"source": source}, watched.caller)

    assert [["after"]] == list(watched.follow(restore, lambda: watched.write("after")))


def test_a_second_process_sees_what_is_written(cli: Cli, tmp_path: Path) -> None:
    """One object a line, as soon as it is written."""
    _record(cli, "first")
    command = [sys.executable, "-m", "shadowgraph", *PROJECT, "--json", "log", "-f"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as following:
        assert following.stdout is not None
        first = json.loads(following.stdout.readline())
        _record(cli, "second")
        second = json.loads(following.stdout.readline())
        following.terminate()

    assert ["first", "second"] == [one["preview"]["key"] for one in (first, second)]
