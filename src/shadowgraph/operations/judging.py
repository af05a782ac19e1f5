"""One decision judged: what its rules, its date and its outcome say at an instant.

A decision is due when a rule of one of its alternatives fires, when its review date has come,
or when its outcome failed. Which decisions are looked at is decided in `reviewing`, what is
stored about a due one in `signals`; here only one is judged, from its body and the facts in
play, and shown as the wire has it.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shadowgraph.operations.present import clip
from shadowgraph.rules.conditions import any_fires
from shadowgraph.rules.findings import Findings, Observation, Verdict
from shadowgraph.rules.grammar import Rule, parse_rule_lenient
from shadowgraph.rules.instants import format_instant, instant_or_none
from shadowgraph.rules.signals import coverage, match_ground, rule_ground
from shadowgraph.store import StoredRecord

DATE_REACHED = "review date reached"
"The cause of a decision whose review date has come."
OUTCOME_FAILED = "decision outcome failed"
"The cause of a decision that turned out badly."
SHOWN = 160
"Characters of an observed or expected value in a reply."


class Cause(NamedTuple):
    """A reason to review that is no rule."""

    text: str
    "How it is named on the wire."
    at: str | None
    "The instant it is of: the review date, or when the outcome was observed."


class Alternative(NamedTuple):
    """One rejected option and what its rules say."""

    id: str
    label: str
    findings: Findings

    def condition(self, verdict: Verdict) -> dict[str, Any]:
        """Return one of its answers as the wire's evaluated condition."""
        where = {"alternativeId": self.id, "alternativeLabel": self.label}
        return {**where, **condition(verdict)}


class Judged(NamedTuple):
    """One decision and all that speaks for another look at it."""

    record: StoredRecord
    alternatives: tuple[Alternative, ...]
    causes: tuple[Cause, ...]

    @property
    def due(self) -> bool:
        """Whether anything says that it should be looked at again."""
        return bool(self.causes) or any(self.fired())

    def fired(self) -> Iterator[tuple[Alternative, Verdict]]:
        """Yield the rules that fire, each with its alternative."""
        for alternative in self.alternatives:
            for verdict in alternative.findings.fired:
                yield alternative, verdict

    def undecided(self) -> list[Verdict]:
        """Return the rules that are unknown or contested."""
        return [v for one in self.alternatives for v in one.findings.undecided]

    def reasons(self) -> list[str]:
        """Return the distinct causes: fact keys, tokens, a date, an outcome."""
        keys = [leaf.rule.label for _, verdict in self.fired() for leaf in verdict.leaves()]
        return list(dict.fromkeys([*keys, *(cause.text for cause in self.causes)]))

    def affected(self) -> list[str]:
        """Return the labels of the alternatives that the causes are about."""
        firing = list(dict.fromkeys(one.label for one, _ in self.fired()))
        return firing or [one.label for one in self.alternatives]

    def coverage(self) -> list[str]:
        """Return the grounds by which this breach is known again."""
        rules = [
            rule_ground(one.id, verdict.rule.to_wire()) for one, verdict in self.fired()
        ]
        return coverage(
            [*rules, *(match_ground(cause.text, cause.at) for cause in self.causes)]
        )

    def to_wire(self, alternatives: str) -> dict[str, Any]:
        """Return the due entry, with the affected ones under the name *alternatives*."""
        return {
            "decisionId": self.record.id,
            "title": clip(str(self.record.body.get("title", "")), 120),
            "reason": ", ".join(self.reasons()),
            alternatives: self.affected(),
            "violatedConditions": [
                {"decisionId": self.record.id, **one.condition(verdict)}
                for one, verdict in self.fired()
            ],
        }


def judge(
    record: StoredRecord,
    known: Mapping[str, Observation],
    changed: Collection[str],
    at: datetime,
) -> Judged:
    """Return what speaks for another look at the decision at the instant *at*."""
    alternatives = tuple(
        Alternative(
            # Not by position: imported ones without an id may come in another order.
            str(raw.get("id") or f"alternative:{raw.get('label', '')}"),
            str(raw.get("label", "")),
            any_fires(rules_of(raw.get("reopenWhen")), known, changed),
        )
        for raw in objects(record.body.get("alternatives"))
    )
    return Judged(record, alternatives, tuple(_causes(record.body, at)))


def _causes(body: Mapping[str, Any], at: datetime) -> Iterator[Cause]:
    after = instant_or_none(body.get("reviewAfter"))
    if after is not None and after <= at:
        yield Cause(DATE_REACHED, format_instant(after))
    outcome = body.get("outcome")
    if isinstance(outcome, Mapping) and outcome.get("status") == "failed":
        seen = instant_or_none(outcome.get("observedAt"))
        yield Cause(OUTCOME_FAILED, None if seen is None else format_instant(seen))


def objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects in a stored list; anything else in it has nothing to say."""
    found = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, Mapping)]


def rules_of(raw: object) -> list[Rule]:
    """Return stored rules, leniently read: an import keeps what it cannot evaluate."""
    return [parse_rule_lenient(rule) for rule in raw] if isinstance(raw, list) else []


def condition(verdict: Verdict) -> dict[str, Any]:
    """Return an evaluated condition with its values shortened."""
    return _shortened(verdict.to_wire())


def _shortened(wire: Mapping[str, Any]) -> dict[str, Any]:
    short = dict(wire)
    for name in ("expected", "observed", "value"):
        if name in short:
            short[name] = brief(short[name])
    if isinstance(short.get("evidence"), Mapping):
        short["evidence"] = _shortened(short["evidence"])
    for name in ("conditions", "conflictingEvidence"):
        if name in short:
            short[name] = [_shortened(part) for part in short[name]]
    return short


def brief(value: Any) -> Any:
    """Return a value as it is when it is small, else its beginning as text."""
    return value if len(str(value)) <= SHOWN else clip(str(value), SHOWN)
