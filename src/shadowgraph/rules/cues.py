"""Where the cues of an outcome stand in a text, of whatever source, by kind.

Sources are the word lists, the constructions, what tools print, and measures that moved.
A text without a cue that could say anything has none, and costs little more than finding
its words once. What the cues mean together is decided in `reading`.
"""

from dataclasses import dataclass
from typing import Final

from shadowgraph.rules.measures import Moves, unnamed
from shadowgraph.rules.neutral import described
from shadowgraph.rules.notations import marks
from shadowgraph.rules.wording import FailureWords, Span

_TELLING: Final = ("failure", "success", "open", "ability", "symptom", "cost", "gain")


@dataclass(slots=True)
class Cues:
    """Where cues of each kind stand, in order."""

    failures: list[Span]
    successes: list[Span]
    undecided: list[Span]
    inert: list[Span]
    "What says nothing, and takes every cue inside it away."
    told: list[Span]
    "What only describes: it takes all but a clear success away."
    negations: list[Span]
    removals: list[Span]
    abilities: list[Span]
    symptoms: list[Span]
    moves: Moves


def cues(text: str, words: FailureWords) -> Cues | None:
    """Return the cues of a folded *text*, or None if it holds none."""
    found = words.find(text)
    found["harmless"] += found["open"]
    bad, good = marks(text)
    found["failure"] += bad
    found["success"] += good
    moves = Moves(sorted(found["rise"]), sorted(found["fall"]))
    _add_measures(text, found, moves)
    if not any(found[name] for name in _TELLING):
        return None
    return Cues(
        failures=sorted(set(found["failure"])),
        successes=sorted(set(found["success"])),
        undecided=sorted(found["open"]),
        inert=sorted(found["harmless"]),
        told=described(text, found["deed"]),
        negations=found["negation"],
        removals=sorted(found["removal"]),
        abilities=found["ability"],
        symptoms=found["symptom"],
        moves=moves,
    )


def _add_measures(text: str, found: dict[str, list[Span]], moves: Moves) -> None:
    """Add where a measure went the wrong way, and where the right way."""
    for wrong, measures in ((1, found["cost"]), (-1, found["gain"])):
        for measure in measures:
            if way := moves.of(text, measure):
                found["failure" if way[0] == wrong else "success"].append(way[1])
    # Two numbers without a measure are weak: they count where nothing else does.
    if not found["failure"] and not found["success"] and (way := unnamed(text)):
        found["success" if way[0] else "failure"].append(way[1])
