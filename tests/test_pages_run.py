"""The pages whose every command is run, and their outputs compared with what is printed.

A page is run from top to bottom by one shell, in a directory that looks like a checkout.
Ids, hashes, times and ages differ from run to run; they are compared by their form.
"""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["importing.md", "shell.md"]
MARK = "=== end of a command ==="
FORMS = (
    (r"_[0-9a-f]{26}\b|_01[0-9a-z]{24}\b", "_ID"),
    (r"\b[0-9a-f]{12}\b", "HASH"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "WHEN"),
    (r"\b\d+ (?:day|month|year)s? ago\b|\btoday\b", "AGE"),
)


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Yield every command of a page with the output that stands below it."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for block in re.findall(
        r"^```(?:console|sh|bash)\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    ):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output.strip("\n")


def printed(page: str, directory: Path) -> list[str]:
    """Run a page in *directory*; return what each of its commands printed."""
    (directory / "fixtures").symlink_to(ROOT / "fixtures")
    program = directory / "bin" / "shadowgraph"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shadowgraph "$@"\n', "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    lines = [f"{command}\necho; echo '{MARK}'" for command, _ in commands(page)]
    surroundings = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "SHADOWGRAPH_HOME": str(directory / "home"),
        "USER": "ada",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(["set -e", *lines])],
        cwd=directory,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout
    return [part.strip("\n") for part in done.stdout.split(f"{MARK}\n")[:-1]]


def _by_form(text: str) -> str:
    """Return a text with names in place of what differs from run to run."""
    for pattern, name in FORMS:
        text = re.sub(pattern, name, text)
    return re.sub(r"[ \t]+", " ", text)


@pytest.mark.skipif(sys.platform == "win32", reason="the pages are for a shell of Unix")
@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_prints_what_stands_below_it(
    page: str, tmp_path: Path
) -> None:
    """From top to bottom, as a reader would."""
    written = [_by_form(output) for _, output in commands(page)]

    assert written == [_by_form(output) for output in printed(page, tmp_path)]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_run_has_no_command_outside_of_its_blocks(page: str) -> None:
    """What looks like a block is one that is run."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")

    assert len(re.findall(r"^\$ ", text, re.MULTILINE)) == len(list(commands(page)))
    assert re.findall(r"^```(\w+)", text, re.MULTILINE) == ["console"] * (
        len(re.findall(r"^```", text, re.MULTILINE)) // 2
    )
