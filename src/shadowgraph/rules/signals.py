"""The identity of a review signal: which breach it speaks of.

A signal stands for one decision and the exact set of reasons for which it is due, its
coverage. Every reason is a ground: a fired rule with the alternative it stands in, or a match,
a date reached or an outcome that failed, with its instant. So the same breach is the same
signal, in whatever order rules and alternatives are stored, and an acknowledgement holds for
it; one reason more, another rule on the same key or a later date make another signal, which
nobody has acknowledged yet.

Imported signals may have grounds without instants, tokens as matches, or no coverage at all.
They are compared by what they do hold, and where that cannot be put together completely they
cover nothing: an acknowledgement never stands for a breach it may not have seen.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping

from shadowgraph.rules.grammar import parse_rule_lenient


def rule_ground(alternative: str, rule: object) -> str:
    """Return the ground of a fired rule; *rule* is in wire shape.

    >>> rule_ground("alternative_1", {"value": 3, "key": "users"})
    '["rule","alternative_1",{"key":"users","operator":"equals","value":3}]'
    """
    return _canonical(["rule", alternative, parse_rule_lenient(rule).to_wire()])


def match_ground(text: str, at: str | None = None) -> str:
    """Return the ground of a cause that is no rule, with the instant it is of.

    >>> match_ground("review date reached", "2026-03-04T00:00:00.000Z")
    '["match","review date reached","2026-03-04T00:00:00.000Z"]'
    """
    return _canonical(["match", text] if at is None else ["match", text, at])


def coverage(grounds: Iterable[str]) -> list[str]:
    """Return the grounds of one breach: each once, sorted."""
    return sorted(set(grounds))


def signal_id(decision_id: str, grounds: Collection[str]) -> str:
    """Return the id of the signal for a breach: the same breach, the same id.

    >>> signal_id("d", ["b", "a"]) == signal_id("d", ["a", "b", "a"])
    True
    """
    text = _canonical([decision_id, *coverage(grounds)])
    return f"review_{hashlib.sha256(text.encode()).hexdigest()[:26]}"


def speaks_of(signal: Mapping[str, object], grounds: Collection[str]) -> bool:
    """Return whether a stored *signal* is the one of the breach with these *grounds*.

    >>> one, two = match_ground("a"), match_ground("b")
    >>> speaks_of({"coverage": [one]}, [one]), speaks_of({"coverage": [one]}, [one, two])
    (True, False)
    """
    held = signal.get("coverage")
    if not isinstance(held, list):
        held = _rebuilt(signal)
    if not held:
        return False
    plain = {_undated(ground) for ground in grounds}
    forms = (set(grounds), plain, {_as_match(ground) for ground in plain})
    return {str(ground) for ground in held} in forms


def _undated(ground: str) -> str:
    """Return a ground without its instant, as upstream writes it."""
    kind, text, *_ = json.loads(ground)
    return match_ground(text) if kind == "match" else ground


def _as_match(ground: str) -> str:
    """Return the ground of a token as a match of its text."""
    kind, *rest = json.loads(ground)
    is_token = kind == "rule" and isinstance(rest[-1], str)
    return match_ground(rest[-1]) if is_token else ground


def _rebuilt(signal: Mapping[str, object]) -> list[str]:
    """Put the coverage of an old signal together; empty when anything is missing."""
    conditions = signal.get("violatedConditions")
    if not isinstance(conditions, list) or not conditions:
        return []
    grounds = [_ground_of(condition) for condition in conditions]
    causes = str(signal.get("reason") or "").split(", ")
    keys = {c.get("key") for c in conditions if isinstance(c, Mapping)}
    if None in grounds or not set(causes) <= keys:
        return []
    return [ground for ground in grounds if ground is not None]


def _ground_of(condition: object) -> str | None:
    if not isinstance(condition, Mapping):
        return None
    needed = ("alternativeId", "key", "operator", "expected")
    if any(name not in condition for name in needed):
        return None
    unit = {} if condition.get("unit") is None else {"unit": condition["unit"]}
    rule = {
        "key": condition["key"],
        "operator": condition["operator"],
        "value": condition["expected"],
        **unit,
    }
    return rule_ground(str(condition["alternativeId"]), rule)


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
