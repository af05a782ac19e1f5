"""Does `shadowgraph_check` say avoid where it should, and only there?

`python -m bench.relevance.check [--fit]` fills a temporary home with `fixtures/notes`, asks
for every action of both judged suites and prints precision and recall of *avoid*, and which
verdict each class of action got. A hit counts for recall only when the attempt that it
rests on is among the matches. Coefficients and thresholds are chosen on `suites/check`;
`suites/check-held-out` is only ever reported. Below them stands how well the attempts that
a recording of the same text would be told of (`similar`) are those the judgement rests on.

`--fit` prints coefficients for `index/ranking.toml`, and how they would do on new records:
each action is asked with coefficients fitted without every record that is near it, and with
the threshold that does best on the other half of the actions. That no candidate is left
behind is printed as well, since nothing else would tell.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.relevance.fitting import fit
from bench.relevance.systems import fixed_clock
from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke
from shadowgraph.search.closeness import Action
from shadowgraph.search.definition import packaged
from shadowgraph.search.similar import Comparer

ROOT = Path(__file__).parents[2]
NOTES = ROOT / "fixtures" / "notes"
SUITES = Path(__file__).parent / "suites"
VERDICTS = ("avoid", "caution", "clear", "unknown")
FITTED_ON = "check"
HELD_OUT = "check-held-out"
NEAREST = 2
"Candidates of an action that coefficients are fitted on: the rest is easily told apart."
THRESHOLDS = (0.3, 0.33, 0.36, 0.4, 0.45, 0.5, 0.55, 0.6)
ASKED = 0.9
"Least precision that a threshold is chosen for."


@dataclass(frozen=True, slots=True)
class Asked:
    """One action and what was answered."""

    expect: str
    verdict: str
    rests: bool
    "Whether an attempt that the judgement rests on is among the matches."


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision and recall of avoid."""

    precision: float
    recall: float

    def __str__(self) -> str:
        """Return both, the precision first."""
        return f"{self.precision:.3f} / {self.recall:.3f}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One attempt near an action, and what their closeness is made of."""

    id: str
    numbers: dict[str, float]


def filled(home: Path) -> Library:
    """Return a library that holds the notes, with a ranking of its own to change."""
    definition = replace(packaged(), ranking=json.loads(json.dumps(packaged().ranking)))
    library = Library(home, clock=fixed_clock, definition=definition)
    for file in sorted(NOTES.glob("*.jsonl")):
        import_lines(library, file.read_text(encoding="utf-8").splitlines())
    return library


