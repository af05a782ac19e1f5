"""Importing a file that the machine of the store can read.

The file is named, not sent: a store is too large for an argument, and what it holds is
nobody's message. The reply is a report of counts, ids and rules; of the file's texts it
repeats none.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Project
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.upstream.importing import Choice
from shadowgraph.upstream.loading import import_file


class Import(Wire):
    """Import a file."""

    path: NonBlank
    """File on the machine of the server; its form is read from its content."""
    keep: bool = False
    """Leave known ids as they are stored when the file says otherwise."""
    replace: bool = False
    """Overwrite known ids with what the file says; the state before stays in the journal."""
    dry_run: bool = False
    """Report what would be done and store nothing."""
    project: Project = None
    """Project of records that name none. Left out: the session's project."""


class ImportReply(StoredWire):
    """What an import did."""

    form: str
    """What the file was recognised as."""
    file_schema: int
    """Schema version of the file; 0 for JSON Lines."""
    dry_run: bool
    """True when nothing was stored."""
    read: int
    """Items in the file."""
    imported: int
    """Records that are new."""
    unchanged: int
    """Items stored already with the same content."""
    left: int
    """Items stored with other content and left, because of keep."""
    replaced: int
    """Records overwritten, because of replace."""
    cleaned_characters: int
    """NULs and lone surrogates that were taken out."""
    masked: dict[str, int]
    """Credentials that were masked, by kind."""
    retry_keys: int
    """Idempotency keys of the file that count from now on."""
    counts: dict[str, int]
    """Stored records by kind."""
    projects: dict[str, int]
    """Stored records by project, or by origin."""
    without_project: str
    """Project of everything that came without one."""
    conflicts: list[str]
    """Ids stored with other content; only a dry run answers with any."""
    notes: list[dict[str, Any]]
    """What was mapped, odd or kept aside: sort, what, count, examples."""


@operation(
    "shadowgraph_import",
    title="Import a file",
    toolset="admin",
    description="""Import a file that the server can read: JSON Lines, or a store of the
        upstream tool (JSON, SQLite, an export, schemas 1 to 7). Call it with dryRun first.
        All or nothing; a second import changes nothing; what is no record is kept. Records
        without a project go to project. For single records use
        shadowgraph_record_attempt.""",
    request=Import,
    reply=ImportReply,
    destructive=True,
    idempotent=True,
    example={"path": "fixtures/tiny/records.jsonl", "dryRun": True},
)
def import_(library: Library, request: Import, caller: Caller) -> Reply:
    """Read the file and import it."""
    scope = caller.scope(request.project)
    path = Path(request.path).expanduser()
    report = import_file(
        library,
        _read(path),
        path,
        project=scope.project,
        choice=Choice(keep=request.keep, replace=request.replace),
        dry_run=request.dry_run,
        progress=_counted(caller),
    )
    return report.as_json()


def _counted(caller: Caller) -> Callable[[int], None] | None:
    """Return what takes the count of imported records; how many come is not known."""
    told = caller.progress
    return None if told is None else lambda done: told(done, None)


def _read(path: Path) -> bytes:
    """Return what is in a file; a device or a pipe would never end."""
    try:
        if not path.is_file():
            what = "is no file" if path.exists() else "does not exist"
            raise InvalidInputError(f"{path} {what}.")
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}.") from error
