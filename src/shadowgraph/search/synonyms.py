"""Words that mean the same: what else a text could have said.

A line of `index/words/synonyms.txt` is a *sense*: entries that mean the same. They are
compared by stems, so an entry stands for all its forms, and an entry of several words counts
only where its stems stand side by side. Senses are disjoint, which makes the relation
symmetric and keeps it from wandering from word to word to the opposite.

Only comparing an action with an attempt reads this. A search does not: there a word of the
same meaning would stand beside the word itself, with no way to say which was asked for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from shadowgraph.search.analyzer import Analyzer

Senses = tuple[tuple[str, ...], ...]
"Entries by sense, as they are written in the file."
Phrase = tuple[str, ...]
"The stems of an entry."


class Meant(NamedTuple):
    """What means the same as a word, or as any word of a text."""

    words: frozenset[str]
    "Stems."
    phrases: frozenset[Phrase]
    "Stems that must stand side by side."

    def stems_in(self, sequence: str, stems: frozenset[str]) -> set[str]:
        """Return which stems of a text mean this; *sequence* is in order, in spaces."""
        found = set(self.words & stems)
        for phrase in self.phrases:
            if phrase[0] in stems and f" {' '.join(phrase)} " in sequence:
                found.update(phrase)
        return found


class Synonyms:
    """The senses, taken apart by one analyzer as far as somebody asks for them.

    A hook compares a dozen words and ends; stemming all entries would be a tenth of its time.
    """

    def __init__(self, senses: Senses, analyzer: Analyzer) -> None:
        """Part the entries of *senses* by how they begin."""
        self._senses = senses
        self._analyzer = analyzer
        self._written: dict[str, list[tuple[str, int]]] = {}
        for number, entries in enumerate(senses):
            for entry in entries:
                self._written.setdefault(beginning(entry), []).append((entry, number))
        self._read: dict[str, dict[str, list[tuple[Phrase, int]]]] = {}

    def _stems(self, entry: str) -> Phrase:
        return tuple(self._analyzer.fields(entry)[0].split())

    def _beginning_with(self, stem: str) -> Sequence[tuple[Phrase, int]]:
        """Return the entries that begin with *stem*, the longest first, and their senses."""
        begins = beginning(stem)
        if begins not in self._read:
            read: dict[str, list[tuple[Phrase, int]]] = {}
            for entry, number in self._written.get(begins, ()):
                phrase = self._stems(entry)
                read.setdefault(phrase[0], []).append((phrase, number))
            for entries in read.values():
                entries.sort(key=lambda entry: -len(entry[0]))
            self._read[begins] = read
        return self._read[begins].get(stem, ())

    def of(self, stems: Sequence[str]) -> dict[str, Meant]:
        """Return what means the same as each of *stems*, which are in order."""
        found: dict[str, set[int]] = {}
        for phrase, number in self._entries(stems):
            for stem in phrase:
                found.setdefault(stem, set()).add(number)
        return {stem: self._meant(numbers) for stem, numbers in found.items()}

    def _entries(self, stems: Sequence[str]) -> Iterator[tuple[Phrase, int]]:
        """Yield the longest entry that begins at each place, where there is one."""
        for at, stem in enumerate(stems):
            for phrase, number in self._beginning_with(stem):
                if tuple(stems[at : at + len(phrase)]) == phrase:
                    yield phrase, number
                    break

    def _meant(self, numbers: set[int]) -> Meant:
        written = [entry for number in numbers for entry in self._senses[number]]
        entries = [self._stems(entry) for entry in written]
        return Meant(
            frozenset(entry[0] for entry in entries if len(entry) == 1),
            frozenset(entry for entry in entries if len(entry) > 1),
        )


def beginning(text: str) -> str:
    """Return what a word and its stem have in common: `dying` is stemmed to `die`.

    >>> beginning("Locked"), beginning("die"), beginning("dying")
    ('lo', 'di', 'di')
    """
    return text.split(" ", 1)[0][:2].casefold().replace("y", "i")


def together(meant: Sequence[Meant]) -> Meant:
    """Return what means the same as any of several words."""
    return Meant(
        frozenset().union(*(one.words for one in meant)),
        frozenset().union(*(one.phrases for one in meant)),
    )


@lru_cache(maxsize=4)
def synonyms(senses: Senses, analyzer: Analyzer) -> Synonyms:
    """Return the senses taken apart, once per definition and analyzer."""
    return Synonyms(senses, analyzer)
