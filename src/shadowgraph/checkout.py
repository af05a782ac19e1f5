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
_UTF8 = ("-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.showSignature=false")
"Messages in one encoding, whatever the repository prefers."


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


def _git(
    directory: Path, *arguments: str, stdin: str = "", seconds: float | None = None
) -> str | None:
    """Return what git prints; None when it refuses or is not there."""
    longest = SECONDS if seconds is None else seconds
    command = ["git", *_QUIET, "-C", str(directory), *arguments]
    # A hook that runs us has set where *its* repository is; we ask about a directory.
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments, no shell
            command,
            capture_output=True,
            timeout=longest,
            check=False,
            env=surroundings,
            input=stdin.encode(),
        )
    except subprocess.TimeoutExpired as error:
        raise LockedError(
            f"git did not answer within {longest:.0f} seconds in {directory}."
        ) from error
    except OSError:
        return None
    if done.returncode != 0:
        return None
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


LOG_SECONDS = 120.0
"Longest wait for an answer about a whole history."
_TOLD = "--format=tformat:%H%n%P%n%cI%n%an%n%B"
"Four lines and the message, as `foreign.reverts.commits` reads them."


def messages(root: Path, patterns: Sequence[str]) -> str | None:
    """Return the commits of HEAD whose message matches a pattern, children first.

    None when there is no commit.

    Raises:
        LockedError: git did not answer in time.
    """
    wanted = [f"--grep={pattern}" for pattern in patterns]
    return _git(
        root,
        *_UTF8,
        "log",
        "-z",
        "--topo-order",
        _TOLD,
        *wanted,
        "HEAD",
        seconds=LOG_SECONDS,
    )


def resolved(root: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the full hash of those of some names that are commits."""
    if not names:
        return {}
    asked = "".join(f"{name}^{{commit}}\n" for name in names)
    told = _git(root, "cat-file", "--batch-check", stdin=asked, seconds=LOG_SECONDS) or ""
    lines = (line.split() for line in told.split("\n"))
    answers = zip(names, lines, strict=False)
    # Others are "... missing" and "... ambiguous".
    return {name: line[0] for name, line in answers if line[1:2] == ["commit"]}


def messages_of(root: Path, hashes: Sequence[str]) -> str:
    """Return these commits, in the form of `messages`."""
    if not hashes:
        return ""
    asked = "".join(f"{one}\n" for one in hashes)
    given = ("log", "-z", "--no-walk=unsorted", "--stdin", _TOLD)
    return _git(root, *_UTF8, *given, stdin=asked, seconds=LOG_SECONDS) or ""


def subjects(root: Path) -> list[tuple[str, str]]:
    """Return hash and subject of every commit of HEAD, children first."""
    given = ("log", "-z", "--topo-order", "--format=tformat:%H%n%s", "HEAD")
    told = _git(root, *_UTF8, *given, seconds=LOG_SECONDS) or ""
    found = (part.partition("\n") for part in told.split("\0") if part)
    return [(hash_, subject) for hash_, _, subject in found]


def files_of(root: Path, hashes: Sequence[str]) -> dict[str, list[str]]:
    """Return the files that commits changed, a merge beside its first parent."""
    if not hashes:
        return {}
    asked = "".join(f"{one}\n" for one in hashes)
    given = ("log", "-z", "--no-walk=unsorted", "--stdin", "--name-only", "--no-renames")
    merges = ("--diff-merges=first-parent", "--format=tformat:%H")
    told = _git(root, *_UTF8, *given, *merges, stdin=asked, seconds=LOG_SECONDS) or ""
    known = set(hashes)
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for part in told.split("\0"):
        name = part.lstrip("\n")
        if name in known and name not in found:
            names = found.setdefault(name, [])
        elif name:
            names.append(name)
    return found
