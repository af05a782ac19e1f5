"""What a session was told already, so that hooks do not repeat themselves.

A model reads everything a hook says, and keeps it: the same list at every prompt teaches it
to read over the list. So each session has a small file in `told/` of the home, with a
digest of every line it was shown. What was said before an action counts for lists as well;
a line of a list does not keep the warning away at the moment of action, where it matters
most. A line that reads differently, because the record changed, is new.

Whatever loses the context of a session forgets its file: a compaction, a clear, a resume.
So does its end. The file is only ever appended to, in one write, so hooks that run at once
do not disturb each other; it never grows beyond a bound, and files that nobody touched for
a week go. Nothing here raises: what cannot be read was not told.
"""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

DIRECTORY: Final = "told"
"Name of the directory in the home."
MOST_BYTES: Final = 16_384
"Size from which on a file is begun anew: some 900 lines told."
KEPT: Final = timedelta(days=7)
"Age from which on the file of a session nobody ended is removed."
MOST_FILES: Final = 500
"Files that stay in any case; the oldest go first."
LISTED, WARNED = "l", "w"
"Ways of being told: in a list, or before an action."


class Told:
    """The memory of one session of a project; without a session it remembers nothing."""

    def __init__(self, home: Path, owner: str, session: str | None) -> None:
        """Remember in *home* for the *session* of an owner."""
        self._home = home
        self._owner = owner
        self._session = session

    def lines(self) -> frozenset[str]:
        """Return the marks of everything told."""
        with suppress(OSError):
            if self._session:
                with self._file.open("rb") as held:
                    return frozenset(
                        held.read(2 * MOST_BYTES).decode("ascii", "replace").split()
                    )
        return frozenset()

    def add(self, marks: Iterable[str]) -> None:
        """Remember that something was told."""
        text = "".join(f"{one}\n" for one in marks)
        if not (self._session and text):
            return
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            descriptor = os.open(self._file, flags, 0o600)
            try:
                if os.fstat(descriptor).st_size > MOST_BYTES:
                    os.ftruncate(descriptor, 0)
                os.write(descriptor, text.encode("ascii"))
            finally:
                os.close(descriptor)

    def forget(self) -> None:
        """Forget everything: the session has lost what it was told, or is over."""
        with suppress(OSError):
            if self._session:
                self._file.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        named = f"{self._owner}\0{self._session}".encode("utf-8", "surrogatepass")
        return self._home / DIRECTORY / hashlib.sha256(named).hexdigest()[:32]


def mark(way: str, line: str) -> str:
    """Return what is remembered of a line that was told.

    >>> mark(LISTED, "- failed: npm ci")
    'l9b95fab6dd54b66b'
    """
    return way + hashlib.sha256(line.encode("utf-8", "replace")).hexdigest()[:16]


def sweep(home: Path, now: datetime) -> None:
    """Remove the files of sessions that ended without saying so."""
    ages: list[tuple[float, Path]] = []
    with suppress(OSError):
        for file in (home / DIRECTORY).iterdir():
            with suppress(OSError):
                ages.append((file.stat().st_mtime, file))
    oldest = (now - KEPT).timestamp()
    ages.sort(reverse=True)
    for number, (age, file) in enumerate(ages):
        if number >= MOST_FILES or age < oldest:
            with suppress(OSError):
                file.unlink(missing_ok=True)
