"""The shape of a task bundle: one task and what was learned in it, in one JSON file.

The envelope has the members of the upstream tool's bundle, and with them the decisions and
dead ends of the task. Everything is strict: no unknown member, no other type, and no list or
text beyond its limit, because a bundle is written by somebody else. What the shape cannot
say (digest, ids, paths) is in `rules.bundles`.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from shadowgraph.model.text import FIELD_BYTES
from shadowgraph.model.wire import Wire

KIND = "shadowgraph.task-bundle"
SCHEMA_VERSION = 1
MOST_BYTES = 2 * 1024 * 1024
"Bytes of a bundle."
MOST_SOURCES = 100
MOST_EVIDENCE = 50
MOST_RECORDS = 200
"Decisions, and dead ends."
CHECKPOINT_BYTES = 2 * 1024
"Bytes of the checkpoint as compact JSON."

Text = Annotated[str, Field(max_length=FIELD_BYTES)]
Said = Annotated[str, Field(max_length=FIELD_BYTES, min_length=1, pattern=r"\S")]
Name = Annotated[str, Field(max_length=1_000)]
Texts = Annotated[list[Text], Field(max_length=500)]
Sha256 = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z")]
Id = Annotated[str, Field(min_length=1, max_length=200)]


class _Strict(Wire):
    """A part of a bundle."""

    model_config = ConfigDict(strict=True)


class Producer(_Strict):
    """What wrote the bundle."""

    name: Name
    version: Name


class Origin(_Strict):
    """Where the task came from."""

    project_name: Name | None
    branch: Name | None
    head: Name | None


class BundledTask(_Strict):
    """The passport."""

    id: Id
    title: Said
    objective: Text
    constraints: Texts
    write_scope: Texts
    risk: Literal["unknown", "low", "medium", "high"]
    tags: Texts
    next_actions: Texts
    original_status: Name
    original_verification: dict[str, JsonValue]


class BundledFile(_Strict):
    """A file that a record names, as it was measured at the origin."""

    path: Name
    sha256: Sha256 | None = None
    size: Annotated[int, Field(ge=0)] | None = None


Files = Annotated[list[BundledFile], Field(max_length=100)]


class BundledAlternative(_Strict):
    """A rejected option of a decision."""

    label: Said
    reason_rejected: Text
    reopen_when: Annotated[list[JsonValue], Field(max_length=100)]


class BundledDecision(_Strict):
    """A decision of the task."""

    origin_id: Id
    title: Said
    chosen: Said
    goal: Text
    status: Name
    confidence: Annotated[float, Field(ge=0, le=1)]
    assumptions: Texts
    alternatives: Annotated[list[BundledAlternative], Field(max_length=100)]
    files: Files
    created_at: Name


class BundledDeadEnd(_Strict):
    """A failed attempt of the task."""

    origin_id: Id
    solution: Said
    result: Said
    reason: Text
    environment: Text
    reusable_when: Annotated[list[JsonValue], Field(max_length=100)]
    files: Files
    created_at: Name


class BundledSource(_Strict):
    """What was learned from a file."""

    path: Name
    hash: Sha256
    size: Annotated[int, Field(ge=0)]
    recorded_at: Name
    summary: Text
    snippet: Text


class BundledEvidence(_Strict):
    """Evidence that the task's verdict rested on."""

    origin_id: Id
    kind: Name
    summary: Text
    command: Text
    exit_code: int | None
    content: Text
    content_digest: Sha256


class BundledCheckpoint(_Strict):
    """Where the task stood."""

    id: Id
    created_at: Name
    summary: Text
    git: dict[str, JsonValue]
    truncated: bool = False


class Bundle(_Strict):
    """The whole file."""

    kind: Literal["shadowgraph.task-bundle"]
    schema_version: Literal[1]
    bundle_id: Annotated[str, Field(pattern=r"\Asha256:[0-9a-f]{64}\z")]
    exported_at: Name
    producer: Producer
    origin: Origin
    task: BundledTask
    handoff_markdown: Text
    checkpoint: BundledCheckpoint | None = None
    sources: Annotated[list[BundledSource], Field(max_length=MOST_SOURCES)]
    evidence: Annotated[list[BundledEvidence], Field(max_length=MOST_EVIDENCE)]
    decisions: Annotated[list[BundledDecision], Field(max_length=MOST_RECORDS)]
    dead_ends: Annotated[list[BundledDeadEnd], Field(max_length=MOST_RECORDS)]
