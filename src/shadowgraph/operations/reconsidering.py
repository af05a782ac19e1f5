"""Reconsider: a verdict on each decision, whether it should be looked at again.

The same judgement as a review, shown for all decisions in scope instead of the due ones:
`review_recommended` when anything speaks for another look, else `manual_review` when a
condition is unknown or contested, else `unchanged`. Unchanged is only ever said when
everything could be evaluated; unknown never counts as healthy. The answer for the whole is
the most urgent of its parts, and a session that names no project is told to look itself.

The counts are of all decisions; the list shows the most urgent ones first and says how many
it left out. Signals are stored as by a review, and none for another instant.
"""

from typing import Any, Literal

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.due import EvaluationAsOf, circumstances
from shadowgraph.operations.inputs import Page
from shadowgraph.operations.judging import (
    DATE_REACHED,
    OUTCOME_FAILED,
    Alternative,
    Judged,
    brief,
    judge,
    objects,
)
from shadowgraph.operations.present import clip
from shadowgraph.operations.progress import find_decision
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import (
    Circumstances,
    Signals,
    signal_status,
    signals_by_decision,
)
from shadowgraph.operations.scoped import completeness, fitting, page_of
from shadowgraph.operations.signals import raise_signals
from shadowgraph.rules.conditions import TokenRule
from shadowgraph.rules.findings import Verdict
from shadowgraph.rules.lifecycle import REVIEWED
from shadowgraph.rules.tree import named
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

Advice = Literal["review_recommended", "unchanged", "manual_review"]
URGENCY: tuple[Advice, ...] = ("review_recommended", "manual_review", "unchanged")
"The verdicts, most urgent first."
_KIND = {DATE_REACHED: "review_date", OUTCOME_FAILED: "outcome_failed"}


class Reconsider(EvaluationAsOf, Page):
    """Reconsider decisions."""

    decision_id: str | None = None
    """Only this decision; left out: all of the project that are not closed."""


class ReconsiderReply(StoredWire):
    """The verdicts."""

    verdict: Advice
    """The most urgent verdict of all."""
    evaluation_completeness: Literal["complete", "partial"]
    """partial when any condition is unknown or contested."""
    scope: dict[str, Any]
    """project and decisionId that were asked about."""
    decisions: list[dict[str, Any]]
    """Per decision: verdict, triggeredRules, triggeredBy, groundedConditions, rulesNotEvaluated, contestedConditions, affectedAlternatives, factsConsidered; the most urgent first."""
    counts: dict[str, int]
    """Decisions by verdict, those left out included."""
    completeness: dict[str, Any]
    """Scope and counts of the list."""


@operation(
    "shadowgraph_reconsider",
    title="Reconsider decisions",
    toolset="graph",
    description="""Give a verdict on one decision or on all of a project:
        review_recommended, manual_review when a condition cannot be decided, or unchanged,
        with the conditions and facts it rests on. Call it before relying on an old decision.
        Stores a signal for each that is due, as shadowgraph_review does. A decision that is
        closed is refused; read it with shadowgraph_get.""",
    request=Reconsider,
    reply=ReconsiderReply,
    idempotent=True,
    example={"project": "acme/billing-api", "facts": {"ledger.writers": 5}},
)
def reconsider(library: Library, request: Reconsider, caller: Caller) -> Reply:
    """Return a verdict on each decision in scope."""
    scope = caller.scope(request.project, request.origin_id)
    when = circumstances(library, request)
    with library.store.read() as selection:
        records = _wanted(selection, scope, request.decision_id, when)
        signals = signals_by_decision(selection, scope.owner or "")
        judged = _judged(selection, scope, records, when)
    if not request.as_of:
        due = [one for one in judged if one.due]
        signals = raise_signals(library, scope, due, signals, caller)
    judged.sort(key=lambda one: URGENCY.index(advice(one)))
    shown = fitting(
        (_wire(one, signals) for one in page_of(judged, request)), request.limit
    )
    counts: dict[Advice, int] = {
        name: sum(advice(one) == name for one in judged) for name in URGENCY
    }
    partial = not scope.resolved or any(one.undecided() for one in judged)
    return {
        "verdict": _overall(counts, scope),
        "evaluationCompleteness": "partial" if partial else "complete",
        "scope": {"project": scope.project, "decisionId": request.decision_id},
        "decisions": shown,
        "counts": counts,
        "completeness": completeness(scope, len(shown), len(judged), request),
    }


