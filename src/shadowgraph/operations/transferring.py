"""Importing a file, a directory or a history that the machine of the store can read.

The file is named, not sent: a store is too large for an argument, and what it holds is
nobody's message. The reply is a report of counts, ids and rules; of the file's texts it
repeats none.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shadowgraph.intake import Form, Wanted, import_path
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Project
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.upstream.importing import Choice


class Import(Wire):
    """Import a file."""

    path: NonBlank
    """File, or directory of Markdown, on the machine of the server."""
    format: Form | None = None
    """Form of another tool; read from the content when left out. git-reverts takes a checkout."""
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
        upstream tool (JSON, SQLite, an export, schemas 1 to 7), Markdown decision records,
        basic-memory notes, a memory.json, or the reverts of a checkout. Call it with dryRun
        first. All or nothing; a second import changes nothing; what is no record is kept.
        Records without a project go to project. For single records use
        shadowgraph_record_attempt.""",
    request=Import,
    reply=ImportReply,
    destructive=True,
    idempotent=True,
    example={"path": "fixtures/tiny/records.jsonl", "dryRun": True},
)
def import_(library: Library, request: Import, caller: Caller) -> Reply:
    """Read the file and import it."""
    wanted = Wanted(
        form=request.format,
        project=caller.scope(request.project).project,
        choice=Choice(keep=request.keep, replace=request.replace),
        dry_run=request.dry_run,
        progress=_counted(caller),
    )
    return import_path(library, Path(request.path).expanduser(), wanted).as_json()


def _counted(caller: Caller) -> Callable[[int], None] | None:
    """Return what takes the count of imported records; how many come is not known."""
    told = caller.progress
    return None if told is None else lambda done: told(done, None)
