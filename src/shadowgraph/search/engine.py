"""The door to Tantivy: one index directory, its schema, its mark, its writer.

Nothing is stored but fast integers. A document holds the row number of its record, the
terms that filters need, and prepared text. One more document, the *mark*, says up to which
journal entry of which store the index is applied; it is replaced in the same Tantivy commit
as the documents, so a mark can never claim more than the index holds.

A writer exists only during a commit. Opening one takes about a millisecond, a second one
anywhere fails at once, and the lock dies with its process. `wait_merging_threads` before
letting go is what keeps the number of segments small.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import tantivy

from shadowgraph.errors import (
    DiskFullError,
    HomeNotWritableError,
    IndexDamagedError,
    LockedError,
    ShadowgraphError,
)
from shadowgraph.search import checksums
from shadowgraph.search.allocator import writer_ended

HEAP_BYTES = 32_000_000
"Memory of a writer; one thread, so that small commits make one segment."
BULK_HEAP_BYTES = 128_000_000
"Memory of the writer of a rebuild."

SCHEMA_VERSION = 5
"Part of the name of an index directory, so that two schemas never share one."

MOST_FREQUENCIES = 20_000
"Document frequencies that a snapshot remembers."

MOST_BESIDE = 16
"Other owners that a search leaves out by name."
MARK_OWNER = "store:"
"Before the identity of the store, as the owner of the mark."

RAW_FIELDS = ("owner", "kind", "status", "result", "source", "mark")
WORD_FIELDS = ("text", "exact", "title", "scene", "signature")


class WriterBusyError(LockedError):
    """Another thread or process is committing to the index at this moment."""


@contextmanager
def engine_errors(path: Path) -> Iterator[None]:
    """Turn the engine's errors inside the block into ours, `from` the original.

    The engine raises plain `ValueError` for nearly everything, so only its own calls stand
    in such a block; a panic is a `BaseException` that `except Exception` does not see.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        raise _translate(error, path) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexDamagedError(f"{path}: the engine stopped: {error}.") from error


def _translate(error: Exception, path: Path) -> ShadowgraphError:
    """Return our error; the engine tells the system's errors only in its text."""
    text = str(error)
    if "LockBusy" in text:
        return WriterBusyError("The index is being written.")
    if "No space left" in text or "os error 28" in text or "File too large" in text:
        return DiskFullError(f"No room left to write {path}.")
    if "Permission denied" in text or "Read-only file system" in text:
        return HomeNotWritableError(f"{path} cannot be written: {text}.")
    return IndexDamagedError(f"{path}: {text}.")


class Mark(NamedTuple):
    """Up to where an index is applied."""

    seq: int
    "Journal sequence number; 0 for a new index."
    check: int
    "First eight bytes of the journal hash at that entry: which history it was."
    identity: str
    "The store it was built from."


class Document(NamedTuple):
    """One record, prepared for the index."""

    row: int
    terms: Mapping[str, str]
    "Values of the raw fields."
    words: Mapping[str, str]
    "Prepared text of the word fields."
    created: int
    confidence: float | None
    traits: int
    "What the priors look at, packed by `traits.pack`."


