"""The commands that keep a store: backup, restore, purge, journal."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]
PROJECT = ("--project", "acme/billing-api")

pytestmark = pytest.mark.usefixtures("filled")


def _count(cli: Cli) -> int:
    """Return how many records the store holds."""
    return int(json.loads(cli("--json", "stats").output)["records"])


def test_a_backup_is_restored(cli: Cli, tmp_path: Path) -> None:
    """Relative names are those of the shell."""
    made = cli("backup", "x.backup")
    cli("record", "attempt", "--solution", "later", "--result", "x", *PROJECT)
    assert 13 == _count(cli)
    done = cli("restore", "x.backup", "--yes")

    assert (0, 0) == (made.exit_code, done.exit_code)
    assert "12 records backed up" in made.output
    assert "12 records restored." in done.output
    assert "Kept what was replaced: " in done.output
    assert (tmp_path / "x.backup").is_file()
    assert 12 == _count(cli)


def test_a_backup_can_be_checked_alone(cli: Cli) -> None:
    """Nobody is asked, and nothing is replaced."""
    cli("backup", "x.backup")
    cli("record", "attempt", "--solution", "later", "--result", "x", *PROJECT)
    done = cli("restore", "x.backup", "--check")

    assert "12 records would be restored." in done.output
    assert 13 == _count(cli)


def test_a_damaged_backup_ends_with_status_two(shell: Shell, tmp_path: Path) -> None:
    """The sentence says what is wrong and that nothing was replaced."""
    (tmp_path / "x.backup").write_text("no backup")
    done = shell("restore", "x.backup", "--yes")

    assert 2 == done.returncode
    assert "no whole backup" in done.stderr
    assert "Nothing was replaced" in done.stderr


@pytest.mark.parametrize("command", [["purge", "acme/web-shop"], ["restore", "x.backup"]])
def test_a_script_has_to_say_yes(command: list[str], shell: Shell) -> None:
    """There is nobody to ask, so nothing happens."""
    shell("backup", "x.backup")
    done = shell(*command)

    assert 2 == done.returncode
    assert "--yes" in done.stderr
    assert 12 == json.loads(shell("--json", "stats").stdout)["records"]


@pytest.mark.parametrize(("answer", "left"), [("y\n", 10), ("n\n", 12), ("\n", 12)])
def test_a_person_is_asked_with_the_figures(
    answer: str, left: int, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only yes means yes."""
    monkeypatch.setattr("shadowgraph.cli.keep._on_terminal", lambda: True)
    asked = cli("purge", "acme/web-shop", stdin=answer)

    assert "Erase 2 records and 2 journal entries of acme/web-shop" in asked.stderr
    assert left == _count(cli)


@pytest.mark.parametrize("hard", [[], ["--hard"]])
def test_a_purge_says_what_it_took_and_what_it_does_not_reach(
    hard: list[str], cli: Cli
) -> None:
    """In both modes."""
    done = cli("purge", "acme/web-shop", "--yes", *hard)

    assert 0 == done.exit_code
    mode = "hard" if hard else "logical"
    assert f"2 records and 2 journal entries purged ({mode})." in done.output
    assert "backups made before hold the text still" in done.output
    assert 10 == _count(cli)


def test_one_record_can_be_purged(cli: Cli) -> None:
    """The others of the project stay."""
    done = cli("purge", "acme/billing-api", "--id", "attempt_ledger-on-nfs", "--yes")

    assert "1 records and 1 journal entries purged" in done.output
    assert 11 == _count(cli)


def test_the_journal_shows_the_newest_first(cli: Cli) -> None:
    """One line an entry: number, time, type, record, maker."""
    cli("record", "attempt", "--solution", "later", "--result", "x", *PROJECT)
    lines = cli("journal", *PROJECT).output.splitlines()

    assert "attempt.recorded" in lines[0]
    assert lines[0].split()[0] == "13"
    assert 11 == len(lines)


def test_the_journal_of_a_record_shows_its_states(cli: Cli) -> None:
    """With --full, as JSON below each line."""
    name = "attempt_ledger-on-nfs"
    result = cli("journal", name, "--full", *PROJECT)
    _, state = result.output.splitlines()

    assert name == json.loads(state)["id"]


def test_a_long_journal_says_how_to_go_on(cli: Cli) -> None:
    """And goes on there."""
    first = cli("journal", "--all-projects", "--limit", "5").output.splitlines()
    rest = cli("journal", "--all-projects", "--offset", "10").output.splitlines()

    assert first[-1] == "12 entries; go on with --offset 5."
    assert ["2", "1"] == [line.split()[0] for line in rest]
