"""Hooks: as processes, and as a desk in this process whose clock stands still."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.hosts.deciding import Desk
from shadowgraph.hosts.event import Event
from shadowgraph.model.scope import Scope

PROJECT = "acme/billing-api"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in the temporary directory, on the project of the twelve records."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHADOWGRAPH_PROJECT", PROJECT)
    monkeypatch.delenv("SHADOWGRAPH_ON_AVOID", raising=False)
    monkeypatch.delenv("SHADOWGRAPH_CAPTURE", raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the home that hooks of this test use; nothing is in it yet."""
    return tmp_path / "home"


@pytest.fixture
def hook() -> Callable[..., Any]:
    """Return a function that runs a hook as a host does and returns what it printed."""

    def run(
        *arguments: str, payload: Mapping[str, Any] | None = None, stdin: str | None = None
    ) -> Any:
        given = json.dumps(payload or {}) if stdin is None else stdin
        done = subprocess.run(
            [sys.executable, "-m", "shadowgraph", "hook", *arguments],
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return run


@pytest.fixture
def clock() -> StoppedClock:
    """Return a clock that stands still."""
    return StoppedClock()


@pytest.fixture
def desk(home: Path, clock: StoppedClock) -> Desk:
    """Return the desk of the home, for the project of the twelve records."""
    return Desk(home, Scope(PROJECT), clock=clock)


@pytest.fixture
def records(home: Path) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that reads the stored records of some kinds, oldest first."""

    def read(*kinds: str) -> list[dict[str, Any]]:
        with Library(home) as library:
            pages = [one for page in library.store.pages() for one in page]
        return [dict(one.body) for one in pages if not kinds or one.kind in kinds]

    return read


def failed(
    command: str = "npm ci", output: str = "npm ERR! code EACCES", **more: Any
) -> Event:
    """Return the event of a command that failed."""
    told: dict[str, Any] = {"status": 1, "session": "s1", **more}
    return Event(
        "post-tool-use-failure", "claude-code", command=command, output=output, **told
    )


def worked(command: str = "npm ci", **more: Any) -> Event:
    """Return the event of a command that worked."""
    told: dict[str, Any] = {"status": 0, "session": "s1", **more}
    return Event("post-tool-use", "claude-code", command=command, **told)
