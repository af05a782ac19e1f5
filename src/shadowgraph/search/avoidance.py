"""Failed attempts are not buried: they rise above what merely holds the same words.

BM25 prefers short texts, and a decision of one line that mentions the words beats the long
record of how it went wrong. So each of the best failed attempts rises above every record of
another kind that holds no word of the query which the attempt does not hold too, as long as
it matches at least a declared share as well. Which words a record holds is its *coverage*:
the sum of their inverse document frequencies, whatever their number and the length of the
text. Attempts are not judged here: their words alone order them.
"""

from collections.abc import Mapping, Sequence

from shadowgraph.search.ranking import Ranked

_ABOVE = 1e-6
"Share of a score that puts a hit just above another."


def may_rise(ranked: Sequence[Ranked], most: int, rise: float) -> bool:
    """Say whether a failed attempt stands below another kind within its reach."""
    failed = _failed(ranked, most)
    others = [hit.score for hit in ranked if hit.result is None]
    return any(hit.score < other <= hit.score * rise for hit in failed for other in others)


def risen(
    ranked: Sequence[Ranked], coverage: Mapping[int, float], most: int, rise: float
) -> list[Ranked]:
    """Return hits with the *most* best failed attempts where they belong.

    A failed attempt passes what has at most *rise* times its score and no more coverage.
    """
    scores: dict[int, float] = {}
    for hit in _failed(ranked, most):
        held = coverage.get(hit.row, 0.0) * (1 + _ABOVE)
        passed = [
            other.score
            for other in ranked
            if other.result is None
            and hit.score < other.score <= hit.score * rise
            and coverage.get(other.row, 0.0) <= held
        ]
        if passed:
            # Of two that pass the same hit the better one stays above.
            scores[hit.row] = max(passed) * (1 + _ABOVE * hit.score / max(passed))
    raised = (_raised(hit, scores[hit.row]) if hit.row in scores else hit for hit in ranked)
    return sorted(raised, key=lambda hit: (-hit.score, -hit.row))


def _failed(ranked: Sequence[Ranked], most: int) -> list[Ranked]:
    return [hit for hit in ranked if hit.result == "failed"][:most]


def _raised(hit: Ranked, score: float) -> Ranked:
    factor = ("to avoid", score / hit.score)
    return hit._replace(score=score, factors=(*hit.factors, factor))
