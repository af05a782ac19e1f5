"""The estimate of tokens against what two public tokenizers counted."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.tokens import MARGIN, tokens

TABLE = Path(__file__).parents[2] / "fixtures" / "tokens" / "counts.jsonl"
COUNTED: list[dict[str, Any]] = [
    json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()
]


def _true(row: dict[str, Any]) -> int:
    """Return what the tokenizer that needs more of them counted."""
    return max(int(row["cl100k"]), int(row["o200k"]))


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: str(row["text"])[:40])
def test_the_estimate_is_never_below_a_true_count(row: dict[str, Any]) -> None:
    """A budget that was kept by the estimate is kept by the model."""
    assert _true(row) <= tokens(row["text"])


def test_the_estimate_is_not_far_above_the_true_counts_together() -> None:
    """What it errs by is budget that nobody can use."""
    counted = sum(row["cl100k"] for row in COUNTED)
    margins = MARGIN * len(COUNTED)

    assert sum(tokens(row["text"]) for row in COUNTED) - margins < 1.6 * counted


@given(st.lists(st.sampled_from(COUNTED), max_size=12))
def test_lines_together_are_estimated_above_their_true_counts(
    rows: list[dict[str, Any]],
) -> None:
    """A line end is at most a token of its own."""
    joined = "\n".join(row["text"] for row in rows)
    most = sum(map(_true, rows)) + max(0, len(rows) - 1)

    # The margin covers the line ends of a text only when there are few of them.
    assert tokens(joined) + MARGIN * len(rows) >= most


@given(st.text(), st.text())
def test_two_lines_take_at_most_what_each_of_them_takes(one: str, other: str) -> None:
    """A budget can be filled line by line."""
    assert tokens(f"{one}\n{other}") <= tokens(f"{one}\n") + tokens(other)


def test_nothing_takes_no_tokens() -> None:
    """An empty text has no margin either."""
    assert 0 == tokens("")
