"""Measure relevance: `python -m bench.relevance [--data DIR] [--sets a,b] [--check]`.

Prints one Markdown table a measure and writes every query's figures to `--out`. With
`--check` our figures are compared with `expected.toml`, and the other systems are left
out. Where the sets are absent it says so and ends well: they are no part of the repository.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.machine import described, table
from bench.records import DATA, SETS, Judged, load
from bench.relevance.measures import (
    EXPECTED,
    MEASURES,
    TOLERANCE,
    Scored,
    differences,
    pinned,
    score,
)
from bench.relevance.systems import ABLATIONS, OURS, SYSTEMS

OUT = Path(__file__).parents[1] / "out" / "relevance.tsv"
_TITLES = {"ndcg": "nDCG@10", "recall": "recall@10", "mrr": "MRR@10"}


def main() -> int:
    """Measure, print, write, and check when asked to."""
    options = _options()
    sets = _sets(options)
    if not sets:
        return 0
    command = " ".join(["python -m bench.relevance", *sys.argv[1:]])
    print(described(command), flush=True)
    systems = [OURS] if options.check else list(ABLATIONS if options.ablate else SYSTEMS)
    found = [one for judged in sets for one in _scored(judged, systems)]
    for measure in MEASURES:
        print(f"\n### {_TITLES[measure]}\n\n{_table(found, systems, measure)}")
    _write(found, options.out)
    if options.pin:
        _pin(found)
    return _checked(found) if options.check else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.relevance", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets")
    parser.add_argument("--sets", default=",".join(SETS), help="names, separated by commas")
    parser.add_argument("--out", type=Path, default=OUT, help="file for figures by query")
    parser.add_argument(
        "--ablate", action="store_true", help="ours, one ingredient left out at a time"
    )
    parser.add_argument("--check", action="store_true", help="compare with expected.toml")
    parser.add_argument("--pin", action="store_true", help="write expected.toml anew")
    return parser.parse_args()


def _sets(options: argparse.Namespace) -> list[Judged]:
    """Load the sets that are there; say which are not."""
    names = [name for name in options.sets.split(",") if name]
    unknown = [name for name in names if name not in SETS]
    if unknown:
        raise SystemExit(f"No such set: {', '.join(unknown)}; known: {', '.join(SETS)}.")
    absent = [name for name in names if not (options.data / name / "qrels.tsv").exists()]
    if absent:
        print(
            f"SKIPPED: {', '.join(absent)} not found in {options.data}."
            " Point to the folder of the sets with --data DIR."
        )
    return [load(options.data, name) for name in names if name not in absent]


def _scored(judged: Judged, systems: list[str]) -> Iterator[Scored]:
    for system in systems:
        before = time.perf_counter()
        run = {**SYSTEMS, **ABLATIONS}[system](judged)
        seconds = time.perf_counter() - before
        print(f"{judged.name}: {system}, {seconds:.0f} s", file=sys.stderr, flush=True)
        yield score(judged, system, run, seconds)


def _table(found: list[Scored], systems: list[str], measure: str) -> str:
    figures = {(one.judged, one.system): one.figures[measure] for one in found}
    rows = []
    for judged in dict.fromkeys(one.judged for one in found):
        values = [figures[judged, system] for system in systems]
        best = max(values)
        rows.append([judged, *(_cell(value, best) for value in values)])
    means = [
        sum(one.figures[measure] for one in found if one.system == system) / len(rows)
        for system in systems
    ]
    rows.append(["mean", *(_cell(value, max(means)) for value in means)])
    return table(["set", *systems], rows)


def _cell(value: float, best: float) -> str:
    shown = f"{value:.3f}".removeprefix("0")
    return f"**{shown}**" if round(value, 3) == round(best, 3) else shown


def _write(found: list[Scored], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        print("set", "system", "query", *MEASURES, sep="\t", file=lines)
        for one in found:
            for query, figures in one.queries.items():
                cells = [f"{figures.get(name, 0.0):.4f}" for name in MEASURES]
                print(one.judged, one.system, query, *cells, sep="\t", file=lines)
    print(f"\nFigures by query: {path}", file=sys.stderr)


def _pin(found: list[Scored]) -> None:
    """Write our figures as the expected ones; sets that were not measured stay."""
    held = pinned() if EXPECTED.exists() else {}
    held |= {one.judged: one.figures for one in found if one.system == OURS}
    head = f"# What shadowgraph reaches on each set; --check allows {TOLERANCE} either way."
    parts = [f"{head}\n# Written by: python -m bench.relevance --pin\n"]
    for name in sorted(held):
        lines = [f"{measure} = {held[name][measure]:.4f}" for measure in MEASURES]
        parts.append(f"[{name}]\n" + "\n".join(lines) + "\n")
    EXPECTED.write_text("\n".join(parts), encoding="utf-8")


def _checked(found: list[Scored]) -> int:
    expected = pinned()
    faults = [
        fault
        for one in found
        if one.system == OURS
        for fault in differences(one, expected.get(one.judged, {}))
    ]
    for fault in faults:
        print(f"CHANGED: {fault}")
    if not faults:
        print(f"\nAll as pinned, within {TOLERANCE}.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
