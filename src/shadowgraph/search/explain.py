"""Why a record was found: matched fields and words, and a snippet that shows them.

The record is read again with the same analyzer, so what is marked is what matched.
Offsets are half-open ranges of characters in the snippet's text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import texts
from shadowgraph.search.places import Finder, Place
from shadowgraph.search.plan import Plan

SNIPPET_CHARACTERS = 160


class Snippet(NamedTuple):
    """A cut of one field with the matched words marked."""

    field: str
    text: str
    marks: tuple[tuple[int, int], ...]


class Why(NamedTuple):
    """Why one record matched."""

    fields: tuple[str, ...]
    "Names of the fields with a matched word, in the order of the definition."
    words: tuple[str, ...]
    "Matched words of the query, in its order."
    snippet: Snippet | None

    def sentence(self) -> str:
        """Return the reason in plain words."""
        if not self.words:
            return "passes the filters"
        words = ", ".join(f'"{word}"' for word in self.words[:6])
        more = f" and {len(self.words) - 6} more" if len(self.words) > 6 else ""
        return f"{words}{more} in {', '.join(self.fields)}"


_FILTERED = Why((), (), None)
"No word was asked for."


class Explainer:
    """Explains hits of one plan."""

    def __init__(self, definition: Definition, analyzer: Analyzer, plan: Plan) -> None:
        """Look for the words of *plan*."""
        self._definition = definition
        self._wanted: dict[str, str] = {}
        for group in (*plan.groups, *plan.support):
            for term in group.chunk.terms:
                self._wanted.setdefault(term.text, group.chunk.surface)
        self._finder = Finder(analyzer, self._wanted)
        self._known: dict[int, Why] = {}

    def once(self, row: int, body: Mapping[str, Any]) -> Why:
        """Return why the record in *row* matched, read the first time it is asked for."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = self.why(body)
        return known

    def why(self, body: Mapping[str, Any]) -> Why:
        """Return why the record *body* matched."""
        if not self._wanted:
            return _FILTERED
        read = list(texts(body, self._definition))
        names = [rule.name for rule, _ in read]
        found = [text for _, text in read]
        why = self._told(names, found, self._finder.places(found))
        if not why.words and self._finder.guesses:
            # A word may be written in a way its tokens do not begin with.
            why = self._told(names, found, self._finder.everywhere(found))
        return why

    def counts(self, body: Mapping[str, Any]) -> dict[str, dict[str, int]]:
        """Return how often each word of the query stands in which field, by word."""
        read = list(texts(body, self._definition))
        counts: dict[str, dict[str, int]] = {}
        places = self._finder.everywhere([text for _, text in read])
        for (rule, _), here in zip(read, places, strict=True):
            times = self._definition.title_repeat if rule.role == "title" else 1
            for place in here:
                for word in self._words([place]):
                    held = counts.setdefault(word, {})
                    held[rule.name] = held.get(rule.name, 0) + times
        return counts

    def _told(
        self, names: Sequence[str], found: Sequence[str], places: Sequence[list[Place]]
    ) -> Why:
        """Put into words what stands where; the field with most words is shown."""
        words: set[str] = set()
        fields: dict[str, None] = {}
        best = -1
        most = 0
        for number, name in enumerate(names):
            if here := self._words(places[number]):
                fields[name] = None
                words |= here
                if len(here) > most:
                    best, most = number, len(here)
        ordered = [w for w in dict.fromkeys(self._wanted.values()) if w in words]
        snippet = None
        if most:
            spans = [(start, end) for start, end, _ in places[best]]
            snippet = _snippet(names[best], found[best], spans)
        return Why(tuple(fields), tuple(ordered), snippet)

    def _words(self, places: list[Place]) -> set[str]:
        """Return the words of the query that the chunks at *places* answer."""
        wanted = self._wanted
        return {
            wanted[token] for _, _, tokens in places for token in tokens if token in wanted
        }


def _snippet(field: str, text: str, places: list[tuple[int, int]]) -> Snippet:
    """Cut the part of *text* that holds most matches."""
    room = SNIPPET_CHARACTERS
    start = _densest(places, room)
    # Going back to the beginning of a word must not push the match out of the room.
    least = max(0, next(end for first, end in places if first == start) - room)
    start = 0 if len(text) <= room else max(0, min(start - 20, len(text) - room))
    while least < start < len(text) and not text[start - 1].isspace() and start % 25:
        start -= 1
    cut = text[start : start + room]
    before = "…" if start else ""
    after = "…" if start + room < len(text) else ""
    shift = len(before) - start
    marks = tuple(
        (first + shift, last + shift)
        for first, last in places
        if start <= first and last <= start + room
    )
    return Snippet(field, before + " ".join(cut.split("\n")) + after, marks)


def _densest(places: list[tuple[int, int]], room: int) -> int:
    """Return the start of the first window of *room* characters with most matches."""
    best, most, behind = places[0][0], 0, 0
    for number, (_, end) in enumerate(places):
        # A single match may be longer than the room.
        while behind < number and end - places[behind][0] > room:
            behind += 1
        if number - behind + 1 > most:
            best, most = places[behind][0], number - behind + 1
    return best
