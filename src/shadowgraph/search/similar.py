"""Is this the same thing again? Comparing a new attempt with earlier ones.

The rarest words of the new solution find candidates; each is then compared by Dice's
coefficient over stems, every stem weighted with its inverse document frequency:
`2 * w(shared) / (w(new) + w(earlier))`, between 0 and 1. Common words therefore hardly
count, and the number means the same in a small store and in a large one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition
from shadowgraph.search.engine import Snapshot


@dataclass(frozen=True, slots=True)
class Likeness:
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

    def stems(self, text: str) -> dict[str, float]:
        """Return the content stems of *text* with their weights."""
        found = set(self._analyzer.fields(text)[0].split()) - self._function_stems
        return {stem: self._weight(stem) for stem in found}

    def _weight(self, stem: str) -> float:
        documents = max(1, self._snapshot.documents)
        frequency = self._snapshot.frequency("text", stem)
        return math.log(1 + (documents + 1) / (frequency + 1))

    def rarest(self, stems: Mapping[str, float], most: int) -> list[str]:
        """Return the *most* telling of the stems that the index holds."""
        known = [s for s in stems if self._snapshot.frequency("text", s)]
        return sorted(known, key=lambda stem: -stems[stem])[:most]

    def compare(self, new: Mapping[str, float], earlier: str) -> Likeness:
        """Compare the stems of a new text with an earlier text."""
        old = self.stems(earlier)
        shared: Sequence[str] = sorted(new.keys() & old.keys(), key=lambda s: -old[s])
        whole = sum(new.values()) + sum(old.values())
        score = 2 * sum(old[stem] for stem in shared) / whole if whole else 0.0
        return Likeness(round(score, 3), tuple(shared))


@lru_cache(maxsize=4)
def _function_stems(words: frozenset[str], analyzer: Analyzer) -> frozenset[str]:
    """Return what function words become in an index."""
    return frozenset(analyzer.fields(" ".join(words))[0].split())
