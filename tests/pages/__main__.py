"""Write the outputs of pages again: `python -m tests.pages docs/guide.md`.

Only what differs by its form is written, so ids and ages that stand there stay, and so does a
command without an output in a page that shows none. Look at the difference before you commit.
"""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.pages.blocks import SHELL, Block, Command, blocks, commands, shell_commands
from tests.pages.reader import read


def rewritten(block: Block, printed: Mapping[Command, str]) -> str:
    """Return the text of a block with what its commands printed."""
    lines = []
    for command in commands(block):
        output = printed.get(command, command.output)
        lines += [f"$ {command.text}", *(line.rstrip() for line in output.splitlines())]
    return "".join(f"{line}\n" for line in lines)


def write(page: Path, printed: Mapping[Command, str]) -> None:
    """Put outputs into a page, from the last block up, so that places stay right."""
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    for block in reversed([one for one in blocks(page) if one.language in SHELL]):
        end = block.line + len(block.text.splitlines())
        lines[block.line : end] = [rewritten(block, printed)]
    page.write_text("".join(lines), encoding="utf-8")


def main(pages: list[str]) -> None:
    """Run each page and write what its commands print today."""
    for page in (Path(one).resolve() for one in pages):
        with tempfile.TemporaryDirectory() as directory:
            found = read(shell_commands(page), Path(directory).resolve())
        different = {one.command: one.output for one in found if not one.as_written}
        write(page, different)
        for command in different:
            sys.stdout.write(f"{command.block}: $ {command.text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
