"""Files of hosts on the disk: read whole, written atomically, given back as they were.

A file is replaced by a temporary one beside it, synced and renamed; its mode stays, a
symbolic link keeps leading to it. Beside it stands what uninstall needs: `.shadowgraph-backup`
with the bytes from before, or `.shadowgraph-made` with the directories that were made, when
there was no file.

Invariant: at every moment a reader sees the old bytes or the new ones, and what is beside
the file allows to go back. What is written is decided in `planning`.
"""

import json
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shadowgraph.errors import HostFileError, OperatorError

BOM = b"\xef\xbb\xbf"
LARGEST = 64 * 1024 * 1024
"Bytes of a file that are read; no settings come near."


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a file from before install."""

    original: bytes | None
    "Its bytes; None when there was no file."
    directories: tuple[Path, ...] = ()
    "Directories that install made for it, the deepest first."


def content(path: Path) -> bytes | None:
    """Return the bytes of a file; None when there is none.

    Raises:
        HostFileError: it cannot be read, or is no file.
    """
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise HostFileError(f"{path} is no file of settings.")
        return path.read_bytes()
    except OSError as error:
        raise HostFileError(f"{path} cannot be read: {error.strerror}.") from error


def text_of(raw: bytes | None) -> str:
    """Return the text of a file's bytes, without its mark of UTF-8.

    Raises:
        HostFileError: it is not UTF-8.
    """
    try:
        return (raw or b"").removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise HostFileError("it is not in UTF-8.") from error


def bytes_of(text: str, like: bytes | None) -> bytes:
    """Return a text as bytes, with a mark of UTF-8 when *like* begins with one."""
    lead = BOM if (like or b"").startswith(BOM) else b""
    # A lone surrogate, written as it is in JSON, has been in the file before.
    return lead + text.encode("utf-8")


def backup_of(path: Path) -> Path:
    """Return where the bytes from before install are kept."""
    return path.with_name(f"{path.name}.shadowgraph-backup")


def made_of(path: Path) -> Path:
    """Return where it is noted that install made a file."""
    return path.with_name(f"{path.name}.shadowgraph-made")


def kept(path: Path) -> Kept | None:
    """Return what is known of a file from before install; None when nothing is."""
    original = content(backup_of(path))
    if original is not None:
        return Kept(original)
    noted = content(made_of(path))
    return None if noted is None else Kept(None, _directories(noted))


def concern_us(path: Path, name: str) -> bool:
    """Say whether a file holds our *name*, or has something of ours beside it."""
    if backup_of(path).exists() or made_of(path).exists():
        return True
    try:
        return name.encode() in path.read_bytes()
    except OSError:
        return False


def write(path: Path, raw: bytes, *, keep: bool, before: bytes | None) -> None:
    """Write a file atomically; first, when told to *keep*, what stood there before.

    Raises:
        OperatorError: the system refused it; the file is as it was.
    """
    directories: list[Path] = []
    try:
        directories += _made_directories(path)
        if keep:
            forget(path)
            if before is None:
                _note(path, directories)
            else:
                _replace(backup_of(path), before, _mode(path))
        _replace(Path(os.path.realpath(path)), raw, _mode(path))
    except OSError as error:
        if keep:
            with suppress(OSError):
                forget(path)
        remove_directories(directories, ())
        raise OperatorError(
            f"{path} cannot be written: {error.strerror}.",
            hint="It is as it was. Make it writable for this user, then run it again.",
        ) from error


def remove(path: Path) -> None:
    """Remove a file that install made.

    Raises:
        OperatorError: the system refused it.
    """
    try:
        Path(os.path.realpath(path)).unlink(missing_ok=True)
    except OSError as error:
        raise OperatorError(f"{path} cannot be removed: {error.strerror}.") from error


def forget(path: Path) -> None:
    """Remove what stands beside a file."""
    backup_of(path).unlink(missing_ok=True)
    made_of(path).unlink(missing_ok=True)


def remove_directories(directories: Iterable[Path], others: Iterable[Path]) -> None:
    """Remove directories that install made, the deepest first, when nothing is in them.

    One that still holds one of the *others*, files that install made, is noted beside that
    one: it goes when that one does.
    """
    remaining = list(others)
    for directory in sorted(directories, key=lambda one: len(one.parts), reverse=True):
        with suppress(OSError):
            directory.rmdir()
            continue
        inside = (one for one in remaining if directory in one.parents)
        heir = next((one for one in inside if made_of(one).exists()), None)
        if heir is not None:
            noted = _directories(made_of(heir).read_bytes())
            _note(heir, [*noted, directory])


def _directories(noted: bytes) -> tuple[Path, ...]:
    """Return the directories of a note; none of one that somebody else wrote over."""
    with suppress(ValueError, TypeError):
        return tuple(Path(str(one)) for one in json.loads(noted))
    return ()


def _note(path: Path, directories: Iterable[Path]) -> None:
    listed = json.dumps([str(one) for one in dict.fromkeys(directories)])
    _replace(made_of(path), f"{listed}\n".encode(), None)


def _made_directories(path: Path) -> list[Path]:
    """Make the directories of a file; return those that were missing, deepest first."""
    parent = Path(os.path.realpath(path)).parent
    missing = [one for one in (parent, *parent.parents) if not one.exists()]
    parent.mkdir(parents=True, exist_ok=True)
    return missing


def _mode(path: Path) -> int | None:
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else None


def _replace(path: Path, raw: bytes, mode: int | None) -> None:
    """Put bytes in the place of a file; with no *mode*, the one of a new file."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    opened = os.open(
        temporary,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
        0o666 if mode is None else 0o600,
    )
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    if os.name != "posix":
        return
    # The file is in place; a file system that cannot sync a directory is no failure of it.
    with suppress(OSError):
        opened = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
