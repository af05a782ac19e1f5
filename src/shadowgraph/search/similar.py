"""Is this the same thing again? Comparing a new attempt with earlier ones.

The rarest words of the new solution find candidates; each is then compared by Dice's
coefficient over stems, every stem weighted with its inverse document frequency:
`2 * w(shared) / (w(new) + w(earlier))`, between 0 and 1. Common words therefore hardly
count, and the number means the same in a small store and in a large one. Words of the same
meaning (`synonyms`) are shared in part.
"""

import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from shadowgraph.search.analyzer import Analyzer, Chunk
from shadowgraph.search.definition import Definition
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.synonyms import Synonyms, synonyms

FEWEST = 200
"Records from which on frequencies are believed: a small store calls every word rare."
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
"A word such as `long-lived`, joined like an identifier."


class Likeness(NamedTuple):
    """How like an earlier text is to a new one."""

    score: float
    "0 (nothing shared) to 1 (the same words)."
    shared: tuple[str, ...]
    "Shared stems, rarest first."


class Comparer:
    """Compares texts with the word frequencies of one snapshot."""

    def __init__(
        self, definition: Definition, analyzer: Analyzer, snapshot: Snapshot
    ) -> None:
        """Weigh words by how rare they are in *snapshot*."""
        self._analyzer = analyzer
        self._snapshot = snapshot
        self._function_stems = _function_stems(definition.function_words, analyzer)
        self.synonyms: Synonyms = synonyms(definition.synonyms, analyzer)
        self._documents = max(1, snapshot.documents)
        self._unit = math.log(2 + max(FEWEST, self._documents))

    def stems(self, text: str) -> dict[str, float]:
        """Return the content stems of *text* with their weights."""
        found = self.telling(self.prepared(text)[0].split())
        return {stem: self._weight(stem) for stem in found}

    def prepared(self, text: str) -> tuple[str, str]:
        """Return the stems of *text*, and its words as they are written, in order."""
        return self._analyzer.fields(text)

    def telling(self, stems: Iterable[str]) -> set[str]:
        """Return the distinct *stems* that are no function words."""
        return set(stems) - self._function_stems

    def joined(self, text: str) -> dict[str, str]:
        """Return the identifier that each stem of *text* is a part of.

        `SQLite` has the stems sq and lite, which a reader of `sqlite` does not look for.
        """
        return {
            term.text: whole
            for span in self._analyzer.spans(text)
            for whole in _wholes(span.chunk)[:1]
            for term in span.chunk.terms
            if term.form == "stem" and term.part
        }

    def identifiers(self, text: str) -> set[tuple[str, ...]]:
        """Return the identifiers, paths and options of *text*, whole and by component.

        A hyphenated word is none, unless a hyphen before it makes it an option; what
        begins with a digit is a version or a value.
        """
        found = set()
        for span in self._analyzer.spans(text):
            wholes = _wholes(span.chunk)
            option = text[max(0, span.start - 1) : span.start] == "-"
            hyphenated = _HYPHENATED.fullmatch(span.chunk.surface) and not option
            if wholes and not hyphenated and not wholes[0][0].isdigit():
                found.add(wholes)
        return found

    def share(self, stem: str) -> float:
        """Return the weight of a stem between 0 and 1, the weight of an unknown one.

        So it means the same in a store of a thousand records and of a million.
        """
        return min(1.0, self._weight(stem) / self._unit)

    def _weight(self, stem: str) -> float:
        frequency = self._snapshot.frequency("text", stem)
        return math.log(1 + (self._documents + 1) / (frequency + 1))

    def rarest(self, stems: Mapping[str, float], most: int) -> list[str]:
        """Return the *most* telling of the stems that the index holds."""
        known = [s for s in stems if self._snapshot.frequency("text", s)]
        return sorted(known, key=lambda stem: -stems[stem])[:most]


class Newcomer:
    """A new solution, taken apart once to be compared with earlier ones."""

    def __init__(self, comparer: Comparer, text: str, synonym: float) -> None:
        """Weigh the words of *text*; one of the same meaning counts *synonym* of it."""
        self._comparer = comparer
        self._alike = synonym
        self.stems = comparer.stems(text)
        "The content stems with their weights."
        meant = comparer.synonyms.of(comparer.prepared(text)[0].split())
        self._meant = {stem: meant[stem] for stem in self.stems if stem in meant}

    def likeness(self, earlier: str) -> Likeness:
        """Compare with an *earlier* solution."""
        sequence = self._comparer.prepared(earlier)[0]
        old = self._comparer.stems(earlier)
        both = {**self.stems, **old}
        shared = sorted(self.stems.keys() & old.keys(), key=lambda s: -old[s])
        again = 2 * sum(old[stem] for stem in shared)
        again += self._alike * sum(map(both.__getitem__, self._alike_in(sequence, old)))
        whole = sum(self.stems.values()) + sum(old.values())
        return Likeness(round(again / whole, 3) if whole else 0.0, tuple(shared))

    def _alike_in(self, sequence: str, old: Mapping[str, float]) -> set[str]:
        """Return the stems of either side that only mean what the other says."""
        held = frozenset(old)
        found: set[str] = set()
        for stem, meant in self._meant.items():
            theirs = meant.stems_in(f" {sequence} ", held) & held - self.stems.keys()
            if theirs and stem not in held:
                found |= {stem, *theirs}
        return found


def _wholes(chunk: Chunk) -> tuple[str, ...]:
    """Return an identifier as one token, and each of its components as one."""
    return tuple(term.text for term in chunk.terms if term.form == "whole")


@lru_cache(maxsize=4)
def _function_stems(words: frozenset[str], analyzer: Analyzer) -> frozenset[str]:
    """Return what function words become in an index."""
    return frozenset(analyzer.fields(" ".join(words))[0].split())
