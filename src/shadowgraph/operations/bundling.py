"""Exporting a task as a bundle.

A bundle carries the passport, the decisions and dead ends of the task, sources that were
named, and the evidence its verdict rests on. It carries nothing else: no pointer, no other
task, no text of files, no path of this machine. What looks like a secret is masked. The
file is new, inside the checkout, and the store is only read.
Looking into one is in `inspecting`, importing one in `unbundling`; the shape is in `model.bundles`, its rules in
`rules.bundles`.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shadowgraph import checkout
from shadowgraph.errors import InvalidInputError
from shadowgraph.files import Files
from shadowgraph.library import Library
from shadowgraph.masking import mask_json
from shadowgraph.model.bundles import (
    KIND,
    MOST_BYTES,
    MOST_EVIDENCE,
    MOST_RECORDS,
    MOST_SOURCES,
    SCHEMA_VERSION,
)
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.building import now_text
from shadowgraph.operations.bundleforms import (
    checkpoint_form,
    dead_end_form,
    decision_form,
    evidence_form,
    handoff,
    source_form,
    task_form,
)
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.passports import (
    TaskId,
    checkpoints,
    evidence_of,
    linked,
    needed,
)
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.rooted import Root, files_at, stand_in
from shadowgraph.operations.sources import id_of
from shadowgraph.operations.tasking import InSession
from shadowgraph.rules.bundles import digest_of, read, text_digest
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection
from shadowgraph.version import __version__

MASK = "[checkout]"
"What stands in a bundle for the path of the checkout."


class BundleExportReply(StoredWire):
    """The bundle that was written."""

    project: str | None = None
    """Project of the task."""
    path: str
    """File, relative to the checkout."""
    bundle_id: str
    """Digest of everything but itself and the time of the export."""
    task_id: str
    """The task."""
    bytes: int
    """Size of the file."""
    counts: dict[str, int]
    """Sources, evidence, decisions and dead ends in it."""
    omitted: dict[str, int]
    """What the limits left out."""


class BundleExport(InSession):
    """Export a task."""

    output_path: NonBlank
    """New file, relative to the checkout."""
    task_id: TaskId = None
    sources: list[str] = []
    """Paths whose recorded sources go along."""
    include_evidence: bool = True
    """False: without the verdict's evidence."""
    root: Root = None


@operation(
    "bundle_export",
    title="Export a task",
    toolset="tasks",
    description="""Write one task with its decisions, dead ends, named sources and the
        evidence of its verdict to a new JSON file. Call it to hand a task to another
        checkout or team. No file is overwritten; secrets are masked. For all records use
        shadowgraph_backup.""",
    request=BundleExport,
    reply=BundleExportReply,
    example={"outputPath": "handover.bundle.json", "taskId": "task_move-the-ledger"},
)
def bundle_export(library: Library, request: BundleExport, caller: Caller) -> Reply:
    """Write a bundle."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    here = stand_in(caller, scope, request.root, request.session_id)
    target = new_file(where, request.output_path, library.home)
    with library.store.read() as selection:
        task = needed(selection, here, request.task_id)
        parts, omitted = _parts(selection, task, request, where, scope)
    body = _safe({**parts, **_envelope(scope, where)}, where)
    body = {"bundleId": digest_of(body), "exportedAt": now_text(library), **body}
    data = (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode()
    if len(data) > MOST_BYTES:
        raise InvalidInputError(
            f"The bundle would have {len(data):,} bytes; {MOST_BYTES:,} are allowed.",
            hint="Leave out sources, or pass includeEvidence false.",
        )
    read(data)
    _write(target, data)
    return {
        "project": scope.project,
        "path": target.relative_to(where.root.resolve()).as_posix(),
        "bundleId": body["bundleId"],
        "taskId": task.id,
        "bytes": len(data),
        "counts": {
            name: len(body[name])
            for name in ("sources", "evidence", "decisions", "deadEnds")
        },
        "omitted": omitted,
    }


def new_file(where: Files, text: str, home: Path) -> Path:
    """Return the path of a file that may be made inside the checkout.

    Raises:
        InvalidInputError: it leads out, is there already, or lies in the home or in .git.
    """
    path = where.named(text)
    parent = (where.root / path).parent.resolve()
    target = parent / Path(path).name
    problem = ""
    if path == "." or not parent.is_dir():
        problem = "lies in no directory that is there"
    elif not target.is_relative_to(where.root.resolve()):
        problem = "leads out of the checkout"
    elif target.is_relative_to(home.resolve()) or ".git" in target.parts:
        problem = "lies where the store or git keeps its files"
    elif target.exists() or target.is_symlink():
        problem = "is there already"
    if problem:
        raise InvalidInputError(
            f"outputPath {path} {problem}.", hint="Name a new file inside the checkout."
        )
    return target


def _write(target: Path, data: bytes) -> None:
    """Write a new file; whatever came to stand there meanwhile is not touched."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(target, flags, 0o600), "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise InvalidInputError(f"{target} cannot be written: {error.strerror}.") from error


