"""Whether the files of an index are those that were written.

The engine opens an index without reading most of it, and a changed byte in a list of
postings is then a wrong answer without an error. But every file of a segment ends with a
footer that holds the CRC-32 of what stands before it; here it is compared. Files are
written once and never changed, so each is compared when it is first met; a note beside them
(`checked.json`) says which were, with size and times, and a file that anybody touched since
is compared again. What changes without the file system's knowledge is found by `every=True`
alone, which is the doctor's.
"""

import json
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

NOTE = "checked.json"
"Name of the note in an index directory."
_MAGIC = 1337
_TAIL = struct.Struct("<II")
"The last bytes of a file: length of the footer, and the engine's magic number."
_CHUNK = 1 << 20
_LONGEST_FOOTER = 4096

Stamp = list[int]


def faults(path: Path, *, every: bool = False) -> list[str]:
    """Return the names of the damaged files of the index in *path*, with what is wrong.

    With *every* the note is not believed.
    """
    noted = {} if every else _noted(path)
    found: list[str] = []
    checked: dict[str, Stamp] = {}
    for file, stamp in _files(path):
        if noted.get(file.name) != stamp and (reason := _fault(file)):
            found.append(f"{file.name}: {reason}")
        else:
            checked[file.name] = stamp
    if not found and checked != noted:
        _note(path, checked)
    return found


def _files(path: Path) -> Iterator[tuple[Path, Stamp]]:
    """Yield the files of all committed segments; others may be half written."""
    segments = _segments(path)
    for file in path.iterdir():
        segment, _, rest = file.name.partition(".")
        if segment in segments and (
            not rest.endswith(".del") or rest == f"{segments[segment]}.del"
        ):
            # Gone again when another process merged its segment meanwhile.
            with suppress(FileNotFoundError):
                stat = file.stat()
                yield file, [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


def _segments(path: Path) -> dict[str, int | None]:
    """Return the committed segments and which list of deletions each has."""
    try:
        meta = json.loads((path / "meta.json").read_bytes())
        return {
            str(one["segment_id"]).replace("-", ""): (one["deletes"] or {}).get("opstamp")
            for one in meta["segments"]
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        # Without its list an index is empty or does not open; the engine says so.
        return {}


def _fault(file: Path) -> str | None:
    """Return what is wrong with one file, or None."""
    try:
        with file.open("rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            opened.seek(max(0, size - _LONGEST_FOOTER))
            footer = _footer(opened.read())
            if footer is None:
                return "its end is not what was written"
            length, crc = footer
            opened.seek(0)
            left, found = size - length, 0
            while left > 0 and (chunk := opened.read(min(left, _CHUNK))):
                found = zlib.crc32(chunk, found)
                left -= len(chunk)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return None if found == crc else "its content is not what was written"


def _footer(end: bytes) -> tuple[int, int] | None:
    """Return how long the footer is, and the checksum in it."""
    if len(end) < _TAIL.size:
        return None
    length, magic = _TAIL.unpack(end[-_TAIL.size :])
    if magic != _MAGIC or length > len(end) - _TAIL.size:
        return None
    try:
        told: Any = json.loads(end[-_TAIL.size - length : -_TAIL.size])
        return length + _TAIL.size, int(told["crc"])
    except (ValueError, LookupError, TypeError):
        return None


def _noted(path: Path) -> dict[str, Stamp]:
    try:
        noted = json.loads((path / NOTE).read_bytes())
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _note(path: Path, checked: dict[str, Stamp]) -> None:
    # A home on read-only media compares every time.
    with suppress(OSError):
        part = path / f"{NOTE}.{os.getpid()}.part"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as out:
            json.dump(checked, out)
        part.replace(path / NOTE)
