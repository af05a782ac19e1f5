"""An index for a home that cannot be written to: what is there is borrowed, not changed.

Opening an index takes a lock in its directory, and catching up writes files there, so an
index on a read-only file system cannot be used in place. Here its files are linked into a
directory of this process, which is opened instead: what the home has need not be made
again, what it lacks is made here, and the home stays as it is. The directory goes with the
process that made it.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

_LARGE = 64 * 1024
"Bytes from which a file is linked; the engine replaces small ones."


def must_be_borrowed(home: Path) -> bool:
    """Say whether this process cannot write the indexes of a home."""
    index = home / "index"
    return home.is_dir() and not os.access(index if index.is_dir() else home, os.W_OK)


def borrowed(home: Path, build_digest: str) -> "TemporaryDirectory[str]":
    """Return a directory that takes the place of *home*, with its index of a definition."""
    # Imported here: a process that may write its home need not pay for it.
    from tempfile import TemporaryDirectory  # noqa: PLC0415

    place = TemporaryDirectory(prefix="shadowgraph-index-")
    source = home / "index" / build_digest
    # What cannot be read is made anew, like any index that is missing.
    with suppress(OSError):
        for file in sorted(source.rglob("*")):
            target = Path(place.name) / "index" / build_digest / file.relative_to(source)
            if file.is_file() and file.suffix != ".lock":
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                _take(file, target)
    return place


def _take(file: Path, target: Path) -> None:
    from shutil import copyfile  # noqa: PLC0415 - as above

    if file.stat().st_size < _LARGE:
        copyfile(file, target)
        return
    try:
        target.symlink_to(file.resolve())
    except OSError:
        # Links need a right of their own on Windows.
        copyfile(file, target)