def _overall(counts: dict[Advice, int], scope: Scope) -> Advice:
    found: Advice = next((name for name in URGENCY if counts[name]), "unchanged")
    if found == "unchanged" and not scope.resolved:
        return "manual_review"
    return found


def _wanted(
    selection: Selection, scope: Scope, decision_id: str | None, when: Circumstances
) -> list[StoredRecord]:
    """Return the decisions to judge.

    Raises:
        InvalidInputError: the decision asked for is closed.
    """
    if decision_id is None:
        decisions = selection.of_kind(scope.owner or "", "decision")
        open_ = (one for one in decisions if one.body.get("status") in REVIEWED)
        return [one for one in open_ if when.existed(one)]
    decision = find_decision(selection, decision_id, scope)
    status = decision.body.get("status")
    if status not in REVIEWED:
        successor = decision.body.get("supersededBy")
        raise InvalidInputError(
            f"{decision_id} is {status}; a closed decision is not reconsidered.",
            hint=f"It was replaced by {successor}." if successor else "",
            details={"id": decision_id, "status": status},
        )
    return [decision]


def _judged(
    selection: Selection, scope: Scope, records: list[StoredRecord], when: Circumstances
) -> list[Judged]:
    keys = {key for record in records for key in _keys(record)}
    known = when.known(selection, scope.owner or "", sorted(keys))
    return [judge(record, known, when.changed, when.at) for record in records]


def _keys(record: StoredRecord) -> set[str]:
    lists = (a.get("reopenWhen") for a in objects(record.body.get("alternatives")))
    rules = (rule for held in lists if isinstance(held, list) for rule in held)
    return {key for rule in rules for key in named(rule)}


def advice(judged: Judged) -> Advice:
    """Return the verdict on one decision."""
    if judged.due:
        return "review_recommended"
    return "manual_review" if judged.undecided() else "unchanged"


def _wire(judged: Judged, signals: Signals) -> dict[str, Any]:
    answers = [(a, v) for a in judged.alternatives for v in a.findings.conditions]
    due = judged.due
    return {
        "decisionId": judged.record.id,
        "title": clip(str(judged.record.body.get("title", "")), 120),
        "verdict": advice(judged),
        "evaluationCompleteness": "partial" if judged.undecided() else "complete",
        "triggeredRules": [a.condition(v) for a, v in judged.fired() if not _token(v)],
        "triggeredBy": _triggers(judged),
        "groundedConditions": [
            a.condition(v)
            for a, v in answers
            if v.verdict != "unknown" and not v.contested and not _token(v)
        ],
        "rulesNotEvaluated": [a.condition(v) for a, v in answers if v.verdict == "unknown"],
        "contestedConditions": [a.condition(v) for a, v in answers if v.contested],
        "affectedAlternatives": judged.affected() if due else [],
        "factsConsidered": _facts(answers),
        **(signal_status(judged, signals) if due else {}),
    }


def _token(verdict: Verdict) -> bool:
    return isinstance(verdict.rule, TokenRule)


def _triggers(judged: Judged) -> list[dict[str, Any]]:
    """Return the causes that are no questions about facts."""
    tokens = [
        {"cause": v.rule.label, "kind": "changed_fact_token", "alternativeId": a.id}
        for a, v in judged.fired()
        if _token(v)
    ]
    dated = [
        {"cause": one.text, "kind": _KIND[one.text], "at": one.at} for one in judged.causes
    ]
    return [*tokens, *dated]


def _facts(answers: list[tuple[Alternative, Verdict]]) -> list[dict[str, Any]]:
    """Return every observation that an answer rests on, once."""
    found: dict[str, dict[str, Any]] = {}
    for _, verdict in answers:
        for leaf in verdict.leaves():
            if leaf.evidence is not None:
                wire = leaf.evidence.to_wire()
                value = brief(leaf.evidence.value)
                found[leaf.rule.label] = {"key": leaf.rule.label, **wire, "value": value}
    return list(found.values())
