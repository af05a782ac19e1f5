"""docs/first-hour.md: what a new user meets happens again, and is judged while it does."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from shadowgraph.hosts.event import EVENTS

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "first_hour.py"
PAGE = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the page shows the places and tools of Linux"
)


@pytest.fixture
def script() -> ModuleType:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("first_hour", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules["first_hour"] = module
    spec.loader.exec_module(module)
    return module


@on_linux
def test_everything_on_the_page_happens_again() -> None:
    """From an empty home to an empty home, with every hook, every status and every byte."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


def test_the_page_shows_each_kind_of_event_given_to_the_line_that_was_written() -> None:
    """The lines are those of the settings that the page shows before."""
    written = re.findall(r'^\+ +"command": "(.+ hook .+)",$', PAGE, re.MULTILINE)
    given = set(re.findall(r"^`(.+ hook .+)` is given$", PAGE, re.MULTILINE))

    assert set(written) == given
    assert list(EVENTS) == [line.split()[2] for line in written]


def test_the_page_shows_the_attempt_stopped_with_its_reason() -> None:
    """After the failure was captured, and not before."""
    before, _, after = PAGE.partition('hook_event_name": "PostToolUseFailure')
    reason = re.findall(r'"permissionDecisionReason": "(.+)"', after)

    denied = '"permissionDecision": "deny"'
    assert [0, 2] == [before.count(denied), after.count(denied)]
    assert reason
    assert all("No module named 'shop_schema'" in one for one in reason)


@on_linux
def test_what_does_not_happen_is_not_written(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook that lets the second attempt pass ends the run with an error."""
    monkeypatch.setattr(script, "decision", lambda _: "")

    with pytest.raises(script.OtherwiseError, match="the next attempt is denied"):
        script.happened(tmp_path)


@on_linux
def test_what_differs_from_run_to_run_is_written_by_its_form(
    script: ModuleType, tmp_path: Path
) -> None:
    """Ids keep being different ones, and directories are those of the page."""
    user = script.Newcomer(tmp_path)
    ids = ["attempt_01m8pwtj3p6rkr9xenmca731rc", "attempt_01m8pwtm5n015t13bym48xj16w"]
    told = user.plain(f"{ids[0]} {ids[1]} {ids[0]} {user.home}/x {user.project} 2031-02-03")

    first, second, third, *rest = told.split()
    assert (first, True) == (third, first != second)
    assert ["~/x", "/srv/shop", "2026-01-05"] == rest
