"""Remembering: one memory, or a plan of several.

A memory is free text under a key, for a project or for one user, agent or run in it. A new
text under the same identity (`rules.memories`) ends the state before it, which stays in the
history with the time in which it held; the same text again changes nothing. Forgetting
closes the window and keeps the record.

A plan is read and checked whole before its first write, and is one transaction: it applies
altogether or not at all. Vectors are kept with a memory and not ranked by.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.alias_generators import to_camel

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.scope import MEMORY_SCOPE, Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.building import instant, new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance, Writing
from shadowgraph.operations.reconciling import (
    Content,
    MemoryType,
    PlannedMemory,
    Step,
    apply,
)
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.standpoint import memory_scope_of

MOST_OPERATIONS = 200
"Operations of one plan."
MOST_DIMENSIONS = 8_192
"Numbers of one vector."


class RememberReply(StoredWire):
    """What was done with one memory, or with each of a plan."""

    operation: Literal["ADD", "UPDATE", "NOOP"] | None = None
    """What was done; of one memory alone."""
    memory: OrNull[dict[str, Any]] = None
    """The memory as it stands now."""
    previous: dict[str, Any] | None = None
    """The state that it ended."""
    index_updated: bool | None = None
    """True when only the vector was new."""
    replayed: bool | None = None
    """True when the retry key had been used."""
    results: list[dict[str, Any]] | None = None
    """Of a plan: operation, memory and previous, in its order."""
    completeness: dict[str, Any] | None = None
    """Of a plan: complete, requested, applied."""


class Remember(Writing, Content):
    """Remember something."""

    memory_type: MemoryType | None = None
    """preference, profile, goal, instruction, procedure, episode or note."""
    key: str | None = None
    """What it is about; a second text under the same key replaces the first."""
    text: str | None = None
    """The memory itself."""
    operations: Annotated[
        list[PlannedMemory] | None, Field(min_length=1, max_length=MOST_OPERATIONS)
    ] = None
    """A plan instead of one memory: what to do with several."""


@operation(
    "shadowgraph_remember",
    title="Remember",
    description="""Remember one text under a type and a key, or apply a plan of ADD, UPDATE,
        DELETE and NOOP. Call it for preferences, instructions, procedures and notes that
        later sessions need. The same key again replaces the text and keeps the history;
        the same text changes nothing. What was tried goes to shadowgraph_record_attempt,
        a measured value to shadowgraph_record_fact. shadowgraph_recall finds it.""",
    request=Remember,
    reply=RememberReply,
    toolset="graph",
    example={
        "memoryType": "procedure",
        "key": "release.checklist",
        "text": "Run the migration on a copy first, then tag the release.",
        "tags": ["release"],
    },
)
def remember_memory(library: Library, request: Remember, caller: Caller) -> Reply:
    """Reconcile one memory, or every memory of a plan."""
    scope = caller.scope(request.project, request.origin_id)
    planned = _planned(request)
    steps = [_step(asked, where, scope, caller) for where, asked in planned]
    with library.write() as transaction:
        results = [apply(transaction, step) for step in steps]
    if request.operations is None:
        return results[0]
    applied = sum(one["operation"] != "NOOP" for one in results)
    counts = {"complete": True, "requested": len(steps), "applied": applied}
    return {"results": results, "completeness": counts}


def _planned(request: Remember) -> list[tuple[str, PlannedMemory]]:
    """Return the operations of a call, each with the words that name its place."""
    own = set(Content.model_fields) | {"memory_type", "key", "text"}
    given = request.model_dump(include=own, exclude_unset=True)
    if request.operations is None:
        missing = [
            to_camel(name)
            for name in ("memory_type", "key", "text")
            if not str(given.get(name) or "").strip()
        ]
        if missing:
            raise InvalidInputError(
                f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} required.",
                hint="Give memoryType, key and text, or operations with a plan.",
            )
        return [("", PlannedMemory.model_validate({"action": "ADD", **given}))]
    shared = {*Provenance.model_fields, "idempotency_key", "scope"}
    alone = sorted(to_camel(name) for name in given.keys() - shared)
    if alone:
        raise InvalidInputError(
            f"{', '.join(alone)} and operations were both given.",
            hint="Put what belongs to one memory into its operation.",
        )
    return [
        (f"operations[{number}]: ", _completed(one, request, number))
        for number, one in enumerate(request.operations)
    ]


def _completed(one: PlannedMemory, request: Remember, number: int) -> PlannedMemory:
    """Return an operation of a plan with what the call says for all of them."""
    names = (*Provenance.model_fields, "scope")
    update = {name: getattr(request, name) for name in names if getattr(one, name) is None}
    if request.idempotency_key and not one.idempotency_key:
        update["idempotency_key"] = f"{request.idempotency_key}/{number}"
    return one.model_copy(update=update)


def _step(asked: PlannedMemory, where: str, scope: Scope, caller: Caller) -> Step:
    """Return an operation read and checked; nothing is written yet.

    Raises:
        InvalidInputError: the message begins with the operation's place in the plan.
    """
    try:
        embedding = _checked(asked)
    except InvalidInputError as error:
        raise InvalidInputError(f"{where}{error.message}", hint=error.hint) from error
    body = new_body("memory", scope, asked, caller) | {
        "scope": dict(zip(MEMORY_SCOPE, memory_scope_of(asked.scope), strict=True)),
        "memoryType": asked.memory_type,
        "key": asked.key,
        "text": asked.text or "",
        "metadata": asked.metadata,
        "tags": asked.tags,
        "embedding": embedding,
    }
    origin = caller.origin(asked.actor, asked.client, asked.session_id)
    return Step(asked, body, scope, origin)


def _checked(asked: PlannedMemory) -> Any:
    """Check what an operation needs and return its vector."""
    if asked.action in ("ADD", "UPDATE") and not (asked.text or "").strip():
        raise InvalidInputError(f"{asked.action} needs a text.")
    for name in ("valid_from", "valid_to", "valid_at", "recorded_at", "created_at"):
        instant(getattr(asked, name), to_camel(name))
    return _vector(asked.embedding)


def _vector(given: Any) -> Any:
    """Return a vector as it is kept: numbers, or {model, values}."""
    if given in (None, []):
        if given is None:
            return None
        raise InvalidInputError("embedding must not be empty; leave it out instead.")
    # A list is what a client is told to send; an object arrives as a list of one.
    held = given[0] if isinstance(given, list) and isinstance(given[0], Mapping) else given
    values = held.get("values") if isinstance(held, Mapping) else held
    if not isinstance(values, list) or not 1 <= len(values) <= MOST_DIMENSIONS:
        raise InvalidInputError(
            f"embedding must be 1 to {MOST_DIMENSIONS} numbers, or an object of model"
            " and values."
        )
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in values):
        raise InvalidInputError("embedding must hold numbers alone.")
    return held
