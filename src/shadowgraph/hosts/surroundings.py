"""Where a command ran: the machine, the versions a project names, and the commit.

Only what costs nothing is looked at: the kernel's name, a few small files beside the work,
and git's own files. No program is run; asking each tool for its version would take longer
than a hook has.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PINNED: Final = (
    (".python-version", "Python"),
    (".nvmrc", "node"),
    (".node-version", "node"),
    (".ruby-version", "Ruby"),
    (".java-version", "Java"),
    ("rust-toolchain", "Rust"),
)
"Files of one line that name the version of a tool."
_SMALL: Final = 4_096
_HASH: Final = re.compile(r"[0-9a-f]{40,64}\Z")


def environment(directory: Path | None) -> str:
    """Return the machine and the versions that the files in *directory* name.

    >>> environment(None) == environment(None)
    True
    """
    return "; ".join([_machine(), *(_versions(directory) if directory else ())])


def _machine() -> str:
    if not hasattr(os, "uname"):
        return os.name
    told = os.uname()
    # Of the release only what matters to a reader: 6.8 and not 6.8.0-45-generic.
    release = ".".join(told.release.split("-")[0].split(".")[:2])
    return f"{told.sysname} {release} {told.machine}"


def _versions(directory: Path) -> Iterator[str]:
    seen = set()
    for name, tool in _PINNED:
        told = _line(directory / name)
        if told and tool not in seen:
            seen.add(tool)
            yield f"{tool} {told}"
    for line in _read(directory / ".tool-versions").splitlines()[:8]:
        words = line.split("#")[0].split()
        if len(words) >= 2 and words[0] not in seen:
            yield f"{words[0]} {words[1]}"


def head(directory: Path | None) -> str | None:
    """Return the commit that is checked out in *directory*; None outside of any."""
    marker = _marker(directory) if directory else None
    if marker is None:
        return None
    own = _git_directory(marker)
    told = _line(own / "HEAD")
    if not told.startswith("ref: "):
        return told if _HASH.match(told) else None
    name = told.removeprefix("ref: ").strip()
    common = _line(own / "commondir")
    shared = (own / common) if common else own
    loose = _line(own / name) or _line(shared / name)
    return loose if _HASH.match(loose) else _packed(shared / "packed-refs", name)


def _marker(directory: Path) -> Path | None:
    for one in (directory, *directory.parents):
        with suppress(OSError):
            if (one / ".git").exists():
                return one / ".git"
    return None


def _git_directory(marker: Path) -> Path:
    """Return git's directory: in a worktree `.git` is a file that names it."""
    told = "" if marker.is_dir() else _line(marker)
    return marker.parent / told.removeprefix("gitdir:").strip() if told else marker


def _packed(file: Path, name: str) -> str | None:
    with suppress(OSError):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.endswith(f" {name}") and _HASH.match(line.split(" ", 1)[0]):
                return line.split(" ", 1)[0]
    return None


def _line(file: Path) -> str:
    """Return the first line of a small file; nothing when there is none."""
    lines = _read(file).splitlines()
    return lines[0].strip()[:200] if lines else ""


def _read(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as held:
            return held.read(_SMALL)
    except (OSError, ValueError):
        return ""
