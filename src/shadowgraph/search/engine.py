"""The door to Tantivy: one index directory, its schema, its mark, its writer.

The mark is replaced in the same Tantivy commit as the documents (`schema`), so it can never
claim more than the index holds.

A writer exists only during a commit. Opening one takes about a millisecond, a second one
anywhere fails at once, and the lock dies with its process. `wait_merging_threads` before
letting go is what keeps the number of segments small.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import tantivy

from shadowgraph.errors import IndexDamagedError
from shadowgraph.search import checksums
from shadowgraph.search.allocator import writer_ended
from shadowgraph.search.schema import (
    MARK_OWNER,
    Document,
    Mark,
    build_schema,
    engine_document,
    mark_document,
)
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.translating import engine_errors

HEAP_BYTES = 32_000_000
"Memory of a writer; one thread, so that small commits make one segment."
BULK_HEAP_BYTES = 128_000_000
"Memory of the writer of a rebuild."


class Writing:
    """The writing side of an index while its lock is held."""

    def __init__(self, path: Path, writer: Any, mark: Mark) -> None:
        """Write with *writer* to the index in *path*, applied up to *mark*."""
        self._path = path
        self._writer = writer
        self.mark = mark

    def commit(
        self,
        documents: Iterable[Document],
        gone: Sequence[int],
        mark: Mark,
        *,
        fresh: bool = False,
    ) -> None:
        """Commit documents, removals and the new mark as one.

        A document replaces the one of its row, so applying twice changes nothing. With
        *fresh* the index is known to be empty and nothing is looked for to replace.
        """
        for row in gone:
            self._writer.delete_documents_by_term("row", row)
        for document in documents:
            with engine_errors(self._path):
                if not fresh:
                    self._writer.delete_documents_by_term("row", document.row)
                self._writer.add_document(engine_document(document))
        with engine_errors(self._path):
            self._writer.delete_documents_by_term("mark", "applied")
            self._writer.add_document(mark_document(mark))
            self._writer.commit()


class Engine:
    """One index directory, open."""

    def __init__(self, path: Path, identity: str) -> None:
        """Open or make the index in *path*.

        Raises:
            IndexDamagedError: the directory does not hold a sound index of ours.
        """
        self.path = path
        self.schema = build_schema()
        self._identity = identity
        self._reloading = threading.Lock()
        with engine_errors(path):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            damaged = checksums.faults(path)
        # Before the engine looks: it panics over some damage and overlooks the rest.
        if damaged:
            raise IndexDamagedError(f"{path}: {'; '.join(damaged[:3])}.")
        with engine_errors(path):
            self._index = tantivy.Index(self.schema, path=str(path), reuse=True)
            # Analyzers are not stored with an index: every open registers its own.
            prepared = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
            self._index.register_tokenizer("prepared", prepared)
            # No watcher thread: an idle server costs nothing.
            self._index.config_reader("manual")
            self.snapshot = self._take()

    def reload(self) -> Snapshot:
        """Take a new snapshot, so that other processes' commits are seen."""
        with self._reloading, engine_errors(self.path):
            self._index.reload()
            self.snapshot = self._take()
            return self.snapshot

    @contextmanager
    def writing(self, heap: int = HEAP_BYTES) -> Iterator["Writing"]:
        """Hold the index's only writer for one commit.

        The mark is read after the lock is held, so nobody can move it in between.

        Raises:
            WriterBusyError: another writer holds the index.
            IndexDamagedError: the directory cannot be written.
        """
        writer = self._writer(heap)
        try:
            yield Writing(self.path, writer, self.reload().mark)
        finally:
            with suppress(ValueError):
                writer.wait_merging_threads()
        self.reload()
        writer_ended(large=heap > HEAP_BYTES)

    def tidy(self) -> None:
        """Remove files that a process left which died in the middle of a commit.

        The engine would refuse to write over them. It takes some milliseconds, so it is
        not done before every commit but after one that failed.
        """
        writer = self._writer(HEAP_BYTES)
        try:
            with engine_errors(self.path):
                writer.garbage_collect_files()
        finally:
            with suppress(ValueError):
                writer.wait_merging_threads()

    def _writer(self, heap: int) -> Any:
        with engine_errors(self.path):
            return self._index.writer(heap, 1)

    def _take(self) -> Snapshot:
        searcher = self._index.searcher()
        query = tantivy.Query.term_query(self.schema, "mark", "applied")
        hits = searcher.search(query, 1).hits
        if not hits:
            return Snapshot(searcher, Mark(0, 0, self._identity), self.path)
        address = [hits[0][1]]
        seq = searcher.fast_field_values("mark_seq", address)[0]
        check = searcher.fast_field_values("mark_check", address)[0]
        ours = tantivy.Query.term_query(
            self.schema, "owner", f"{MARK_OWNER}{self._identity}"
        )
        identity = self._identity if searcher.search(ours, 1).hits else "another store"
        return Snapshot(searcher, Mark(int(seq or 0), int(check or 0), identity), self.path)
