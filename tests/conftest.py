"""What the tests of every package share: a stopped clock, a home, and the twelve records.

Everything is real: SQLite files and Tantivy indexes in a temporary directory. Time stands
still until a test moves it. Fixtures of one package stand in that package's own conftest.
"""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from shadowgraph import Library
from shadowgraph.exchange import import_lines

# How long an example takes depends on the machine and says nothing about the code.
settings.register_profile(
    "shadowgraph", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shadowgraph")


class StoppedClock:
    """A clock that shows noon of 15 November 2026 and advances only when told."""

    def __init__(self) -> None:
        """Stop at noon."""
        self.now = datetime(2026, 11, 15, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the instant it shows."""
        return self.now

    def advance(self, **duration: float) -> None:
        """Move on by a duration, such as `days=3`."""
        self.now += timedelta(**duration)


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings of whoever runs the tests out of reach."""
    monkeypatch.setenv("SHADOWGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SHADOWGRAPH_PROJECT", raising=False)
    monkeypatch.delenv("SHADOWGRAPH_KEEP_SECRETS", raising=False)
    monkeypatch.delenv("SHADOWGRAPH_SESSION", raising=False)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """Return the directory of the record sets."""
    return Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def tiny(fixtures: Path) -> list[dict[str, Any]]:
    """Return the twelve records of `tiny/`, as they are written there."""
    with (fixtures / "tiny" / "records.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture
def clock() -> StoppedClock:
    """Return a clock that stands still."""
    return StoppedClock()


@pytest.fixture
def library(tmp_path: Path, clock: Callable[[], datetime]) -> Iterator[Library]:
    """Yield an empty library whose home is `home` in the temporary directory."""
    with Library(tmp_path / "home", clock=clock) as opened:
        yield opened


@pytest.fixture
def tiny_library(library: Library, tiny: list[dict[str, Any]]) -> Library:
    """Return the library with the twelve records in it."""
    import_lines(library, map(json.dumps, tiny))
    return library
