"""Which decisions are due for review, and which attempts are worth another try.

Only records with a condition on a key that has a fact (stored, supplied or named as
changed) can fire or hold, and the store knows which those are; so the work grows with the
facts in play and not with the store. The rules themselves are in `rules.conditions`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shadowgraph.clock import to_millis
from shadowgraph.operations.present import clip
from shadowgraph.rules.conditions import (
    Observation,
    Verdict,
    all_hold,
    any_fires,
    overlay,
)
from shadowgraph.rules.facets import millis_of
from shadowgraph.rules.grammar import Rule, parse_rule_lenient
from shadowgraph.rules.lifecycle import REVIEWED
from shadowgraph.rules.validity import applicable
from shadowgraph.store import Store, StoredRecord

MOST_RECORDS = 500
"Records with conditions that one review evaluates, newest first."
MOST_KEYS = 5_000
"Distinct condition keys that one review considers."


@dataclass
class Reviews:
    """What a review pass found."""

    due: list[dict[str, Any]] = field(default_factory=list)
    "Decisions due for review."
    reusable: list[dict[str, Any]] = field(default_factory=list)
    "Attempts whose conditions all hold."
    undecided: list[dict[str, Any]] = field(default_factory=list)
    "Records with conditions that are unknown or contested."


def review(
    store: Store,
    owner: str,
    at: datetime,
    *,
    facts: Mapping[str, Any],
    changed: Collection[str],
) -> Reviews:
    """Evaluate the conditions of one owner at the instant *at*."""
    with store.read() as selection:
        keys = selection.watched(owner, MOST_KEYS)
        stored = selection.facts_of(owner, keys)
        known = overlay(applicable((f.body for f in stored), at), facts)
        live = {key for key in keys if key in known or key in changed}
        records = selection.watching(owner, live, MOST_RECORDS) if live else []
        dated = selection.review_due(owner, to_millis(at), MOST_RECORDS)
    found = Reviews()
    for record in {one.row: one for one in (*records, *dated)}.values():
        if record.kind == "decision":
            _review_decision(record, known, changed, to_millis(at), found)
        elif record.kind == "attempt":
            _review_attempt(record, known, changed, found)
    return found


def _rules(raw: object) -> list[Rule]:
    return [parse_rule_lenient(rule) for rule in raw] if isinstance(raw, list) else []


def _review_decision(
    record: StoredRecord,
    known: Mapping[str, Observation],
    changed: Collection[str],
    now: int,
    found: Reviews,
) -> None:
    body = record.body
    if body.get("status") not in REVIEWED:
        return
    causes: list[str] = []
    affected: list[str] = []
    violated: list[dict[str, Any]] = []
    undecided: list[Verdict] = []
    for alternative in body.get("alternatives") or []:
        findings = any_fires(_rules(alternative.get("reopenWhen")), known, changed)
        undecided += findings.undecided
        if findings.fired:
            affected.append(str(alternative.get("label", "")))
        for verdict in findings.fired:
            causes.append(verdict.rule.label)
            violated.append(_condition(verdict))
    causes += _dated(body, now)
    if causes:
        labels = [str(a.get("label", "")) for a in body.get("alternatives") or []]
        found.due.append(
            {
                "decisionId": record.id,
                "title": clip(str(body.get("title", "")), 120),
                "reason": ", ".join(dict.fromkeys(causes)),
                "affectedAlternatives": affected or labels,
                "violatedConditions": violated,
                # Computed for this call; nothing is stored by reading.
                "reviewSignalStatus": "unpersisted",
            }
        )
    _note_undecided(record, "decisionId", undecided, found)


def _dated(body: Mapping[str, Any], now: int) -> list[str]:
    """Return the causes that are no conditions."""
    causes = []
    after = millis_of(body.get("reviewAfter"))
    if after is not None and after <= now:
        causes.append("review date reached")
    outcome = body.get("outcome")
    if isinstance(outcome, Mapping) and outcome.get("status") == "failed":
        causes.append("decision outcome failed")
    return causes


def _review_attempt(
    record: StoredRecord,
    known: Mapping[str, Observation],
    changed: Collection[str],
    found: Reviews,
) -> None:
    findings = all_hold(_rules(record.body.get("reusableWhen")), known, changed)
    if findings.verdict == "true":
        found.reusable.append(
            {
                "attemptId": record.id,
                "solution": clip(str(record.body.get("solution", "")), 160),
                "resultClass": record.body.get("resultClass"),
                "satisfiedConditions": [_condition(v) for v in findings.conditions],
            }
        )
    _note_undecided(record, "attemptId", list(findings.undecided), found)


def _condition(verdict: Verdict) -> dict[str, Any]:
    """Return the short form of an evaluated condition."""
    wire = verdict.to_wire()
    kept = ("key", "operator", "expected", "observed", "unit")
    return {
        **{name: _short(wire[name]) for name in kept if wire.get(name) is not None},
        "verdict": verdict.verdict,
        "reason": verdict.reason,
    }


def _short(value: Any) -> Any:
    """Return a value as it is when it is small, else its beginning as text."""
    return value if len(str(value)) <= 160 else clip(str(value), 160)


def _note_undecided(
    record: StoredRecord, name: str, undecided: list[Verdict], found: Reviews
) -> None:
    if undecided:
        found.undecided.append(
            {
                name: record.id,
                "conditions": [
                    {
                        "key": v.rule.label,
                        "verdict": v.verdict,
                        "reason": clip(v.reason, 160),
                    }
                    for v in undecided[:5]
                ],
            }
        )


def retry_verdict(
    store: Store,
    owner: str,
    record: StoredRecord,
    supplied: Mapping[str, Any],
    at: datetime,
) -> str:
    """Return whether an attempt's conditions for another try hold: true, false, unknown.

    Without conditions the answer is none: nothing was said about another try.
    """
    rules = _rules(record.body.get("reusableWhen"))
    if not rules:
        return "none"
    with store.read() as selection:
        stored = selection.facts_of(owner, {rule.label for rule in rules})
    known = overlay(applicable((fact.body for fact in stored), at), supplied)
    return all_hold(rules, known).verdict
