"""Why a record was found: matched fields and words, and a snippet that shows them.

The record is read again with the same analyzer, so what is marked is what matched.
Offsets are half-open ranges of characters in the snippet's text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shadowgraph.search.analyzer import Analyzer, Place
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import texts
from shadowgraph.search.plan import Plan

SNIPPET_CHARACTERS = 160
LONGEST_HINT = 8
"Letters of a word that are looked for before a text is analysed."


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
        self._tokens = frozenset(self._wanted)
        self._hints = hints_of(self._tokens)

    def why(self, body: Mapping[str, Any]) -> Why:
        """Return why the record *body* matched."""
        found = self._look(body, self._hints)
        if not found.words and self._hints is not None:
            # A word may be written in a way its tokens do not begin with.
            found = self._look(body, None)
        return found

    def _look(self, body: Mapping[str, Any], hints: tuple[str, ...] | None) -> Why:
        fields: dict[str, None] = {}
        words: set[str] = set()
        best: tuple[int, str, str, list[Place]] | None = None
        for rule, text in texts(body, self._definition):
            places = self._analyzer.matches(text, self._tokens, hints)
            if not places:
                continue
            tokens = {token for _, _, many in places for token in many}
            found = {self._wanted[token] for token in tokens & self._tokens}
            fields[rule.name] = None
            words |= found
            if best is None or len(found) > best[0]:
                best = (len(found), rule.name, text, places)
        ordered = [w for w in dict.fromkeys(self._wanted.values()) if w in words]
        snippet = None
        if best is not None:
            spans = [(start, end) for start, end, _ in best[3]]
            snippet = _snippet(best[1], best[2], spans)
        return Why(tuple(fields), tuple(ordered), snippet)


def hints_of(tokens: Iterable[str]) -> tuple[str, ...] | None:
    """Return beginnings that every ASCII word with one of *tokens* has; None for others.

    A stem may differ from its word in the last letter (`happi`, `hope`), so that one is
    left out; the few English verbs in -ie change the second (`dying`, `die`).

    >>> hints_of(["locked", "lock"]), hints_of(["die"]), hints_of(["caf\u00e9"])
    (('loc',), ('di', 'dy'), None)
    """
    beginnings: set[str] = set()
    for token in tokens:
        if not token.isascii():
            return None
        beginnings.add(token[: max(2, min(LONGEST_HINT, len(token) - 1))])
        if token in ("die", "lie", "tie"):
            beginnings.add(f"{token[0]}y")
    hints: list[str] = []
    for beginning in sorted(beginnings):
        # What begins with a hint is found by it.
        if not hints or not beginning.startswith(hints[-1]):
            hints.append(beginning)
    return tuple(hints)


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
