"""The word lists that tell a failure from a success, compiled to patterns.

The lists are data (`index/words/*.txt`): one entry a line, `#` begins a comment, a `*`
at the end of a word stands for any ending, a space also matches a hyphen or a line
break. Entries and texts are folded alike, so case, accents and the form of the
apostrophe do not matter. Entries in a script without spaces match anywhere, the others
only as whole words.

Entries with the same beginning become one expression, a tree of shared letters in which
longer entries win over shorter ones. It is compiled when a text first holds a word that
begins so, and tried only at such words: a text costs little more than finding its words
once for all lists, and thousands of entries cost nothing before they are met. The
patterns of `constructions` are tried in the same pass and count like entries.

An entry of two lists means something of its own, and no longer what either list says:
negation and success, a *removal*, takes a failure away ("fixed the crash", "the crash
is gone"); negation and harmless says that the outcome is *open* ("too early to tell");
failure and harmless is a *cost*, a measure of which less is better ("latency"); success
and harmless is a *gain*, of which more is better ("throughput"). `measures` tells which
way a measure went. What the matches mean together is decided in `reading`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from shadowgraph.errors import DefinitionError
from shadowgraph.rules import constructions
from shadowgraph.rules.ending import LISTS

_SHARED: Final[Mapping[str, tuple[str, str]]] = {
    "removal": ("negation", "success"),
    "open": ("negation", "harmless"),
    "cost": ("failure", "harmless"),
    "gain": ("success", "harmless"),
}
"What an entry of two lists is; it stays in the second of them only."

Span: TypeAlias = tuple[int, int]
"Where a phrase begins and ends in a text."

_MARKS: Final = re.compile("[\u0300-\u036f]+")
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_HEAD: Final = re.compile(r"\b(\w{1,4})(?=[\s\-]*(\w?))")
_ANY: Final = "*"
_SHORTEST_STEM: Final = 4
_LEAF: Final = ""
# The 0 of "0.5" is no zero, so a decimal ends no word.
_WORD_END: Final = r"(?!\w|[.,]\d)"

_NAMES: Final = (*LISTS, *_SHARED)

_Tree: TypeAlias = "dict[str, _Tree]"
_Patterns: TypeAlias = tuple[tuple[str, re.Pattern[str], bool], ...]


@dataclass(frozen=True, slots=True)
class FailureWords:
    """The compiled lists.

    The names are those of `LISTS`, and removal, open, cost and gain for what stands in two.
    """

    entries: Mapping[str, frozenset[str]]
    "The folded entries of each list."
    _starts: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]] = field(
        compare=False, repr=False
    )
    "Entries by their head, the letter that follows it (or _ANY), and their list."
    _spaced: dict[tuple[str, str], _Patterns] = field(
        compare=False, repr=False, default_factory=dict
    )
    "The same, compiled; a beginning is compiled when a text first holds it."
    _listed: dict[tuple[str, str], _Patterns] = field(
        compare=False, repr=False, default_factory=dict
    )
    "Of these, what stands in the lists."
    _unspaced: dict[str, re.Pattern[str]] = field(
        compare=False, repr=False, default_factory=dict
    )
    "Entries of scripts without spaces, compiled for the first text that needs them."

    def find(self, text: str) -> dict[str, list[Span]]:
        """Return where entries of each list, and what counts like one, stand in a folded *text*.

        >>> words = parse_failure_words(dict.fromkeys(LISTS, "") | {"deed": "crash*"})
        >>> words.find("it crashed")["deed"]
        [(3, 10)]
        """
        found: dict[str, list[Span]] = {name: [] for name in _NAMES}
        known, spaced = self._starts, self._spaced
        for hit in _HEAD.finditer(text):
            key = (hit[1], hit[2])
            patterns = spaced.get(key)
            if patterns is None:
                if key[0] not in known:
                    continue
                patterns = self._compile(*key)
            start = hit.start()
            for name, pattern, listed in patterns:
                if match := pattern.match(text, start):
                    spans = found[name]
                    if not listed or not spans or start >= spans[-1][1]:
                        spans.append(match.span())
        if without_spaces(text):
            self._search(text, found)
        return found

    def _search(self, text: str, found: dict[str, list[Span]]) -> None:
        """Add where entries of scripts without spaces stand."""
        for name, pattern in (*self._anywhere().items(), *constructions.anywhere()):
            if hits := [hit.span() for hit in pattern.finditer(text)]:
                found[name] = sorted(found[name] + hits)

    def _compile(self, head: str, following: str) -> _Patterns:
        """Return the patterns for a word that begins so; the letter alone may rule all out."""
        begins = self._starts[head]
        # Many letters follow a head in texts, and few of them in an entry.
        key = (head, following if following in begins else _ANY)
        if key not in self._listed:
            some = begins.get(key[1], {})
            always = begins.get(_ANY, {}) if key[1] != _ANY else {}
            self._listed[key] = tuple(
                (
                    name,
                    _compiled([*some.get(name, ()), *always.get(name, ())], _WORD_END),
                    True,
                )
                for name in {**some, **always}
            )
        made = constructions.beginning(head, following)
        patterns = (*self._listed[key], *((name, pattern, False) for name, pattern in made))
        self._spaced[head, following] = patterns
        return patterns

    def _anywhere(self) -> Mapping[str, re.Pattern[str]]:
        if not self._unspaced:
            for name, entries in self.entries.items():
                if some := [entry for entry in entries if _UNSPACED.match(entry)]:
                    self._unspaced[name] = _compiled(some, "")
        return self._unspaced


def without_spaces(text: str) -> bool:
    """Whether a folded *text* holds a script that puts no spaces between words.

    >>> without_spaces("caf\u00e9"), without_spaces("\u5931\u8d25")
    (False, True)
    """
    return not text.isascii() and _UNSPACED.search(text) is not None


def fold(text: str) -> str:
    """Return *text* in the form in which entries and results are compared.

    >>> fold("Échec: it Didn’t work")
    "echec: it didn't work"
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


