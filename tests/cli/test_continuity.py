"""The commands that continue and hand over a task."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")


@pytest.fixture
def bundle(fixtures: Path) -> str:
    """Return the path of a bundle."""
    return str(fixtures / "continuity" / "handover.bundle.json")


def test_a_bundle_is_planned_imported_and_resumed(cli: Cli, bundle: str) -> None:
    """A plan writes nothing; the task that arrived is what is resumed."""
    planned = cli("bundle", "plan", bundle, *PROJECT)
    nothing = cli("resume", *PROJECT)
    done = cli("bundle", "import", bundle, "--write", *PROJECT)
    resumed = cli("resume", "--preset", "quick", *PROJECT)

    assert "create (task-missing): task_move-the-ledger" in planned.output
    assert "none is open" in nothing.output
    assert "parked" in done.output
    assert "Objective: Move the ledger database" in resumed.output


def test_a_task_is_exported_and_looked_into(cli: Cli, bundle: str) -> None:
    """The file is named as a shell names files."""
    cli("bundle", "import", bundle, "--write", *PROJECT)

    made = cli("bundle", "export", "out.json", *PROJECT)
    seen = cli("--json", "bundle", "inspect", "out.json")

    assert (0, 0) == (made.exit_code, seen.exit_code)
    assert "written to out.json" in made.output
    assert "task_move-the-ledger" == json.loads(seen.output)["task"]["id"]


def test_sources_are_added_and_checked(cli: Cli, tmp_path: Path) -> None:
    """By paths of the shell."""
    (tmp_path / "app.py").write_text("limit = 5\n", encoding="utf-8")
    added = cli("source", "add", "app.py", "--summary", "the limit is 5", *PROJECT)
    (tmp_path / "app.py").unlink()
    checked = cli("source", "status", *PROJECT)

    assert "app.py" in added.output
    assert "missing app.py: the limit is 5" in checked.output
