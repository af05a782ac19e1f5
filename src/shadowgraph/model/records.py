"""The shapes of stored records, as they stand in SQLite and on the wire.

They are upstream's schema 7 shapes with its field names. A model here is used to build a
new record, to check one that is imported, to derive output schemas and to write the
reference page; reading a stored record back needs no validation, so stored bodies travel as
plain JSON mappings. Unknown fields are kept: a record from a newer version or another tool
survives a round trip unchanged.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from shadowgraph.model.wire import OrNull, StoredWire

SCHEMA_VERSION = 7
"The record shape written; a higher one is preserved, never rewritten."

SourceClass = Literal[
    "agent_claimed", "tool_observed", "human_confirmed", "production_verified"
]
ResultClass = Literal["failed", "succeeded", "inconclusive"]
Rule = Annotated[str | dict[str, JsonValue], Field()]
"A condition: a token, or {key, operator, value, unit}."

NonBlank = Annotated[str, Field(min_length=1, pattern=r"\S")]
Share = Annotated[float, Field(ge=0, le=1)]


class Provenance(StoredWire):
    """Who wrote a record, and on what ground."""

    source_class: SourceClass = "agent_claimed"
    """Claimed origin class. A claim, never proof."""
    source_raw: str | None = None
    """The origin label as given, when it differs from sourceClass."""
    actor: OrNull[str] = None
    """Who performed the write."""
    client: OrNull[str] = None
    """Which client performed the write."""
    session_id: OrNull[str] = None
    """Session in which it was written."""


class Owned(Provenance):
    """What every stored record carries."""

    id: str
    """Stable identifier."""
    schema_version: int = SCHEMA_VERSION
    """Record shape version; a higher one than this build's is preserved."""
    project: OrNull[str] = None
    """Project it belongs to; null when only an origin is known."""
    attribution: str = "project"
    """How it came to its owner: project, unattributed or a legacy value."""
    origin_id: str | None = None
    """Capture origin."""
    created_at: str = ""
    """When it was recorded, ISO 8601 in UTC."""


class Evidence(StoredWire):
    """One piece of evidence for a decision."""

    source: str = "unknown"
    """Where it comes from."""
    type: str = "unknown"
    """What sort of evidence it is."""
    source_class: str = "agent_claimed"
    """Claimed origin class."""
    confidence: Share = 0.5
    """How sure, 0 to 1."""
    observed_at: str = ""
    """When it was observed."""
    detail: str = ""
    """What it says."""


class Alternative(StoredWire):
    """An option that was considered and rejected."""

    id: str = ""
    """Stable identifier, also an endpoint of relations."""
    label: NonBlank
    """Name of the option."""
    reason_rejected: str = ""
    """Why it was not chosen."""
    reopen_when: list[Rule] = []
    """Conditions, any of which makes it worth another look."""
    status: str = "rejected"
    """Always rejected."""


class Decision(Owned):
    """A choice with its goal, assumptions, evidence and rejected alternatives."""

    kind: Literal["decision"] = "decision"
    """Entity kind."""
    title: NonBlank
    """Short name of the decision."""
    goal: str = ""
    """What it was trying to achieve."""
    chosen: NonBlank
    """The option that was chosen."""
    status: str = "proposed"
    """Lifecycle state."""
    confidence: dict[str, Any] = {}
    """Auditable confidence: initial, current, basis, history, policy."""
    assumptions: list[str] = []
    """What it rests on."""
    evidence: list[Evidence] = []
    """Evidence for it."""
    alternatives: list[Alternative] = []
    """Rejected options."""
    failed_attempts: list[JsonValue] = []
    """Attempt ids or notes attached to it."""
    outcome: OrNull[dict[str, JsonValue]] = None
    """The recorded outcome."""
    review_after: OrNull[str] = None
    """Instant after which it is due for review."""
    updated_at: str = ""
    """When it last changed."""
    files: list[JsonValue] = []
    """Files it is about: path, and sha256, size and mtime of those that were measured."""


class Attempt(Owned):
    """Something tried, and how it turned out."""

    kind: Literal["attempt"] = "attempt"
    """Entity kind."""
    solution: NonBlank
    """What was tried."""
    result: NonBlank
    """What happened."""
    result_class: ResultClass | None = None
    """Declared class of the result; without it the wording of result decides."""
    reason: str = ""
    """Why it turned out that way."""
    environment: str = ""
    """Where it was tried."""
    causal_claim: dict[str, JsonValue] = {}
    """Whether a cause was recorded, and on what ground."""
    reusable_when: list[Rule] = []
    """Conditions that must all hold before it is worth repeating."""
    related_to: list[JsonValue] = []
    """Identifiers of related records."""
    files: list[JsonValue] = []
    """Files it is about: path, and sha256, size and mtime of those that were measured."""


class Fact(Owned):
    """A value observed for a key, with the time in which it holds."""

    kind: Literal["fact"] = "fact"
    """Entity kind."""
    key: NonBlank
    """What the value is of."""
    value: JsonValue
    """The observed value, any JSON."""
    source: str = "agent_claimed"
    """Mirror of sourceClass."""
    confidence: Share = 0.5
    """How sure, 0 to 1."""
    verification_status: Literal["unverified", "contradicted", "expired", "verified"] = (
        "unverified"
    )
    """Whether it was checked."""
    status: Literal["active", "superseded", "expired"] = "active"
    """One active fact per key and owner."""
    expires_at: OrNull[str] = None
    """Declared end of its use."""
    observed_at: str = ""
    """When it was observed."""
    validity_policy: dict[str, JsonValue] = {}
    """Declared ends and the effective one."""
    temporal: dict[str, JsonValue] = {}
    """validFrom, validTo, recordedAt, invalidatedAt."""
    superseded_by: str | None = None
    """The fact that replaced it."""


