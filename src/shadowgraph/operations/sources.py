"""Sources: what was learned from a file, bound to the file as it was.

One source stands per path and owner; recording it again replaces its conclusion and its
measure, and the journal has what it said before. The conclusion is kept under two names:
`summary` is the word of the interface, `conclusion` the one that the index reads.
A changed file needs a conclusion drawn anew, so one that is not given is not carried over.
"""

from collections.abc import Mapping
from typing import Any, Literal

from shadowgraph import checkout
from shadowgraph.checkout import GitState
from shadowgraph.errors import InvalidInputError
from shadowgraph.files import Files, Measured
from shadowgraph.ids import content_id
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.building import new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance
from shadowgraph.operations.passports import TaskId, sources, task_of
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.rooted import Root, files_at, stand_in
from shadowgraph.operations.tasking import InProject, InSession
from shadowgraph.store import Origin, StoredRecord, Transaction
from shadowgraph.store.rows import is_retracted

UNSAID = "Read; no conclusion was recorded."
GUIDANCE = {
    "fresh": "The file is what it was; that does not prove the conclusion right.",
    "changed": "Read the file again and record a new conclusion with record_source.",
    "missing": "The file is gone; the conclusion may speak of what moved elsewhere.",
    "unknown": "The file was never measured; record it with record_source.",
}


class SourceReply(StoredWire):
    """A source as it is stored now."""

    project: str | None = None
    """Project of the source."""
    id: str
    """Record id."""
    path: str
    """File, relative to the checkout."""
    hash: str
    """First 12 digits of the file's SHA-256."""
    recorded: Literal["new", "again", "unchanged"]
    """new; again: replaced what was there; unchanged: nothing was written."""
    summary: str
    """What was learned from it."""
    task_id: OrNull[str]
    """Task it belongs to."""


class RecordSource(InSession):
    """Record a source."""

    path: NonBlank
    """File, relative to the checkout."""
    summary: str = ""
    """What was learned from it."""
    snippet: str = ""
    """The lines that say so."""
    task_id: TaskId = None
    root: Root = None


@operation(
    "record_source",
    title="Record a source",
    toolset="tasks",
    description="""Record what was learned from a file, bound to its digest, so that a later
        reader is told when the file changed. Call it after reading a file whose content
        matters beyond this session, not for every file read. Replaces the conclusion of
        the same path. What was tried goes to shadowgraph_record_attempt.""",
    request=RecordSource,
    reply=SourceReply,
    destructive=True,
    example={"path": "README.md", "summary": "what it is for and how to begin"},
)
def record_source(library: Library, request: RecordSource, caller: Caller) -> Reply:
    """Measure the file and store what was learned from it."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    measured = where.measure(request.path)
    origin = caller.origin(None, None, request.session_id)
    here = stand_in(caller, scope, request.root, request.session_id)
    by = Provenance(session_id=request.session_id)
    source_id = id_of(scope.owner or "", measured.path)
    with library.write() as transaction:
        task = task_of(transaction, here, request.task_id)
        held = transaction.by_id(source_id, scope.owner, retracted=True)
        said = _said(request, measured, held) | {"taskId": task.id if task else None}
        if held is not None and not is_retracted(held.body) and _says(held.body, said):
            return _reply(held, "unchanged")
        body = new_body("source", scope, by, caller) | {"id": source_id} | said
        record = _stored(transaction, held, body, origin)
    return _reply(record, "new" if held is None else "again")


def id_of(owner: str, path: str) -> str:
    """Return the id of the one source that an owner has of a path."""
    return content_id("source", {"owner": owner, "path": path})


def _said(
    request: RecordSource, measured: Measured, held: StoredRecord | None
) -> dict[str, Any]:
    """Return what the call says of the file; what it leaves out stays, of the same file."""
    before: Mapping[str, Any] = held.body if held else {}
    same = before.get("sha256") == measured.sha256
    if held is not None and not same and not request.summary.strip():
        raise InvalidInputError(
            f"{measured.path} changed since its conclusion was recorded.",
            hint="Read it again and say in summary what it holds now.",
        )
    summary = request.summary.strip() or (str(before.get("summary")) if same else UNSAID)
    snippet = request.snippet or (str(before.get("snippet") or "") if same else "")
    return {
        **measured.as_json(),
        "summary": summary,
        "conclusion": summary,
        "snippet": snippet,
    }


def _says(body: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Return whether a stored source says the same; only its time may be another."""
    return all(body.get(name) == said[name] for name in said if name != "mtime")


