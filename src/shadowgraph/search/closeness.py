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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a closeness is made of."""

    done: float
    "Share of what was tried that stands in the action, 0 to 1."
    weight: float
    "ln(1 + w) of what the shared words weigh."
    shared: tuple[str, ...]
    "Shared stems, rarest first."


def evidence(
    comparer: Comparer, action: Mapping[str, float], attempt: Mapping[str, Any]
) -> Evidence:
    """Compare the weighted stems of an *action* with an *attempt*."""
    tried = comparer.stems(str(attempt.get("solution", "")))
    whole = comparer.stems("\n".join(str(attempt.get(name) or "") for name in FIELDS))
    shared = sorted(action.keys() & whole.keys(), key=lambda stem: -action[stem])
    again = sum(tried[stem] for stem in action.keys() & tried.keys())
    return Evidence(
        done=again / (sum(tried.values()) or 1.0),
        weight=math.log1p(sum(action[stem] for stem in shared)),
        shared=tuple(shared),
    )


def closeness(
    comparer: Comparer,
    action: Mapping[str, float],
    attempt: Mapping[str, Any],
    settings: Mapping[str, float],
) -> Closeness:
    """Return how likely an *action* (weighted stems) is the same thing as an *attempt*."""
    found = evidence(comparer, action, attempt)
    logit = (
        settings["constant"]
        + settings["done"] * found.done
        + settings["weight"] * found.weight
    )
    return Closeness(round(1 / (1 + math.exp(-logit)), 3), found.shared)
