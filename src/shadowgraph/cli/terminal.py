"""What a terminal can show: colour or none, how wide it is, lines that fit.

Colour follows what people have agreed on: `--no-color` and NO_COLOR end it, FORCE_COLOR and
CLICOLOR_FORCE bring it into a pipe, CLICOLOR=0 and a dumb terminal leave it out, and
otherwise a terminal has it and a pipe has not. Layout is another matter: tables and wrapped
lines are for a terminal alone, so that what a program reads does not depend on colours.
"""

import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence

NARROWEST = 40
"Columns below which lines are not wrapped any closer."
WIDEST = 120
"Columns beyond which a line is tiring to read."


def colour(surroundings: Mapping[str, str], *, refused: bool = False) -> bool | None:
    """Say whether to colour; None leaves it to whether a terminal reads.

    >>> colour({"NO_COLOR": "1", "FORCE_COLOR": "1"}), colour({"CLICOLOR_FORCE": "1"})
    (False, True)
    >>> colour({"FORCE_COLOR": "0"}), colour({"CLICOLOR": "0"}), colour({})
    (False, False, None)
    """
    if refused or surroundings.get("NO_COLOR"):
        return False
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        if value := surroundings.get(name):
            return value not in ("0", "false")
    if surroundings.get("CLICOLOR") == "0" or surroundings.get("TERM") == "dumb":
        return False
    return None


def on_terminal() -> bool:
    """Say whether a person reads standard output."""
    return sys.stdout.isatty()


def width() -> int:
    """Return the columns that a line may have."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def wrapped(text: str, columns: int, *, first: str, rest: str, most: int = 3) -> list[str]:
    """Return *text* in at most *most* lines that begin with *first* and *rest*.

    >>> wrapped("one two three four", 12, first="a: ", rest="   ", most=2)
    ['a: one two', '   three…']
    """
    lines = textwrap.wrap(
        text, columns, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
    if len(lines) <= most:
        return lines or [first.rstrip()]
    last = lines[most - 1]
    return [*lines[: most - 1], f"{last[: columns - 1].rstrip()}…"]


def columns_of(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Return rows as lines with their cells below each other; *right* ones end there.

    >>> columns_of([("a", "1"), ("bcd", "20")], right=[1])
    ['a     1', 'bcd  20']
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(size) if number in right else cell.ljust(size)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def cut(text: str, most: int) -> str:
    """Return *text* in at most *most* characters.

    >>> cut("a long line", 7)
    'a long…'
    """
    return text if len(text) <= most else f"{text[: max(0, most - 1)].rstrip()}…"


def size(count: int) -> str:
    """Return a number of bytes as people say it.

    >>> size(512), size(172032), size(3 * 1024**3)
    ('512 B', '168.0 KiB', '3.0 GiB')
    """
    amount = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if amount < 1024:
            return f"{count} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TiB"
