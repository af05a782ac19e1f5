"""What a query asks of an index: its words, weighed against what the index holds.

Each distinct chunk of the query becomes a *group*. A content group makes a record match;
negations ("not", "without") only add to the score of what matches anyway; function words
are dropped as soon as there is anything else. Of a long paste the rarest words are kept.
No query of the engine is built here; that is the business of `query`.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from shadowgraph.rules.signature import gist
from shadowgraph.search.analyzer import STEMMED, Analyzer, Chunk
from shadowgraph.search.definition import Definition
from shadowgraph.search.signatures import signed
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.syntax import Asked

NEGATIONS = frozenset({"not", "no", "never", "without", "none", "cannot", "nor"})
MOST_PAIRS = 32
"Neighbouring words that are looked for side by side."
LONG_PASTE = 3_000
"Characters from which on a query is a log, and its error lines are searched for."
WIDEST_GAP = 3
"Function words that may stand between two neighbours."


Token = tuple[str, str]
"A field of the index and a token in it."


@dataclass(frozen=True, slots=True)
class Group:
    """One distinct chunk of a query."""

    chunk: Chunk
    count: int
    "How often it stands in the query."
    frequency: int
    "In how many records its first token stands."
    prefixed: tuple[str, ...] = ()
    "Hashes in the index that begin with this one."

    def rarity(self, documents: int) -> float:
        """Return the inverse document frequency among so many documents."""
        return inverse_frequency(self.frequency, documents)


class Pair(NamedTuple):
    """Two words that stand side by side in the query, function words aside."""

    first: str
    second: str
    gap: int
    "Tokens between them in the query."


class Plan(NamedTuple):
    """A query, taken apart and weighed."""

    groups: tuple[Group, ...]
    "Content groups, in the order of the query."
    support: tuple[Group, ...] = ()
    "Negations."
    pairs: tuple[Pair, ...] = ()
    apart: tuple[Pair, ...] = ()
    "Words with one other word between them."
    phrases: tuple[tuple[str, ...], ...] = ()
    "Stems that must stand word for word."
    verbatim: tuple[str, ...] = ()
    "The whole query as one phrase, when it is short enough to be one."
    excluded: tuple[str, ...] = ()
    "Stems that must not stand in a record."
    scene: tuple[str, ...] = ()
    "Tokens of the environment the caller is in."
    signature: tuple[str, ...] = ()
    "What identifies the errors that were pasted."
    dropped: tuple[str, ...] = ()
    "Function words, and words beyond the limit."
    common: frozenset[Token] = frozenset()
    "What too many records hold to find them by it: it only orders them."


def inverse_frequency(frequency: int, documents: int) -> float:
    """Return BM25's idf: ln(1 + (N - df + 0.5) / (df + 0.5)).

    >>> round(inverse_frequency(1, 100), 2)
    4.21
    """
    held = min(frequency, documents)
    return math.log(1 + (documents - held + 0.5) / (held + 0.5))


class Planner:
    """Makes plans for one definition."""

    def __init__(
        self, definition: Definition, analyzer: Analyzer, stored: Callable[[str], str] = str
    ) -> None:
        """Use the words and limits of *definition*.

        *stored* gives a text as a write would have stored it: an error pasted with its
        credential has the signature of the record in which a mask stands for it.
        """
        self._stored = stored
        self._definition = definition
        self._analyzer = analyzer
        self._limits: Mapping[str, float] = definition.ranking["query"]
        self._small = definition.function_words | NEGATIONS

    def plan(self, asked: Asked, snapshot: Snapshot, environment: str = "") -> Plan:
        """Weigh what was asked against what the index holds."""
        chunks = self._chunks(telling(asked.text))
        content, support, dropped = self._sort(chunks, snapshot)
        groups = self._rarest(content)
        kept = {group.chunk.surface for group in groups}
        # A negation belongs to the word beside it: "no collapse" is a pair of its own.
        beside = kept | {group.chunk.surface for group in support}
        words = tuple(word for chunk in chunks for word in chunk.text.split())
        return Plan(
            groups=groups,
            support=support,
            pairs=tuple(self._pairs(chunks, beside)),
            apart=_apart(groups),
            phrases=self._phrases(asked, bool(groups), words),
            verbatim=words if groups and self._may_be_phrase(words) else (),
            excluded=tuple(s for word in asked.excluded for s in self.stems(word)),
            scene=self._scene(environment),
            signature=self._signature(asked.text),
            dropped=(*dropped, *(name for name in content if name not in kept)),
        )

    def _signature(self, text: str) -> tuple[str, ...]:
        """Return what identifies the errors in a text, as it would have been stored."""
        read = signed(text)
        stored = self._stored(text) if read else text
        return read if stored == text else signed(stored)

    def stems(self, text: str) -> tuple[str, ...]:
        """Return the tokens of *text* for the index field `text`, in order."""
        return tuple(w for chunk in self._chunks(text) for w in chunk.text.split())

    def _chunks(self, text: str) -> list[Chunk]:
        return [s.chunk for s in self._analyzer.spans(text) if s.chunk.terms]

    def _small_words(self, chunk: Chunk) -> list[str]:
        """Return the words of a chunk of small words only: "isn't" says is and not."""
        words = [term.text for term in chunk.terms if term.form == "exact"]
        return words if self._small.issuperset(words) else []

    def _alone(self, support: Mapping[str, Group], snapshot: Snapshot) -> dict[str, Group]:
        """Return the negations of a query that holds nothing else: "isn't" is not "is"."""
        words = [w for g in support.values() for w in self._small_words(g.chunk)]
        return {
            word: self._group(self._analyzer.chunk(word), words.count(word), snapshot)
            for word in dict.fromkeys(words)
            if word in NEGATIONS
        }

    def _sort(
        self, chunks: list[Chunk], snapshot: Snapshot
    ) -> tuple[dict[str, Group], tuple[Group, ...], list[str]]:
        """Part chunks into content, support and dropped ones."""
        counts = Counter(chunk.surface for chunk in chunks)
        distinct = {chunk.surface: chunk for chunk in chunks}
        content: dict[str, Group] = {}
        support: dict[str, Group] = {}
        dropped: list[str] = []
        for surface, chunk in distinct.items():
            small = self._small_words(chunk)
            if small and NEGATIONS.isdisjoint(small):
                dropped.append(surface)
                continue
            side = support if small else content
            side[surface] = self._group(chunk, counts[surface], snapshot)
        if not content:
            return self._alone(support, snapshot), (), dropped
        return content, tuple(support.values()), dropped

    def _group(self, chunk: Chunk, count: int, snapshot: Snapshot) -> Group:
        first = chunk.terms[0]
        field = "text" if first.form in STEMMED else "exact"
        frequency = snapshot.frequency(field, first.text)
        prefixed: tuple[str, ...] = ()
        if not frequency and self._analyzer.is_hash(chunk.surface):
            prefixed = tuple(snapshot.starting_with("exact", chunk.surface, 5))
        return Group(chunk, count, frequency, prefixed)

    def _rarest(self, content: Mapping[str, Group]) -> tuple[Group, ...]:
        """Return the groups that tell most, in the order of the query."""
        groups = list(content.values())
        most = int(self._limits["most_terms"])
        if len(groups) <= most:
            return tuple(groups)
        # A word the index does not hold cannot help to find anything.
        by_worth = sorted(groups, key=lambda g: (g.frequency == 0, g.frequency))
        kept = {group.chunk.surface for group in by_worth[:most]}
        return tuple(group for group in groups if group.chunk.surface in kept)

    def _phrases(
        self, asked: Asked, has_content: bool, words: tuple[str, ...]
    ) -> tuple[tuple[str, ...], ...]:
        """Return what must stand word for word: quoted, or function words alone."""
        function_words = self._definition.function_words
        quoted = tuple(
            stems
            for stems in map(self.stems, asked.phrases)
            if len(stems) > 1 or not function_words.issuperset(stems)
        )
        if has_content or quoted or len(words) < 2:
            return quoted
        return (words,)

    def _may_be_phrase(self, words: tuple[str, ...]) -> bool:
        return 3 <= len(words) <= int(self._limits["verbatim_words"])

    def _pairs(self, chunks: list[Chunk], kept: set[str]) -> Iterable[Pair]:
        """Return neighbouring content words; function words between them are counted."""
        places: list[tuple[int, Chunk]] = []
        position = 0
        for chunk in chunks:
            length = len(chunk.text.split())
            if chunk.surface in kept and length:
                places.append((position, chunk))
            position += length
        found: dict[tuple[str, str], Pair] = {}
        for (start, one), (after, two) in pairwise(places):
            stems = one.text.split()
            gap = after - start - len(stems)
            if gap <= WIDEST_GAP and one.surface != two.surface:
                pair = Pair(stems[-1], two.text.split()[0], gap)
                found.setdefault((pair.first, pair.second), pair)
        return list(found.values())[:MOST_PAIRS]

    def _scene(self, environment: str) -> tuple[str, ...]:
        """Return the tokens of an environment, each once."""
        tokens = [
            token
            for chunk in self._chunks(environment)
            for token in (*chunk.text.split(), *as_written(chunk))
        ]
        return tuple(dict.fromkeys(tokens))


def _apart(groups: Sequence[Group]) -> tuple[Pair, ...]:
    """Return each word with the next but one, both as the stems that face each other."""
    facing = [
        (one.chunk.text.split()[-1], two.chunk.text.split()[0])
        for one, two in zip(groups, groups[2:], strict=False)
        if one.chunk.text and two.chunk.text
    ]
    return tuple(Pair(*pair, gap=1) for pair in facing[:MOST_PAIRS] if pair[0] != pair[1])


def telling(text: str) -> str:
    """Return the part of a long paste that its words are taken from.

    A log says what happened in its error lines; without any, its beginning and its end
    stand for it.

    >>> telling("short")
    'short'
    """
    if len(text) <= LONG_PASTE:
        return text
    lines = gist(text)
    if len(lines) < len(text):
        return lines
    return f"{text[: LONG_PASTE // 2]}\n{text[-LONG_PASTE // 2 :]}"


def as_written(chunk: Chunk) -> list[str]:
    """Return the tokens that stand for a whole chunk, none of which is a part of it."""
    if any(term.form == "pair" for term in chunk.terms):
        return []
    return [t.text for t in chunk.terms if t.form in ("exact", "whole") and not t.part]
