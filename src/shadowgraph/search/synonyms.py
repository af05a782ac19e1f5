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
    """The senses, taken apart by one analyzer."""

    def __init__(self, senses: Senses, analyzer: Analyzer) -> None:
        """Stem every entry of *senses*."""
        self._senses: list[list[Phrase]] = [
            [tuple(analyzer.fields(entry)[0].split()) for entry in entries]
            for entries in senses
        ]
        self._beginning: dict[str, list[tuple[Phrase, int]]] = {}
        for number, phrases in enumerate(self._senses):
            for phrase in phrases:
                self._beginning.setdefault(phrase[0], []).append((phrase, number))
        for entries in self._beginning.values():
            entries.sort(key=lambda entry: -len(entry[0]))

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
            for phrase, number in self._beginning.get(stem, ()):
                if tuple(stems[at : at + len(phrase)]) == phrase:
                    yield phrase, number
                    break

    def _meant(self, numbers: set[int]) -> Meant:
        entries = [entry for number in numbers for entry in self._senses[number]]
        return Meant(
            frozenset(entry[0] for entry in entries if len(entry) == 1),
            frozenset(entry for entry in entries if len(entry) > 1),
        )


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
