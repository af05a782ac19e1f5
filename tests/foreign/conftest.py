"""Importing what other tools wrote, and repositories with reverts."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.exchange import export_lines
from shadowgraph.intake import Wanted, import_path
from shadowgraph.upstream import Report

PROJECT = "acme/billing-api"


@pytest.fixture
def take(library: Library, fixtures: Path) -> Callable[..., Report]:
    """Return a function that imports a path, by its name in fixtures/foreign or in full."""

    def run(path: Path | str, **options: Any) -> Report:
        wanted = Wanted(**{"project": PROJECT, **options})
        return import_path(library, fixtures / "foreign" / path, wanted)

    return run


@pytest.fixture
def held(library: Library) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that gives the stored bodies of a kind."""

    def bodies(kind: str) -> list[dict[str, Any]]:
        found = map(json.loads, export_lines(library))
        return [body for body in found if body["kind"] == kind]

    return bodies


class Repository:
    """A Git repository whose commits are a minute apart."""

    def __init__(self, directory: Path) -> None:
        """Make an empty one."""
        self.directory = directory
        self._minute = 0
        directory.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, stdin: str | None = None) -> str:
        """Run git and return what it prints."""
        when = f"2025-03-04T10:{self._minute:02}:00Z"
        return subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments],
            cwd=self.directory,
            input=stdin,
            capture_output=True,
            text=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_AUTHOR_DATE": when,
                "GIT_COMMITTER_DATE": when,
                "GIT_CONFIG_GLOBAL": "/dev/null",
                "GIT_CONFIG_NOSYSTEM": "1",
            },
        ).stdout.strip()

    def commit(self, message: str, file: str | None = None) -> str:
        """Commit a change to *file*, or none; return the full hash."""
        self._minute += 1
        if file:
            (self.directory / file).write_text(f"{self._minute}\n", encoding="utf-8")
            self.git("add", file)
        self.git("commit", "-q", "--allow-empty", "-F", "-", stdin=message)
        return self.git("rev-parse", "HEAD")

    def revert(self, hash_: str, reason: str = "", *options: str) -> str:
        """Revert a commit as git does, with a reason below its line."""
        self._minute += 1
        self.git("revert", "--no-edit", *options, hash_)
        if reason:
            message = self.git("log", "-1", "--format=%B")
            self.git("commit", "-q", "--amend", "-F", "-", stdin=f"{message}\n\n{reason}\n")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with one commit."""
    made = Repository(tmp_path / "billing")
    made.commit("Begin", "a.txt")
    return made