def _stored(
    transaction: Transaction,
    held: StoredRecord | None,
    body: dict[str, Any],
    origin: Origin,
) -> StoredRecord:
    times = {"createdAt": transaction.at, "updatedAt": transaction.at}
    if held is None:
        return transaction.insert(body | times, "source.recorded", origin)
    times["createdAt"] = str(held.body.get("createdAt") or transaction.at)
    return transaction.replace(held, body | times, "source.reviewed", origin)


def _reply(record: StoredRecord, recorded: str) -> Reply:
    body = record.body
    return {
        "project": body.get("project"),
        "id": record.id,
        "path": body.get("path"),
        "hash": str(body.get("sha256"))[:12],
        "recorded": recorded,
        "summary": body.get("summary"),
        "taskId": body.get("taskId"),
    }


class SourceStatusReply(StoredWire):
    """The sources of a project."""

    project: str | None = None
    """Project of the sources."""
    items: list[dict[str, Any]]
    """Sources, latest first: id, path, status, summary, recordedAt, recordedHash, currentHash
    of a changed file, gitStatus (dirty, clean; null without git)."""
    counts: dict[str, int]
    """Sources by status, of all."""
    unrecorded: list[str]
    """Changed files of the checkout that no source speaks of, at most 50."""
    guidance: dict[str, str]
    """What a status means for the work."""


class SourceStatus(InProject):
    """Check the sources."""

    changed: bool = False
    """True for the changed ones; joins with missing."""
    missing: bool = False
    """True for those whose file is gone."""
    root: Root = None


@operation(
    "source_status",
    title="Check the sources",
    toolset="tasks",
    description="""Check every recorded source against its file: fresh, changed or missing,
        with what was learned from it. Call it before relying on conclusions of an earlier
        session. load_context shows the ones that matter for a task; shadowgraph_search
        finds sources by words. Changes nothing.""",
    request=SourceStatus,
    reply=SourceStatusReply,
    read_only=True,
    idempotent=True,
    example={"changed": True},
)
def source_status(library: Library, request: SourceStatus, caller: Caller) -> Reply:
    """Return every source with the state of its file."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    git = checkout.state(where.root)
    with library.store.read() as selection:
        held = sources(selection, scope.owner or "")
    items = [_item(where, git, record.body) for record in held]
    wanted = [
        name for name, is_asked in (("changed", request.changed), ("missing", request.missing))
        if is_asked
    ]  # fmt: skip
    shown = [item for item in items if not wanted or item["status"] in wanted]
    return {
        "project": scope.project,
        "items": shown,
        "counts": _counts(items),
        "unrecorded": _unrecorded(git, items),
        "guidance": {item["status"]: GUIDANCE[item["status"]] for item in shown},
    }


def _counts(items: list[dict[str, Any]]) -> dict[str, int]:
    states = [item["status"] for item in items]
    return {state: states.count(state) for state in GUIDANCE if state in states}


def _item(where: Files, git: GitState, body: Mapping[str, Any]) -> dict[str, Any]:
    status = where.state(body)
    path = str(body.get("path"))
    return {
        "id": body["id"],
        "path": path,
        "status": status,
        "summary": str(body.get("summary") or body.get("conclusion") or ""),
        "recordedHash": body.get("sha256"),
        "currentHash": where.digest(path) if status == "changed" else None,
        "recordedAt": body.get("updatedAt") or body.get("createdAt"),
        "gitStatus": _git_status(git, path),
    }


def _git_status(git: GitState, path: str) -> str | None:
    if git.head is None and git.branch is None:
        return None
    return "dirty" if path in git.dirty else "clean"


def _unrecorded(git: GitState, items: list[dict[str, Any]]) -> list[str]:
    known = {item["path"] for item in items}
    return [path for path in git.dirty if path not in known][:50]
