"""Every command of every page is run, and its output is the one that stands below it."""

import re
import sys
from pathlib import Path

import pytest
from tests.pages.__main__ import rewritten
from tests.pages.blocks import (
    EXEMPT,
    OURS,
    PAGES,
    ROOT,
    SHELL,
    Block,
    Command,
    blocks,
    commands,
    name_of,
    shell_commands,
)
from tests.pages.reader import Seen, by_form, read

on_unix = pytest.mark.skipif(
    sys.platform == "win32", reason="pages are for a shell of Unix"
)
RUN = [page for page in OURS if shell_commands(page)]


def _allowed(seen: list[Seen]) -> list[str]:
    """Return the commands that ended with an error of which the page says nothing."""
    followed = [*(one.command.text for one in seen[1:]), ""]
    return [
        f"{one.command.block}: $ {one.command.text}\n{one.output}"
        for one, following in zip(seen, followed, strict=True)
        if one.status
        and following != "echo $?"
        and not one.command.output.startswith("shadowgraph: ")
    ]


def _shown(seen: Seen) -> bool:
    """Say whether the page shows outputs where a command stands."""
    return bool(seen.command.output) or not _bare(seen)


def _bare(seen: Seen) -> bool:
    """Say whether the block of a command holds commands alone."""
    lines = seen.command.block.text.splitlines()
    return all(line.startswith(("$ ", "    ")) for line in lines)


@on_unix
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_every_command_of_a_page_prints_what_stands_below_it(
    page: Path, tmp_path: Path
) -> None:
    """From top to bottom, as a reader would; a block of commands alone shows no output."""
    seen = read(shell_commands(page), tmp_path)
    compared = [one for one in seen if _shown(one)]

    assert [] == _allowed(seen)
    different = [one for one in compared if not one.as_written]
    assert [(str(one.command.block), by_form(one.command.output)) for one in different] == [
        (str(one.command.block), by_form(one.output)) for one in different
    ]


@pytest.mark.parametrize("page", OURS, ids=name_of)
def test_a_page_has_no_command_outside_of_its_blocks(page: Path) -> None:
    """What looks like a command is one that is run."""
    text = page.read_text(encoding="utf-8")

    assert len(re.findall(r"^\$ ", text, re.MULTILINE)) == len(shell_commands(page))


@pytest.mark.parametrize("page", OURS, ids=name_of)
def test_a_shell_block_begins_with_a_command(page: Path) -> None:
    """A line before the first one would never be run."""
    shells = [block for block in blocks(page) if block.language in SHELL]

    assert [] == [str(block) for block in shells if not block.text.startswith("$ ")]


@pytest.mark.parametrize("row", EXEMPT["command"], ids=lambda row: row["command"])
def test_what_is_not_run_stands_on_its_page_with_a_reason(row: dict[str, str]) -> None:
    """A row that no page needs any more goes."""
    found = [command.text for command in shell_commands(ROOT / row["page"])]

    assert row["command"] in found
    assert len(row["reason"].split()) >= 4


@pytest.mark.parametrize("row", EXEMPT["page"], ids=lambda row: row["page"])
def test_a_page_of_another_test_is_named_there(row: dict[str, str]) -> None:
    """And has blocks at all."""
    page = ROOT / row["page"]

    assert page in PAGES
    assert list(blocks(page))
    assert page.name in (ROOT / row["test"]).read_text(encoding="utf-8")
    assert len(row["reason"].split()) >= 4


def test_dots_stand_for_any_lines_and_forms_for_what_differs() -> None:
    """The comparison tells a wrong line from another id."""
    block = Block("docs/shell.md", 1, "console", "")
    one, other = (
        "attempt_01m8pwtj3p6rkr9xenmca731rc",
        "attempt_01m8pwtm5n015t13bym48xj16w",
    )

    def matches(written: str, printed: str) -> bool:
        return Seen(Command(block, 0, "", written), printed, 0).as_written

    assert matches(f"a {one}  2 days ago\n...\nd", f"a {other}   today\nb\nc\nd")
    assert not matches(f"a {one}\n...\nd", f"a {other}\nb\nc")
    assert not matches("1 found", "2 found")


def test_outputs_are_written_again_where_they_stand() -> None:
    """Each below its own command, also where the same words stand twice."""
    block = Block("page.md", 3, "console", "$ x\n1\n$ y\n$ x\n")
    known = list(commands(block))

    assert [("x", "1"), ("y", ""), ("x", "")] == [(one.text, one.output) for one in known]
    assert rewritten(block, {known[2]: "2  \n3"}) == "$ x\n1\n$ y\n$ x\n2\n3\n"
