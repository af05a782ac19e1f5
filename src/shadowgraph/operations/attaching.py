"""Keeping an output as evidence: of a command, a review or a file of the checkout.

Evidence is what a verdict rests on, so it is kept as it was: masked, within a bound, with
its digest and the commit of now, and never changed afterwards. Nothing outside of the
checkout is read.
"""

import hashlib
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from shadowgraph.checkout import Checkout
from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.masking import mask_json
from shadowgraph.model.text import clean
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.noting import NotedReply, Noting, noted
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import Standing, standing
from shadowgraph.rules.outputs import bounded, headline, searched

MOST_FILE = 16 * 1024 * 1024
"Largest file that is read as evidence, in bytes."


class AttachEvidence(Noting):
    """Keep an output."""

    evidence_kind: Annotated[str, Field(alias="kind")] = "note"
    """Free label, such as test, review or log."""
    content: str = ""
    """The text; ignored when path is given."""
    path: str | None = None
    """File in the checkout whose text is kept."""
    command: str = ""
    """Command whose output it is."""
    exit_code: int | None = None
    """How the command ended."""
    duration_ms: Annotated[int | None, Field(ge=0)] = None
    """How long it ran, in milliseconds."""


@operation(
    "attach_evidence",
    title="Keep an output as evidence",
    description="""Keep the output of a command, a review or a file as evidence of a task.
        Call it for what a verdict will rest on, and pass the id to
        task_update_verification. Named secrets are masked, the middle of a long text is
        left out.""",
    request=AttachEvidence,
    reply=NotedReply,
    toolset="tasks",
    example={
        "kind": "test",
        "command": "pytest -q tests/ledger",
        "exitCode": 0,
        "content": "42 passed in 3.1s",
        "project": "acme/billing-api",
    },
)
def attach_evidence(library: Library, request: AttachEvidence, caller: Caller) -> Reply:
    """Store an output and link it to its task."""
    here = standing(caller, request)
    fields = _shown(request, here, caller, mask=not library.keep_secrets)
    kept = ("evidence", "evidence.attached", lambda _, __: fields)
    return noted(library, request, caller, here, kept)


def _shown(
    request: AttachEvidence, here: Standing, caller: Caller, *, mask: bool
) -> dict[str, Any]:
    """Return the fields of a piece of evidence."""
    path, text = None, request.content
    if request.path is not None:
        path, text = read_file(request.path, here.checkout, caller.directory)
        # What a call says is masked before it gets here; what a file says is not.
        text = str(mask_json(text)[0]) if mask else text
    if not (text.strip() or request.command.strip()):
        raise InvalidInputError(
            "There is nothing to keep.", hint="Give content, path or command."
        )
    command = " ".join(request.command.split())
    content, truncated = bounded(text)
    kind = request.evidence_kind.strip() or "note"
    told = {
        "evidenceKind": kind,
        "summary": headline(kind, command, request.exit_code, content),
        "command": command,
        "exitCode": request.exit_code,
        "durationMs": request.duration_ms,
        "content": content,
        "detail": searched(content),
        "path": path,
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
        "truncated": truncated,
    }
    optional = ("durationMs", "path")
    kept = {k: v for k, v in told.items() if v is not None or k not in optional}
    return kept | {"head": here.head}


def read_file(
    name: str, around_: Checkout | None, directory: Path | None
) -> tuple[str, str]:
    """Return a file of the checkout: its path within, and its text.

    Raises:
        InvalidInputError: it lies outside, cannot be read, or is too large.
    """
    root = around_.root if around_ else directory
    if root is None:
        raise InvalidInputError(
            "path cannot be read: this session works in no directory.",
            hint="Pass the text as content.",
        )
    root = root.resolve()
    file = (root / Path(name).expanduser()).resolve()
    if not file.is_relative_to(root):
        raise InvalidInputError(f"{name!r} is outside of {root}.")
    try:
        if file.stat().st_size > MOST_FILE:
            raise InvalidInputError(
                f"{name!r} is larger than {MOST_FILE:,} bytes.",
                hint="Pass the part that shows it as content.",
            )
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InvalidInputError(f"{name!r} cannot be read: {error.strerror}.") from error
    return file.relative_to(root).as_posix(), clean(text)[0]
