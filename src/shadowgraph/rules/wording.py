"""The word lists that tell a failure from a success, compiled to patterns.

The lists are data (`index/words/*.txt`): one entry a line, `#` begins a comment, a `*`
at the end of a word stands for any ending, a space also matches a hyphen or a line
break. Entries and texts are folded alike, so case, accents and the form of the
apostrophe do not matter. Entries in a script without spaces match anywhere, the others
only as whole words.

Each list becomes one expression, built as a tree of shared beginnings, in which longer
entries win over shorter ones. It is tried only where a word begins like an entry
(`heads`), so a text costs little more than finding its words once for all lists.

An entry of two lists means something of its own, and no longer what either list says:
negation and success, a *removal*, takes a failure away ("fixed the crash", "the crash
is gone"); negation and harmless says that the outcome is *open* ("too early to tell");
failure and harmless is a *cost*, a measure of which less is better ("latency"); success
and harmless is a *gain*, of which more is better ("throughput"). `moves` tells which way
a measure went, by a verb or by two numbers ("from 9 min to 2 min").
What the matches mean together is decided in `outcome`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from shadowgraph.errors import DefinitionError

LISTS: Final = ("failure", "success", "negation", "harmless")
"The lists that `parse_failure_words` needs."

_SHARED: Final[Mapping[str, tuple[str, str]]] = {
    "removal": ("negation", "success"),
    "open": ("negation", "harmless"),
    "cost": ("failure", "harmless"),
    "gain": ("success", "harmless"),
}
"What an entry of two lists is; it stays in the second of them only."

Span: TypeAlias = tuple[int, int]
"Where a phrase begins and ends in a text."

Head: TypeAlias = tuple[str, int]
"The first letters of a word, and where the word begins."

_MARKS: Final = re.compile("[\u0300-\u036f]+")
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_HEAD: Final = re.compile(r"\b\w{1,4}")
_SHORTEST_STEM: Final = 4
_LEAF: Final = ""
# The 0 of "0.5" is no zero, so a decimal ends no word.
_WORD_END: Final = r"(?!\w|[.,]\d)"

_AMOUNT: Final = r"(\d+(?: \d{3})*[\d.,]*) ?(%|[^\W\d]+\b)?"
_CHANGE: Final = re.compile(
    rf"{_AMOUNT} ?(?:\b(?:to|auf|a|down to|up to)\b|-+>|\u2192|到|至) ?{_AMOUNT}"
)
_RATHER: Final = re.compile(
    rf"{_AMOUNT},? (?:instead of|rather than|not|statt|en (?:lugar|vez) de|au lieu de) {_AMOUNT}"
)
_UP: Final = re.compile(
    r"\b(?:rose|rises|rising|gr[eo]ws?|growing|climbed|climbs|jumped|increased|increases"
    r"|doubled|tripled|quadrupled|(?:went|goes|is|are) up|up(?= (?:by |to )?\d)"
    r"|verdoppelt|stieg|steigt|gestiegen|wachst|subio|sube|aument\w+|crec\w+|augment\w+)\b"
    r"|上升|增长|增加|翻倍|増加|増え|上がっ|倍増|倍にな|一倍"
)
_DOWN: Final = re.compile(
    r"\b(?:fell|falls|fallen|dropped|drops|decreased|decreases|sank|shrank|shrunk|halved"
    r"|(?:went|goes|is|are) down|down(?= (?:by |to )?\d)|cut|cuts|reduced|reduces|lowered"
    r"|gesenkt|sinkt|gesunken|halbiert|bajo|baja|redu\w+|disminu\w+|baiss\w+|diminu\w+)\b"
    r"|下降|降低|降到|降至|减少|短縮|減少|減っ|下がっ"
)
_STILL: Final = re.compile(
    r"[;:!?\n()\u3002\u3001]|[.,](?!\d)|\b(?:but|while|and|und|y|et|no|not|never|nicht|pas)\b"
    r"|n't\b|[不没]"
)
_SECONDS: Final[Mapping[str, float]] = {
    "us": 1e-6, "ms": 1e-3, "毫秒": 1e-3, "s": 1, "sec": 1, "second": 1, "seconds": 1,
    "秒": 1, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600,
    "kb": 1e3, "kib": 1e3, "mb": 1e6, "mib": 1e6, "gb": 1e9, "gib": 1e9, "tb": 1e12,
}  # fmt: skip
_AWAY: Final = 90

_Tree: TypeAlias = "dict[str, _Tree]"


class Phrases(NamedTuple):
    """One compiled word list."""

    heads: frozenset[str]
    "How the words begin that can begin an entry."
    spaced: re.Pattern[str]
    "Entries of scripts that put spaces between words; tried at a word's beginning."
    unspaced: re.Pattern[str] | None
    "Entries of scripts that do not; searched anywhere."

    def spans(self, text: str, heads: Sequence[Head]) -> list[Span]:
        """Return where entries stand in a folded *text* with these *heads*, in order.

        >>> phrases = _phrases(["time out", "time*"])
        >>> phrases.spans("times time-out", heads_of("times time-out"))
        [(0, 5), (6, 14)]
        """
        found: list[Span] = []
        end = 0
        known, match = self.heads, self.spaced.match
        for head, start in heads:
            if head in known and start >= end and (hit := match(text, start)):
                end = hit.end()
                found.append((start, end))
        if self.unspaced is not None and not text.isascii():
            found += [hit.span() for hit in self.unspaced.finditer(text)]
            found.sort()
        return found


class FailureWords(NamedTuple):
    """The compiled lists."""

    failure: Phrases
    "Says that something failed."
    success: Phrases
    "Says that something succeeded."
    negation: Phrases
    "Turns the word after it into its opposite."
    removal: Phrases
    "Takes a failure away, before or after it."
    open: Phrases
    "Says that nobody knows how it ended."
    cost: Phrases
    "A measure of which less is better."
    gain: Phrases
    "A measure of which more is better."
    harmless: Phrases
    "Holds a word of the other lists and says nothing."
    heads: frozenset[str]
    "How the words begin that can begin an entry of any list."

    def heads_in(self, text: str) -> list[Head]:
        """Return the words of a folded *text* at which an entry can begin.

        >>> one = dict.fromkeys(LISTS, "crash*")
        >>> parse_failure_words(one).heads_in("it crashed")
        [('cras', 3)]
        """
        known = self.heads
        return [head for head in heads_of(text) if head[0] in known]


def fold(text: str) -> str:
    """Return *text* in the form in which entries and results are compared.

    >>> fold("Échec: it Didn’t work")
    "echec: it didn't work"
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


