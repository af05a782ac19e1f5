"""The order of hits: the engine's score, then priors that are declared in data.

The engine finds a window of best matches by their words. Within it each score is
multiplied by the factors of `index/ranking.toml`: a failed attempt to avoid rises, a
superseded decision sinks, and recency orders what is nearly equal. Beyond the window the
engine's own order goes on, so paging is stable.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from shadowgraph.search.snapshot import Match
from shadowgraph.search.traits import Traits, unpack

DAY_MILLIS = 86_400_000
_SINKING = ("superseded", "archived", "abandoned", "stale", "expired", "invalidated")


class Ranked(NamedTuple):
    """A match with its final score and the factors that made it."""

    row: int
    score: float
    engine_score: float
    factors: tuple[tuple[str, float], ...]
    "Name and factor of every prior that is not 1."
    result: str | None
    "How an attempt ended, declared or read when it was indexed; None for other kinds."


class Ranking:
    """Orders hits with the factors of one definition."""

    def __init__(self, ranking: Mapping[str, Any]) -> None:
        """Use the tables `prior` and `recency` of *ranking*."""
        self._prior: Mapping[str, float] = ranking["prior"]
        self._share = float(ranking["recency"]["share"])
        self._half_life = float(ranking["recency"]["half_life_days"]) * DAY_MILLIS
        # Few combinations of traits exist, so each is worked out once.
        self._factors = lru_cache(maxsize=4096)(self._work_out)

    def order(self, matches: Sequence[Match], now: int) -> list[Ranked]:
        """Return the matches in their final order.

        *now* is milliseconds since 1970. Of equal scores the newer row comes first.
        """
        ranked = [self._ranked(match, now) for match in matches]
        return sorted(ranked, key=lambda hit: (-hit.score, -hit.row))

    def _ranked(self, match: Match, now: int) -> Ranked:
        factors, product = self._factors(match.traits)
        recency = self._recency(match.created, now)
        score = match.score * product * recency
        told = (*factors, ("recency", recency))
        return Ranked(match.row, score, match.score, told, result_of(match))

    def _work_out(self, traits: int) -> tuple[tuple[tuple[str, float], ...], float]:
        named = [(name, self._prior.get(name, 1.0)) for name in _priors(unpack(traits))]
        factors = tuple((name, factor) for name, factor in named if factor != 1.0)
        return factors, math.prod(factor for _, factor in factors)

    def _recency(self, created: int, now: int) -> float:
        """Return 1 - share for very old to 1 for new, halving with every half-life."""
        age = max(0, now - created) / self._half_life
        return 1.0 - self._share + self._share * float(0.5**age)


def unranked(match: Match) -> Ranked:
    """Return a match as the engine ordered it."""
    return Ranked(match.row, match.score, match.score, (), result_of(match))


def result_of(match: Match) -> str | None:
    """Return how the matched attempt ended; None for another kind."""
    result = unpack(match.traits).result
    return None if result == "none" else result.removesuffix("_by_wording")


def _priors(traits: Traits) -> list[str]:
    """Return the names of the priors that apply."""
    names = [traits.result if traits.kind == "attempt" else traits.kind]
    if traits.state in _SINKING:
        names.append(traits.state)
    if traits.source in ("human_confirmed", "production_verified"):
        names.append("verified_source")
    return names
