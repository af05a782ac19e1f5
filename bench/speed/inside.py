"""In process: a durable write, a search, a search after a write, a rebuild."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from bench.machine import Times, timed
from bench.speed.corpus import PROJECT
from bench.speed.home import Home, store
from shadowgraph import Filter, Library
from shadowgraph.operations import Caller, invoke

CALLER = Caller(project=PROJECT, source="server")
WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Inside:
    """Times in process at one size."""

    write: Times
    search: Times
    "The whole operation, ten previews."
    library: Times
    "`Library.search` alone: records hydrated, no reply built."
    errors: Times
    "The same as `search`, error lines alone."
    check: Times
    "The same queries as actions to check."
    raw: Times
    raw_content: Times
    "Raw tantivy without the function words that we drop."
    after_write: Times
    rebuilt: float
    "Records a second."
    segments: tuple[int, int]
    "Segments of our index and of the raw one."


def attempts(home: Home, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the arguments of new attempts, as a client would send them."""
    random, corpus = Random(seed), home.corpus
    while True:
        words = corpus.words(random, 100)
        yield {
            "solution": " ".join(words[:20]),
            "result": f"{' '.join(words[20:60])}\n{corpus.error_line(random)}",
            "reason": " ".join(words[60:]),
            "resultClass": "failed",
        }


def measure(home: Home, rounds: int) -> Inside:
    """Measure everything in process at the home's present size."""
    queries = home.corpus.queries(rounds)
    with Library(home.path) as library:
        for query in home.corpus.queries(WARM_UP, seed=2):
            search(library, query)
            home.raw.search(query)
        found = timed(lambda query: search(library, query), queries)
        plain = timed(
            lambda query: library.search(query, Filter(owner=f"project:{PROJECT}")), queries
        )
        checked = timed(lambda query: check(library, query), queries)
        raw = timed(home.raw.search, queries)
        content = timed(home.raw.search, [_content(library, query) for query in queries])
        segments = (library.sync.as_it_stands().segments, home.raw.segments)
        write = _writes(home, library, rounds)
        after = _after_writes(home, library, max(20, rounds // 8))
        rebuilt = _rebuild(library)
    return Inside(
        write=write,
        search=found,
        library=plain,
        errors=Times(found.values[3::4]),
        check=checked,
        raw=raw,
        raw_content=content,
        after_write=after,
        rebuilt=rebuilt,
        segments=segments,
    )


def search(library: Library, query: str) -> dict[str, Any]:
    """Run the search operation as a client's call would."""
    return invoke(library, "shadowgraph_search", {"query": query}, CALLER)


def check(library: Library, action: str) -> dict[str, Any]:
    """Run the check operation as a client's call would."""
    return invoke(library, "shadowgraph_check", {"action": action}, CALLER)


def _content(library: Library, query: str) -> str:
    function = library.definition.function_words
    kept = [word for word in query.split() if word.lower() not in function]
    return " ".join(kept) or query


def _bodies(home: Home, mark: str, count: int) -> list[dict[str, Any]]:
    made = attempts(home, seed=len(mark))
    return [
        {
            "kind": "attempt",
            "id": f"attempt_{mark}-{home.size}-{number}",
            "project": PROJECT,
            "createdAt": "2026-11-15T12:00:00Z",
            **next(made),
        }
        for number in range(count)
    ]


def _writes(home: Home, library: Library, rounds: int) -> Times:
    bodies = _bodies(home, "written", rounds)
    return timed(lambda body: store(library, [body]), bodies)


def _after_writes(home: Home, library: Library, rounds: int) -> Times:
    """Time searches whose index is one record behind."""
    library.sync.view()
    queries = home.corpus.queries(rounds, seed=3)
    found: list[float] = []
    for body, query in zip(_bodies(home, "behind", rounds), queries, strict=True):
        store(library, [body])
        found += timed(lambda query: search(library, query), [query]).values
    return Times(tuple(found))


def _rebuild(library: Library) -> float:
    before = time.perf_counter()
    documents = library.reindex()
    return documents / (time.perf_counter() - before)
