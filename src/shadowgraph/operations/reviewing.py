"""Which decisions are due for review, and which attempts are worth another try.

Only records with a condition on a key that has a fact (stored, supplied or named as
changed), or with one that a missing fact decides, can fire or hold, and the store knows
which those are; so the work of a context grows with the facts in play and not with the
store. A thorough review looks at every record with a condition, because it also says what
cannot be decided. What one decision says is judged in `judging`, the rules themselves are in
`rules.conditions`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from shadowgraph.clock import to_millis
from shadowgraph.operations.judging import Judged, brief, condition, judge, rules_of
from shadowgraph.operations.present import clip
from shadowgraph.rules.conditions import all_hold, overlay
from shadowgraph.rules.facets import created_of
from shadowgraph.rules.findings import Observation, Verdict
from shadowgraph.rules.lifecycle import REVIEWED
from shadowgraph.rules.signals import speaks_of
from shadowgraph.rules.tree import ABSENCE, named
from shadowgraph.rules.validity import applicable
from shadowgraph.store import Store, StoredRecord
from shadowgraph.store.selection import Selection

MOST_RECORDS = 500
"Records with conditions that the review of a context evaluates, newest first."
MOST_KEYS = 5_000
"Distinct condition keys that the review of a context considers."
_ALL = -1

Signals = Mapping[str, list[StoredRecord]]
"The stored signals of an owner, by decision."


class Circumstances(NamedTuple):
    """What a review goes by: an instant, and what the caller says of it."""

    at: datetime
    facts: Mapping[str, Any] = MappingProxyType({})
    "Values that override stored facts."
    changed: Collection[str] = ()
    "Fact keys and named changes that the caller reports."
    then: bool = False
    "Whether the instant is not the present: what was made later did not exist yet."

    @property
    def millis(self) -> int:
        """The instant as the store compares it."""
        return to_millis(self.at)

    def existed(self, record: StoredRecord) -> bool:
        """Return whether the record had been made at the instant."""
        return not self.then or created_of(record.body) <= self.millis

    def known(
        self, selection: Selection, owner: str, keys: Iterable[str]
    ) -> dict[str, Observation]:
        """Return what is observed for *keys*, the caller's own values on top."""
        stored = selection.facts_of(owner, keys, self.millis if self.then else None)
        held = applicable((fact.body for fact in stored), self.at)
        return overlay(held, self.facts, self.at)


@dataclass
class Reviews:
    """What a review pass found."""

    due: list[Judged] = field(default_factory=list)
    "Decisions due for review."
    reusable: list[dict[str, Any]] = field(default_factory=list)
    "Attempts whose conditions all hold."
    undecided: list[dict[str, Any]] = field(default_factory=list)
    "Records with conditions that are unknown or contested."
    signals: Signals = field(default_factory=dict)
    "What is stored about the decisions."

    def fired(self) -> list[dict[str, Any]]:
        """Return the due decisions as a context shows them, the acknowledged ones last."""
        entries = [due_entry(one, self.signals, "affectedAlternatives") for one in self.due]
        for entry in entries:
            entry["violatedConditions"] = list(map(_brief, entry["violatedConditions"]))
        return sorted(entries, key=lambda e: e["reviewSignalStatus"] == "acknowledged")


def review(
    selection: Selection,
    owner: str,
    when: Circumstances,
    *,
    thorough: bool = False,
) -> Reviews:
    """Evaluate the conditions of one owner; *thorough* leaves no record out."""
    most = _ALL if thorough else MOST_RECORDS
    keys = selection.watched(owner, _ALL if thorough else MOST_KEYS)
    known = when.known(selection, owner, keys)
    live = [
        key
        for key in keys
        if thorough or key == ABSENCE or key in known or key in when.changed
    ]
    records = selection.watching(owner, live, most) if live else []
    dated = selection.review_due(owner, when.millis, most)
    found = Reviews(signals=signals_by_decision(selection, owner))
    for record in {one.row: one for one in (*records, *dated)}.values():
        if not when.existed(record):
            continue
        if record.kind == "decision" and record.body.get("status") in REVIEWED:
            _note_decision(judge(record, known, when.changed, when.at), found)
        elif record.kind == "attempt":
            _note_attempt(record, known, when.changed, found)
    return found


def signals_by_decision(selection: Selection, owner: str) -> Signals:
    """Return the stored signals of an owner, newest first, by decision."""
    found: dict[str, list[StoredRecord]] = {}
    for signal in selection.of_kind(owner, "review"):
        found.setdefault(str(signal.body.get("decisionId")), []).append(signal)
    return found


def signal_for(judged: Judged, signals: Signals) -> StoredRecord | None:
    """Return the stored signal of exactly this breach, None when there is none yet."""
    grounds = judged.coverage()
    held = signals.get(judged.record.id, [])
    return next((one for one in held if speaks_of(one.body, grounds)), None)


def due_entry(judged: Judged, signals: Signals, alternatives: str) -> dict[str, Any]:
    """Return a due decision in wire shape, with the signal that stands for it."""
    return {**judged.to_wire(alternatives), **signal_status(judged, signals)}


def signal_status(judged: Judged, signals: Signals) -> dict[str, Any]:
    """Return the signal of a due decision and its status."""
    signal = signal_for(judged, signals)
    if signal is None:
        return {"reviewSignalStatus": "unpersisted"}
    status = str(signal.body.get("status") or "open")
    return {"reviewSignalId": signal.id, "reviewSignalStatus": status}


def _note_decision(judged: Judged, found: Reviews) -> None:
    if judged.due:
        found.due.append(judged)
    _note_undecided(judged.record, "decisionId", judged.undecided(), found)


def _note_attempt(
    record: StoredRecord,
    known: Mapping[str, Observation],
    changed: Collection[str],
    found: Reviews,
) -> None:
    findings = all_hold(rules_of(record.body.get("reusableWhen")), known, changed)
    if findings.verdict == "true":
        found.reusable.append(
            {
                "attemptId": record.id,
                "solution": clip(str(record.body.get("solution", "")), 160),
                "resultClass": record.body.get("resultClass"),
                "satisfiedConditions": [
                    _brief(condition(verdict)) for verdict in findings.conditions
                ],
            }
        )
    _note_undecided(record, "attemptId", list(findings.undecided), found)


def _brief(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short form of an evaluated condition."""
    kept = ("key", "operator", "expected", "observed", "unit", "verdict", "reason")
    return {name: brief(wire[name]) for name in kept if wire.get(name) is not None}


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
                **({"omitted": len(undecided) - 5} if len(undecided) > 5 else {}),
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
    raw = record.body.get("reusableWhen")
    if not isinstance(raw, list) or not raw:
        return "none"
    rules = rules_of(raw)
    keys = {key for rule in raw for key in named(rule)}
    with store.read() as selection:
        known = Circumstances(at, supplied).known(selection, owner, keys)
    return all_hold(rules, known).verdict