class Match(NamedTuple):
    """One document that the engine found."""

    row: int
    score: float
    created: int
    traits: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An immutable view: a searcher and the mark it was committed with."""

    searcher: Any
    mark: Mark
    path: Path
    beside: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    "Who else owns records, looked up once per snapshot and owner."
    frequencies: dict[tuple[str, str], int] = field(default_factory=dict)
    "Document frequencies, looked up once per snapshot."

    @property
    def documents(self) -> int:
        """The number of records in it."""
        return max(0, int(self.searcher.num_docs) - 1)

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self.searcher.num_segments)

    def matches(
        self, query: Any, limit: int, offset: int = 0, *, newest: bool = False
    ) -> tuple[list[Match], int]:
        """Return the best matches, or the newest, and how many there are in all."""
        order = {"order_by_field": "created"} if newest else {}
        # The engine makes room for all of limit and offset at once, and its process ends
        # when there is none.
        start = min(offset, int(self.searcher.num_docs))
        with engine_errors(self.path):
            found = self.searcher.search(query, self._room(limit), offset=start, **order)
            hits = [(0.0 if newest else score, address) for score, address in found.hits]
            return self._read(hits), int(found.count)

    def best(self, query: Any, limit: int) -> list[Match]:
        """Return the best matches without counting the others, which costs more."""
        with engine_errors(self.path):
            return self._read(
                self.searcher.search(query, self._room(limit), count=False).hits
            )

    def _read(self, hits: Sequence[tuple[float, Any]]) -> list[Match]:
        """Read what ranking needs of some hits, a column at a time."""
        if not hits:
            return []
        addresses = [address for _, address in hits]
        columns = [
            self.searcher.fast_field_values(name, addresses)
            for name in ("row", "created", "traits")
        ]
        if any(None in column for column in columns):
            raise IndexDamagedError(f"{self.path}: a document has lost its row.")
        scores = (float(score) for score, _ in hits)
        rows, created, traits = columns
        return [Match(*one) for one in zip(rows, scores, created, traits, strict=True)]

    def _room(self, wanted: int) -> int:
        """Return how many hits to ask for: one at least, or the engine panics."""
        return min(max(1, wanted), int(self.searcher.num_docs) + 1)

    def scores(self, query: Any, limit: int) -> dict[int, float]:
        """Return the score of every match by row, of at most *limit* matches."""
        with engine_errors(self.path):
            hits = self.searcher.search(query, self._room(limit), count=False).hits
            addresses = [address for _, address in hits]
            if not addresses:
                return {}
            rows = self.searcher.fast_field_values("row", addresses)
        scores = (float(score) for score, _ in hits)
        return dict(zip(map(int, rows), scores, strict=True))

    def frequency(self, field: str, term: str) -> int:
        """Return in how many records a term stands."""
        held = self.frequencies.get((field, term))
        if held is None:
            # Asked hundreds of times a call: a `with` block would cost as much again.
            try:
                held = int(self.searcher.doc_freq(field, term))
            except BaseException:
                with engine_errors(self.path):
                    raise
            if len(self.frequencies) < MOST_FREQUENCIES:
                self.frequencies[field, term] = held
        return held

    def owners_beside(self, owner: str) -> tuple[str, ...] | None:
        """Return who owns the other records; None when they are many or own more.

        Replaced documents count, too: a name may stand here that owns nothing now.
        """
        if owner not in self.beside:
            self.beside[owner] = self._owners_beside(owner)
        return self.beside[owner]

    def _owners_beside(self, owner: str) -> tuple[str, ...] | None:
        # One more than may be left out, the owner, and the mark of the store.
        names = self.starting_with("owner", "", MOST_BESIDE + 3)
        beside = [n for n in names if n != owner and not n.startswith(MARK_OWNER)]
        held = sum(self.frequency("owner", name) for name in beside)
        few = len(beside) <= MOST_BESIDE and held <= self.frequency("owner", owner)
        return tuple(beside) if few else None

    def starting_with(
        self, field: str, prefix: str, limit: int, among: Any = None
    ) -> list[str]:
        """Return terms that begin with *prefix* in the documents of query *among*."""
        with engine_errors(self.path):
            found = self.searcher.terms_with_prefix(field, prefix, among, limit)
        return [term for term, _ in found]

    def rows(self) -> list[int]:
        """Return the row number of every record, for an exact comparison."""
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.all_query()),
                (tantivy.Occur.MustNot, tantivy.Query.exists_query("mark_seq")),
            ]
        )
        limit = max(1, int(self.searcher.num_docs))
        with engine_errors(self.path):
            found = self.searcher.search(query, limit, order_by_field="row")
            addresses = [address for _, address in found.hits]
            rows = self.searcher.fast_field_values("row", addresses)
        return [int(row) for row in rows if row is not None]


@lru_cache(maxsize=1)
def build_schema() -> tantivy.Schema:
    """Return the engine's schema; a change to it needs a new `SCHEMA_VERSION`."""
    builder = tantivy.SchemaBuilder()
    # Signed: the binding makes a signed term of a number, so deleting by term finds
    # nothing in an unsigned field and says nothing.
    builder.add_integer_field("row", indexed=True, fast=True)
    for name in RAW_FIELDS:
        # "raw": an id or a filter value is one term, never cut into words.
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("text", tokenizer_name="prepared", index_option="position")
    builder.add_text_field("exact", tokenizer_name="prepared", index_option="freq")
    builder.add_text_field("title", tokenizer_name="prepared", index_option="freq")
    builder.add_text_field("scene", tokenizer_name="prepared", index_option="basic")
    builder.add_text_field("signature", tokenizer_name="prepared", index_option="basic")
    # A range is looked up in the fast column; an inverted list beside it is never read.
    builder.add_integer_field("created", fast=True)
    builder.add_unsigned_field("traits", fast=True)
    builder.add_float_field("confidence", fast=True)
    builder.add_unsigned_field("mark_seq", fast=True)
    builder.add_unsigned_field("mark_check", fast=True)
    return builder.build()


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
                self._writer.add_document(_engine_document(document))
        with engine_errors(self._path):
            self._writer.delete_documents_by_term("mark", "applied")
            self._writer.add_document(_mark_document(mark))
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


def _engine_document(document: Document) -> tantivy.Document:
    fresh = tantivy.Document()
    fresh.add_integer("row", document.row)
    for name, value in document.terms.items():
        fresh.add_text(name, value)
    for name, value in document.words.items():
        if value:
            fresh.add_text(name, value)
    fresh.add_integer("created", document.created)
    fresh.add_unsigned("traits", document.traits)
    if document.confidence is not None:
        fresh.add_float("confidence", document.confidence)
    return fresh


def _mark_document(mark: Mark) -> tantivy.Document:
    fresh = tantivy.Document()
    fresh.add_text("mark", "applied")
    fresh.add_text("owner", f"{MARK_OWNER}{mark.identity}")
    fresh.add_unsigned("mark_seq", mark.seq)
    fresh.add_unsigned("mark_check", mark.check)
    return fresh
