"""The judged results in `fixtures/outcomes` keep being read as they are judged."""

import json
from pathlib import Path

from shadowgraph.rules.outcome import classify
from shadowgraph.search.definition import packaged

JUDGED = Path(__file__).parents[2] / "fixtures" / "outcomes" / "judged.jsonl"
LEAST = 0.97


def test_judged_results_are_read_rightly() -> None:
    """At least ninety-seven of a hundred, and hardly a failure as a success."""
    rows = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]

    read = [
        (row["expect"], classify({"result": row["result"]}, packaged().failure_words).cls)
        for row in rows
    ]

    assert LEAST <= sum(expected == found for expected, found in read) / len(read)
    assert read.count(("failed", "succeeded")) <= 2
