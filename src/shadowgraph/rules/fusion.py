"""Reciprocal rank fusion: several rankings become one, whatever their scores mean.

Each ranking gives a record the share `weight / (k + rank)`; a record's score is the sum of
its shares, and a ranking that does not know it adds nothing. Scores of different rankings
(word weights, steps in a graph, times) are never compared, only their ranks.

`ranks_of` makes ranks of ordered values: what is equally good has the same rank, and the
next is one more. The weights are data, in `index/ranking.toml`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Fused(NamedTuple):
    """One record in the joint order."""

    id: str
    score: float
    ranks: Mapping[str, int | None]
    "Its rank in every ranking, from 1; None where it has none."


def ranks_of(ordered: Iterable[tuple[str, Any]]) -> dict[str, int]:
    """Return ranks by id for pairs of id and value, best first.

    >>> ranks_of([("a", 1), ("b", 1), ("c", 2)])
    {'a': 1, 'b': 1, 'c': 2}
    """
    ranks: dict[str, int] = {}
    last: Any = None
    rank = 0
    for one, value in ordered:
        if not rank or value != last:
            rank += 1
        ranks.setdefault(one, rank)
        last = value
    return ranks


def fuse(
    rankings: Mapping[str, Mapping[str, int]], weights: Mapping[str, float], k: int
) -> list[Fused]:
    """Return every ranked id, best first; of equal scores the smaller id.

    >>> fuse({"words": {"a": 1, "b": 2}, "graph": {"b": 1}}, {"words": 1, "graph": 1}, 60)[
    ...     0
    ... ].id
    'b'
    """
    ids = {one for ranks in rankings.values() for one in ranks}
    fused = [_fused(one, rankings, weights, k) for one in ids]
    return sorted(fused, key=lambda one: (-one.score, one.id))


def _fused(
    one: str,
    rankings: Mapping[str, Mapping[str, int]],
    weights: Mapping[str, float],
    k: int,
) -> Fused:
    ranks = {name: held.get(one) for name, held in rankings.items()}
    # Summed in the order of the names: the same shares give the same number.
    score = sum(
        weights.get(name, 0.0) / (k + rank)
        for name in sorted(ranks)
        if (rank := ranks[name]) is not None
    )
    return Fused(one, score, ranks)
