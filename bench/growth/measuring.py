"""The figures of one large home.

The index is built anew before anything else, so what a client meets does not depend on how
the home was filled. Writes come last and go into a project of their own; they are the one thing that stays in
the home. The rebuild runs in a process of its own, because peak memory is a figure of a
process.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.machine import Times, timed
from bench.speed.corpus import PROJECT, Corpus
from bench.speed.inside import CALLER, check, search
from shadowgraph import Filter, Library
from shadowgraph.operations import invoke
from shadowgraph.search.plan import Planner
from shadowgraph.search.query import Builder
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.syntax import parse

REBUILD = "from bench.growth.measuring import rebuild_here; rebuild_here()"
WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Grown:
    """What was measured."""

    records: int
    open: Times
    write: Times
    search: Times
    engine: Times
    "The first step of the same searches, as the engine runs it."
    check: Times
    context: Times
    rebuilt: float
    "Records a second."
    memory: float
    "Peak of the rebuilding process and of the one beside it in MB."
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
    """Measure a home: its rebuild, then the calls of a client."""
    rebuilt, memory = _rebuild(path)
    opening = timed(_open, [path] * min(20, rounds))
    corpus = Corpus()
    queries = corpus.queries(rounds)
    with Library(path) as library:
        for query in corpus.queries(WARM_UP, seed=2):
            search(library, query)
        found = timed(lambda query: search(library, query), queries)
        engine = _first_step(library, queries)
        checked = timed(lambda query: check(library, query), queries)
        told = timed(lambda query: _context(library, query), queries)
        figures = invoke(library, "shadowgraph_stats", {}, CALLER)
        with library.store.read() as selection:
            sizes = selection.sizes()
        doctor, examined = _seconds(
            lambda: invoke(library, "shadowgraph_doctor", {}, CALLER)
        )
        backup, size = _backup(library)
    return Grown(
        records=figures["records"],
        open=opening,
        write=_writes(path, rounds),
        search=found,
        engine=engine,
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


def _first_step(library: Library, queries: Sequence[str]) -> Times:
    """Time what the engine does to find and count matches, and nothing of ours."""
    snapshot = library.sync.as_it_stands()
    made = (
        snapshot,
        Planner(library.definition, library.analyzer),
        Builder(library.definition, library.analyzer),
    )
    asked = [_asked(query, *made) for query in queries]
    window = int(library.definition.ranking["query"]["window"])
    return timed(lambda query: snapshot.matches(query, window), asked)


def _asked(text: str, snapshot: Snapshot, planner: Planner, builder: Builder) -> Any:
    """Return what a search for *text* in the project of the corpus asks the engine."""
    plan = planner.plan(parse(text), snapshot)
    return builder.words(
        builder.led(plan, snapshot), Filter(owner=f"project:{PROJECT}"), snapshot
    )


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
    # One more process prepares documents beside it.
    peak = sum(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(documents / took, peak / 1024)
