"""Building the whole index again from the store, beside the one in use.

Readers go on with the old one until the switch. What is written meanwhile has no place in
the new one yet: its mark is the journal's head from before the first record was read, so
the next read applies the rest as always.
"""

from collections.abc import Callable, Iterator
from typing import Any

from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import is_searched
from shadowgraph.search.engine import BULK_HEAP_BYTES, Engine
from shadowgraph.search.schema import Document
from shadowgraph.store import Store
from shadowgraph.sync.current import Current
from shadowgraph.sync.view import head_of

Progress = Callable[[int, int], None]
"Called with what is done and how much there is."


class Rebuild:
    """Builds the index of one store."""

    def __init__(
        self, store: Store, current: Current, definition: Definition, analyzer: Analyzer
    ) -> None:
        """Read *store*; put what is built in use in *current*."""
        self._store = store
        self._current = current
        self._definition = definition
        self._analyzer = analyzer

    def build(self, progress: Progress | None = None, *, keep_before: bool = True) -> int:
        """Build the index from all records, switch to it, return how many it holds.

        The caller holds the building lock. Without *keep_before* no other index is left.
        """
        before = self._current.sound()
        name = self._current.generations.new()
        engine = Engine(self._current.generations.path(name), self._store.identity)
        mark = head_of(self._store)
        try:
            with engine.writing(BULK_HEAP_BYTES) as writing:
                writing.commit(self._all(progress), (), mark, fresh=True)
        except BaseException:
            self._current.generations.discard(name)
            raise
        self._current.generations.switch(name)
        self._current.generations.sweep(
            {name} | ({before} if before and keep_before else set())
        )
        if not keep_before:
            self._current.generations.sweep_definitions()
        self._current.put(name, engine)
        return engine.snapshot.documents

    def _all(self, progress: Progress | None) -> Iterator[Document]:
        # Imported here: 5 ms that only a process which rebuilds an index pays.
        from shadowgraph.search.preparing import prepared  # noqa: PLC0415

        total = sum(self._store.counts().values())
        pages = self._searched_pages(total, progress)
        for documents in prepared(pages, total, self._definition, self._analyzer):
            yield from documents

    def _searched_pages(
        self, total: int, progress: Progress | None
    ) -> Iterator[list[tuple[int, Any]]]:
        done = 0
        for page in self._store.pages():
            yield [(one.row, one.body) for one in page if is_searched(one.body)]
            done += len(page)
            if progress:
                progress(done, total)
