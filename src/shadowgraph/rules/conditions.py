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
in `tree`, what an answer is in `findings`, and which facts hold at an instant in `validity`.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from shadowgraph.rules.findings import Findings, Observation, Verdict
from shadowgraph.rules.grammar import (
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
from shadowgraph.rules.tree import WITHOUT_VALUE, Truth, join

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
        return Observation(value, since=before.since, replaced=before.replaced)
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
