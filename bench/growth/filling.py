"""A home of a million records, filled in steps that a later run goes on with.

The records are those of `bench.speed.corpus`; a seed fixes them, so a run that was stopped
draws what is stored already and goes on behind it.
"""

import time
from itertools import islice
from pathlib import Path

from bench.speed.corpus import PROJECT, Corpus
from bench.speed.home import AT_ONCE, store
from shadowgraph import Library


def held(library: Library) -> int:
    """Return how many records of the corpus are stored."""
    return sum(library.store.counts(f"project:{PROJECT}").values())


def fill(path: Path, records: int) -> tuple[int, float]:
    """Fill a home; return how many were added, and the seconds that storing them took."""
    with Library(path) as library:
        there = held(library)
        source = islice(Corpus().records(), there, max(there, records))
        storing = 0.0
        while batch := list(islice(source, AT_ONCE)):
            before = time.perf_counter()
            store(library, batch)
            storing += time.perf_counter() - before
        return max(0, records - there), storing


def catch_up(path: Path) -> float:
    """Index what is not searchable yet, as a read does; return the seconds it took."""
    with Library(path) as library:
        before = time.perf_counter()
        while library.sync.view().pending:
            pass
        return time.perf_counter() - before
