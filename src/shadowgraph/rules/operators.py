"""The operators that ask about one observed value.

Each takes the rule and the value and answers yes, no, or why there is no answer; none of
them guesses. Equality, order and units are in `operands`, patterns in `patterns`. What is
asked about the fact itself, whether there is one and since when it has its value, and how
answers combine, is in `conditions`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.grammar import FactRule
from shadowgraph.rules.operands import (
    Incomparable,
    compare,
    is_member,
    same,
    scalar_text,
    show,
)
from shadowgraph.rules.patterns import TEXT_CHARACTERS, compiled

Answer: TypeAlias = bool | Incomparable
"Yes, no, or why there is neither."


def _contains(rule: FactRule, observed: object) -> Answer:
    if isinstance(observed, list | tuple):
        return is_member(rule.value, observed)
    whole, part = scalar_text(observed), scalar_text(rule.value)
    if whole is None:
        return Incomparable("an object contains nothing that a rule could name")
    if part is None:
        return Incomparable(f"a text cannot contain {show(rule.value)}")
    return part in whole


def _in(rule: FactRule, observed: object) -> Answer:
    if not isinstance(rule.value, list | tuple):
        return Incomparable(f"{rule.operator} needs a list, not {show(rule.value)}")
    return is_member(observed, rule.value)


def _not_in(rule: FactRule, observed: object) -> Answer:
    found = _in(rule, observed)
    return found if isinstance(found, Incomparable) else not found


def _between(rule: FactRule, observed: object) -> Answer:
    match rule.value:
        case [low, high]:
            floor = compare(observed, low, rule.unit)
            ceiling = compare(observed, high, rule.unit)
        case _:
            return Incomparable(f"between needs [low, high], not {show(rule.value)}")
    if isinstance(floor, Incomparable):
        return floor
    return ceiling if isinstance(ceiling, Incomparable) else floor >= 0 >= ceiling


def _ordered(holds: Callable[[int], bool]) -> Callable[[FactRule, object], Answer]:
    def answer(rule: FactRule, observed: object) -> Answer:
        order = compare(observed, rule.value, rule.unit)
        return order if isinstance(order, Incomparable) else holds(order)

    return answer


def _matches(rule: FactRule, observed: object) -> Answer:
    text = scalar_text(observed)
    if text is None:
        return Incomparable("an object has no text that a pattern could match")
    if len(text) > TEXT_CHARACTERS:
        return Incomparable(
            f"a pattern is asked about {TEXT_CHARACTERS} characters at most"
        )
    try:
        return compiled(str(rule.value)).found_in(text)
    except InvalidInputError as error:
        return Incomparable(error.message.rstrip("."))


class Operator(NamedTuple):
    """One question about an observed value."""

    answer: Callable[[FactRule, object], Answer]
    "Answers it, or says why there is no answer."
    yes: str
    "What the sentence of a verdict says between value and operand."
    no: str


TABLE: Final[Mapping[str, Operator]] = MappingProxyType(
    {
        "equals": Operator(
            lambda rule, seen: same(seen, rule.value), "equals", "does not equal"
        ),
        "not_equals": Operator(
            lambda rule, seen: not same(seen, rule.value), "is not", "is"
        ),
        "contains": Operator(_contains, "contains", "does not contain"),
        "greater_than": Operator(
            _ordered(lambda order: order > 0), "is above", "is not above"
        ),
        "less_than": Operator(
            _ordered(lambda order: order < 0), "is below", "is not below"
        ),
        "gte": Operator(_ordered(lambda order: order >= 0), "reaches", "is below"),
        "lte": Operator(_ordered(lambda order: order <= 0), "is at most", "is more than"),
        "between": Operator(_between, "lies in", "lies outside"),
        "in": Operator(_in, "is one of", "is none of"),
        "not_in": Operator(_not_in, "is none of", "is one of"),
        "matches": Operator(_matches, "matches", "does not match"),
    }
)
"The operators that ask about a value; whether and since when there is one, `conditions` asks."
