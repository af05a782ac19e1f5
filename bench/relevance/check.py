"""Does `shadowgraph_check` say avoid where it should, and only there?

`python -m bench.relevance.check [--fit]` fills a temporary home with `fixtures/notes`, asks
for every action of the judged suite and prints precision and recall of *avoid*, and which
verdict each class of action got. A hit counts for recall only when the attempt that it
rests on is among the matches. `--fit` prints coefficients for `index/ranking.toml`, with
the figures of a ten-fold cross-validation beside those of the fit: the honest ones.
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.relevance.systems import fixed_clock
from shadowgraph import Filter, Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke
from shadowgraph.search.closeness import evidence
from shadowgraph.search.similar import Comparer

ROOT = Path(__file__).parents[2]
NOTES = ROOT / "fixtures" / "notes"
SUITE = Path(__file__).parent / "suites" / "check" / "actions.jsonl"
VERDICTS = ("avoid", "caution", "clear", "unknown")


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


def filled(home: Path) -> Library:
    """Return a library that holds the notes."""
    library = Library(home, clock=fixed_clock)
    for file in sorted(NOTES.glob("*.jsonl")):
        import_lines(library, file.read_text(encoding="utf-8").splitlines())
    return library


def actions() -> list[dict[str, Any]]:
    """Return the judged actions."""
    return [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()]


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


def table(asked: Sequence[Asked]) -> Iterator[str]:
    """Yield a Markdown table: what was expected, what was answered."""
    counts = Counter((one.expect, one.verdict) for one in asked)
    yield f"| expected | {' | '.join(VERDICTS)} |"
    yield f"| --- | {' | '.join('---' for _ in VERDICTS)} |"
    for expected in VERDICTS:
        row = " | ".join(str(counts[expected, verdict]) for verdict in VERDICTS)
        yield f"| {expected} | {row} |"


def features(library: Library, action: dict[str, Any]) -> list[float]:
    """Return done and weight of the closest failed attempt, as `closeness` has them."""
    answer = library.search(
        action["action"],
        Filter(owner=f"project:{action['project']}", kinds=("attempt",)),
        limit=10,
    )
    comparer = Comparer(library.definition, library.analyzer, library.sync.as_it_stands())
    stems = comparer.stems(action["action"])
    best = [0.0, 0.0]
    for hit in answer.hits:
        if library.result_class(hit.record.body) == "failed":
            best = max(best, _features(comparer, stems, hit.record.body), key=sum)
    return best


def _features(comparer: Comparer, stems: dict[str, float], body: Any) -> list[float]:
    found = evidence(comparer, stems, body)
    return [found.done, found.weight]


def fit(rows: list[list[float]], right: list[bool], rounds: int = 4_000) -> list[float]:
    """Return constant and coefficients of a logistic function, by gradient descent."""
    weights = [0.0] * (len(rows[0]) + 1)
    for _ in range(rounds):
        slopes = [0.0] * len(weights)
        for row, yes in zip(rows, right, strict=True):
            error = probability(weights, row) - yes
            slopes[0] += error
            for at, value in enumerate(row, start=1):
                slopes[at] += error * value
        weights = [w - 2.0 * s / len(rows) for w, s in zip(weights, slopes, strict=True)]
    return weights


def probability(weights: Sequence[float], row: Sequence[float]) -> float:
    """Return the logistic function of a row."""
    logit = weights[0] + sum(w * x for w, x in zip(weights[1:], row, strict=True))
    return 1 / (1 + math.exp(-logit))


def _fitted(library: Library, judged: list[dict[str, Any]]) -> None:
    rows = [features(library, action) for action in judged]
    right = [action["expect"] == "avoid" for action in judged]
    names = ("constant", "done", "weight")
    print({n: round(w, 2) for n, w in zip(names, fit(rows, right), strict=True)})
    order = list(range(len(rows)))
    random.Random(7).shuffle(order)
    held: dict[int, float] = {}
    for fold in range(10):
        out = set(order[fold::10])
        kept = [at for at in order if at not in out]
        weights = fit([rows[a] for a in kept], [right[a] for a in kept], rounds=1_500)
        held |= {at: probability(weights, rows[at]) for at in out}
    for limit in (0.4, 0.5, 0.6, 0.7, 0.8):
        said = [at for at, value in held.items() if value >= limit]
        hit = sum(right[at] for at in said)
        print(
            f"held out, from {limit}: {hit / max(1, len(said)):.3f} / {hit / sum(right):.3f}"
        )


def main() -> None:
    """Run the suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    judged = actions()
    with TemporaryDirectory() as home, filled(Path(home)) as library:
        asked = [ask(library, action) for action in judged]
        found = figures(asked)
        print(f"{len(judged)} actions, avoid: precision {found.precision:.3f}, ", end="")
        print(f"recall {found.recall:.3f}\n")
        print("\n".join(table(asked)))
        if options.fit:
            _fitted(library, judged)


if __name__ == "__main__":
    main()
