"""A home on disk that grows: the same records into our store and into raw tantivy.

Records go in through the public `Library`, 5,000 to a transaction; then the index catches
up as it does for any reader. Sizes are reached one after the other in one home, so figures
of different sizes differ by the size alone.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bench.speed.corpus import Corpus, searched_text
from bench.speed.raw import RawIndex
from shadowgraph import Library
from shadowgraph.store import Origin

AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Filled:
    """What filling to a size took."""

    stored: float
    "Records a second into the store."
    indexed: float
    "Records a second into the index."


class Home:
    """One home and its raw twin."""

    def __init__(self, directory: Path) -> None:
        """Make both, empty, in *directory*."""
        self.path = directory / "home"
        self.raw = RawIndex(directory / "raw")
        self.corpus = Corpus()
        self._records: Iterator[dict[str, Any]] = self.corpus.records()
        self.size = 0

    def grow(self, size: int) -> Filled:
        """Fill up to *size* records."""
        added = size - self.size
        storing = indexing = 0.0
        with Library(self.path) as library:
            while self.size < size:
                batch = list(islice(self._records, min(AT_ONCE, size - self.size)))
                before = time.perf_counter()
                store(library, batch)
                storing += time.perf_counter() - before
                self.raw.add(map(searched_text, batch))
                self.size += len(batch)
            before = time.perf_counter()
            while library.sync.view().pending:
                pass
            indexing = time.perf_counter() - before
        return Filled(added / storing, added / indexing)

    def bytes(self) -> tuple[int, int]:
        """Return the size of the store and of the index on disk."""
        files = [path for path in self.path.rglob("*") if path.is_file()]
        store_bytes = sum(f.stat().st_size for f in files if f.name.startswith("graph.db"))
        return store_bytes, sum(f.stat().st_size for f in files) - store_bytes


def store(library: Library, bodies: list[dict[str, Any]]) -> None:
    """Store records in one transaction."""
    with library.write() as transaction:
        for body in bodies:
            transaction.insert(body, f"{body['kind']}.imported", Origin())
