"""Reading one index at one moment: matches, scores, frequencies, terms.

A snapshot never changes. Another commit makes another one, so whoever holds one reads the
same from beginning to end, whatever is written meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import tantivy

from shadowgraph.errors import IndexDamagedError
from shadowgraph.search.schema import MARK_OWNER, Mark
from shadowgraph.search.translating import engine_errors

MOST_FREQUENCIES = 20_000
"Document frequencies that a snapshot remembers."
MOST_BESIDE = 16
"Other owners that a search leaves out by name."


class Match(NamedTuple):
    """One document that the engine found."""

    row: int
    score: float
    created: int
    traits: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An immutable view: a searcher and the mark it was committed with."""

    searcher: Any
    mark: Mark
    path: Path
    beside: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    "Who else owns records, looked up once per snapshot and owner."
    frequencies: dict[tuple[str, str], int] = field(default_factory=dict)
    "Document frequencies, looked up once per snapshot."

    @property
    def documents(self) -> int:
        """The number of records in it."""
        return max(0, int(self.searcher.num_docs) - 1)

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self.searcher.num_segments)

    def matches(
        self, query: Any, limit: int, offset: int = 0, *, newest: bool = False
    ) -> tuple[list[Match], int]:
        """Return the best matches, or the newest, and how many there are in all."""
        order = {"order_by_field": "created"} if newest else {}
        # The engine makes room for all of limit and offset at once, and its process ends
        # when there is none.
        start = min(offset, int(self.searcher.num_docs))
        with engine_errors(self.path):
            found = self.searcher.search(query, self._room(limit), offset=start, **order)
            hits = [(0.0 if newest else score, address) for score, address in found.hits]
            return self._read(hits), int(found.count)

    def best(self, query: Any, limit: int) -> list[Match]:
        """Return the best matches without counting the others, which costs more."""
        with engine_errors(self.path):
            return self._read(
                self.searcher.search(query, self._room(limit), count=False).hits
            )

    def _read(self, hits: Sequence[tuple[float, Any]]) -> list[Match]:
        """Read what ranking needs of some hits, a column at a time."""
        if not hits:
            return []
        addresses = [address for _, address in hits]
        columns = [
            self.searcher.fast_field_values(name, addresses)
            for name in ("row", "created", "traits")
        ]
        if any(None in column for column in columns):
            raise IndexDamagedError(f"{self.path}: a document has lost its row.")
        scores = (float(score) for score, _ in hits)
        rows, created, traits = columns
        return [Match(*one) for one in zip(rows, scores, created, traits, strict=True)]

    def _room(self, wanted: int) -> int:
        """Return how many hits to ask for: one at least, or the engine panics."""
        return min(max(1, wanted), int(self.searcher.num_docs) + 1)

    def scores(self, query: Any, limit: int) -> dict[int, float]:
        """Return the score of every match by row, of at most *limit* matches."""
        with engine_errors(self.path):
            hits = self.searcher.search(query, self._room(limit), count=False).hits
            addresses = [address for _, address in hits]
            if not addresses:
                return {}
            rows = self.searcher.fast_field_values("row", addresses)
        scores = (float(score) for score, _ in hits)
        return dict(zip(map(int, rows), scores, strict=True))

    def frequency(self, field: str, term: str) -> int:
        """Return in how many records a term stands."""
        held = self.frequencies.get((field, term))
        if held is None:
            # Asked hundreds of times a call: a `with` block would cost as much again.
            try:
                held = int(self.searcher.doc_freq(field, term))
            except BaseException:
                with engine_errors(self.path):
                    raise
            if len(self.frequencies) < MOST_FREQUENCIES:
                self.frequencies[field, term] = held
        return held

    def owners_beside(self, owner: str) -> tuple[str, ...] | None:
        """Return who owns the other records; None when they are many or own more.

        Replaced documents count, too: a name may stand here that owns nothing now.
        """
        if owner not in self.beside:
            self.beside[owner] = self._owners_beside(owner)
        return self.beside[owner]

    def _owners_beside(self, owner: str) -> tuple[str, ...] | None:
        # One more than may be left out, the owner, and the mark of the store.
        names = self.starting_with("owner", "", MOST_BESIDE + 3)
        beside = [n for n in names if n != owner and not n.startswith(MARK_OWNER)]
        held = sum(self.frequency("owner", name) for name in beside)
        few = len(beside) <= MOST_BESIDE and held <= self.frequency("owner", owner)
        return tuple(beside) if few else None

    def starting_with(
        self, field: str, prefix: str, limit: int, among: Any = None
    ) -> list[str]:
        """Return terms that begin with *prefix* in the documents of query *among*."""
        with engine_errors(self.path):
            found = self.searcher.terms_with_prefix(field, prefix, among, limit)
        return [term for term, _ in found]

    def rows(self) -> list[int]:
        """Return the row number of every record, for an exact comparison."""
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.all_query()),
                (tantivy.Occur.MustNot, tantivy.Query.exists_query("mark_seq")),
            ]
        )
        limit = max(1, int(self.searcher.num_docs))
        with engine_errors(self.path):
            found = self.searcher.search(query, limit, order_by_field="row")
            addresses = [address for _, address in found.hits]
            rows = self.searcher.fast_field_values("row", addresses)
        return [int(row) for row in rows if row is not None]
