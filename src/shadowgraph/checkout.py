"""What git says of a directory: the root of its checkout, branch, commit, changed files.

The only module that runs git. It never fails for want of a repository: a directory outside
any, or a machine without git, is a `None`, which the caller shows as such. Git is asked
with a deadline, without its optional locks (a reader changes nothing) and without the
program that a repository may name for watching its files.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shadowgraph.errors import LockedError

SECONDS = 10.0
"Longest wait for one answer of git."
_QUIET = ("--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false")


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout as it stands now."""

    root: Path
    branch: str | None
    "Name of the branch; None when HEAD is detached."
    head: str | None
    "Full hash of the commit; None before the first one."


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


def look(directory: Path | None) -> Checkout | None:
    """Return the checkout that *directory* is in; None outside of any.

    Raises:
        LockedError: git did not answer in time.
    """
    root = None if directory is None else root_of(directory)
    if root is None:
        return None
    branch = _git(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    head = _git(root, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
    return Checkout(root, branch or None, head or None)


def root_of(directory: Path) -> Path | None:
    """Return the root of the checkout that *directory* is in; None outside of any."""
    if not directory.is_dir():
        return None
    found = _git(directory, "rev-parse", "--show-toplevel")
    return Path(found).resolve() if found else None


def changed(root: Path, prefixes: Sequence[str]) -> list[str]:
    """Return the paths below *prefixes* that differ from the commit, in git's order."""
    if not prefixes:
        return []
    # :(literal) because a prefix is a path and no pattern.
    wanted = [f":(top,literal){prefix}" for prefix in prefixes]
    told = _git(root, "status", "--porcelain", "-z", "--no-renames", "--", *wanted)
    return [entry[3:] for entry in (told or "").split("\0") if entry]


def state(root: Path) -> GitState:
    """Return what git says of the checkout at *root*; nothing where there is none.

    Raises:
        LockedError: git did not answer in time.
    """
    told = _git(root, "status", "--porcelain=v2", "--branch", "-z")
    return GitState() if told is None else _read_state(told)


def _read_state(text: str) -> GitState:
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


def _git(directory: Path, *arguments: str) -> str | None:
    """Return what git prints; None when it refuses or is not there."""
    command = ["git", *_QUIET, "-C", str(directory), *arguments]
    # A hook that runs us has set where *its* repository is; we ask about a directory.
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments, no shell
            command,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env=surroundings,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise LockedError(
            f"git did not answer within {SECONDS:.0f} seconds in {directory}."
        ) from error
    except OSError:
        return None
    if done.returncode != 0:
        return None
    return done.stdout.decode("utf-8", "replace").rstrip("\n")
