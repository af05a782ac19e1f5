"""What a context is asked and what it answers, with what it says of its completeness."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.inputs import Facts, Limit, Reading
from shadowgraph.operations.present import clip
from shadowgraph.operations.sections import Section

DEFAULT_BUDGET = 2_000
"Tokens of a context."
CHARACTERS_PER_TOKEN = 3
"Estimate, low on purpose: English JSON has about 3.5 characters a token."
FRAME = 1_200
"Characters of a reply without its items: names, scope and counts."


class ContextReply(StoredWire):
    """What to know before starting."""

    project: OrNull[str]
    """Project the context is of."""
    failed_attempts: list[dict[str, Any]]
    """Failed attempts to avoid, most relevant first."""
    fired_conditions: list[dict[str, Any]]
    """Decisions due for review, with the conditions that say so."""
    active_decisions: list[dict[str, Any]]
    """Decisions in force."""
    reusable_attempts: list[dict[str, Any]]
    """Attempts whose conditions for another try all hold."""
    stale_assumptions: list[dict[str, Any]]
    """Facts that no longer hold."""
    below_confidence_threshold: list[dict[str, Any]]
    """Decisions with a confidence below 0.5, least first."""
    condition_diagnostics: list[dict[str, Any]]
    """Conditions that could not be decided."""
    completeness: dict[str, Any]
    """Per section: returned, total, omitted; scope, budget, pending."""


class Context(Reading):
    """Read the context."""

    query: str = ""
    """The task; ranks every section."""
    environment: str = ""
    """Where it runs.

    Records from there rise."""
    facts: Facts = {}
    changed_facts: list[str] = []
    """Changed keys and named changes."""
    budget: Annotated[int, Field(ge=300, le=50_000)] = DEFAULT_BUDGET
    """Most tokens."""
    limit: Limit = None
    """Most items per section."""
    focal_id: str | None = None
    """Record it is about.

    What relations lead to from it rises."""
    as_of: str | None = None
    """Read as of, ISO 8601."""


class State(NamedTuple):
    """How far an answer could look."""

    pending: int
    "Journal entries that are not searchable yet."
    notices: Sequence[str]
    undecided: int
    "Records with conditions that nothing could decide."


def completeness_of(
    request: Context,
    scope: Scope,
    sections: list[Section],
    state: State,
) -> dict[str, Any]:
    """Say what a context holds and left out, section by section, and how fresh it was."""
    collections = {
        section.name: {
            "returned": len(section.kept),
            "total": section.total,
            "omitted": max(0, section.total - len(section.kept)),
            "hasMore": section.total > len(section.kept),
        }
        for section in sections
    }
    block: dict[str, Any] = {
        "scope": {
            "project": scope.project,
            "projectSource": scope.source,
            "requestState": "project_selected" if scope.resolved else "project_unresolved",
            "query": clip(request.query, 200),
            **({"asOf": request.as_of} if request.as_of else {}),
        },
        "budget": request.budget,
        "complete": not any(one["hasMore"] for one in collections.values()),
        "limitSource": "caller" if request.limit else "default",
        "pending": state.pending,
        "undecidedConditions": state.undecided,
        "collections": collections,
    }
    if state.notices:
        block["notices"] = list(dict.fromkeys(state.notices))
    return block
