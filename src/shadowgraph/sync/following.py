"""Following the store: a read applies what the index lacks, or says how much it lacks.

A batch is applied and committed together with the mark it reaches. A purge in the journal
ends its batch and has the whole index built again: deleted documents would keep their words.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from shadowgraph.errors import HomeNotWritableError, IndexDamagedError, OperatorError
from shadowgraph.search.allocator import give_back
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition
from shadowgraph.search.documents import is_searched, prepare
from shadowgraph.search.engine import Writing
from shadowgraph.search.schema import Document, Mark
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.search.translating import WriterBusyError
from shadowgraph.store import Change, Head, Store
from shadowgraph.sync.current import Current, InUse
from shadowgraph.sync.indexer import Indexer
from shadowgraph.sync.rebuilding import Progress, Rebuild
from shadowgraph.sync.view import View, head_of, mark_of

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


class Sync:
    """The index of one home, kept in step with its store."""

    def __init__(
        self, store: Store, home: Path, definition: Definition, analyzer: Analyzer
    ) -> None:
        """Follow *store* into the index directories of *home*."""
        self._store = store
        self._definition = definition
        self._analyzer = analyzer
        self.current = Current(home, definition, store)
        "Which index that is."
        self._rebuild = Rebuild(store, self.current, definition, analyzer)
        self._applying = threading.Lock()
        self.background: Indexer | None = None
        self.hurried = False
        "Whether to leave more than a few missing records to somebody with more time."

    def close(self) -> None:
        """Remove what was only made for this process."""
        self.current.close()

    def rest(self) -> None:
        """Give back what only makes the next read faster; it takes that up again."""
        self.current.rest()
        self._analyzer.forget()
        give_back()

    def view(self, patience: float = PATIENCE) -> View:
        """Return the index as of now, after applying what it lacks.

        *patience* is how many seconds to wait for another writer of the index.
        """
        snapshot, pending = self.catch_up(patience)
        return View(snapshot, pending, self.current.notices())

    def catch_up(self, patience: float = PATIENCE) -> tuple[Snapshot, int]:
        """Apply what the index lacks; return it and how many changes still wait."""
        if self.background is not None:
            self.background.used()
        in_use = self.current.in_use()
        snapshot = in_use.engine.snapshot
        if snapshot.mark == head_of(self._store):
            return snapshot, 0
        return self._caught_up(in_use, patience)

    def as_it_stands(self) -> Snapshot:
        """Return the index without applying anything: a write never waits for it."""
        return self.current.in_use().engine.snapshot

    def _caught_up(self, in_use: InUse, patience: float) -> tuple[Snapshot, int]:
        deadline = time.monotonic() + patience
        missing: int | None = 0
        damages = 0
        while True:
            try:
                snapshot = in_use.engine.reload()
                missing = self._missing(snapshot.mark)
                if missing is None:
                    in_use = self.current.replace_foreign(in_use)
                    continue
                if missing == 0 or self._leave_to_background(missing):
                    return snapshot, missing
                in_use = self._apply_next(in_use, deadline)
            except WriterBusyError:
                if time.monotonic() >= deadline:
                    return in_use.engine.snapshot, missing or 0
                time.sleep(POLL)  # noqa: TID251 - the engine's lock cannot be waited for
            except IndexDamagedError as error:
                in_use = self.current.reopened(error, again=damages > 0)
                damages += 1
            except OperatorError as error:
                # A full or read-only disk: what is searchable still answers.
                self.current.tell(
                    f"The index cannot be brought up to date: {error.message}"
                )
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

    def _leave_to_background(self, missing: int) -> bool:
        if self.hurried:
            return missing > QUICK
        if self.background is None or threading.current_thread() is self.background:
            return False
        self.background.wake()
        return missing > INLINE

    def _apply_next(self, in_use: InUse, deadline: float) -> InUse:
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

    def _without_purged(self, in_use: InUse, deadline: float) -> InUse:
        """Replace an index that may hold words of purged records.

        Deleted documents leave their words in segments until a merge; a new index never
        had them.
        """
        with self.current.building(max(0.0, deadline - time.monotonic())):
            name = self.current.sound()
            if name == in_use.name:
                self._rebuild.build(keep_before=False)
        return self.current.in_use()

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
        if self.current.is_borrowed:
            raise HomeNotWritableError(
                "The index of this home cannot be written; every process has one of its own."
            )
        with self.current.building():
            return self._rebuild.build(progress)

    def forget(self) -> None:
        """Leave no index that held what was purged, of older definitions neither.

        Raises:
            LockedError: another process has been rebuilding for ten minutes.
        """
        with self.current.building():
            self._rebuild.build(keep_before=False)

    def recover(self, error: IndexDamagedError) -> None:
        """Begin a new index after a search met damage in the one in use."""
        self.current.recover(error)

    def other_definitions(self) -> list[str]:
        """Return the names of index directories that other versions made in the home."""
        return [path.name for path in self.current.generations.others()]

    def sweep_definitions(self) -> int:
        """Remove the indexes of other definitions; return how many there were.

        A process of another version that still runs builds its own again.
        """
        return self.current.generations.sweep_definitions()