def actions(suite: str) -> list[dict[str, Any]]:
    """Return the judged actions of a suite."""
    text = (SUITES / suite / "actions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def ask(library: Library, action: dict[str, Any]) -> Asked:
    """Ask for one action as a client would."""
    given = {key: action[key] for key in ("action", "environment") if action.get(key)}
    reply = invoke(library, "shadowgraph_check", given, Caller(action["project"], "server"))
    found = {match["id"] for match in reply["matches"]}
    return Asked(action["expect"], reply["verdict"], bool(found & set(action["because"])))


def figures(asked: Sequence[Asked]) -> Figures:
    """Return precision and recall of avoid."""
    said = [one for one in asked if one.verdict == "avoid"]
    right = sum(one.expect == "avoid" for one in said)
    recalled = sum(one.expect == "avoid" and one.rests for one in said)
    wanted = sum(one.expect == "avoid" for one in asked)
    return Figures(right / max(1, len(said)), recalled / max(1, wanted))


def told_of(library: Library, suite: str) -> Figures:
    """Return precision and recall of the similar attempts that each action is told of."""
    shown = right = found = wanted = 0
    for action in actions(suite):
        because = set(action["because"])
        like = library.similar(action["action"], f"project:{action['project']}")
        ids = {record.id for record, _ in like}
        shown, right = shown + len(ids), right + len(ids & because)
        found, wanted = found + bool(ids & because), wanted + bool(because)
    return Figures(right / max(1, shown), found / max(1, wanted))


def table(asked: Sequence[Asked]) -> Iterator[str]:
    """Yield a Markdown table: what was expected, what was answered."""
    counts = Counter((one.expect, one.verdict) for one in asked)
    yield f"| expected | {' | '.join(VERDICTS)} |"
    yield f"| --- | {' | '.join('---' for _ in VERDICTS)} |"
    for expected in VERDICTS:
        row = " | ".join(str(counts[expected, verdict]) for verdict in VERDICTS)
        yield f"| {expected} | {row} |"


def candidates(library: Library, action: dict[str, Any]) -> list[Candidate]:
    """Return what an action would be compared with, in the order of the index."""
    found, view = library.nearby(action["action"], f"project:{action['project']}")
    comparer = Comparer(library.definition, library.analyzer, view.snapshot)
    asked = Action(comparer, action["action"], library.definition.ranking["check"])
    return [
        Candidate(near.record.id, asked.evidence(near.record.body).numbers())
        for near in found
    ]


def _coefficients(pairs: Sequence[tuple[Candidate, bool]]) -> dict[str, float]:
    rows = [list(candidate.numbers.values()) for candidate, _ in pairs]
    names = ("constant", *pairs[0][0].numbers)
    found = fit(rows, [right for _, right in pairs])
    return {name: round(value, 2) for name, value in zip(names, found, strict=True)}


def _fitted(library: Library) -> None:
    judged = actions(FITTED_ON)
    near = [candidates(library, action)[:NEAREST] for action in judged]
    resting = [action for action in judged if action["because"]]
    held = sum(
        not {c.id for c in candidates(library, action)}.isdisjoint(action["because"])
        for action in resting
    )
    print(f"\nthe attempt is among the candidates: {held} of {len(resting)}")
    pairs = [
        (candidate, candidate.id in action["because"])
        for action, some in zip(judged, near, strict=True)
        for candidate in some
    ]
    print("fitted:", _coefficients(pairs))
    without = [
        _coefficients([p for p in pairs if p[0].id not in {c.id for c in some}])
        for some in near
    ]
    crossed = {t: _crossed(library, judged, without, t) for t in THRESHOLDS}
    for threshold, asked in crossed.items():
        print(f"without its records, from {threshold}: {figures(asked)}")
    print(f"... and the threshold of the other half: {figures(_halved(crossed))}")


def _crossed(
    library: Library,
    judged: list[dict[str, Any]],
    coefficients: list[dict[str, float]],
    threshold: float,
) -> list[Asked]:
    """Return what is answered with other coefficients for each action."""
    settings = library.definition.ranking["check"]
    kept = dict(settings)
    asked = []
    for action, values in zip(judged, coefficients, strict=True):
        settings |= {**values, "avoid": threshold}
        asked.append(ask(library, action))
    settings |= kept
    return asked


def _halved(crossed: dict[float, list[Asked]]) -> list[Asked]:
    """Return every other answer from the threshold that is best for those between."""
    halves = [slice(0, None, 2), slice(1, None, 2)]
    best = [max(crossed, key=lambda t: _worth(crossed[t][half])) for half in halves]
    return [*crossed[best[1]][halves[0]], *crossed[best[0]][halves[1]]]


def _worth(asked: Sequence[Asked]) -> tuple[float, float]:
    """Return what thresholds are compared by: enough precision first, then recall."""
    found = figures(asked)
    return min(found.precision, ASKED), found.recall


def main() -> None:
    """Run both suites."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory() as home, filled(Path(home)) as library:
        for suite in (FITTED_ON, HELD_OUT):
            asked = [ask(library, action) for action in actions(suite)]
            found = figures(asked)
            print(f"{suite}: {len(asked)} actions, avoid: ", end="")
            print(f"precision {found.precision:.3f}, recall {found.recall:.3f}\n")
            print("\n".join(table(asked)))
            print(f"\nsimilar attempts: {told_of(library, suite)}\n")
        if options.fit:
            _fitted(library)


if __name__ == "__main__":
    main()