def moves(text: str, measure: Span) -> tuple[int, Span] | None:
    """Return which way the *measure* went (1 or -1), and the words that say so.

    >>> moves("latency went from 1.9 s to 80 ms", (0, 7))
    (-1, (0, 32))
    >>> moves("cut latency by half", (4, 11))
    (-1, (0, 11))
    """
    begin, end = measure
    still = _STILL.search(text, end, end + _AWAY)
    limit = still.start() if still else end + _AWAY
    for sign, numbers in ((1, _CHANGE), (-1, _RATHER)):
        if change := numbers.search(text, end, limit):
            way = sign * _difference(*change.groups())
            return (way, (begin, change.end())) if way else None
    for way, words in ((-1, _DOWN), (1, _UP)):
        if verb := words.search(text, end, limit):
            return way, (begin, verb.end())
    return _moved_before(text, measure)


def _moved_before(text: str, measure: Span) -> tuple[int, Span] | None:
    """Return the same for a verb that stands up to two words before the measure."""
    before = text[max(0, measure[0] - _AWAY) : measure[0]]
    for way, words in ((-1, _DOWN), (1, _UP)):
        for verb in words.finditer(before):
            between = before[verb.end() :]
            if len(between.split()) < 3 and not _STILL.search(between):
                return way, (measure[0] - len(before) + verb.start(), measure[1])
    return None


