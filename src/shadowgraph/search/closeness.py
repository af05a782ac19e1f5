"""How close an action is to an attempt: is it the same thing again, in other words?

The action is taken apart once and compared with one attempt after the other. Five numbers
come of it, over stems weighted by how rare they are (`similar`):

* *done*: the share of what was tried that the action says too;
* *tried*, *around*, *why*: how much the action's words tell that stand in the solution,
  else in result or environment, else in the reason. A word that stands in the conditions
  for another try before it stands in one of these two counts for nothing: it says what
  would have to be different;
* *foreign*: the share of the identifiers, paths and options in the action that the record
  knows nothing of. `tcp_congestion_control` is not `tcp_fin_timeout`, whatever they share.

A word of the same meaning (`synonyms`) counts at a reduced weight. A bare number or letter
counts half when both sides have it and nothing when one lacks it: the same thing with
another number is the same thing. The words of a pasted log count less the more there are:
it shares some with every record. A logistic function puts the five together; its
coefficients stand in `index/ranking.toml` and were fitted on a judged suite
(`bench/relevance/check.py`), so a closeness reads as a rough probability.

What share of the action an attempt speaks of, words side by side, and words that begin
alike were tried too and did not help.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from shadowgraph.search.similar import Comparer
from shadowgraph.search.synonyms import together

BARE = 0.5
"What a bare number or letter counts."
LONGEST = 60
"Distinct words of one action; of a longer text each counts less, as chance matches more."


class Closeness(NamedTuple):
    """How close an action is to one attempt."""

    score: float
    "0 to 1: how likely it is the same thing."
    shared: tuple[str, ...]
    "Shared stems, rarest first."


class Evidence(NamedTuple):
    """What a closeness is made of."""

    done: float
    "Share of what was tried that stands in the action, 0 to 1."
    tried: float
    "ln(1 + w) of what the action's words weigh that stand in the solution."
    around: float
    "The same of result and environment."
    why: float
    "The same of the reason."
    foreign: float
    "Share of the action's identifiers that the record does not hold, 0 to 1."
    shared: tuple[str, ...]
    "Shared stems, rarest first."

    def numbers(self) -> dict[str, float]:
        """Return the numbers by the names of their coefficients."""
        names = ("done", "tried", "around", "why", "foreign")
        return {name: getattr(self, name) for name in names}


class _Place:
    """One text of an attempt, as far as an action is looked for in it."""

    def __init__(self, comparer: Comparer, text: str) -> None:
        prepared, written = comparer.prepared(text)
        self.sequence = f" {prepared} "
        self.stems = frozenset(prepared.split())
        self.written = frozenset(written.split())


class Action:
    """An action, taken apart to be compared with attempts."""

    def __init__(
        self, comparer: Comparer, text: str, settings: Mapping[str, float]
    ) -> None:
        """Weigh the words of *text*; *settings* is the table `check`."""
        self._comparer = comparer
        self._settings = settings
        self._alike = float(settings["synonym"])
        self._place = _Place(comparer, text)
        stems = comparer.telling(self._place.stems)
        thin = min(1.0, LONGEST / max(1, len(stems)))
        self._weights = {stem: self._weight(stem) * thin for stem in stems}
        self._meant = comparer.synonyms.of(self._place.sequence.split())
        self._all_meant = together(list(self._meant.values()))
        self._joined = comparer.joined(text)
        self._identifiers = {w: self._parts(w) for w in comparer.identifiers(text)}

    def closeness(self, attempt: Mapping[str, Any]) -> Closeness:
        """Return how likely the action is the same thing as an *attempt*."""
        found = self.evidence(attempt)
        logit = float(self._settings["constant"]) + sum(
            self._settings[name] * value for name, value in found.numbers().items()
        )
        return Closeness(round(1 / (1 + math.exp(-logit)), 3), found.shared)

    def evidence(self, attempt: Mapping[str, Any]) -> Evidence:
        """Compare the action with an *attempt*."""
        solution = str(attempt.get("solution") or "")
        places = [_Place(self._comparer, text) for text in _places(attempt)]
        tried, _, around, why = self._spread(places)
        return Evidence(
            done=self._done(solution, places[0]),
            tried=math.log1p(tried),
            around=math.log1p(around),
            why=math.log1p(why),
            foreign=self._foreign(places),
            shared=self._shared(places),
        )

    def _spread(self, places: list[_Place]) -> list[float]:
        """Return what the action's words weigh in each of *places*, each counted once."""
        sums = [0.0] * len(places)
        for stem, weight in self._weights.items():
            for at, place in enumerate(places):
                held = self._held(stem, place)
                if held:
                    sums[at] += weight * held
                    break
        return sums

    def _held(self, stem: str, place: _Place) -> float:
        """Return 1 when a *place* holds a stem of ours, less when it means the same."""
        whole = self._joined.get(stem)
        if stem in place.stems or stem in place.written or whole in place.written:
            return 1.0
        meant = self._meant.get(stem)
        return self._alike if meant and meant.stems_in(place.sequence, place.stems) else 0.0

    def _done(self, text: str, solution: _Place) -> float:
        """Return the share of the *solution* that the action says too.

        A bare number that the action lacks is no part of the whole.
        """
        said = self._said(text, solution)
        alike = self._all_meant.stems_in(solution.sequence, solution.stems) - said
        telling = self._comparer.telling(solution.stems)
        lacking = [s for s in telling - said - alike if not _is_bare(s)]
        again = sum(map(self._weight, telling & said))
        again += self._alike * sum(map(self._weight, telling & alike))
        rest = (1 - self._alike) * sum(map(self._weight, telling & alike))
        return again / (again + rest + sum(map(self._weight, lacking)) or 1.0)

    def _said(self, text: str, solution: _Place) -> set[str]:
        """Return the stems of the *solution* that the action says in the same word."""
        ours = self._place
        said = set(solution.stems & (ours.stems | ours.written))
        for word in ours.written & solution.written:
            stem = self._comparer.prepared(word)[0]
            if stem in ours.stems and stem not in solution.stems:
                parts = self._comparer.joined(text).items()
                said.update(part for part, whole in parts if whole == word)
        return said

    def _weight(self, stem: str) -> float:
        """Return what a stem tells; a bare number or letter, half of it."""
        share = self._comparer.share(stem)
        return share * BARE if _is_bare(stem) else share

    def _foreign(self, places: list[_Place]) -> float:
        """Return the share of the action's identifiers that the places know nothing of.

        One whose words all stand there is known: `functools.cache`, where
        `functools.lru_cache` was tried.
        """
        stems = frozenset().union(*(place.stems for place in places))
        unknown = sum(
            all(place.written.isdisjoint(wholes) for place in places)
            and not (parts and parts <= stems)
            for wholes, parts in self._identifiers.items()
        )
        return unknown / (len(self._identifiers) or 1)

    def _parts(self, wholes: tuple[str, ...]) -> frozenset[str]:
        """Return the stems that an identifier of the action is made of."""
        return frozenset(s for s, whole in self._joined.items() if whole == wholes[0])

    def _shared(self, places: Iterable[_Place]) -> tuple[str, ...]:
        held = frozenset().union(*(place.stems for place in places))
        shared = held & self._weights.keys()
        return tuple(sorted(shared, key=lambda stem: (-self._weights[stem], stem)))


def _places(attempt: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a word may stand; it counts for the first place that holds it."""
    yield str(attempt.get("solution") or "")
    yield "\n".join(map(_condition, attempt.get("reusableWhen") or ()))
    yield f"{attempt.get('result') or ''}\n{attempt.get('environment') or ''}"
    yield str(attempt.get("reason") or "")


def _condition(rule: Any) -> str:
    """Return the words of a rule, without those of its grammar."""
    if isinstance(rule, Mapping):
        return f"{rule.get('key', '')} {rule.get('value', '')}"
    return str(rule)


def _is_bare(stem: str) -> bool:
    """Whether a stem is a number or a single letter: a value, not a word."""
    return len(stem) == 1 or stem.isdigit()
