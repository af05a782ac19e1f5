"""The log of what went wrong in hooks: one short line each, in one small file of the home.

A hook that fails says nothing to its host, so this is the only place where anybody learns
of it; `doctor` shows it. The file never grows beyond a bound: the older half goes first.
Writing it may fail as well, and then there is nothing left to say.
"""

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

FILE_NAME: Final = "hooks.log"
MOST_BYTES: Final = 32_768
"Size from which on the older half of the file is dropped."
LINE: Final = 400
"Characters of one line."


def note(home: Path, at: datetime, what: str) -> None:
    """Add one line to the log of *home*, which must exist; never raises."""
    stamp = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    line = f"{stamp} {' '.join(what.split())}"[:LINE] + "\n"
    with suppress(OSError):
        file = home / FILE_NAME
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(file, flags, 0o600)
        try:
            os.write(descriptor, line.encode("utf-8", "replace"))
            large = os.fstat(descriptor).st_size > MOST_BYTES
        finally:
            os.close(descriptor)
        if large:
            _halve(file)


def lines(home: Path) -> list[str]:
    """Return the lines of the log, oldest first; none when there is no log."""
    try:
        text = (home / FILE_NAME).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()


def _halve(file: Path) -> None:
    """Drop the older half, whole lines, by replacing the file."""
    kept = file.read_bytes()[-MOST_BYTES // 2 :].split(b"\n", 1)[-1]
    fresh = file.with_name(f"{FILE_NAME}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, kept)
    finally:
        os.close(descriptor)
    fresh.replace(file)
