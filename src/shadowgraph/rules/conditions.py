"""Conditions: what the rules say that reopen a decision or permit a retry.

A token fires when the caller reports that exact change, a fact rule asks one fact one
question, a tree joins further rules, and a kept rule cannot be evaluated.

Truth has three values. Unknown is an answer of its own: a missing fact, a missing
operand or an unreadable unit is never taken for yes or for no, and unknown never
permits anything. That there is no fact is known, so `exists` and `missing` always have an
answer, and only they do. Every verdict says why in plain words and carries the observation
it rests on. An observation that other valid facts contradict makes the verdict
contested: it stands for `reopenWhen`, where a false alarm is cheap, and counts as
unknown for `reusableWhen`, where a false permission is not, in every leaf of a tree.

How a rule is written is in `grammar`, what an operator asks in `operators`, how a tree joins
in `tree`, and which facts hold at an instant in `validity`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from shadowgraph.rules.grammar import (
    WITHOUT_VALUE,
    FactRule,
    KeptRule,
    Rule,
    TokenRule,
    TreeRule,
    parse_rule,
    parse_rule_lenient,
)
from shadowgraph.rules.instants import format_instant, instant_or_none
from shadowgraph.rules.operands import Incomparable, compare, same, show
from shadowgraph.rules.operators import TABLE
from shadowgraph.rules.tree import Truth, join

__all__ = [
    "FactRule",
    "Findings",
    "KeptRule",
    "Observation",
    "Rule",
    "TokenRule",
    "TreeRule",
    "Truth",
    "Verdict",
    "all_hold",
    "any_fires",
    "evaluate",
    "overlay",
    "parse_rule",
    "parse_rule_lenient",
    "unanswerable",
]


@dataclass(frozen=True, slots=True)
class Observation:
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


@dataclass(frozen=True, slots=True)
class Verdict:
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


@dataclass(frozen=True, slots=True)
class Findings:
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


def evaluate(
    rule: Rule,
    facts: Mapping[str, Observation],
    changed_facts: Collection[str] = (),
) -> Verdict:
    """Return what *rule* says about the *facts* and the *changed_facts*.

    >>> rule = parse_rule({"key": "users", "operator": "gte", "value": 100})
    >>> evaluate(rule, {"users": Observation(120)}).reason
    'users is 120, which reaches 100.'
    """
    match rule:
        case TokenRule(token):
            return _evaluate_token(rule, token in changed_facts)
        case KeptRule(_, problem):
            return Verdict(rule, "unknown", f"The rule cannot be evaluated: {problem}")
        case TreeRule(_, parts):
            return _evaluate_tree(
                rule, tuple(evaluate(part, facts, changed_facts) for part in parts)
            )
        case FactRule(key):
            return _evaluate_fact(rule, facts.get(key), key in changed_facts)


def _evaluate_tree(rule: TreeRule, parts: tuple[Verdict, ...]) -> Verdict:
    verdict = join(rule.join, [part.verdict for part in parts])
    told = " ".join(dict.fromkeys(part.reason for part in parts))
    return Verdict(rule, verdict, f"{rule.join} is {verdict}: {told}", parts=parts)


def _evaluate_presence(rule: FactRule, seen: Observation | None) -> Verdict:
    holds = (seen is not None) is (rule.operator == "exists")
    there = "No fact" if seen is None else "A fact"
    reason = f"{there} is known for {rule.key}."
    return Verdict(rule, "true" if holds else "false", reason, seen)


def _evaluate_change(rule: FactRule, seen: Observation | None, reported: bool) -> Verdict:
    """Say whether the value of the key became another one after the instant."""
    after = instant_or_none(rule.value)
    if after is None:
        return Verdict(rule, "unknown", f"{show(rule.value)} is not an instant.", seen)
    if reported:
        return Verdict(rule, "true", f"The caller reports that {rule.key} changed.", seen)
    if seen is None:
        return _without_fact(rule)
    subject = f"{rule.key} is {show(seen.value)}"
    if seen.since is None:
        return Verdict(rule, "unknown", f"{subject}; nobody knows since when.", seen)
    answer: Truth = "true" if seen.replaced else "unknown"
    if seen.since <= after:
        answer = "false"
    then, since = format_instant(after), format_instant(seen.since)
    told = {
        "true": f"changed after {then}",
        "false": f"not changed after {then}",
        "unknown": "and what it was before is not known",
    }
    return Verdict(rule, answer, f"{subject} since {since}, {told[answer]}.", seen)


def _without_fact(rule: FactRule) -> Verdict:
    return Verdict(rule, "unknown", f"No fact is known for {rule.key}.")


def _evaluate_token(rule: TokenRule, reported: bool) -> Verdict:
    if reported:
        return Verdict(rule, "true", f"The caller reports the change {rule.token!r}.")
    reason = f"Nobody has reported the change {rule.token!r}."
    return Verdict(rule, "unknown", reason)


def _evaluate_fact(rule: FactRule, seen: Observation | None, reported: bool) -> Verdict:
    if rule.operator in WITHOUT_VALUE:
        return _evaluate_presence(rule, seen)
    if rule.operator == "changed_since":
        return _evaluate_change(rule, seen, reported)
    return _without_fact(rule) if seen is None else _evaluate_value(rule, seen)


def _evaluate_value(rule: FactRule, seen: Observation) -> Verdict:
    operator = TABLE.get(rule.operator)
    if operator is None:
        reason = f"{show(rule.operator)} is not an operator."
        return Verdict(rule, "unknown", reason, seen)
    answer = operator.answer(rule, seen.value)
    subject = f"{rule.key} is {show(seen.value)}"
    if isinstance(answer, Incomparable):
        return Verdict(rule, "unknown", f"{subject}, but {answer.reason}.", seen)
    relation = operator.yes if answer else operator.no
    unit = f" {rule.unit}" if rule.unit else ""
    reason = f"{subject}, which {relation} {show(rule.value)}{unit}."
    return Verdict(rule, "true" if answer else "false", reason, seen)


def unanswerable(rule: Rule) -> str | None:
    """Return why no fact could ever answer *rule*, or None when one could.

    Such a rule is stored all the same; whoever records it should be told.

    >>> unanswerable(FactRule("p99", "greater_than", "200ms"))
    '"200ms" carries a unit and the rule declares none'
    """
    match rule:
        case KeptRule(_, problem):
            return problem
        case TreeRule(_, parts):
            return next(filter(None, map(unanswerable, parts)), None)
        case FactRule():
            return _hopeless(rule)
    return None


def _hopeless(rule: FactRule) -> str | None:
    match rule:
        case FactRule(_, "in" | "not_in", value) if not isinstance(value, list | tuple):
            return f"{rule.operator} needs a list, not {show(value)}"
        case FactRule(_, "between", [low, high]):
            return _unordered(low, rule.unit) or _unordered(high, rule.unit)
        case FactRule(_, "between", value):
            return f"between needs [low, high], not {show(value)}"
        case FactRule(_, "greater_than" | "less_than" | "gte" | "lte", value):
            return _unordered(value, rule.unit)
    return None


def _unordered(operand: object, unit: str | None) -> str | None:
    order = compare(operand, operand, unit)
    return order.reason if isinstance(order, Incomparable) else None


def overlay(
    stored: Mapping[str, Observation],
    supplied: Mapping[str, object],
    at: datetime | None = None,
) -> dict[str, Observation]:
    """Return the *stored* observations with the caller's *supplied* values on top.

    A supplied value that differs from the stored one is a change of the instant *at*.

    >>> overlay({"a": Observation(1, "fact_1")}, {"a": 2})["a"].value
    2
    """
    fresh = {key: _supplied(value, stored.get(key), at) for key, value in supplied.items()}
    return {**stored, **fresh}


def _supplied(
    value: object, before: Observation | None, at: datetime | None
) -> Observation:
    if before is None:
        return Observation(value)
    if same(value, before.value):
        return replace(Observation(value), since=before.since, replaced=before.replaced)
    return Observation(value, since=at, replaced=True)


def any_fires(
    rules: Iterable[Rule],
    facts: Mapping[str, Observation],
    changed_facts: Collection[str] = (),
) -> Findings:
    """Return whether one of the *rules* fires (`reopenWhen`); without rules, none does.

    >>> any_fires([TokenRule("new runtime")], {}, ["new runtime"]).verdict
    'true'
    """
    conditions = tuple(evaluate(rule, facts, changed_facts) for rule in rules)
    answers = {condition.verdict for condition in conditions}
    if "true" in answers:
        return Findings("true", conditions)
    return Findings("unknown" if "unknown" in answers else "false", conditions)


def all_hold(
    rules: Iterable[Rule],
    facts: Mapping[str, Observation],
    changed_facts: Collection[str] = (),
) -> Findings:
    """Return whether all *rules* hold (`reusableWhen`), none unknown, none contested.

    No rules at all permit nothing: the answer is unknown.

    >>> all_hold([], {}).verdict
    'unknown'
    """
    conditions = tuple(evaluate(rule, facts, changed_facts) for rule in rules)
    answers = {c.certain for c in conditions}
    if "false" in answers:
        return Findings("false", conditions)
    return Findings("true" if answers == {"true"} else "unknown", conditions)
