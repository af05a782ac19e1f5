"""Write the outputs of pages again: `python -m tests.pages docs/guide.md`.

Only what differs by its form is written, so ids and ages that stand there stay, and so does a
command without an output in a page that shows none. Look at the difference before you commit.
"""

import sys
import tempfile
from pathlib import Path

from tests.pages.blocks import shell_commands
from tests.pages.reader import Seen, read


def rewritten(text: str, seen: Seen) -> str:
    """Return the text of a page with the output of one command as it was printed."""
    command = seen.command
    old = f"$ {command.text}\n{command.output}".rstrip("\n")
    return text.replace(
        f"{old}\n", f"$ {command.text}\n{seen.output}".rstrip("\n") + "\n", 1
    )


def main(pages: list[str]) -> None:
    """Run each page and write what its commands print today."""
    for page in map(Path, pages):
        with tempfile.TemporaryDirectory() as directory:
            found = read(shell_commands(page.resolve()), Path(directory).resolve())
        text = page.read_text(encoding="utf-8")
        for seen in found:
            if not seen.as_written:
                text = rewritten(text, seen)
                sys.stdout.write(f"{seen.command.block}: $ {seen.command.text}\n")
        page.write_text(text, encoding="utf-8")


main(sys.argv[1:])
