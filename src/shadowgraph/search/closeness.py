"""How close an action is to an attempt: is it the same thing again, in other words?

Two numbers, both over stems weighted by how rare they are: *done*, the share of what was
tried that stands in the action, and *weight*, how much the words tell in all that the
attempt shares with the action in any field. A logistic function puts them together; its
coefficients stand in `index/ranking.toml` and were chosen on a judged suite
(`bench/relevance/suites/check`), so a closeness reads as a rough probability. The share of
the action that an attempt speaks of was tried as a third number and did not help.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shadowgraph.search.similar import Comparer

FIELDS = ("solution", "result", "reason", "environment")
"Fields of an attempt that an action may speak of."


@dataclass(frozen=True, slots=True)
class Closeness:
    """How close an action is to one attempt."""

    score: float
    "0 to 1: how likely it is the same thing."
    shared: tuple[str, ...]
    "Shared stems, rarest first."


def closeness(
    comparer: Comparer,
    action: Mapping[str, float],
    attempt: Mapping[str, Any],
    settings: Mapping[str, float],
) -> Closeness:
    """Compare the weighted stems of an *action* with an *attempt*."""
    tried = comparer.stems(str(attempt.get("solution", "")))
    whole = comparer.stems("\n".join(str(attempt.get(name) or "") for name in FIELDS))
    shared = sorted(action.keys() & whole.keys(), key=lambda stem: -action[stem])
    weight = sum(action[stem] for stem in shared)
    done = sum(tried[s] for s in action.keys() & tried.keys()) / (
        sum(tried.values()) or 1.0
    )
    logit = (
        settings["constant"]
        + settings["done"] * done
        + settings["weight"] * math.log1p(weight)
    )
    return Closeness(round(1 / (1 + math.exp(-logit)), 3), tuple(shared))