def _difference(old: str, unit: str | None, new: str, new_unit: str | None) -> int:
    """Return 1 if the new quantity is larger than the old one, -1 if smaller, else 0."""
    last = _SECONDS.get(new_unit or unit or "", 1)
    first = _SECONDS.get(unit or new_unit or "", 1)
    change = _number(new) * last - _number(old) * first
    return (change > 0) - (change < 0)


def _number(digits: str) -> float:
    """Return the number that *digits* with separators mean; a lone point is decimal."""
    plain = digits.replace(" ", "")
    if "," in plain:
        plain = re.sub(r"[.,](?=\d{3}(?!\d))", "", plain)
    whole, _, rest = plain.replace(",", ".").partition(".")
    return float(f"{whole}.{rest.replace('.', '') or '0'}")


def heads_of(text: str) -> list[Head]:
    """Return the first letters of every word of a folded *text*, with their places.

    >>> heads_of("it crashed")
    [('it', 0), ('cras', 3)]
    """
    return [(found[0], found.start()) for found in _HEAD.finditer(text)]


def parse_failure_words(texts: Mapping[str, str]) -> FailureWords:
    """Return the compiled lists; *texts* maps each name in `LISTS` to its file's text.

    >>> words = parse_failure_words(
    ...     {"failure": "crash*", "success": "works", "negation": "no", "harmless": ""})
    >>> words.failure.spans("it crashed", heads_of("it crashed"))
    [(3, 10)]

    Raises:
        DefinitionError: A list is missing or an entry is malformed.
    """
    lists = {name: _entries(name, texts) for name in LISTS}
    heads = _phrases(frozenset().union(*lists.values())).heads
    for name, (first, second) in _SHARED.items():
        lists[name] = lists[first] & lists[second]
    for name, (first, _) in _SHARED.items():
        lists[first] -= lists[name]
    phrases = {name: _phrases(entries) for name, entries in lists.items()}
    return FailureWords(**phrases, heads=heads)


def _entries(name: str, texts: Mapping[str, str]) -> frozenset[str]:
    text = texts.get(name, texts.get(f"{name}.txt"))
    if text is None:
        raise DefinitionError(f"the word list {name}.txt is missing.")
    lines = enumerate(text.splitlines(), start=1)
    entries = ((number, line.split("#", 1)[0].strip()) for number, line in lines)
    return frozenset(_entry(name, number, line) for number, line in entries if line)


def _entry(name: str, number: int, line: str) -> str:
    entry = " ".join(fold(line).replace("-", " ").split())
    stem = entry.removesuffix("*")
    begins = _HEAD.match(entry)
    too_open = stem != entry and len(stem) < _SHORTEST_STEM
    if "*" in stem or begins is None or too_open:
        raise DefinitionError(
            f"words/{name}.txt line {number}: {line!r} is no entry; it must begin with "
            "a letter or digit, and a * may stand only at the very end, after at least "
            f"{_SHORTEST_STEM} letters."
        )
    return entry


def _phrases(entries: Iterable[str]) -> Phrases:
    spaced: _Tree = {}
    unspaced: _Tree = {}
    heads: set[str] = set()
    for entry in sorted(entries):
        if _UNSPACED.match(entry):
            _plant(unspaced, entry)
        else:
            _plant(spaced, entry)
            heads.update(_HEAD.findall(entry)[:1])
    return Phrases(
        frozenset(heads),
        re.compile(_branch(spaced, _WORD_END) if spaced else r"(?!)"),
        re.compile(_branch(unspaced, "")) if unspaced else None,
    )


def _plant(tree: _Tree, entry: str) -> None:
    for letter in entry:
        tree = tree.setdefault(letter, {})
    tree[_LEAF] = {}


def _branch(tree: _Tree, end: str) -> str:
    """Return the expression for *tree*, the longest continuation first."""
    letters = [letter for letter in tree if letter not in (_LEAF, "*")]
    ways = [_step(letter) + _branch(tree[letter], end) for letter in letters]
    if "*" in tree:
        ways.append(r"\w*")
    if _LEAF in tree:
        ways.append(end)
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _step(letter: str) -> str:
    return r"[\s\-]+" if letter == " " else re.escape(letter)
