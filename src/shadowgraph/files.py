"""Files of a checkout as records speak of them: measured once, compared later.

Records name files relative to the root of a checkout. The invariant: nothing outside the
root is opened, whatever a path or a symbolic link says, and nothing inside is changed.
What git says of the same tree is in `checkout`; which records a changed file makes stale
is decided by the operations.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.paths import relative

MOST_BYTES: Final = 256 * 1024 * 1024
"Largest file that is hashed."


class Measured(NamedTuple):
    """What a file was at one instant."""

    path: str
    size: int
    mtime: int
    "Modification time in microseconds: JSON numbers are exact to 9e15."
    sha256: str

    def as_json(self) -> dict[str, Any]:
        """Return the wire shape."""
        return {
            "path": self.path,
            "sha256": self.sha256,
            "size": self.size,
            "mtime": self.mtime,
        }


@dataclass(frozen=True, slots=True)
class Files:
    """The files below the root of a checkout, or of a directory without git."""

    root: Path

    def named(self, text: str) -> str:
        """Return a path inside the checkout, also for an absolute one that leads there."""
        given = Path(text.strip())
        if given.is_absolute():
            for root in (self.root, self.root.resolve()):
                if given.is_relative_to(root):
                    return relative(given.relative_to(root).as_posix())
        return relative(text)

    def file(self, path: str) -> Path | None:
        """Return the file of a relative *path*; None when there is none inside the root."""
        try:
            found = (self.root / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            return None
        inside = found.is_relative_to(self.root.resolve())
        return found if inside and found.is_file() else None

    def measure(self, text: str) -> Measured:
        """Return what the file *text* is now.

        Raises:
            InvalidInputError: it is no file inside the checkout, or cannot be read.
        """
        path = self.named(text)
        file = self.file(path)
        if file is None:
            raise InvalidInputError(
                f"{path} is no file inside {self.root}.",
                hint="Name a file that is there, relative to the checkout, or give root.",
            )
        try:
            stat = file.stat()
            if stat.st_size > MOST_BYTES:
                raise InvalidInputError(f"{path} has {stat.st_size:,} bytes; too many.")
            return Measured(path, stat.st_size, stat.st_mtime_ns // 1000, digest_of(file))
        except OSError as error:
            raise InvalidInputError(f"{path} cannot be read: {error.strerror}.") from error

    def digest(self, path: str) -> str | None:
        """Return the digest of a file that may be gone by now."""
        try:
            return self.measure(path).sha256
        except InvalidInputError:
            return None

    def state(self, held: Mapping[str, Any]) -> str:
        """Return fresh, changed, missing or unknown for a file as it was measured.

        Size and time are compared first; a file with another time is read, and one with
        the same digest is fresh whatever its time says.
        """
        path, known = held.get("path"), held.get("sha256")
        if not isinstance(path, str):
            return "unknown"
        try:
            file = self.file(relative(path))
        except InvalidInputError:
            return "unknown"
        if file is None:
            return "missing"
        if not isinstance(known, str):
            return "unknown"
        return "fresh" if self._same(file, held, known) else "changed"

    @staticmethod
    def _same(file: Path, held: Mapping[str, Any], known: str) -> bool:
        try:
            stat = file.stat()
            if stat.st_size != held.get("size", stat.st_size):
                return False
            if stat.st_mtime_ns // 1000 == held.get("mtime"):
                return True
            return stat.st_size <= MOST_BYTES and digest_of(file) == known
        except OSError:
            return False


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
