"""Why a record was found: matched fields and words, and a snippet that shows them.

The record is read again with the same analyzer, so what is marked is what matched.
Offsets are half-open ranges of characters in the snippet's text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shadowgraph.search.analyzer import Analyzer, Span
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import texts
from shadowgraph.search.query import Plan

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

    def why(self, body: Mapping[str, Any]) -> Why:
        """Return why the record *body* matched."""
        fields: dict[str, None] = {}
        words: set[str] = set()
        best: tuple[int, str, str, list[Span]] | None = None
        for rule, text in texts(body, self._definition):
            spans, found = self._matched(text)
            if not spans:
                continue
            fields[rule.name] = None
            words |= found
            if best is None or len(found) > best[0]:
                best = (len(found), rule.name, text, spans)
        ordered = [w for w in dict.fromkeys(self._wanted.values()) if w in words]
        snippet = _snippet(*best[1:]) if best else None
        return Why(tuple(fields), tuple(ordered), snippet)

    def _matched(self, text: str) -> tuple[list[Span], set[str]]:
        spans = list(self._analyzer.matching(text, self._tokens))
        hit = {token for span in spans for token in span.chunk.tokens & self._tokens}
        return spans, {self._wanted[token] for token in hit}


def _snippet(field: str, text: str, spans: list[Span]) -> Snippet:
    """Cut the part of *text* that holds most matches."""
    room = SNIPPET_CHARACTERS
    start = max(
        (span.start for span in spans),
        key=lambda at: sum(at <= s.start and s.end <= at + room for s in spans),
    )
    start = 0 if len(text) <= room else max(0, min(start - 20, len(text) - room))
    while 0 < start < len(text) and not text[start - 1].isspace() and start % 25:
        start -= 1
    cut = text[start : start + room]
    before = "…" if start else ""
    after = "…" if start + room < len(text) else ""
    shift = len(before) - start
    marks = tuple(
        (span.start + shift, span.end + shift)
        for span in spans
        if start <= span.start and span.end <= start + room
    )
    return Snippet(field, before + " ".join(cut.split("\n")) + after, marks)
