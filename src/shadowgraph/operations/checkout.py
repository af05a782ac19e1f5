"""The checkout a call is about: its root, its files, and what git says of it.

A checkout is the directory tree a task works in. Records name files relative to it. The
invariant: nothing outside the root is opened, whatever a path or a symbolic link says, and
nothing inside is changed. Git is asked once, without optional locks and without the hooks
that a repository's configuration may name; a directory without git is a checkout too.
"""

import hashlib
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from shadowgraph.errors import InvalidInputError
from shadowgraph.operations.caller import Caller
from shadowgraph.rules.paths import relative

SECONDS = 10
"How long git may take."
MOST_BYTES = 256 * 1024 * 1024
"Largest file that is hashed."
Root = Annotated[
    str | None,
    Field(description="Root of the checkout, an absolute path; else the session's."),
]


@dataclass(frozen=True, slots=True)
class Measured:
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
class GitState:
    """What git says of a checkout; no branch and no head where there is no repository."""

    branch: str | None = None
    head: str | None = None
    dirty: tuple[str, ...] = ()
    "Changed and new files, relative to the root of the repository."

    def as_json(self) -> dict[str, Any]:
        """Return the wire shape, without the files."""
        known = self.head is not None or self.branch is not None
        return {"available": known, "branch": self.branch, "head": self.head}


@dataclass(frozen=True, slots=True)
class Checkout:
    """A directory tree with files."""

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

    def git(self) -> GitState:
        """Return what git says; nothing when it is absent, slow or no repository is here."""
        command = [
            "git",
            "--no-optional-locks",
            "-c",
            "core.fsmonitor=false",
            "-C",
            str(self.root),
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
        ]
        try:
            done = subprocess.run(  # noqa: S603 - a fixed command; the root is no option
                command, capture_output=True, timeout=SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return GitState()
        return _git_state(done.stdout.decode("utf-8", "replace"))


def _git_state(text: str) -> GitState:
    """Read what `git status --porcelain=v2 --branch -z` printed."""
    branch = head = None
    dirty: list[str] = []
    fields = iter(text.split("\0"))
    for line in fields:
        if line.startswith("# branch.oid ") and "(initial)" not in line:
            head = line.removeprefix("# branch.oid ")
        elif line.startswith("# branch.head ") and "(detached)" not in line:
            branch = line.removeprefix("# branch.head ")
        elif line[:2] in ("1 ", "u ", "? "):
            dirty.append(line.split(" ", {"1": 8, "u": 10, "?": 1}[line[0]])[-1])
        elif line.startswith("2 "):
            dirty.append(line.split(" ", 9)[-1])
            # A rename is followed by the name it had.
            next(fields, None)
    return GitState(branch, head, tuple(dirty))


def checkout(root: str | None, caller: Caller) -> Checkout:
    """Return the checkout that *root* names, or the one around where the caller works.

    Raises:
        InvalidInputError: the root is not absolute, or no directory; or nothing names one.
    """
    if root is not None:
        path = Path(root).expanduser()
        if not path.is_absolute() or not path.is_dir():
            raise InvalidInputError(
                f"root {root!r} must be the absolute path of a directory that is there."
            )
        return Checkout(path)
    here = caller.directory or _working_directory()
    for directory in (here, *here.parents):
        if (directory / ".git").exists():
            return Checkout(directory)
    if here == Path(here.anchor):
        raise InvalidInputError(
            "This session works in the root of the file system, which is no checkout.",
            hint="Give root, the absolute path of the checkout.",
        )
    return Checkout(here)


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise InvalidInputError(
            "The directory this session works in is gone.",
            hint="Give root, the absolute path of the checkout.",
        ) from error


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
