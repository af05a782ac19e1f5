"""What the evaluation of conditions rests on and comes to.

An *observation* is the value of a fact as a rule sees it, a *verdict* the answer of one rule
with its reason and its observation, *findings* the answers of several rules together. How
they are come by is in `conditions`; here is what they say of themselves, and how it is told
on the wire.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from shadowgraph.rules.grammar import Rule, TokenRule, TreeRule
from shadowgraph.rules.tree import Truth, join


class Observation(NamedTuple):
    """The value of a fact as a rule sees it."""

    value: object
    "The observed JSON value."
    fact_id: str | None = None
    "The stored fact it comes from; None when the caller supplied it."
    source_class: str | None = None
    "How well the source is trusted."
    observed_at: str | None = None
    "When it was observed, as stored."
    valid_from: str | None = None
    "Since when it holds, as stored."
    verification_status: str | None = None
    "Whether it was verified."
    conflicting: "tuple[Observation, ...]" = ()
    "Other facts of the same key that hold too and say something else."
    since: datetime | None = None
    "Since when the key has had this value without a break; None when nobody knows."
    replaced: bool = False
    "Whether the key is known to have had another value before."

    def to_wire(self) -> dict[str, object]:
        """Return the observation as the evidence block of a condition."""
        if self.fact_id is None:
            return {"source": "caller_supplied"}
        optional = {
            "observedAt": self.observed_at,
            "validFrom": self.valid_from,
            "sourceClass": self.source_class,
            "verificationStatus": self.verification_status,
        }
        block = {"source": "stored_fact", "factId": self.fact_id, "value": self.value}
        return {**block, **{k: v for k, v in optional.items() if v is not None}}


class Verdict(NamedTuple):
    """The answer of one rule, with its reason and its evidence."""

    rule: Rule
    "The rule that was evaluated."
    verdict: Truth
    "The answer."
    reason: str
    "Why, as one sentence."
    evidence: Observation | None = None
    "The observation the answer rests on."
    parts: "tuple[Verdict, ...]" = ()
    "The answers that a tree joins."

    @property
    def contested(self) -> bool:
        """Whether other valid facts contradict the observation, or that of a part."""
        if self.evidence is not None and self.evidence.conflicting:
            return True
        return any(part.contested for part in self.parts)

    @property
    def certain(self) -> Truth:
        """The answer when every contested leaf counts as unknown."""
        if isinstance(self.rule, TreeRule):
            return join(self.rule.join, [part.certain for part in self.parts])
        return "unknown" if self.contested else self.verdict

    def leaves(self) -> Iterator["Verdict"]:
        """Yield the answers of the single rules in it: itself, when it is no tree."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def to_wire(self) -> dict[str, object]:
        """Return the verdict as the wire's evaluated condition."""
        seen = self.evidence
        wire: dict[str, object] = {
            "key": self.rule.label,
            **_question(self.rule),
            "observed": None if seen is None else seen.value,
            "verdict": self.verdict,
            "reason": self.reason,
        }
        if self.parts:
            wire["conditions"] = [part.to_wire() for part in self.parts]
        if seen is not None:
            wire["evidence"] = seen.to_wire()
            if seen.conflicting:
                rivals = [rival.to_wire() for rival in seen.conflicting]
                wire["conflictingEvidence"] = rivals
        return wire


def _question(rule: Rule) -> dict[str, object]:
    if isinstance(rule, TokenRule):
        return {"operator": "changed", "expected": rule.token}
    if isinstance(rule, TreeRule):
        return {"operator": rule.join, "expected": None}
    raw = rule.to_wire()
    if not isinstance(raw, Mapping):
        return {"operator": None, "expected": None}
    unit = {} if raw.get("unit") is None else {"unit": raw["unit"]}
    return {"operator": raw.get("operator"), "expected": raw.get("value"), **unit}


class Findings(NamedTuple):
    """The answer of several rules together."""

    verdict: Truth
    "The combined answer."
    conditions: tuple[Verdict, ...] = ()
    "Every rule's own answer, in the order of the rules."

    @property
    def fired(self) -> tuple[Verdict, ...]:
        """The rules that are true."""
        return tuple(c for c in self.conditions if c.verdict == "true")

    @property
    def undecided(self) -> tuple[Verdict, ...]:
        """The rules that are unknown or contested."""
        return tuple(c for c in self.conditions if c.verdict == "unknown" or c.contested)
