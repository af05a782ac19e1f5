"""Copies of a store to keep elsewhere: one file that can prove what it is.

A backup is a zip file of `graph.db`, taken by SQLite's online interface while others write,
`tombstones.jsonl`, and `manifest.json` with sizes and digests of both. What cannot be
restored is not written: the copy is examined before it is packed. Putting one back is in
`restoring`.
"""

import errno
import hashlib
import json
import os
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from shadowgraph.errors import (
    BackupInvalidError,
    CallerError,
    DiskFullError,
    HomeNotWritableError,
    OperatorError,
    StoreDamagedError,
)
from shadowgraph.store.connection import connect, translated
from shadowgraph.store.store import FILE_NAME, Store
from shadowgraph.store.tombstones import FILE_NAME as TOMBSTONES
from shadowgraph.store.tombstones import Tombstone, written
from shadowgraph.version import __version__

FORMAT = "shadowgraph-backup"
VERSION = 1
MANIFEST = "manifest.json"
_BUSY = "busy.lock"
"Held in a working directory by the process that works there."
_PART = "part"
"In a working directory: the name of the unfinished file beside the destination."
_CHUNK = 1 << 20
_NOT_WHOLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    NotImplementedError,
    RuntimeError,
    RecursionError,
)
"What reading a damaged zip file or manifest raises."
_MOST_MANIFEST = 1 << 20


