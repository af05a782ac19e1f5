"""The judged results in `fixtures/outcomes` keep being read as they are judged."""

import json
from pathlib import Path

import pytest

from shadowgraph.rules.outcome import classify
from shadowgraph.search.definition import packaged

OUTCOMES = Path(__file__).parents[2] / "fixtures" / "outcomes"


@pytest.mark.parametrize(("name", "least"), [("judged", 0.97), ("fresh", 0.95)])
def test_judged_results_are_read_rightly(name: str, least: float) -> None:
    """Nearly all of them, and hardly a failure as a success."""
    text = (OUTCOMES / f"{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]

    read = [
        (row["expect"], classify({"result": row["result"]}, packaged().failure_words).cls)
        for row in rows
    ]

    assert least <= sum(expected == found for expected, found in read) / len(read)
    assert read.count(("failed", "succeeded")) <= 2
