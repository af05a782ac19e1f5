"""Conditions: what the rules say that reopen a decision or permit a retry.

A token fires when the caller reports that exact change, a fact rule asks one fact one
question with one of ten operators, and a kept rule cannot be evaluated.

Truth has three values. Unknown is an answer of its own: a missing fact, a missing
operand or an unreadable unit is never taken for yes or for no, and unknown never
permits anything. Every verdict says why in plain words and carries the observation
it rests on. An observation that other valid facts contradict makes the verdict
contested: it stands for `reopenWhen`, where a false alarm is cheap, and counts as
unknown for `reusableWhen`, where a false permission is not.

How a rule is written is in `grammar`, how values compare in `operands`, and which
facts hold at an instant in `validity`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from shadowgraph.rules.grammar import (
    FactRule,
    KeptRule,
    Rule,
    TokenRule,
    parse_rule,
    parse_rule_lenient,
)
from shadowgraph.rules.operands import (
    Incomparable,
    compare,
    is_member,
    same,
    scalar_text,
    show,
)

__all__ = [
    "FactRule",
    "Findings",
    "KeptRule",
    "Observation",
    "Rule",
    "TokenRule",
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

Truth: TypeAlias = Literal["true", "false", "unknown"]
"The three answers, as they are written on the wire."


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

    @property
    def contested(self) -> bool:
        """Whether other valid facts contradict the observation."""
        return self.evidence is not None and bool(self.evidence.conflicting)

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
        if seen is not None:
            wire["evidence"] = seen.to_wire()
            if seen.conflicting:
                rivals = [rival.to_wire() for rival in seen.conflicting]
                wire["conflictingEvidence"] = rivals
        return wire


def _question(rule: Rule) -> dict[str, object]:
    if isinstance(rule, TokenRule):
        return {"operator": "changed", "expected": rule.token}
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


_Answer: TypeAlias = bool | Incomparable


def _contains(rule: FactRule, observed: object) -> _Answer:
    if isinstance(observed, list | tuple):
        return is_member(rule.value, observed)
    whole, part = scalar_text(observed), scalar_text(rule.value)
    if whole is None:
        return Incomparable("an object contains nothing that a rule could name")
    if part is None:
        return Incomparable(f"a text cannot contain {show(rule.value)}")
    return part in whole


def _in(rule: FactRule, observed: object) -> _Answer:
    if not isinstance(rule.value, list | tuple):
        return Incomparable(f"{rule.operator} needs a list, not {show(rule.value)}")
    return is_member(observed, rule.value)


def _not_in(rule: FactRule, observed: object) -> _Answer:
    found = _in(rule, observed)
    return found if isinstance(found, Incomparable) else not found


def _between(rule: FactRule, observed: object) -> _Answer:
    match rule.value:
        case [low, high]:
            floor = compare(observed, low, rule.unit)
            ceiling = compare(observed, high, rule.unit)
        case _:
            return Incomparable(f"between needs [low, high], not {show(rule.value)}")
    if isinstance(floor, Incomparable):
        return floor
    return ceiling if isinstance(ceiling, Incomparable) else floor >= 0 >= ceiling


def _ordered(holds: Callable[[int], bool]) -> Callable[[FactRule, object], _Answer]:
    def answer(rule: FactRule, observed: object) -> _Answer:
        order = compare(observed, rule.value, rule.unit)
        return order if isinstance(order, Incomparable) else holds(order)

    return answer


@dataclass(frozen=True, slots=True)
class _Operator:
    answer: Callable[[FactRule, object], _Answer]
    yes: str
    no: str


_TABLE: Final[Mapping[str, _Operator]] = MappingProxyType(
    {
        "equals": _Operator(
            lambda rule, seen: same(seen, rule.value), "equals", "does not equal"
        ),
        "not_equals": _Operator(
            lambda rule, seen: not same(seen, rule.value), "is not", "is"
        ),
        "contains": _Operator(_contains, "contains", "does not contain"),
        "greater_than": _Operator(
            _ordered(lambda order: order > 0), "is above", "is not above"
        ),
        "less_than": _Operator(
            _ordered(lambda order: order < 0), "is below", "is not below"
        ),
        "gte": _Operator(_ordered(lambda order: order >= 0), "reaches", "is below"),
        "lte": _Operator(_ordered(lambda order: order <= 0), "is at most", "is more than"),
        "between": _Operator(_between, "lies in", "lies outside"),
        "in": _Operator(_in, "is one of", "is none of"),
        "not_in": _Operator(_not_in, "is none of", "is one of"),
    }
)


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
        case FactRule(key):
            seen = facts.get(key)
            if seen is None:
                return Verdict(rule, "unknown", f"No fact is known for {key}.")
            return _evaluate_fact(rule, seen)


def _evaluate_token(rule: TokenRule, reported: bool) -> Verdict:
    if reported:
        return Verdict(rule, "true", f"The caller reports the change {rule.token!r}.")
    reason = f"Nobody has reported the change {rule.token!r}."
    return Verdict(rule, "unknown", reason)


def _evaluate_fact(rule: FactRule, seen: Observation) -> Verdict:
    operator = _TABLE.get(rule.operator)
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
    stored: Mapping[str, Observation], supplied: Mapping[str, object]
) -> dict[str, Observation]:
    """Return the *stored* observations with the caller's *supplied* values on top.

    >>> overlay({"a": Observation(1, "fact_1")}, {"a": 2})["a"].value
    2
    """
    return {**stored, **{key: Observation(value) for key, value in supplied.items()}}


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
    answers = {"unknown" if c.contested else c.verdict for c in conditions}
    if "false" in answers:
        return Findings("false", conditions)
    return Findings("true" if answers == {"true"} else "unknown", conditions)
