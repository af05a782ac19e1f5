"""The blocks of the pages: what stands between fences, with its language and its place.

A page is the README, a page below docs/, SECURITY or CONTRIBUTING. What is done with a block
depends on its language and on who is responsible for its page; the tables of that are here,
so that a block nobody is responsible for is found.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
SHELL = ("console", "sh", "bash")
"Languages of blocks that a shell runs."
EXEMPT = tomllib.loads(Path(__file__).with_name("exempt.toml").read_text(encoding="utf-8"))
"What is not run, and which pages are the work of other tests, each with its reason."


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences of a page."""

    page: str
    "Path of the page from the root."
    line: int
    "Number of the line of the first fence."
    language: str
    text: str

    def __str__(self) -> str:
        """Return its place as people write it."""
        return f"{self.page}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page and the output that stands below it."""

    block: Block
    number: int
    "Counted from 0 in its block: the same words may stand there twice."
    text: str
    output: str

    @property
    def serves(self) -> bool:
        """Whether it is a server, which runs until somebody ends it."""
        return re.match(r"shadowgraph (.+ )?serve\b", self.text) is not None

    @property
    def exempt(self) -> bool:
        """Whether the table says that it is not run."""
        return any(row["command"] == self.text for row in rows("command", self.block.page))


def rows(sort: str, page: str) -> list[dict[str, Any]]:
    """Return the rows of the table about a page."""
    return [row for row in EXEMPT[sort] if row["page"] == page]


def name_of(page: Path) -> str:
    """Return the path of a page from the root."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(name_of(page), line, found[1], found[2])


def commands(block: Block) -> Iterator[Command]:
    """Yield every command of a block; one goes on behind a backslash at a line's end."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    for number, part in enumerate(parts):
        lines = part.splitlines()
        last = next(n for n, line in enumerate(lines) if not line.endswith("\\"))
        output = "\n".join(lines[last + 1 :])
        yield Command(block, number, "\n".join(lines[: last + 1]), output)


def shell_commands(page: Path) -> list[Command]:
    """Return every command of a page, from top to bottom."""
    return [
        command
        for block in blocks(page)
        if block.language in SHELL
        for command in commands(block)
    ]


def elsewhere(page: Path) -> bool:
    """Say whether the blocks of a page are the work of another test."""
    return bool(rows("page", name_of(page)))


OURS = [page for page in PAGES if page.is_file() and not elsewhere(page)]
"Pages whose blocks are run and read here."
