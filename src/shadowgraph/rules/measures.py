"""Which way a measure went: by a verb, by two numbers, or by the unit of two numbers.

"Latency rose", "from 9 min to 2 min", "4.1 s -> 900 ms", "12 s, it was 3 s". Whether the
way is good depends on the measure, and the word lists know the measures: a *cost* is better
low, a *gain* is better high. Two numbers without a measure are judged by their unit:
less time and fewer bytes are better, more frames a second are; a setting ("raised the
timeout from 30 s to 60 s") is no measure.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]
"Where a phrase begins and ends in a text."

_AMOUNT: Final = r"(\d+(?: \d{3})*[\d.,]*) ?(%|[^\W\d]+(?:/[^\W\d]+)?\b|\$|\u20ac)?"
_SHORT: Final = r"(\d+(?: \d{3})*[\d.,]*) ?(%|毫秒|分钟|小时|時間|秒|分|件|个|個|[a-z]+\b)?"
_CHANGE: Final = re.compile(
    rf"{_AMOUNT} ?(?:\b(?:to|auf|a|down to|up to)\b|-+>|\u2192|=>) ?{_AMOUNT}"
    rf"|{_SHORT} ?(?:到|至|降到|降至|升到|变成|变为|减到|から) ?{_SHORT}"
)
_BEFORE: Final = (
    r"(?:instead of|rather than|not|statt|anstatt|anstelle von|en (?:lugar"
    r"|vez) de|au lieu d[e']"
    r"|(?:it |this |which |that )?(?:was|were|used to be|took)|(?:up|down) from"
    r"|against|versus"
    r"|vs\.?|compared (?:to|with)|before:?|previously:?|vorher|zuvor|bisher|antes"
    r"|avant|contre"
    r"|contra|gegenuber|原来(?:是)?|之前(?:是)?|以前(?:は)?|従来(?:は)?)"
)
_RATHER: Final = re.compile(rf"{_AMOUNT},? ?\(?{_BEFORE} ?{_AMOUNT}")
_THEN_NOW: Final = re.compile(
    rf"{_AMOUNT} (?:before|earlier|previously|vorher|antes"
    rf"|avant)(?: the change)?[,;]? (?:and |und |y |et )?"
    rf"{_AMOUNT} ?(?:after|now|since|today|jetzt|nachher|danach|ahora|despues"
    rf"|maintenant|apres)"
    rf"|(?:before|vorher|antes|avant|was|war|之前|以前は?):? {_AMOUNT}[,;]? ?(?:(?:and"
    rf"|und|y|et) )?"
    rf"(?:after\w*|now|is|jetzt|nachher|ist|ahora|despues|maintenant|apres|现在"
    rf"|今は?):? (?:now )?{_AMOUNT}"
)
_NOTHING: Final = re.compile(
    r"\b(?:to|auf|a|bei|at|back to) (?:zero|none|nothing|null|cero|0)(?![\w%]|[.,]\d)"
    r"|降到零|归零|ゼロにな"
)
_KEPT: Final = r"\b(?:is|are|was|stays?|stayed|remains?|remained|holds?|sits?) (?:\w+ )?"
_UNDER: Final = re.compile(
    rf"{_KEPT}(?:under|below|within|inside)\b|\b(?:under|below) (?:an?|\d)"
)
_OVER: Final = re.compile(rf"{_KEPT}(?:over|above|beyond)\b|\b(?:over|above) \d")
_STILL: Final = re.compile(
    r"[;:!?\n()\u3002]|[.,](?!\d)|\b(?:but|while|and|und|y|et|no|not|never|nicht|pas)\b"
    r"|n't\b|[不没]"
)
_RATHER_STILL: Final = re.compile(
    r"[;!?\n\u3002]|[.](?!\d)|\b(?:but|while|and|und|y|et|aber|pero|mais)\b"
)
_SECONDS: Final = {
    "us": 1e-6, "ms": 1e-3, "毫秒": 1e-3, "s": 1, "sec": 1, "secs": 1, "second": 1,
    "seconds": 1, "sekunde": 1, "sekunden": 1, "segundo": 1, "segundos": 1, "seconde": 1,
    "secondes": 1, "秒": 1, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60,
    "minuto": 60, "minutos": 60, "分": 60, "分钟": 60, "h": 3600, "hour": 3600, "hours": 3600,
    "stunde": 3600, "stunden": 3600, "hora": 3600, "horas": 3600, "heure": 3600,
    "heures": 3600, "小时": 3600, "時間": 3600, "day": 86400, "days": 86400, "tage": 86400,
    "dias": 86400, "jours": 86400,
}  # fmt: skip
_BYTES: Final = {
    "kb": 1e3, "kib": 1e3, "mb": 1e6, "mib": 1e6, "mo": 1e6, "gb": 1e9, "gib": 1e9, "go": 1e9,
    "ko": 1e3, "tb": 1e12, "tib": 1e12,
    "k": 1e3, "k/s": 1e3,
}  # fmt: skip
_SIZES: Final = _SECONDS | _BYTES
_RATES: Final = frozenset(
    {
        "fps",
        "rps",
        "qps",
        "tps",
        "iops",
        "mb/s",
        "mbit/s",
        "gb/s",
        "gbit/s",
        "req/s",
        "ops/s",
    }
)
_MEASURED: Final = frozenset(_SIZES) | _RATES
_SETTING: Final = re.compile(
    r"\b(?:time ?outs?|intervals?|limits?|ttl|retention|window|threshold|quota"
    r"|period|delay|cap"
    r"|budget|pool|batch|uptime|lasts?|frist|limite|intervalo|intervalle|seuil|umbral)\b"
    r"|间隔|超时|上限|閾値|間隔|タイムアウト"
)
_QUANTITY: Final = re.compile(r"\d+")
_UNIT: Final = re.compile(r"\d ?([^\W\d_]+(?:/[^\W\d_]+)?)")
_TWO: Final = 2
_DIGIT: Final = re.compile(r"\d")
_AWAY: Final = 90
_BETWEEN: Final = 3


@dataclass(slots=True)
class Moves:
    """Where a text says that something rose, and where that something fell."""

    rises: Sequence[Span]
    falls: Sequence[Span]

    def of(self, text: str, measure: Span) -> tuple[int, Span] | None:
        """Return which way the *measure* went (1 or -1), and the words that say so.

        >>> Moves([], []).of("latency went from 1.9 s to 80 ms", (0, 7))
        (-1, (0, 32))
        >>> Moves([], [(0, 3)]).of("cut latency by half", (4, 11))
        (-1, (0, 11))
        """
        begin, end = measure
        still = _STILL.search(text, end, end + _AWAY)
        limit = still.start() if still else min(len(text), end + _AWAY)
        if _DIGIT.search(text, end, end + _AWAY) and (change := _numbers(text, end, limit)):
            way, stop = change
            return (way, (begin, stop)) if way else None
        for way, spans in ((-1, self.falls), (1, self.rises)):
            at = bisect_left(spans, (end, 0))
            if at < len(spans) and spans[at][1] <= limit:
                return way, (begin, spans[at][1])
        for way, words in ((-1, _NOTHING), (-1, _UNDER), (1, _OVER)):
            if verb := words.search(text, end, limit):
                return way, (begin, verb.end())
        return self._before(text, measure)

    def _before(self, text: str, measure: Span) -> tuple[int, Span] | None:
        """Return the same for a verb that stands up to two words before the measure."""
        begin, end = measure
        for way, spans in ((-1, self.falls), (1, self.rises)):
            at = bisect_left(spans, (begin, 0))
            if at and begin - _AWAY <= spans[at - 1][0] and spans[at - 1][1] <= begin:
                start, stop = spans[at - 1]
                between = text[stop:begin]
                if len(between.split()) < _BETWEEN and not _STILL.search(between):
                    return way, (start, end)
        return None


def _numbers(text: str, start: int, limit: int) -> tuple[int, int] | None:
    """Return which way two numbers behind *start* go, and where they end."""
    if change := _CHANGE.search(text, start, limit):
        return _difference(change), change.end()
    if then := _THEN_NOW.search(text, start, start + _AWAY):
        return _difference(then), then.end()
    if rather := _instead(text, start):
        return -_difference(rather), rather.end()
    return None


def _instead(text: str, start: int) -> re.Match[str] | None:
    """Return a number and what it was instead of, not far behind *start*.

    A comma may stand between the two, and a "not".
    """
    end = _RATHER_STILL.search(text, start, start + _AWAY)
    return _RATHER.search(text, start, end.start() if end else start + _AWAY)


def unnamed(text: str) -> tuple[bool, Span] | None:
    """Return whether two numbers without a measure got better, by unit, and where.

    >>> unnamed("whole suite 4.1 s -> 900 ms"), unnamed("timeout 30 s -> 60 s")
    ((True, (12, 27)), None)
    """
    # Most texts hold no two quantities, and looking for what joins them costs more.
    if len(_QUANTITY.findall(text)) < _TWO or _MEASURED.isdisjoint(_UNIT.findall(text)):
        return None
    for sign, numbers in ((1, _CHANGE), (1, _THEN_NOW), (-1, _RATHER)):
        found = numbers.search(text)
        if found is None:
            continue
        unit = next((u for u in _units(found) if u), "")
        gain = unit in _RATES
        start = max(0, found.start() - _AWAY)
        if not (gain or unit in _SIZES) or _SETTING.search(text, start, found.end()):
            continue
        if way := sign * _difference(found):
            return (way > 0) == gain, found.span()
    return None


def _units(change: re.Match[str]) -> tuple[str | None, str | None]:
    """Return the units of the two amounts that *change* found."""
    _, unit, _, new_unit = _parts(change)
    return new_unit, unit


def _parts(change: re.Match[str]) -> tuple[str, str | None, str, str | None]:
    """Return number and unit of the two amounts, from whichever notation matched."""
    groups = change.groups()
    old, unit, new, new_unit = groups[:4] if groups[0] is not None else groups[4:]
    return old, unit, new, new_unit


def _difference(change: re.Match[str]) -> int:
    """Return 1 if the second quantity is larger than the first, -1 if smaller, else 0."""
    old, unit, new, new_unit = _parts(change)
    # "from 8 to 2 seconds": a unit that is missing, or no unit, is that of the other.
    unit, new_unit = (u if u in _SIZES else None for u in (unit, new_unit))
    last = _SIZES.get(new_unit or unit or "", 1)
    first = _SIZES.get(unit or new_unit or "", 1)
    difference = _number(new) * last - _number(old) * first
    return (difference > 0) - (difference < 0)


def _number(digits: str) -> float:
    """Return the number that *digits* with separators mean; a lone point is decimal."""
    plain = digits.replace(" ", "")
    if "," in plain:
        plain = re.sub(r"[.,](?=\d{3}(?!\d))", "", plain)
    whole, _, rest = plain.replace(",", ".").partition(".")
    return float(f"{whole}.{rest.replace('.', '') or '0'}")
