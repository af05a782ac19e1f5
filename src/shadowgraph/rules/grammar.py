"""The grammar of conditions: what may be written as a rule.

A rule is a token, a plain text, or a fact rule `{key, operator, value, unit}` that asks
one fact one question; the operator defaults to `equals`. Callers are read strictly,
and a refusal names the nearest thing that exists. Imports are read leniently: what
this version cannot evaluate becomes a `KeptRule` that still holds the rule as it came.

Reading and writing are inverse: `parse_rule(rule.to_wire()) == rule` for every rule
that `parse_rule` returns. What a rule answers is decided in `conditions`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from shadowgraph.errors import InvalidInputError, nearest
from shadowgraph.rules.operands import UNITS, show

OPERATORS: Final = (
    "equals",
    "not_equals",
    "contains",
    "greater_than",
    "less_than",
    "gte",
    "lte",
    "between",
    "in",
    "not_in",
)
"The names of the ten operators."

MEMBERS: Final = ("key", "operator", "value", "unit")
"The members of a fact rule on the wire."


_ALSO_CALLED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "=": "equals",
        "==": "equals",
        "===": "equals",
        "eq": "equals",
        "is": "equals",
        "!=": "not_equals",
        "<>": "not_equals",
        "ne": "not_equals",
        "neq": "not_equals",
        ">": "greater_than",
        "gt": "greater_than",
        "<": "less_than",
        "lt": "less_than",
        ">=": "gte",
        "ge": "gte",
        "<=": "lte",
        "le": "lte",
        "includes": "contains",
        "nin": "not_in",
        "one_of": "in",
    }
)


@dataclass(frozen=True, slots=True)
class TokenRule:
    """Fires when the caller reports exactly this change."""

    token: str
    "The text to find among the changed facts."

    @property
    def label(self) -> str:
        """The name of the rule in a list of causes."""
        return self.token

    def to_wire(self) -> object:
        """Return the rule as JSON."""
        return self.token


@dataclass(frozen=True, slots=True)
class FactRule:
    """Asks one fact one question."""

    key: str
    "The key of the fact, matched literally."
    operator: str
    "One of `OPERATORS`."
    value: object
    "The operand; null, 0, false and the empty text are operands."
    unit: str | None = None
    "The unit in which bare numbers are read."

    @property
    def label(self) -> str:
        """The name of the rule in a list of causes."""
        return self.key

    def to_wire(self) -> object:
        """Return the rule as JSON."""
        wire = {"key": self.key, "operator": self.operator, "value": self.value}
        return wire if self.unit is None else {**wire, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class KeptRule:
    """An imported rule that this version cannot evaluate."""

    raw: object
    "The rule as it came."
    problem: str
    "Why it cannot be evaluated."

    @property
    def label(self) -> str:
        """The name of the rule in a list of causes."""
        key = self.raw.get("key") if isinstance(self.raw, Mapping) else None
        return key if isinstance(key, str) else show(self.raw)

    def to_wire(self) -> object:
        """Return the rule as JSON, unchanged."""
        return self.raw


Rule: TypeAlias = TokenRule | FactRule | KeptRule
"A condition in one of its three forms."


def parse_rule(raw: object) -> Rule:
    """Return the rule that a caller wrote.

    >>> parse_rule({"key": "p99", "operator": "gte", "value": 200, "unit": "ms"})
    FactRule(key='p99', operator='gte', value=200, unit='ms')

    Raises:
        InvalidInputError: The rule is none; the message names what would be one.
    """
    if isinstance(raw, str):
        if not raw.strip():
            raise InvalidInputError("a condition cannot be an empty text.")
        return TokenRule(raw)
    if not isinstance(raw, Mapping):
        raise InvalidInputError(
            f"{show(raw)} is not a condition; write a text, or an object like "
            '{"key": "p99", "operator": "greater_than", "value": 200, "unit": "ms"}.'
        )
    _refuse_other_members(raw)
    key = _key(raw)
    operator = _operator(raw.get("operator"))
    if "value" not in raw:
        raise InvalidInputError(
            f"the condition on {key!r} has no value; null, 0, false and "
            "the empty text are values, but it must be written."
        )
    return FactRule(key, operator, raw["value"], _unit(raw.get("unit")))


def parse_rule_lenient(raw: object) -> Rule:
    """Return the rule that an import brings, kept unread where it cannot be read.

    >>> parse_rule_lenient({"key": "a", "operator": "sounds_like", "value": 1}).label
    'a'
    """
    known = raw
    if isinstance(raw, Mapping):
        known = {name: raw[name] for name in MEMBERS if name in raw}
    try:
        return parse_rule(known)
    except InvalidInputError as error:
        return KeptRule(raw, error.message)


def _refuse_other_members(raw: Mapping[object, object]) -> None:
    for name in raw:
        if name not in MEMBERS:
            close = nearest(str(name), MEMBERS, most=1)
            guess = f" Did you mean {close[0]!r}?" if close else ""
            raise InvalidInputError(
                f"a condition has no member {name!r}; it has {', '.join(MEMBERS)}.{guess}"
            )


def _key(raw: Mapping[object, object]) -> str:
    key = raw.get("key")
    if not isinstance(key, str) or not key.strip():
        raise InvalidInputError("a condition needs a key, the name of a fact.")
    return key


def _operator(raw: object) -> str:
    if raw is None or raw == "":
        return "equals"
    name = str(raw).strip().lower().replace("-", "_")
    if name in OPERATORS:
        return name
    close = _ALSO_CALLED.get(name) or next(iter(nearest(name, OPERATORS, most=1)), None)
    guess = f" Did you mean {close}?" if close else ""
    raise InvalidInputError(
        f"{show(raw)} is not an operator; use one of {', '.join(OPERATORS)}.{guess}",
        details={"legal": list(OPERATORS), "nearest": [close] if close else []},
    )


def _unit(raw: object) -> str | None:
    if raw is None or raw == "":
        return None
    name = str(raw).strip().lower()
    if name not in UNITS:
        raise InvalidInputError(
            f"{show(raw)} is not a unit; use one of {', '.join(UNITS)}, "
            "or leave it out for a bare number.",
            details={"legal": list(UNITS)},
        )
    return name
