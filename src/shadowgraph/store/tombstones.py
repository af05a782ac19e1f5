"""Tombstones: what was purged, so that an older copy of the store cannot bring it back.

A tombstone holds digests and no text: of the owner whose records went, and of the id of
each record. It stands in three places: in the journal entry of its purge, in a file in the
home, and in a file beside the home, which survives when the home itself is put back from a
copy. A backup carries all that its home knew.

Applying one to a store is in `purge`.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from shadowgraph.errors import HomeNotWritableError, StoreDamagedError

_ID = re.compile(rb'\{"id": "(purge_[^"\\]+)", ')
"How a line begins; the digests behind it may be many."

FILE_NAME = "tombstones.jsonl"
"Name of the file in a home and in a backup."


def digest_of(text: str) -> str:
    """Return the 128-bit digest that stands for an owner or an id.

    >>> len(digest_of("project:acme/shop"))
    32
    """
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Tombstone(NamedTuple):
    """One purge."""

    id: str
    "Its identifier, also the entity of its journal entry."
    at: str
    "When it happened, ISO 8601."
    mode: str
    "logical or hard."
    store: str
    "Identity of the store it happened in."
    owner: str | None
    "Digest of the owner all of whose records went; None when only some did."
    records: tuple[str, ...]
    "Digests of the ids of the records that went."

    def as_json(self) -> dict[str, Any]:
        """Return the form that is written."""
        return {
            "id": self.id,
            "at": self.at,
            "mode": self.mode,
            "store": self.store,
            "owner": self.owner,
            "records": list(self.records),
        }


def read_line(line: str) -> Tombstone:
    """Return the tombstone of one line of a file or of a journal payload.

    Raises:
        StoreDamagedError: the line is none.
    """
    try:
        held = json.loads(line)
        return Tombstone(
            id=str(held["id"]),
            at=str(held["at"]),
            mode=str(held["mode"]),
            store=str(held["store"]),
            owner=None if held["owner"] is None else str(held["owner"]),
            records=tuple(str(one) for one in held["records"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamagedError(f"{line[:80]!r} is no tombstone") from error


def read_lines(text: str) -> list[Tombstone]:
    """Return the tombstones of a file's text."""
    return [read_line(line) for line in text.splitlines() if line.strip()]


def written(tombstones: Iterable[Tombstone]) -> str:
    """Return the text of a file with *tombstones*."""
    return "".join(f"{json.dumps(one.as_json())}\n" for one in tombstones)


class Graveyard:
    """The two files of one home."""

    def __init__(self, home: Path) -> None:
        """Look after the file in *home* and the one beside it."""
        real = home.resolve()
        self.inside = real / FILE_NAME
        self.beside = real.parent / f"{real.name}.{FILE_NAME}"

    def read(self) -> list[Tombstone]:
        """Return the tombstones of both files, each once, oldest first."""
        found: dict[str, Tombstone] = {}
        for file in (self.inside, self.beside):
            with suppress(FileNotFoundError, PermissionError, IsADirectoryError):
                found |= {one.id: one for one in _read(file)}
        return sorted(found.values(), key=lambda one: (one.at, one.id))

    def ids(self) -> set[str]:
        """Return the ids in both files; every opening of a home asks this."""
        found: set[str] = set()
        for file in (self.inside, self.beside):
            with suppress(FileNotFoundError, PermissionError, IsADirectoryError):
                for line in file.read_bytes().splitlines():
                    known = _ID.match(line)
                    if known is None:
                        return {one.id for one in self.read()}
                    found.add(known[1].decode())
        return found

    def add(self, tombstones: Iterable[Tombstone]) -> bool:
        """Write *tombstones* to both files; those known already stay once.

        Returns False when the directory above the home belongs to somebody else and the
        file inside stands alone.

        Raises:
            HomeNotWritableError: not even that one could be written.
        """
        known = {one.id: one for one in self.read()}
        merged = {**known, **{one.id: one for one in tombstones}}
        if not merged:
            return True
        text = written(merged.values())
        try:
            _replace(self.inside, text)
        except OSError as error:
            raise HomeNotWritableError(
                f"{self.inside} cannot be written: {error.strerror}.",
                hint="What was purged is gone; until this file is written, an older copy of"
                " the store would bring it back. Open the home again to write it.",
            ) from error
        try:
            _replace(self.beside, text)
        except OSError:
            return False
        return True


def _read(file: Path) -> list[Tombstone]:
    try:
        return read_lines(file.read_text(encoding="utf-8"))
    except (StoreDamagedError, UnicodeDecodeError) as error:
        raise StoreDamagedError(
            f"{file} cannot be read: {error}.",
            hint="Without it an older copy could bring back what was purged. Put it back"
            " from a backup, or move it aside: what this store's journal knows is written"
            " again.",
        ) from error


def _replace(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"
        ) as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
