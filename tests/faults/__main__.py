"""Killing a process at many steps of every path, and judging each home: `make test-faults`.

`python -m tests.faults --kills N` spreads N kills evenly over the steps of every path in
both ways of stepping (see `killing`); `--path NAME` takes one path. It prints a line for
each path and every fault, and its exit status is 1 when there was one.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

# The slow imports of the product happen once, before the forks.
import cryptography  # noqa: F401
import filelock  # noqa: F401
import ulid  # noqa: F401
from tests.faults import ptrace
from tests.faults.killing import Ended, Tell, by_calls, by_lines, in_child
from tests.faults.paths import PATHS, Way, copy_of
from tests.faults.verdict import faults


@dataclass
class Tally:
    """What came of the kills of one way in one manner."""

    way: str
    manner: str
    steps: int = 0
    kills: int = 0
    "Runs that died, and were judged."
    whole: int = 0
    "Runs that ended first: the steps of threads are not the same each time."
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the tally for a person."""
        return (
            f"{self.way:16} {self.manner:6} {self.steps:5} steps"
            f" {self.kills:4} kills {self.whole:3} whole {len(self.faults):3} faults"
        )


MANNERS = {"lines": by_lines, "calls": by_calls}


def spread(steps: int, kills: int) -> list[int]:
    """Return so many steps, evenly spread and each once.

    >>> spread(10, 5)
    [2, 4, 6, 8, 10]
    >>> spread(10, 1)
    [6]
    """
    wanted = min(steps, kills)
    return [(2 * at + 1) * steps // (2 * wanted) + 1 for at in range(wanted)]


def attack(way: Way, manner: str, kills: int, directory: Path) -> Tally:
    """Kill a way at so many steps and judge every home that is left."""
    prepared = directory / "prepared"
    _grown(in_child(lambda _: _prepare(way, prepared)))
    whole = MANNERS[manner](partial(way.act, copy_of(prepared, directory / "whole")))
    _grown(whole)
    tally = Tally(way.name, manner, whole.steps)
    for at in spread(whole.steps, kills):
        home = copy_of(prepared, directory / f"at-{at}")
        ended = MANNERS[manner](partial(way.act, home), at)
        tally.kills += ended.killed
        tally.whole += not ended.killed
        tally.faults += [
            f"{way.name}, {manner} {at} ({ended.at}): {fault}"
            for fault in _judged(way, home, ended)
        ]
    return tally


def _prepare(way: Way, prepared: Path) -> None:
    """Make the home that every kill of a path begins with."""
    prepared.mkdir()
    way.prepare(prepared / "home")


def _grown(ended: Ended) -> None:
    """Go on only when a run that nobody disturbed came to its end.

    Raises:
        RuntimeError: it did not, so nothing can be learned from killing it.
    """
    if ended.failure:
        raise RuntimeError(ended.failure)


def _judged(way: Way, home: Path, ended: Ended) -> Iterator[str]:
    """Yield what is wrong with a home after a kill."""
    if ended.failure:
        yield f"failed by itself: {ended.failure}"

    def judge(tell: Tell) -> None:
        for fault in faults(way, home, len(ended.told)):
            tell(fault)

    judged = in_child(judge)
    yield from judged.told
    if judged.failure:
        yield f"the next process failed: {judged.failure}"


def _arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="for each path and manner")
    parser.add_argument("--path", choices=[way.name for way in PATHS], action="append")
    parser.add_argument("--manner", choices=[*MANNERS], action="append")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _say(*lines: str) -> None:
    """Print lines at once."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Attack what was asked for; return the exit status."""
    given = _arguments()
    manners = given.manner or [*MANNERS]
    if "calls" in manners and not ptrace.works():
        told = "SKIPPED: ptrace does not work here, so no system call was a step."
        sys.stderr.write(f"{told}\n")
        manners.remove("calls")
    tallies = []
    for way in PATHS:
        for manner in manners:
            if given.path and way.name not in given.path:
                continue
            with tempfile.TemporaryDirectory() as directory:
                tallies.append(attack(way, manner, given.kills, Path(directory)))
            if not given.json:
                _say(tallies[-1].line(), *tallies[-1].faults)
    return _report(tallies, as_json=given.json)


def _report(tallies: list[Tally], *, as_json: bool) -> int:
    """Print what was found; return the exit status."""
    told: dict[str, Any] = {
        "manners": sorted({one.manner for one in tallies}),
        "kills": sum(one.kills for one in tallies),
        "faults": [fault for one in tallies for fault in one.faults],
    }
    if as_json:
        _say(json.dumps(told))
    else:
        _say(f"{told['kills']} kills, {len(told['faults'])} faults")
    return 1 if told["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
