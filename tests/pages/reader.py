"""A reader who runs a page from top to bottom, and what they see.

One shell runs all commands of a page, in a directory that looks like a checkout, with an
empty home and none of the caller's variables but the way to programs. `/tmp/` of a page is a
directory of the run, so that pages can be run at once.

Ids, hashes, times, ages, sizes and scores differ from run to run; `by_form` puts their form
in their place. A line `...` or `[...]` of a page stands for any lines.
"""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.pages.blocks import ROOT, Command

MARK = "=== end of a command ==="
CHECKOUT = ("fixtures", "index", "src", "docs", "Makefile")
"What of the checkout pages speak of."
FORMS = (
    (r"_[0-9a-f]{26}\b|_01[0-9a-z]{24}\b", "_ID"),
    (r"\b\d{8}T\d{6}\.\d{3}Z-[0-9a-z_]{8}", "KEPT"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "INSTANT"),
    (r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d\b", "WHEN"),
    (r"\b[0-9a-f]{16}(?:-\d+)?\b", "DIGEST"),
    (r"\b[0-9a-f]{40}\b|\b[0-9a-f]{10}\b|\b[0-9a-f]{12}\b", "HASH"),
    (r"\b\d+ (?:day|month|year)s? ago\b|\btoday\b", "AGE"),
    (r"\b[\d,]+ bytes\b", "SIZE bytes"),
    (r"\b\d+ segments?\b", "N segments"),
    (r"\bdefinition \d+ ", "definition N "),
    (r"\b\d+% alike", "N% alike"),
    (r"\b(?:Linux|Darwin) \d+\.\d+ \w+", "MACHINE"),
    (r"\b\d+\.\d{2,}\b", "NUMBER"),
    (r"^[A-Za-z0-9_-]{43}$", "TOKEN"),
    (r"the word '\S+' finds", "the word finds"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a command of a page printed, and how it ended."""

    command: Command
    output: str
    status: int

    @property
    def as_written(self) -> bool:
        """Whether the output is the one on the page, by form."""
        return bool(re.fullmatch(_pattern(self.command.output), by_form(self.output)))


def by_form(text: str) -> str:
    """Return a text with names in place of what differs from run to run."""
    for pattern, name in FORMS:
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return re.sub(r" $", "", re.sub(r"[ \t]+", " ", text), flags=re.MULTILINE).strip()


def _pattern(written: str) -> str:
    """Return what matches an output; a line of dots stands for any lines."""
    pieces = re.split(r"^\s*\[?\.\.\.\]?\s*$", written, flags=re.MULTILINE)
    return r"[\s\S]*".join(re.escape(by_form(piece)) for piece in pieces)


def read(commands: Sequence[Command], directory: Path) -> list[Seen]:
    """Run commands in *directory*, but for servers and those that the table exempts."""
    run = [command for command in commands if not (command.exempt or command.serves)]
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(_lines(one, directory) for one in run)],
        cwd=_checkout(directory),
        env=surroundings(directory),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    told = done.stdout.replace(f"{directory}/tmp/", "/tmp/")
    told = told.replace(f"{directory}/user", "~")
    parts = re.split(rf"{MARK} (\d+)\n", told)
    assert len(parts) == 2 * len(run) + 1, told
    seen = zip(run, parts[::2], parts[1::2], strict=False)
    return [Seen(one, text.strip("\n"), int(status)) for one, text, status in seen]


def _lines(command: Command, directory: Path) -> str:
    """Return a command with the mark behind it; `$?` stays what the command left."""
    text = command.text.replace("/tmp/", f"{directory}/tmp/")
    return f"{text}\n_s=$?; echo; echo '{MARK}' $_s; (exit $_s)"


def _checkout(directory: Path) -> Path:
    """Return a directory that looks like a checkout, and make the `/tmp/` of the run."""
    checkout = directory / "checkout"
    checkout.mkdir()
    (directory / "tmp").mkdir()
    for name in CHECKOUT:
        (checkout / name).symlink_to(ROOT / name)
    return checkout


def surroundings(directory: Path) -> dict[str, str]:
    """Return the environment of a reader: an empty home, and our programs on the path."""
    programs = directory / "bin"
    programs.mkdir()
    (directory / "user").mkdir()
    _program(programs / "shadowgraph", "-m shadowgraph ")
    _program(programs / "python3", "")
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(directory / "user"),
        "USER": "ada",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "NO_COLOR": "1",
    }


def _program(path: Path, words: str) -> None:
    """Write a command that runs our Python with *words* before its arguments."""
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n', "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
