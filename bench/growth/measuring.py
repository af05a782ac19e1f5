"""The figures of one large home.

Writes come last and go into a project of their own; they are the one thing that stays in
the home. The rebuild runs in a process of its own, because peak memory is a figure of a
process.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.machine import Times, timed
from bench.speed.corpus import PROJECT, Corpus
from bench.speed.inside import CALLER, check, search
from shadowgraph import Library
from shadowgraph.operations import invoke

REBUILD = "from bench.growth.measuring import rebuild_here; rebuild_here()"
WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Grown:
    """What was measured."""

    records: int
    open: Times
    write: Times
    search: Times
    check: Times
    context: Times
    rebuilt: float
    "Records a second."
    memory: float
    "Peak of the rebuilding process in MB."
    backup: float
    "Seconds."
    backup_bytes: int
    doctor: float
    "Seconds."
    sound: bool
    "Whether the doctor found nothing."
    record_bytes: int
    journal_bytes: int
    store_bytes: int
    index_bytes: int
    segments: int


def measure(path: Path, rounds: int) -> Grown:
    """Measure a home, the calls of a client first."""
    opening = timed(_open, [path] * min(20, rounds))
    corpus = Corpus()
    queries = corpus.queries(rounds)
    with Library(path) as library:
        for query in corpus.queries(WARM_UP, seed=2):
            search(library, query)
        found = timed(lambda query: search(library, query), queries)
        checked = timed(lambda query: check(library, query), queries)
        told = timed(lambda query: _context(library, query), queries)
        figures = invoke(library, "shadowgraph_stats", {}, CALLER)
        with library.store.read() as selection:
            sizes = selection.sizes()
        doctor, examined = _seconds(
            lambda: invoke(library, "shadowgraph_doctor", {}, CALLER)
        )
        backup, size = _backup(library)
    rebuilt, memory = _rebuild(path)
    return Grown(
        records=figures["records"],
        open=opening,
        write=_writes(path, rounds),
        search=found,
        check=checked,
        context=told,
        rebuilt=rebuilt,
        memory=memory,
        backup=backup,
        backup_bytes=size,
        doctor=doctor,
        sound=bool(examined["ok"]),
        record_bytes=sizes.records,
        journal_bytes=sizes.journal,
        store_bytes=figures["storeBytes"],
        index_bytes=figures["index"]["bytes"],
        segments=figures["index"]["segments"],
    )


def _open(path: Path) -> None:
    """Open a home as a command does, and close it."""
    Library(path).close()


def _context(library: Library, query: str) -> dict[str, object]:
    return invoke(library, "shadowgraph_context", {"query": query}, CALLER)


def _seconds(call: Callable[[], dict[str, object]]) -> tuple[float, dict[str, object]]:
    before = time.perf_counter()
    found = call()
    return time.perf_counter() - before, found


def _writes(path: Path, rounds: int) -> Times:
    """Time durable writes of facts in a project of their own, which stay."""
    corpus = Corpus(seed=7)
    project = f"{PROJECT}-{time.time_ns()}"
    facts = [
        {"key": f"written.{number}", "value": corpus.error_line(Random(number))}
        for number in range(rounds)
    ]
    with Library(path) as library:

        def write(fact: dict[str, str]) -> None:
            invoke(library, "shadowgraph_record_fact", fact | {"project": project}, CALLER)

        return timed(write, facts)


def _backup(library: Library) -> tuple[float, int]:
    with TemporaryDirectory(prefix="shadowgraph-backup-") as directory:
        file = Path(directory) / "a.backup"
        took, _ = _seconds(
            lambda: invoke(
                library, "shadowgraph_backup", {"destination": str(file)}, CALLER
            )
        )
        return took, file.stat().st_size


def _rebuild(path: Path) -> tuple[float, float]:
    """Rebuild the index in a process of its own; return records a second and peak MB."""
    done = subprocess.run(
        [sys.executable, "-c", REBUILD, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    speed, peak = done.stdout.split()
    return float(speed), float(peak)


def rebuild_here() -> None:
    """Rebuild the home that the command line names and print both figures."""
    with Library(Path(sys.argv[1])) as library:
        before = time.perf_counter()
        documents = library.reindex()
        took = time.perf_counter() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(documents / took, peak)
