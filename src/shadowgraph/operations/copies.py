"""Backing up a home to one file, and putting a backup in its place.

The files are named by absolute paths, because a server's working directory is nobody's; a
bare name means a file beside the home. What a backup holds and how its content takes over is in `store.backup`; here is only what a
caller says and is told.
"""

from pathlib import Path
from typing import Any

from shadowgraph.errors import InvalidInputError, OperatorError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.building import now_text
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.store.backup import write_backup
from shadowgraph.store.restoring import restore_backup


class BackupReply(StoredWire):
    """The backup."""

    source: str
    """Store that was copied."""
    destination: str
    """File that was written."""
    bytes: int
    """Size of the file."""
    manifest: dict[str, Any]
    """What is in it: store, schema, revision, journal head, counts, digests."""


class Backup(Wire):
    """Write a backup."""

    destination: NonBlank
    """File to write: an absolute path, or a bare name for a file beside the home. It must not exist yet."""


@operation(
    "shadowgraph_backup",
    title="Back up the store",
    toolset="admin",
    description="""Write the whole store, all projects, to one new file with checksums, while
        others go on writing. Call it before an upgrade, a purge or a restore. For records
        as text use `shadowgraph export`; to put one back use shadowgraph_restore. Changes
        no record and overwrites no file.""",
    request=Backup,
    reply=BackupReply,
    example={"destination": "before-upgrade.backup"},
)
def backup(library: Library, request: Backup, caller: Caller) -> Reply:
    """Write a backup."""
    del caller
    destination = _file(library, request.destination, "destination")
    manifest = write_backup(library.store, destination, now_text(library))
    return {
        "source": str(library.store.path),
        "destination": str(destination),
        "bytes": destination.stat().st_size,
        "manifest": manifest,
    }


class RestoreReply(StoredWire):
    """What was restored."""

    source: str
    """File that was read."""
    destination: str
    """Store whose content was replaced."""
    replaced: bool
    """False when it was only checked."""
    records: int
    """Records in the restored store."""
    deletion_knowledge: str
    """present when purges are known, none otherwise."""
    reapplied: int
    """Purges after the backup that took something from it again."""
    retained_artifacts: list[str]
    """Homes with what was replaced; delete them when nobody needs it any more."""
    manifest: dict[str, Any]
    """What the backup says of itself."""
    notices: list[str] | None = None
    """What could not be done, and what to do."""


class Restore(Wire):
    """Restore a backup."""

    source: NonBlank
    """Backup to read: an absolute path, or a bare name for a file beside the home."""
    memory_only: bool = False
    """True to check the backup and replace nothing."""


@operation(
    "shadowgraph_restore",
    title="Restore a backup",
    toolset="admin",
    description="""Replace the whole store, all projects, by a backup of shadowgraph_backup.
        Call it only when somebody asked for it. Everything is checked first; what is
        replaced is kept in the home. Purges stay purged. Other processes see the new state
        at their next call. To add records from an export use `shadowgraph import`.""",
    request=Restore,
    reply=RestoreReply,
    destructive=True,
    example={"source": "before-upgrade.backup"},
)
def restore(library: Library, request: Restore, caller: Caller) -> Reply:
    """Restore a backup."""
    del caller
    source = _file(library, request.source, "source")
    replace = not request.memory_only
    done = restore_backup(library.store, source, now_text(library), replace=replace)
    notices = _follow(library) if replace else []
    return {
        "source": str(source),
        "destination": str(library.store.path),
        "replaced": replace,
        "records": done.records,
        "deletionKnowledge": "present" if done.known else "none",
        "reapplied": done.reapplied,
        "retainedArtifacts": [str(done.kept)] if done.kept else [],
        "manifest": done.manifest,
        **({"notices": notices} if notices else {}),
    }


def _follow(library: Library) -> list[str]:
    """Bring the index to the restored store; return what could not be done."""
    try:
        library.sync.forget()
    except OperatorError as error:
        return [f"The index is made anew by the next search: {error.message}"]
    return []


def _file(library: Library, text: str, name: str) -> Path:
    """Return the file that *text* names, wherever the process happens to run."""
    path = Path(text)
    if path.is_absolute():
        return path
    if path.name == text and text not in (".", ".."):
        return library.home.resolve().parent / text
    raise InvalidInputError(
        f"{name} must be an absolute path or a bare file name, not {text!r}.",
        hint="Begin it with the root of the file system.",
    )
