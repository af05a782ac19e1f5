"""Why a record was found: matched fields and words, and a snippet that shows them.

The record is read again with the same analyzer, so what is marked is what matched.
Offsets are half-open ranges of characters in the snippet's text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import texts
from shadowgraph.search.plan import Plan

SNIPPET_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Snippet:
    """A cut of one field with the matched words marked."""

    field: str
    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Why:
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


_NOTHING: frozenset[str] = frozenset()


class _Matches(dict[str, frozenset[str]]):
    """Which words of the query a chunk matches, remembered per distinct chunk."""

    def __init__(self, analyzer: Analyzer, wanted: Mapping[str, str]) -> None:
        super().__init__()
        self._prepared = analyzer.prepared
        self._wanted = wanted

    def __missing__(self, piece: str) -> frozenset[str]:
        # Nearly every chunk is one stem and one exact token, and matches nothing.
        stems, exact = self._prepared[piece]
        found = _NOTHING
        if stems in self._wanted or exact in self._wanted or " " in stems or " " in exact:
            tokens = f"{stems} {exact}".split()
            found = frozenset(self._wanted[t] for t in tokens if t in self._wanted)
        self[piece] = found
        return found


class Explainer:
    """Explains hits of one plan."""

    def __init__(self, definition: Definition, analyzer: Analyzer, plan: Plan) -> None:
        """Look for the words of *plan*."""
        self._definition = definition
        self._analyzer = analyzer
        self._wanted: dict[str, str] = {}
        for group in (*plan.groups, *plan.support):
            for term in group.chunk.terms:
                self._wanted.setdefault(term.text, group.chunk.surface)
        self._matches = _Matches(analyzer, self._wanted)

    def why(self, body: Mapping[str, Any]) -> Why:
        """Return why the record *body* matched."""
        fields: dict[str, None] = {}
        words: set[str] = set()
        best: tuple[int, str, str] | None = None
        for rule, text in texts(body, self._definition):
            found: set[str] = set()
            for hit in map(self._matches.__getitem__, self._analyzer.pieces(text)):
                if hit:
                    found |= hit
            if not found:
                continue
            fields[rule.name] = None
            words |= found
            if best is None or len(found) > best[0]:
                best = (len(found), rule.name, text)
        ordered = [w for w in dict.fromkeys(self._wanted.values()) if w in words]
        snippet = self._snippet(best[1], best[2]) if best else None
        return Why(tuple(fields), tuple(ordered), snippet)

    def _snippet(self, field: str, text: str) -> Snippet:
        places = [
            (start, end)
            for start, end, piece in self._analyzer.places(text)
            if self._matches[piece]
        ]
        return _snippet(field, text, places)


def _snippet(field: str, text: str, places: list[tuple[int, int]]) -> Snippet:
    """Cut the part of *text* that holds most matches."""
    room = SNIPPET_CHARACTERS
    start = _densest(places, room)
    start = 0 if len(text) <= room else max(0, min(start - 20, len(text) - room))
    while 0 < start < len(text) and not text[start - 1].isspace() and start % 25:
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