def parse_failure_words(texts: Mapping[str, str]) -> FailureWords:
    """Return the compiled lists; *texts* maps each name in `LISTS` to its file's text.

    >>> words = parse_failure_words(dict.fromkeys(LISTS, "") | {"failure": "crash*"})
    >>> words.entries["failure"]
    frozenset({'crash*'})

    Raises:
        DefinitionError: A list is missing or an entry is malformed.
    """
    lists = {name: _entries(name, texts) for name in LISTS}
    for name, (first, second) in _SHARED.items():
        lists[name] = lists[first] & lists[second]
    for name, (first, _) in _SHARED.items():
        lists[first] -= lists[name]
    starts: dict[str, dict[str, dict[str, list[str]]]] = {
        head: {} for head in constructions.ROWS
    }
    for name, entries in lists.items():
        for entry in entries:
            if not _UNSPACED.match(entry):
                head, following = _beginning(entry)
                by_letter = starts.setdefault(head, {}).setdefault(following, {})
                by_letter.setdefault(name, []).append(entry)
    return FailureWords(lists, starts)


def _beginning(entry: str) -> tuple[str, str]:
    """Return the head of an entry, and the letter that must follow it, if any must."""
    found = _HEAD.match(entry)
    head, following = (found[1], found[2]) if found else (entry[:1], _ANY)
    rest = entry[len(head) :]
    return head, _ANY if rest in ("", "*") else following


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


def _compiled(entries: Iterable[str], end: str) -> re.Pattern[str]:
    """Return the expression of a tree of shared beginnings."""
    root: _Tree = {}
    for entry in sorted(entries):
        tree = root
        for letter in entry:
            tree = tree.setdefault(letter, {})
        tree[_LEAF] = {}
    return re.compile(_branch(root, end))


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
