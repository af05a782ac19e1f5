"""A change: one file of a host before and after an install or an uninstall.

It says what happens to the file, what is to be kept beside it, and how a person reads the
difference. It is a value; `planning` decides it and writes it.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shadowgraph.installing import files

AROUND = 3
"Unchanged lines that a difference shows around a change."


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after."""

    host: str
    path: Path
    before: bytes | None
    after: bytes | None
    keep: bool = False
    "Whether the bytes before are to be kept for uninstall."
    forget: bool = False
    "Whether what is kept is not needed any more."
    directories: tuple[Path, ...] = ()
    "Directories that go when nothing is in them."

    @property
    def kind(self) -> str:
        """What happens to the file: created, changed, removed or unchanged."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"

    def diff(self) -> str:
        """Return the change as a person reads it, whatever its line ends are."""
        old, new = (_lines_of(files.text_of(raw)) for raw in (self.before, self.after))
        first, last = _apart(old, new)
        before, after = old[first : len(old) - last], new[first : len(new) - last]
        name = str(self.path)
        lines = difflib.unified_diff(before, after, name, name, lineterm="")
        return "".join(f"{_moved(line, first)}\n" for line in lines)


def _lines_of(text: str) -> list[str]:
    lines = re.split(r"\r?\n", text)
    return lines if lines[-1] else lines[:-1]


def _apart(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many lines at the beginning and at the end are alike, but for a few.

    Comparing them would take long in a large file. The few are shown around the change.
    """
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = next(
        (n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first
    )
    return max(0, first - AROUND), max(0, last - AROUND)


def _moved(line: str, by: int) -> str:
    """Return a line of a difference with its numbers of lines counted from the beginning."""
    if not line.startswith("@@"):
        return line
    return re.sub(r"(?<=[-+])\d+", lambda found: str(int(found[0]) + by), line)
