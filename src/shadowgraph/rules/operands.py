"""How two JSON values compare: equality, membership, text, and order with units.

Equality is deep and follows JSON, not Python: `1` equals `1.0`, `true` does not equal
`1`, objects compare by members, arrays by position. Nothing is coerced: the text "5"
is not the number 5.

Order exists between two instants, or between two quantities of one dimension. A bare
number is read in the unit that the rule declares; a value that brings a unit along
needs a rule that declares one. Whatever has no order is answered with an
`Incomparable` and its reason, never with a guess: a small `m` is minutes, a large one
could be millions; `kb` and `KB` are bytes, `Kb` could be bits. Bytes count in thousands
(`kb`, `mb`) or in 1,024 (`kib`, `mib`), as written. Quantities are exact fractions, so
0.29 s is exactly 290 ms.

What an operator means is decided in `conditions`.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from shadowgraph.rules.instants import instant_or_none

UNITS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        "ms": ("duration", 1),
        "s": ("duration", 1_000),
        "sec": ("duration", 1_000),
        "min": ("duration", 60_000),
        "mins": ("duration", 60_000),
        "minute": ("duration", 60_000),
        "minutes": ("duration", 60_000),
        "m": ("duration", 60_000),
        "h": ("duration", 3_600_000),
        "hr": ("duration", 3_600_000),
        "d": ("duration", 86_400_000),
        "%": ("percent", 1),
        "pct": ("percent", 1),
        "b": ("size", 1),
        "byte": ("size", 1),
        "bytes": ("size", 1),
        "kb": ("size", 1_000),
        "mb": ("size", 1_000**2),
        "gb": ("size", 1_000**3),
        "tb": ("size", 1_000**4),
        "kib": ("size", 1_024),
        "mib": ("size", 1_024**2),
        "gib": ("size", 1_024**3),
        "tib": ("size", 1_024**4),
    }
)
"Every unit with its dimension and its size in the dimension's smallest unit."

_AMBIGUOUS: Final = frozenset({"M", "Kb", "Mb", "Gb", "Tb"})
"Spellings that mean something else than their lower case."

_QUANTITY: Final = re.compile(r"\s*(-?[0-9]+(?:\.[0-9]+)?)\s*([^\W\d_]+|%)?\s*")
_SHOWN: Final = 80


class Incomparable(NamedTuple):
    """Why two values have no answer, in plain words."""

    reason: str
    "A clause without a full stop."


class Quantity(NamedTuple):
    """A number in the smallest unit of its dimension."""

    dimension: str | None
    "`duration`, `percent`, `size`, or None for a bare number without a unit."
    magnitude: Fraction
    "The exact number."


def is_number(value: object) -> bool:
    """Return whether *value* is a finite JSON number; true and false are none.

    >>> is_number(1), is_number(True)
    (True, False)
    """
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def same(left: object, right: object) -> bool:
    """Return whether two JSON values are deeply equal.

    >>> same({"a": [1, None]}, {"a": [1.0, None]}), same(1, True)
    (True, False)
    """
    # A stack instead of recursion: imported values may be nested without measure.
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        parts = _pairs(one, other)
        if parts is None:
            return False
        pending.extend(parts)
    return True


def _pairs(one: object, other: object) -> Iterable[tuple[object, object]] | None:
    """Return what is left to compare, or None when the values differ already."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return [(one[k], other[k]) for k in one] if one.keys() == other.keys() else None
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(zip(one, other, strict=True)) if len(one) == len(other) else None
    if isinstance(one, bool) or isinstance(other, bool):
        return [] if one is other else None
    return [] if one == other else None


def is_member(value: object, values: Iterable[object]) -> bool:
    """Return whether some item of *values* deeply equals *value*.

    >>> is_member([1], [[1.0], 2])
    True
    """
    return any(same(value, item) for item in values)


def scalar_text(value: object) -> str | None:
    """Return the JSON text of a scalar without quotes, None for objects and arrays.

    >>> scalar_text(True), scalar_text(2.0), scalar_text("a"), scalar_text([])
    ('true', '2', 'a', None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list | tuple):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value)


def show(value: object) -> str:
    """Return *value* as short JSON for a sentence.

    >>> show({"a": "b"})
    '{"a": "b"}'
    """
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def unit_name(text: str) -> str | None:
    """Return the unit that *text* names, in its one spelling; None when it names none.

    >>> unit_name("MiB"), unit_name("m"), unit_name("M"), unit_name("Mb")
    ('mib', 'm', None, None)
    """
    name = text.strip()
    folded = name.lower()
    return folded if folded in UNITS and name not in _AMBIGUOUS else None


def quantity(value: object, unit: str | None) -> Quantity | Incomparable:
    """Return the quantity that *value* is, a bare number being in *unit*.

    >>> quantity("1.5 s", "ms").magnitude
    Fraction(1500, 1)
    """
    read = _number_and_suffix(value)
    if read is None:
        return Incomparable(f"{show(value)} is neither a number nor an instant")
    number, suffix = read
    if suffix and unit is None:
        return Incomparable(f"{show(value)} carries a unit and the rule declares none")
    name = suffix or unit
    if name is None:
        return Quantity(None, number)
    known = unit_name(name)
    if known is None:
        return Incomparable(f"{show(name)} is not a known unit ({', '.join(UNITS)})")
    dimension, size = UNITS[known]
    return Quantity(dimension, number * size)


def _number_and_suffix(value: object) -> tuple[Fraction, str] | None:
    if is_number(value):
        # repr gives the decimal a person wrote; the binary fraction would not.
        return Fraction(value if isinstance(value, int) else repr(value)), ""
    found = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        return Fraction(found[1]), found[2] or ""
    except ValueError:  # Python refuses to read a number of thousands of digits.
        return None


def compare(observed: object, expected: object, unit: str | None) -> int | Incomparable:
    """Return -1, 0 or 1 as *observed* is below, at or above *expected*.

    >>> compare("2 min", 90, "s")
    1
    """
    times = instant_or_none(observed), instant_or_none(expected)
    if times[0] is not None and times[1] is not None:
        return (times[0] > times[1]) - (times[0] < times[1])
    if times[0] is not None or times[1] is not None:
        timed, other = (
            (observed, expected) if times[0] is not None else (expected, observed)
        )
        return Incomparable(f"{show(timed)} is an instant and {show(other)} is not")
    return _compare_quantities(quantity(observed, unit), quantity(expected, unit))


def _compare_quantities(
    left: Quantity | Incomparable, right: Quantity | Incomparable
) -> int | Incomparable:
    if isinstance(left, Incomparable):
        return left
    if isinstance(right, Incomparable):
        return right
    if left.dimension != right.dimension:
        return Incomparable(
            f"a {left.dimension or 'bare number'} cannot be compared "
            f"with a {right.dimension or 'bare number'}"
        )
    return (left.magnitude > right.magnitude) - (left.magnitude < right.magnitude)