def online_copy(source: Path, destination: Path) -> None:
    """Copy a store in use to a new file, as of one moment."""
    os.close(os.open(destination, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with translated(destination):
        reading = connect(source, create=False)
        writing = apsw.Connection(str(destination))
        try:
            with writing.backup("main", reading, "main") as work:
                work.step(-1)
            # One file: without a log beside it.
            writing.pragma("journal_mode", "delete")
        finally:
            writing.close()
            reading.close()


def check(path: Path) -> None:
    """Refuse a store file that is not sound.

    Raises:
        StoreDamagedError: SQLite or the chain of the journal finds a fault.
        StoreTooNewError: a newer version wrote it.
    """
    with Store(path.parent) as store:
        verdict = store.integrity()
        if verdict != "ok":
            raise StoreDamagedError(f"{path.name}: SQLite finds: {verdict}.")
        fault = store.first_fault()
        if fault is not None:
            raise StoreDamagedError(
                f"{path.name}: journal entry {fault.seq}: {fault.reason}."
            )


def write_backup(store: Store, destination: Path, at: str) -> dict[str, Any]:
    """Write a backup of *store* to a new file and return its manifest.

    Raises:
        CallerError: the file exists, or its directory does not.
        StoreDamagedError: the store is not sound, so its backup could not be restored.
    """
    _check_destination(store, destination)
    part = destination.with_name(f"{destination.name}.{os.getpid()}.part")
    with workshop(store.path.parent) as work, _file_errors(destination):
        copy = work / FILE_NAME
        online_copy(store.path, copy)
        check(copy)
        with Store(work) as held:
            stones = written(_all_stones(store, held))
            manifest = _manifest(held, at)
        (work / TOMBSTONES).write_text(stones, encoding="utf-8")
        manifest["files"] = {
            name: {"bytes": (work / name).stat().st_size, "sha256": _digest(work / name)}
            for name in (FILE_NAME, TOMBSTONES)
        }
        (work / _PART).write_text(str(part.absolute()), encoding="utf-8")
        try:
            _pack(work, part, manifest)
            _place(part, destination)
        finally:
            part.unlink(missing_ok=True)
    return manifest


def _place(part: Path, destination: Path) -> None:
    """Give a finished file its name, over nobody else's."""
    try:
        os.link(part, destination)
    except FileExistsError as error:
        raise _taken(destination) from error
    except OSError:
        # No links on this file system. Somebody may be first in between, but not by us.
        if destination.exists():
            raise _taken(destination) from None
        part.replace(destination)


def _check_destination(store: Store, destination: Path) -> None:
    if destination.exists():
        raise _taken(destination)
    if not destination.parent.is_dir():
        raise CallerError(f"There is no directory {destination.parent}.")
    home = store.path.parent.resolve()
    if home in destination.resolve().parents:
        raise CallerError(
            "A backup inside the home goes when the home goes.",
            hint="Name a file outside of it.",
        )


def _taken(destination: Path) -> CallerError:
    return CallerError(f"{destination} exists.", hint="Name a file that does not exist.")


def _all_stones(store: Store, held: Store) -> list[Tombstone]:
    with held.read() as selection:
        stones = [*store.graveyard.read(), *selection.tombstones()]
    return list({one.id: one for one in stones}.values())


def _manifest(store: Store, at: str) -> dict[str, Any]:
    with store.read() as selection:
        head = selection.head()
    return {
        "format": FORMAT,
        "formatVersion": VERSION,
        "createdAt": at,
        "shadowgraphVersion": __version__,
        "store": store.identity,
        "schema": store.schema(),
        "revision": store.revision(),
        "journal": {"seq": head.seq, "hash": head.hash.hex()},
        "counts": store.counts(),
    }


def _pack(work: Path, part: Path, manifest: dict[str, Any]) -> None:
    with (
        os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False))
        for name in (FILE_NAME, TOMBSTONES):
            archive.write(work / name, name)
        archive.close()
        out.flush()
        os.fsync(out.fileno())


def _digest(file: Path) -> str:
    with file.open("rb") as held:
        return hashlib.file_digest(held, "sha256").hexdigest()


def unpack(source: Path, work: Path) -> dict[str, Any]:
    """Unpack a backup and compare every digest."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _read_manifest(archive)
            for name in (FILE_NAME, TOMBSTONES):
                _unpack_file(archive, name, manifest, work)
    except FileNotFoundError as error:
        raise CallerError(f"There is no file {source}.") from error
    except _NOT_WHOLE as error:
        raise BackupInvalidError(f"{source} is no whole backup: {error}.") from error
    except OSError as error:
        if error.errno == errno.EINVAL:
            # A place in the file that lies before its beginning.
            raise BackupInvalidError(f"{source} is no whole backup: {error}.") from error
        raise OperatorError(f"{source} cannot be read: {error.strerror}.") from error
    return manifest


def _read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    names = sorted(archive.namelist())
    if names != sorted((MANIFEST, FILE_NAME, TOMBSTONES)):
        raise BackupInvalidError(f"It holds {', '.join(names[:5]) or 'nothing'}.")
    with archive.open(MANIFEST) as file:
        manifest: dict[str, Any] = json.loads(file.read(_MOST_MANIFEST))
    if manifest["format"] != FORMAT:
        raise BackupInvalidError("It is no backup of shadowgraph.")
    if manifest["formatVersion"] != VERSION:
        raise BackupInvalidError(
            f"It has format {manifest['formatVersion']}; this version reads {VERSION}.",
            hint="Upgrade shadowgraph.",
        )
    return manifest


def _unpack_file(
    archive: zipfile.ZipFile, name: str, manifest: dict[str, Any], work: Path
) -> None:
    size, wanted = int(manifest["files"][name]["bytes"]), manifest["files"][name]["sha256"]
    if archive.getinfo(name).file_size != size:
        raise BackupInvalidError(f"{name} is not as long as the manifest says.")
    digest = hashlib.sha256()
    with archive.open(name) as packed, (work / name).open("xb") as out:
        while chunk := packed.read(_CHUNK):
            digest.update(chunk)
            out.write(chunk)
    if digest.hexdigest() != wanted:
        raise BackupInvalidError(f"{name} is not what was written: its digest differs.")


@contextmanager
def workshop(home: Path) -> Iterator[Path]:
    """Give a directory in the home for one copy, and leave nothing of it."""
    # Imported here: 40 ms that only a process which makes a copy pays.
    from filelock import FileLock  # noqa: PLC0415

    sweep_work(home)
    try:
        work = Path(tempfile.mkdtemp(prefix="work-", dir=home))
    except PermissionError as error:
        raise HomeNotWritableError(
            f"{home} cannot be written, and a copy is put together there."
        ) from error
    try:
        with FileLock(work / _BUSY):
            yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sweep_work(home: Path) -> None:
    """Remove what a killed process left of its work: it holds whole records."""
    from filelock import FileLock, Timeout  # noqa: PLC0415

    for found in home.glob("work-*"):
        with suppress(Timeout, OSError), FileLock(found / _BUSY, timeout=0):
            _sweep_part(found)
            shutil.rmtree(found, ignore_errors=True)


def _sweep_part(work: Path) -> None:
    """Remove the unfinished backup of a dead process, which may be anywhere."""
    with suppress(OSError, ValueError):
        part = Path((work / _PART).read_text(encoding="utf-8"))
        if part.suffix == ".part":
            part.unlink(missing_ok=True)


@contextmanager
def _file_errors(destination: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFullError(f"No room left to write {destination}.") from error
        raise CallerError(f"{destination} cannot be written: {error.strerror}.") from error