def _envelope(scope: Scope, where: Files) -> dict[str, Any]:
    git = checkout.state(where.root)
    return {
        "kind": KIND,
        "schemaVersion": SCHEMA_VERSION,
        "producer": {"name": "shadowgraph", "version": __version__},
        "origin": {"projectName": scope.project, "branch": git.branch, "head": git.head},
    }


def _parts(
    selection: Selection,
    task: StoredRecord,
    request: BundleExport,
    where: Files,
    scope: Scope,
) -> tuple[dict[str, Any], dict[str, int]]:
    """Return what a bundle holds, and what its limits left out."""
    held = linked(selection, task)
    decisions = [one.body for one in held if one.kind == "decision"]
    dead_ends = [
        one.body
        for one in held
        if one.kind == "attempt" and one.body.get("resultClass") == "failed"
    ]
    evidence = evidence_of(selection, task) if request.include_evidence else []
    named = _named_sources(selection, request.sources, where, scope)
    newest = checkpoints(selection, task.owner, task.id)
    parts: dict[str, Any] = {
        "task": task_form(task.body),
        "handoffMarkdown": handoff(task.body),
        "sources": [source_form(one.body) for one in named],
        "evidence": [evidence_form(one.body) for one in evidence[-MOST_EVIDENCE:]],
        "decisions": [decision_form(one) for one in decisions[:MOST_RECORDS]],
        "deadEnds": [dead_end_form(one) for one in dead_ends[:MOST_RECORDS]],
    }
    if newest:
        parts["checkpoint"] = checkpoint_form(newest[0].body)
    counts = {
        "evidence": len(evidence) - MOST_EVIDENCE,
        "decisions": len(decisions) - MOST_RECORDS,
        "deadEnds": len(dead_ends) - MOST_RECORDS,
    }
    return parts, {name: count for name, count in counts.items() if count > 0}


def _named_sources(
    selection: Selection, named: Sequence[str], where: Files, scope: Scope
) -> list[StoredRecord]:
    paths = list(dict.fromkeys(where.named(path) for path in named))
    if len(paths) > MOST_SOURCES:
        raise InvalidInputError(f"sources may name {MOST_SOURCES} paths.")
    found = {
        path: selection.by_id(id_of(scope.owner or "", path), scope.owner) for path in paths
    }
    missing = [path for path, record in found.items() if record is None]
    if missing:
        raise InvalidInputError(
            f"There is no recorded source of {', '.join(missing[:5])}.",
            hint="Record it with record_source first; source_status lists those there are.",
        )
    return [record for record in found.values() if record is not None]


def _safe(body: dict[str, Any], where: Files) -> dict[str, Any]:
    """Return a copy without secrets and without the path of the checkout."""
    safe: dict[str, Any] = mask_json(_without(body, str(where.root)))[0]
    for item in safe["evidence"]:
        item["contentDigest"] = text_digest(item["content"])
    return safe


def _without(value: Any, root: str) -> Any:
    if isinstance(value, str):
        return value.replace(root, MASK)
    if isinstance(value, Mapping):
        return {key: _without(item, root) for key, item in value.items()}
    return [_without(item, root) for item in value] if isinstance(value, list) else value
