"""Due decisions: finding them, storing their signals, and the context of a review session.

A review evaluates every decision of a project that has something to be decided by, stores a
signal for each breach that has none, and answers with a page of them. Asking about another
instant (`asOf`) stores nothing: a signal speaks of the present. What makes a decision due is
judged in `judging`, which records are looked at is decided in `reviewing`, and what a signal
is stands in `signals`.
"""

from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.context import context
from shadowgraph.operations.contexts import Context
from shadowgraph.operations.inputs import Facts, Limit, Page, Reading
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import (
    Circumstances,
    Reviews,
    due_entry,
    review,
)
from shadowgraph.operations.scoped import completeness, fitting, page_of
from shadowgraph.operations.signals import raise_signals
from shadowgraph.rules.instants import parse_instant


class Evaluation(Reading):
    """Arguments of everything that evaluates conditions."""

    facts: Facts = {}
    changed_facts: list[str] = []
    """Fact keys and named changes that the caller reports."""


class EvaluationAsOf(Evaluation):
    """The same, at an instant of the caller's choice."""

    as_of: str | None = None
    """Instant to evaluate at, ISO 8601, if not now; nothing is stored then."""


def circumstances(library: Library, request: EvaluationAsOf) -> Circumstances:
    """Return what a review goes by.

    Raises:
        InvalidInputError: asOf is no instant.
    """
    facts, changed = request.facts, request.changed_facts
    if request.as_of:
        return Circumstances(parse_instant(request.as_of), facts, changed, then=True)
    return Circumstances(library.clock(), facts, changed)


class Review(EvaluationAsOf, Page):
    """Review decisions."""


class ReviewReply(StoredWire):
    """Decisions due for review."""

    items: list[dict[str, Any]]
    """Per decision: decisionId, title, reason, alternativesToReconsider, violatedConditions, reviewSignalId, reviewSignalStatus."""
    completeness: dict[str, Any]
    """Scope and counts; undecided is the number of records with a condition that is unknown or contested."""


@operation(
    "shadowgraph_review",
    title="Review decisions",
    toolset="graph",
    description="""Evaluate what reopens the decisions of a project and store a signal for
        each that is due, those beyond the page too: a condition of a rejected option fires, the review date has come,
        or the outcome failed. Call it when something changed. The same breach keeps its
        signal, acknowledged or not. For a verdict on one decision use
        shadowgraph_reconsider; to clear a signal shadowgraph_ack_review.""",
    request=Review,
    reply=ReviewReply,
    idempotent=True,
    example={"project": "acme/billing-api", "facts": {"ledger.writers": 5}},
)
def review_decisions(library: Library, request: Review, caller: Caller) -> Reply:
    """Return the due decisions, each with its signal."""
    scope = caller.scope(request.project, request.origin_id)
    found = every_review(library, scope, circumstances(library, request))
    signals = found.signals
    if not request.as_of:
        signals = raise_signals(library, scope, found.due, signals, caller)
    shown = fitting(
        (
            due_entry(one, signals, "alternativesToReconsider")
            for one in page_of(found.due, request)
        ),
        request.limit,
    )
    return {
        "items": shown,
        "completeness": {
            **completeness(scope, len(shown), len(found.due), request),
            "undecided": len(found.undecided),
        },
    }


def every_review(library: Library, scope: Scope, when: Circumstances) -> Reviews:
    """Return a review pass that leaves nothing out."""
    with library.store.read() as selection:
        return review(selection, scope.owner or "", when, thorough=True)


class ReviewContext(Evaluation):
    """Review, and read the working set."""

    limit: Limit = None
    """Most items per section."""


class ReviewContextReply(StoredWire):
    """The working set in upstream's older shape."""

    project: OrNull[str]
    """Project the context is of."""
    active_decisions: list[dict[str, Any]]
    """Decisions in force."""
    stale_assumptions: list[dict[str, Any]]
    """Facts that no longer hold."""
    failed_attempts_to_avoid: list[dict[str, Any]]
    """Failed attempts, newest first."""
    open_reviews: list[dict[str, Any]]
    """Decisions due for review, each with its signal."""
    suggested_questions: list[str]
    """One question per decision of low confidence."""
    reusable_attempts: list[dict[str, Any]]
    """Attempts whose conditions for another try all hold."""
    condition_diagnostics: list[dict[str, Any]]
    """Conditions that could not be decided."""
    completeness: dict[str, Any]
    """Per section: returned, total, omitted; scope, budget, pending."""


@operation(
    "shadowgraph_review_context",
    title="Review and read the context",
    toolset="graph",
    description="""Do what shadowgraph_review does and answer with the working set of the
        project: failed attempts, due reviews, decisions in force, questions about doubtful
        ones. Call it to begin a review session. At the start of a task use
        shadowgraph_context, which stores nothing and ranks by the task.""",
    request=ReviewContext,
    reply=ReviewContextReply,
    idempotent=True,
    example={"project": "acme/billing-api", "limit": 5},
)
def review_context(library: Library, request: ReviewContext, caller: Caller) -> Reply:
    """Raise signals and return the working set."""
    asked = request.model_dump()
    review_decisions(library, Review(**asked), caller)
    reply = context(library, Context(**asked), caller)
    doubtful = reply.pop("belowConfidenceThreshold")
    due = reply.pop("firedConditions")
    for entry in due:
        entry["alternativesToReconsider"] = entry.pop("affectedAlternatives")
    failed = reply.pop("failedAttempts")
    return {
        **reply,
        "failedAttemptsToAvoid": failed,
        "openReviews": due,
        "suggestedQuestions": [
            f"What evidence could change {one['title']}? (confidence {one['confidence']})"
            for one in doubtful
        ],
        "completeness": _renamed(reply["completeness"]),
    }


_SECTIONS = {
    "failedAttempts": "failedAttemptsToAvoid",
    "firedConditions": "openReviews",
    "belowConfidenceThreshold": "suggestedQuestions",
}


def _renamed(block: dict[str, Any]) -> dict[str, Any]:
    """Return a context's completeness under the names of the older shape."""
    sections = block["collections"].items()
    named = {_SECTIONS.get(name, name): counts for name, counts in sections}
    return {**block, "collections": named}
