"""The three measures and the figures that are pinned.

nDCG@10 says how high what was meant stands, recall@10 whether it is among the ten at all,
MRR@10 how far down one has to read. `ir-measures` computes them. What is pinned in
`expected.toml` is checked with a tolerance, so that a change of analysis or ranking is
seen where it is made.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import ir_measures
from ir_measures import RR, R, nDCG

from bench.records import Judged
from bench.relevance.systems import Run

MEASURES = {"ndcg": nDCG @ 10, "recall": R @ 10, "mrr": RR @ 10}
"Our short names and the measures."
EXPECTED = Path(__file__).with_name("expected.toml")
TOLERANCE = 0.002


@dataclass(frozen=True, slots=True)
class Scored:
    """How well one system did on one set."""

    judged: str
    system: str
    figures: dict[str, float]
    "Mean of each measure."
    queries: dict[str, dict[str, float]]
    "Each measure by query."
    seconds: float


def score(judged: Judged, system: str, run: Run, seconds: float) -> Scored:
    """Measure a run."""
    ranked = {
        query: {one: float(len(ids) - place) for place, one in enumerate(ids)}
        for query, ids in run.items()
    }
    queries: dict[str, dict[str, float]] = {query: {} for query in judged.relevant}
    names = {measure: name for name, measure in MEASURES.items()}
    for found in ir_measures.iter_calc(list(names), judged.relevant, ranked):
        queries[found.query_id][names[found.measure]] = float(found.value)
    return Scored(judged.name, system, _means(queries), queries, seconds)


def _means(queries: dict[str, dict[str, float]]) -> dict[str, float]:
    count = max(1, len(queries))
    return {
        name: sum(q.get(name, 0.0) for q in queries.values()) / count for name in MEASURES
    }


def pinned() -> dict[str, dict[str, float]]:
    """Return the figures that `expected.toml` holds, by set."""
    return tomllib.loads(EXPECTED.read_text(encoding="utf-8"))


def differences(found: Scored, expected: Mapping[str, float]) -> Iterator[str]:
    """Yield every figure that is not what was pinned."""
    for name, figure in found.figures.items():
        if name not in expected:
            yield f"{found.judged}: {name} is {figure:.4f} and not pinned"
        elif abs(figure - expected[name]) > TOLERANCE:
            yield f"{found.judged}: {name} is {figure:.4f}, pinned {expected[name]:.4f}"
