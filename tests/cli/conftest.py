"""Running the command line: in this process for what it prints, in its own for the rest.

Every command runs in an empty directory outside any repository, on the home of the test.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shadowgraph.cli.main import main


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in the temporary directory, outside any repository, as a user of nobody's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    for name in ("APPDATA", "XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli() -> Callable[..., Result]:
    """Return a function that runs a command in this process."""

    def run(*arguments: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(main, arguments, input=stdin)

    return run


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs a command as a process of its own."""

    def run(
        *arguments: str, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "shadowgraph", *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **environment},
            cwd=tmp_path,
            check=False,
        )

    return run


@pytest.fixture
def filled(cli: Callable[..., Result], fixtures: Path) -> Path:
    """Import the twelve records; return their file."""
    file = fixtures / "tiny" / "records.jsonl"
    assert cli("import", str(file)).exit_code == 0
    return file
