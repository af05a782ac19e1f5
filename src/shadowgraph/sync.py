"""Keeping the index in step with the store.

The store is the truth and the index follows its journal. Every read asks for a `View`; when
the journal has moved on, the missing changes are applied first. The index carries its own
mark (journal seq, journal hash, store identity), committed together with the documents, so:

* a crash between the store's commit and the index's leaves the mark behind, and the next
  read applies what is missing;
* replaying a change is harmless (delete by row, add);
* an index from another store, or from another history of this one (an older `graph.db`
  put back), does not match and is built again.

Only one writer can have the index at a time, in any process. Whoever finds it busy waits
within a deadline, then answers with what is searchable and says how much is not.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shadowgraph.errors import (
    HomeNotWritableError,
    IndexDamagedError,
    OperatorError,
    ShadowgraphError,
)
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.borrowed import borrowed, must_be_borrowed
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import is_searched, prepare
from shadowgraph.search.engine import (
    BULK_HEAP_BYTES,
    SCHEMA_VERSION,
    Document,
    Engine,
    Mark,
    Snapshot,
    WriterBusyError,
    Writing,
)
from shadowgraph.search.generations import Generations
from shadowgraph.store import Change, Head, Store

BATCH = 5_000
"Changes per index commit: bounds memory, and a kill loses at most one batch of work."
INLINE = 2_000
"Most missing changes that a read applies itself when a background thread exists."
QUICK = 100
"Most missing changes that a read in a hurry applies."
PATIENCE = 2.0
"Seconds a read waits for another writer of the index."
POLL = 0.005
"Seconds between two looks at a busy writer; the engine's lock cannot be waited for."

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"Called with what is done and how much there is."


@dataclass(frozen=True, slots=True)
class View:
    """What a read sees of the index."""

    snapshot: Snapshot
    pending: int = 0
    "Journal entries that are committed but not searchable yet."
    notices: tuple[str, ...] = ()
    "What happened to the index that its user should know."


@dataclass(frozen=True, slots=True)
class _InUse:
    """The engine that reads go to, and the generation it is."""

    name: str
    engine: Engine


def _damaged(error: IndexDamagedError) -> str:
    return f"The index was damaged and is built again from the store ({error.message})"


def mark_of(head: Head, identity: str) -> Mark:
    """Return the mark of an index that is applied up to *head*."""
    return Mark(head.seq, int.from_bytes(head.hash[:8]), identity)


class Sync:
    """The index of one home, kept in step with its store."""

    def __init__(
        self, store: Store, home: Path, definition: Definition, analyzer: Analyzer
    ) -> None:
        """Follow *store* into the index directories of *home*."""
        self._store = store
        self._definition = definition
        self._analyzer = analyzer
        digest = f"{definition.build_digest}-{SCHEMA_VERSION}"
        self._borrowed = borrowed(home, digest) if must_be_borrowed(home) else None
        place = Path(self._borrowed.name) if self._borrowed else home
        self._generations = Generations(place, digest)
        self._in_use: _InUse | None = None
        self._notices: list[str] = []
        self._opening = threading.Lock()
        self._applying = threading.Lock()
        self.background: Indexer | None = None
        self.hurried = False
        "Whether to leave more than a few missing records to somebody with more time."

    def close(self) -> None:
        """Remove what was only made for this process."""
        if self._borrowed is not None:
            self._borrowed.cleanup()

    def view(self, patience: float = PATIENCE) -> View:
        """Return the index as of now, after applying what it lacks.

        *patience* is how many seconds to wait for another writer of the index.
        """
        snapshot, pending = self.catch_up(patience)
        with self._opening:
            notices, self._notices = tuple(self._notices), []
        return View(snapshot, pending, notices)

    def catch_up(self, patience: float = PATIENCE) -> tuple[Snapshot, int]:
        """Apply what the index lacks; return it and how many changes still wait."""
        in_use = self._engine_in_use()
        snapshot = in_use.engine.snapshot
        if snapshot.mark == self._head_mark():
            return snapshot, 0
        return self._caught_up(in_use, patience)

    def as_it_stands(self) -> Snapshot:
        """Return the index without applying anything: a write never waits for it."""
        return self._engine_in_use().engine.snapshot

    def _head_mark(self) -> Mark:
        with self._store.read() as selection:
            return mark_of(selection.head(), self._store.identity)

    def _engine_in_use(self) -> _InUse:
        try:
            name = self._generations.current()
        except IndexDamagedError as error:
            with self._opening:
                return self._start_again(_damaged(error))
        held = self._in_use
        if held is not None and held.name == name:
            return held
        with self._opening:
            return self._open(name)

    def _open(self, name: str | None) -> _InUse:
        if name is None:
            if self._in_use is not None:
                self._notices.append(
                    "The index was removed; it is built again from the store."
                )
            # Somebody else may have been first; the lock in _start_again decides.
            return self._start_again(None)
        held = self._in_use
        if held is not None and held.name == name:
            return held
        try:
            engine = Engine(self._generations.path(name), self._store.identity)
        except IndexDamagedError as error:
            after = self._sound_current()
            if after not in {None, name}:
                # Swept under us by two rebuilds of others: gone, and not damaged.
                return self._open(after)
            return self._start_again(_damaged(error))
        self._in_use = _InUse(name, engine)
        return self._in_use

    def _start_again(self, notice: str | None) -> _InUse:
        """Begin an empty generation; catching up fills it like any other."""
        with self._building():
            fresh = self._sound_current()
            if fresh is None or notice is not None:
                fresh = self._generations.new()
                engine = Engine(self._generations.path(fresh), self._store.identity)
                with engine.writing() as writing:
                    writing.commit((), (), Mark(0, 0, self._store.identity), fresh=True)
                self._generations.switch(fresh)
                self._generations.sweep({fresh})
            else:
                engine = Engine(self._generations.path(fresh), self._store.identity)
        self._in_use = _InUse(fresh, engine)
        if notice:
            self._notices.append(notice)
            log.warning("%s", notice)
        return self._in_use

    def _sound_current(self) -> str | None:
        try:
            return self._generations.current()
        except IndexDamagedError:
            return None

    @contextmanager
    def _building(self, seconds: float = 600) -> Iterator[None]:
        """Hold the lock of the one who makes a generation, across processes.

        Raises:
            WriterBusyError: another process has been building for that many seconds.
        """
        # Imported here: 40 ms that only a process which builds an index pays.
        from filelock import FileLock, Timeout  # noqa: PLC0415

        self._generations.prepare()
        lock = FileLock(self._generations.root / "building.lock", timeout=seconds)
        try:
            lock.acquire()
        except Timeout as error:
            raise WriterBusyError("Another process is building the index.") from error
        try:
            yield
        finally:
            lock.release()

    def _caught_up(self, in_use: _InUse, patience: float) -> tuple[Snapshot, int]:
        deadline = time.monotonic() + patience
        missing: int | None = 0
        damages = 0
        while True:
            try:
                snapshot = in_use.engine.reload()
                missing = self._missing(snapshot.mark)
                if missing is None:
                    in_use = self._replace_foreign(in_use)
                    continue
                if missing == 0 or self._leave_to_background(missing):
                    return snapshot, missing
                in_use = self._apply_next(in_use, deadline)
            except WriterBusyError:
                if time.monotonic() >= deadline:
                    return in_use.engine.snapshot, missing or 0
                time.sleep(POLL)  # noqa: TID251 - the engine's lock cannot be waited for
            except IndexDamagedError as error:
                in_use = self._recovered(error, again=damages > 0)
                damages += 1
            except OperatorError as error:
                # A full or read-only disk: what is searchable still answers.
                self._tell(f"The index cannot be brought up to date: {error.message}")
                return in_use.engine.snapshot, missing or 0

    def _missing(self, mark: Mark) -> int | None:
        """Return how many changes the index lacks; None when it is not of this history."""
        with self._store.read() as selection:
            head = selection.head()
            known = selection.hash_at(mark.seq)
        if mark.identity != self._store.identity:
            return None
        if mark.seq == 0:
            return head.seq
        if known is None or int.from_bytes(known[:8]) != mark.check:
            return None
        return head.seq - mark.seq

    def _replace_foreign(self, in_use: _InUse) -> _InUse:
        with self._opening:
            if self._in_use is not in_use and self._in_use is not None:
                return self._in_use
            return self._start_again(
                "The index belonged to another state of the store and is built again."
            )

    def recover(self, error: IndexDamagedError) -> None:
        """Begin a new index after a search met damage in the one in use."""
        with self._opening:
            self._start_again(_damaged(error))

    def _recovered(self, error: IndexDamagedError, *, again: bool) -> _InUse:
        """Return an engine to go on with after a read or a write of the index failed.

        The first time it is only opened anew and tidied: another process may have
        replaced the directory under us, or have died in the middle of a commit. A fault
        that stays is damage, and the index is built again.
        """
        with self._opening:
            name = self._sound_current()
            if again or name is None:
                return self._start_again(_damaged(error))
            self._in_use = None
            opened = self._open(name)
            # Busy or damaged: the next try will say so.
            with suppress(ShadowgraphError):
                opened.engine.tidy()
            return opened

    def _tell(self, notice: str) -> None:
        with self._opening:
            self._notices.append(notice)
        log.warning("%s", notice)

    def _leave_to_background(self, missing: int) -> bool:
        if self.hurried:
            return missing > QUICK
        if self.background is None or threading.current_thread() is self.background:
            return False
        self.background.wake()
        return missing > INLINE

    def _apply_next(self, in_use: _InUse, deadline: float) -> _InUse:
        """Apply one batch of what the index lacks; return the index to go on with.

        Raises:
            WriterBusyError: another thread or process is writing the index.
        """
        left = max(0.0, deadline - time.monotonic())
        if not self._applying.acquire(timeout=left):
            raise WriterBusyError("This process is writing the index.")
        try:
            with in_use.engine.writing() as writing:
                purged = self._apply_batch(writing)
            return self._without_purged(in_use, deadline) if purged else in_use
        finally:
            self._applying.release()

    def _without_purged(self, in_use: _InUse, deadline: float) -> _InUse:
        """Replace an index that may hold words of purged records.

        Deleted documents leave their words in segments until a merge; a new index never
        had them.
        """
        with self._building(max(0.0, deadline - time.monotonic())):
            name = self._sound_current()
            if name == in_use.name:
                self._rebuild(None, keep_before=False)
        return self._engine_in_use()

    def _apply_batch(self, writing: Writing) -> bool:
        """Apply changes up to the next purge; say whether they end at one."""
        # One moment: a mark of another history than the changes would never be noticed.
        with self._store.snapshot() as selection:
            changes = selection.changes(writing.mark.seq, BATCH)
            purge = next((at for at, one in enumerate(changes) if one.purged), None)
            changes = changes[:purge]
            if not changes:
                return purge is not None
            last = changes[-1].seq
            reached = Head(last, selection.hash_at(last) or b"")
            mark = mark_of(reached, self._store.identity)
        writing.commit(
            self._documents(changes),
            [
                change.row
                for change in changes
                if change.body is None or not is_searched(change.body)
            ],
            mark,
            fresh=writing.mark.seq == 0,
        )
        return purge is not None

    def _documents(self, changes: list[Change]) -> Iterator[Document]:
        newest = {change.row: change.body for change in changes}
        for row, body in newest.items():
            if body is not None and is_searched(body):
                yield prepare(row, body, self._definition, self._analyzer)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Build the index again in a fresh directory and switch to it.

        Returns how many records it holds. Readers go on with the old one meanwhile.

        Raises:
            HomeNotWritableError: the index would be there for this process alone.
            LockedError: another process has been rebuilding for ten minutes.
        """
        if self._borrowed is not None:
            raise HomeNotWritableError(
                "The index of this home cannot be written; every process has one of its own."
            )
        with self._building():
            return self._rebuild(progress)

    def forget(self) -> None:
        """Leave no index that held what was purged, of older definitions neither.

        Raises:
            LockedError: another process has been rebuilding for ten minutes.
        """
        with self._building():
            self._rebuild(None, keep_before=False)

    def other_definitions(self) -> list[str]:
        """Return the names of index directories that other versions made in the home."""
        return [path.name for path in self._generations.others()]

    def sweep_definitions(self) -> int:
        """Remove the indexes of other definitions; return how many there were.

        A process of another version that still runs builds its own again.
        """
        return self._generations.sweep_definitions()

    def _rebuild(self, progress: Progress | None, *, keep_before: bool = True) -> int:
        before = self._sound_current()
        name = self._generations.new()
        engine = Engine(self._generations.path(name), self._store.identity)
        mark = self._head_mark()
        try:
            with engine.writing(BULK_HEAP_BYTES) as writing:
                writing.commit(self._all(progress), (), mark, fresh=True)
        except BaseException:
            self._generations.discard(name)
            raise
        self._generations.switch(name)
        self._generations.sweep({name} | ({before} if before and keep_before else set()))
        if not keep_before:
            self._generations.sweep_definitions()
        # Not under `_opening`: whoever holds that may be waiting for the building lock.
        self._in_use = _InUse(name, engine)
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


class Indexer(threading.Thread):
    """Indexes in the background of a server, so that reads find nothing to do."""

    DEBOUNCE = 0.03
    "Seconds it waits for more writes to index together."

    def __init__(self, sync: Sync) -> None:
        """Serve *sync*; started by the caller."""
        super().__init__(name="shadowgraph-indexer", daemon=True)
        self._sync = sync
        self._wanted = threading.Event()
        self._stopping = threading.Event()

    def wake(self) -> None:
        """Say that the journal has moved on."""
        self._wanted.set()

    def stop(self) -> None:
        """End the thread after what it is doing."""
        self._stopping.set()
        self._wanted.set()
        self.join(timeout=10)

    def run(self) -> None:
        """Index whenever woken."""
        while True:
            self._wanted.wait()
            self._stopping.wait(self.DEBOUNCE)
            if self._stopping.is_set():
                return
            self._wanted.clear()
            try:
                self._sync.catch_up()
            except ShadowgraphError as error:
                # The next read meets the same trouble and reports it to its caller.
                log.warning("indexing in the background: %s", error.text())
