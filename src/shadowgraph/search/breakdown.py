"""The score of a hit, taken apart: what each word and each extra signal gave to it.

A score is a sum, so its parts are found by asking the engine for each part alone, over the
rows of one page. Words and extras add up to the score before the priors; times the factors
of `Ranked` that is the score a hit was ordered by. The engine keeps the texts of a record
in one field: what a word gave is shared among the record's fields by how often it stands
there, the title as often as the index counts it.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from shadowgraph.search.clauses import Clause
from shadowgraph.search.plan import Plan
from shadowgraph.search.query import Builder
from shadowgraph.search.snapshot import Snapshot

SECOND_STEP = frozenset(
    {"exact", "alone", "title", "neighbours", "near", "apart", "verbatim"}
)
"Extras that only hits within the window were given."

Counts = Mapping[str, Mapping[str, int]]
"How often a word of the query stands in a field, by word and field."


class Breakdown(NamedTuple):
    """The parts of one score before its priors."""

    words: Mapping[str, float]
    "By word of the query."
    extras: Mapping[str, float]
    "By name in the table `[boost]` of the ranking."

    fields: Mapping[str, float] = MappingProxyType({})
    "What the words gave, by field of the record."

    def over(self, counts: Counts) -> "Breakdown":
        """Share what the words gave among the fields they stand in."""
        shares: dict[str, float] = {}
        for word, score in self.words.items():
            held = counts.get(word, {})
            whole = sum(held.values())
            for name, count in held.items():
                shares[name] = shares.get(name, 0.0) + score * count / whole
        return self._replace(fields=shares)


def take_apart(
    builder: Builder,
    snapshot: Snapshot,
    plan: Plan,
    rows: Sequence[int],
    refined: Iterable[int],
) -> dict[int, Breakdown]:
    """Return the parts of the scores of *rows*; *refined* took part in the second step."""
    second = frozenset(refined)
    words: dict[int, dict[str, float]] = {}
    for but, some in (
        ((), [row for row in rows if row in second]),
        (plan.common, [row for row in rows if row not in second]),
    ):
        words |= _Asking(builder, snapshot, some).scores(
            (group.chunk.surface, builder.group(group, but=but))
            for group in (*plan.groups, *plan.support)
        )
    extras = _Asking(builder, snapshot, rows).scores(builder.extras(plan, snapshot).items())
    for row in rows:
        if row not in second:
            extras[row] = {n: s for n, s in extras[row].items() if n not in SECOND_STEP}
    return {row: Breakdown(words[row], extras[row]) for row in rows}


class _Asking(NamedTuple):
    """One page of rows whose parts are asked for."""

    builder: Builder
    snapshot: Snapshot
    rows: Sequence[int]

    def scores(
        self, parts: Iterable[tuple[str, Sequence[Clause]]]
    ) -> dict[int, dict[str, float]]:
        """Return what each named part gave to each row, by row and name."""
        found: dict[int, dict[str, float]] = {row: {} for row in self.rows}
        for name, clauses in parts:
            if clauses and self.rows:
                query = self.builder.over(self.rows, clauses)
                for row, score in self.snapshot.scores(query, len(self.rows)).items():
                    if score:
                        found[row][name] = score
        return found