class Kept(Owned):
    """What an imported store held that is no record of ours, verbatim."""

    kind: Literal["kept"] = "kept"
    """Entity kind."""
    collection: NonBlank
    """The member of the imported store in which it stood."""
    value: JsonValue
    """What stood there."""
    whole: bool = False
    """True when value is the whole member and not one item of it."""
    reason: str | None = None
    """Why it could not be a record of its kind."""


RECORD_MODELS: dict[str, type[Owned]] = {
    "attempt": Attempt,
    "decision": Decision,
    "fact": Fact,
    "kept": Kept,
}
"Kinds with a shape of their own; other kinds are kept as they come."


class Memory(Owned):
    """A text under a type and a key."""

    kind: Literal["memory"] = "memory"
    """Entity kind."""
    scope: dict[str, JsonValue] = {}
    """userId, agentId, runId: whose it is within its owner; null for everybody's."""
    memory_type: str = "note"
    """preference, profile, goal, instruction, procedure, episode or note."""
    key: NonBlank
    """What it is about."""
    text: NonBlank
    """The memory itself."""
    version: int = 1
    """Number of the state within its identity: scope, type and key."""
    metadata: dict[str, JsonValue] = {}
    """Any object that goes with it."""
    tags: list[str] = []
    """Labels."""
    embedding: OrNull[JsonValue] = None
    """Vector of the text, numbers or {model, values}; kept, not ranked by."""
    verification_status: str = "unverified"
    """Whether it was checked."""
    status: Literal["active", "superseded", "invalidated"] = "active"
    """One active state per identity."""
    temporal: dict[str, JsonValue] = {}
    """validFrom, validTo, recordedAt, invalidatedAt."""
    updated_at: str = ""
    """When it last changed."""
    supersedes: str | None = None
    """The state it replaced."""
    superseded_by: str | None = None
    """The state that replaced it."""


class Relation(Owned):
    """A link between two records."""

    kind: Literal["relation"] = "relation"
    """Entity kind."""
    source: Annotated[str, Field(alias="from")]
    """Id of the record it begins at."""
    target: Annotated[str, Field(alias="to")]
    """Id of the record it ends at."""
    relation: NonBlank
    """Its name."""
    temporal: dict[str, JsonValue] = {}
    """validFrom, validTo, recordedAt, invalidatedAt."""
    updated_at: str | None = None
    """When it was taken back or put back."""
    unlinked_reason: str | None = None
    """Why it was taken back."""


class Task(Owned):
    """Work with an objective: what the next one needs to go on with it."""

    kind: Literal["task"] = "task"
    """Entity kind."""
    title: NonBlank
    """Short name of the task."""
    objective: str = ""
    """What is to be reached."""
    status: str = "active"
    """active, parked, blocked, verifying, completed or abandoned."""
    constraints: list[str] = []
    """What it must keep to."""
    constraint_history: list[dict[str, JsonValue]] = []
    """Constraints that were removed, and when."""
    write_scope: list[str] = []
    """Prefix paths, relative to the checkout, that may be written to."""
    next_actions: list[str] = []
    """What is to be done next, in order."""
    tags: list[str] = []
    """Labels."""
    risk: str = "unknown"
    """unknown, low, medium or high."""
    repositories: list[dict[str, JsonValue]] = []
    """Further checkouts: id, worktree, writeScope."""
    verification: dict[str, JsonValue] = {}
    """status, evidence, summary, head, updatedAt; forced and invalidated when they apply."""
    revision: int = 1
    """Number of its state, for expectedRevision."""
    branch: OrNull[str] = None
    """Branch at its start."""
    head: OrNull[str] = None
    """Commit at its start, in full."""
    worktree: OrNull[str] = None
    """Root of the checkout it was started in."""
    blocked_reason: str | None = None
    """What it waits for."""
    last_move: dict[str, JsonValue] = {}
    """The last change of status: at, verb, from, to, reason."""
    closed_at: OrNull[str] = None
    """When it was completed or abandoned."""
    updated_at: str = ""
    """When it last changed."""


class Shown(Owned):
    """The output of a command, or another text that shows something."""

    kind: Literal["evidence"] = "evidence"
    """Entity kind."""
    evidence_kind: str = "note"
    """What sort it is, a free label such as test or review."""
    summary: str = ""
    """One line that says what it shows."""
    command: str = ""
    """The command whose output it is."""
    exit_code: OrNull[int] = None
    """How the command ended."""
    duration_ms: int | None = None
    """How long it ran."""
    content: str = ""
    """The text, within its limit."""
    detail: str = ""
    """The part of the text that is searched."""
    path: str | None = None
    """File it was read from, relative to the checkout."""
    sha256: str = ""
    """Digest of the content as it is kept."""
    truncated: bool = False
    """Whether the middle of the text was left out."""
    head: OrNull[str] = None
    """Commit at which it was taken, in full."""
    task_id: OrNull[str] = None
    """The task it belongs to."""


GRAPH_MODELS: dict[str, type[Owned]] = {
    "memory": Memory,
    "relation": Relation,
    "task": Task,
    "evidence": Shown,
}
"Kinds whose shape is written here and not demanded of imports: those are kept as they come."
