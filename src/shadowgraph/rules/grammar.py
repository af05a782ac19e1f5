"""The grammar of conditions: what may be written as a rule.

A rule is a token, a plain text, or a fact rule `{key, operator, value, unit}` that asks
one fact one question, with `equals` for an operator left out, or a tree: `{all: [...]}`,
`{any: [...]}`, `{none: [...]}` over further rules. Callers are read strictly, and a refusal
names the nearest thing that exists. Imports are read leniently: what this version cannot
evaluate becomes a `KeptRule` that still holds the rule as it came.

Reading and writing are inverse: `parse_rule(rule.to_wire()) == rule` for every rule
that `parse_rule` returns. What a rule answers is decided in `conditions`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from shadowgraph.errors import InvalidInputError, nearest
from shadowgraph.rules.instants import parse_instant
from shadowgraph.rules.operands import UNITS, show, unit_name
from shadowgraph.rules.patterns import compiled
from shadowgraph.rules.tree import JOINS, WITHOUT_VALUE, joined

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
    "exists",
    "missing",
    "matches",
    "changed_since",
)
"The names of the operators: ten of upstream, then our own."

DEPTH: Final = 8
"How deep a tree may be."
RULES: Final = 100
"Most rules in a tree."

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
        "regex": "matches",
        "regexp": "matches",
        "match": "matches",
        "=~": "matches",
        "present": "exists",
        "absent": "missing",
        "not_exists": "missing",
        "changed": "changed_since",
    }
)


class TokenRule(NamedTuple):
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


class FactRule(NamedTuple):
    """Asks one fact one question."""

    key: str
    "The key of the fact, matched literally."
    operator: str
    "One of `OPERATORS`."
    value: object = None
    "The operand; null, 0, false and the empty text are operands."
    unit: str | None = None
    "The unit in which bare numbers are read."

    @property
    def label(self) -> str:
        """The name of the rule in a list of causes."""
        return self.key

    def to_wire(self) -> object:
        """Return the rule as JSON."""
        wire: dict[str, object] = {"key": self.key, "operator": self.operator}
        if self.operator not in WITHOUT_VALUE:
            wire = {**wire, "value": self.value}
        return wire if self.unit is None else {**wire, "unit": self.unit}


class KeptRule(NamedTuple):
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


class TreeRule(NamedTuple):
    """Joins further rules."""

    join: str
    "One of `JOINS`: every part holds, one of them does, or none does."
    parts: "tuple[Rule, ...]"
    "The joined rules, at least one."

    @property
    def label(self) -> str:
        """The name of the rule in a list of causes."""
        return ", ".join(dict.fromkeys(part.label for part in self.parts))

    def to_wire(self) -> object:
        """Return the rule as JSON."""
        return {self.join: [part.to_wire() for part in self.parts]}


Rule: TypeAlias = TokenRule | FactRule | TreeRule | KeptRule
"A condition in one of its four forms."


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
    if joined(raw):
        return _tree(raw)
    _refuse_other_members(raw)
    key = _key(raw)
    operator = _operator(raw.get("operator"))
    return FactRule(key, operator, _value(raw, key, operator), _unit(raw.get("unit")))


def _tree(raw: Mapping[object, object]) -> TreeRule:
    """Read a tree strictly; its size is checked before anything in it is read."""
    _refuse_large(raw)
    join = _only_join(raw)
    return TreeRule(join, tuple(map(parse_rule, _parts(raw, join))))


def _only_join(raw: Mapping[object, object]) -> str:
    """Return the one member of a tree.

    Raises:
        InvalidInputError: there is another member beside it.
    """
    (join, *more) = (str(name) for name in raw)
    if more:
        raise InvalidInputError(
            f"a condition that joins others has one member, not {len(more) + 1}"
            f" ({', '.join((join, *more))}).",
            hint='Nest them: {"all": [{"any": [...]}, {"none": [...]}]}.',
        )
    return join


def _parts(raw: Mapping[object, object], join: str) -> list[object]:
    parts = raw[join]
    if not isinstance(parts, list | tuple) or not parts:
        raise InvalidInputError(
            f"{join} needs a list of at least one condition, not {show(parts)}."
        )
    return list(parts)


def _refuse_large(raw: object) -> None:
    level, seen, depth = [raw], 0, 0
    while level:
        depth, seen = depth + 1, seen + len(level)
        if depth > DEPTH + 1 or seen > RULES:
            raise InvalidInputError(
                f"a condition may join {RULES} others, {DEPTH} deep; this one is larger."
            )
        level = [part for one in level for part in _below(one)]


def _below(raw: object) -> list[object]:
    names = joined(raw)
    if not names or not isinstance(raw, Mapping):
        return []
    lists = (raw[name] for name in names)
    return [part for parts in lists if isinstance(parts, list | tuple) for part in parts]


def _value(raw: Mapping[object, object], key: str, operator: str) -> object:
    """Return the operand, which must be one that *operator* can use at all."""
    value = raw.get("value")
    if operator in WITHOUT_VALUE:
        if value not in (None, "") and value is not True:
            other = {"exists": "missing", "missing": "exists"}[operator]
            raise InvalidInputError(
                f"{operator} takes no value; for the opposite write {other}."
            )
        return None
    if "value" not in raw:
        raise InvalidInputError(
            f"the condition on {key!r} has no value; null, 0, false and "
            "the empty text are values, but it must be written."
        )
    if operator in ("matches", "changed_since") and not isinstance(value, str):
        wanted = "a pattern" if operator == "matches" else "an instant, ISO 8601"
        raise InvalidInputError(f"{operator} needs {wanted}, not {show(value)}.")
    if operator == "matches":
        compiled(str(value))
    elif operator == "changed_since":
        parse_instant(str(value))
    return value


def parse_rule_lenient(raw: object) -> Rule:
    """Return the rule that an import brings, kept unread where it cannot be read.

    >>> parse_rule_lenient({"key": "a", "operator": "sounds_like", "value": 1}).label
    'a'
    """
    try:
        if isinstance(raw, Mapping) and joined(raw):
            return _tree_lenient(raw)
        known = raw
        if isinstance(raw, Mapping):
            known = {name: raw[name] for name in MEMBERS if name in raw}
        return parse_rule(known)
    except InvalidInputError as error:
        return KeptRule(raw, error.message)


def _tree_lenient(raw: Mapping[object, object]) -> TreeRule:
    """Read a tree whose parts may be unreadable; a tree of two meanings is refused."""
    _refuse_large(raw)
    names: dict[object, object] = {
        name: raw[name] for name in (*JOINS, "key") if name in raw
    }
    join = _only_join(names)
    return TreeRule(join, tuple(map(parse_rule_lenient, _parts(raw, join))))


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
    name = unit_name(str(raw))
    if name is None:
        raise InvalidInputError(
            f"{show(raw)} is not a unit; use one of {', '.join(UNITS)}, "
            "or leave it out for a bare number.",
            details={"legal": list(UNITS)},
        )
    return name
