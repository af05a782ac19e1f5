"""Judged tool events against the capture policy, for the tests and for `bench.capture`.

Precision is the share of what is kept that a judge would keep, recall the share of what a
judge would keep that is kept.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from shadowgraph.hosts.policy import packaged

EVENTS = Path(__file__).parents[1] / "fixtures" / "hooks" / "events"
SETS = ("tuned", "held-out", "real", "real-held-out")


@dataclass(frozen=True)
class Measured:
    """What a policy makes of one set."""

    events: int
    precision: float
    recall: float
    wrong: tuple[str, ...]
    "What is judged otherwise, with the ground."


def measured(name: str) -> Measured:
    """Apply the packaged policy to a set of judged events."""
    policy = packaged()
    right = kept = worth = 0
    wrong = []
    lines = (EVENTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for event in map(json.loads, lines):
        ruling = policy.rule(event["command"], event["exit"], event["output"])
        right += ruling.keep and event["keep"]
        kept += ruling.keep
        worth += event["keep"]
        if ruling.keep != event["keep"]:
            side = "kept" if ruling.keep else "missed"
            wrong.append(f"{side}: {event['command']} ({ruling.ground} {ruling.cue})")
    return Measured(len(lines), right / kept, right / worth, tuple(wrong))
