"""Which index of a home is in use, and how another takes its place.

An index lives in a *generation*, a directory that is filled, switched to and swept
(`search.generations`). Here stands which one the reads of this process go to: it is opened
when a read first needs it, again when another process has switched, and begun anew, empty,
when there is none, when it is damaged, or when it belongs to another history of the store.

The invariant: `in_use` gives an engine over the generation that the home names, so two
processes that agree on the home agree on the index. Two locks keep it: `opening` within the
process, and the lock of `building` across processes; who holds the first may wait for the
second, never the other way round.

What goes into an index is the business of `following` and `rebuilding`.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from shadowgraph.errors import IndexDamagedError, ShadowgraphError
from shadowgraph.search.borrowed import borrowed, must_be_borrowed
from shadowgraph.search.definition import Definition
from shadowgraph.search.engine import Engine
from shadowgraph.search.generations import Generations
from shadowgraph.search.schema import SCHEMA_VERSION, Mark
from shadowgraph.search.translating import WriterBusyError
from shadowgraph.store import Store


class InUse(NamedTuple):
    """The engine that reads go to, and the generation it is."""

    name: str
    engine: Engine


def _damaged(error: IndexDamagedError) -> str:
    return f"The index was damaged and is built again from the store ({error.message})"


class Current:
    """The index in use, of one home and one definition."""

    def __init__(self, home: Path, definition: Definition, store: Store) -> None:
        """Look in *home* for the index that *definition* made of *store*."""
        digest = f"{definition.build_digest}-{SCHEMA_VERSION}"
        self._borrowed = borrowed(home, digest) if must_be_borrowed(home) else None
        place = Path(self._borrowed.name) if self._borrowed else home
        self.generations = Generations(place, digest)
        self.opening = threading.Lock()
        "Held while another index is put in use, and around the notices."
        self._store = store
        self._in_use: InUse | None = None
        self._was_there = False
        self._notices: list[str] = []

    @property
    def is_borrowed(self) -> bool:
        """Whether the home cannot be written, and this process has an index of its own."""
        return self._borrowed is not None

    def close(self) -> None:
        """Remove what was only made for this process."""
        if self._borrowed is not None:
            self._borrowed.cleanup()

    def notices(self) -> tuple[str, ...]:
        """Return what happened to the index since they were last asked for."""
        with self.opening:
            told, self._notices = tuple(self._notices), []
        return told

    def in_use(self) -> InUse:
        """Return the engine that reads go to, opened or begun anew when need be."""
        try:
            name = self.generations.current()
        except IndexDamagedError as error:
            with self.opening:
                return self._start_again(_damaged(error))
        held = self._in_use
        if held is not None and held.name == name:
            return held
        with self.opening:
            return self._open(name)

    def _open(self, name: str | None) -> InUse:
        if name is None:
            if self._was_there:
                self._notices.append(
                    "The index was removed; it is built again from the store."
                )
            # Somebody else may have been first; the lock in _start_again decides.
            return self._start_again(None)
        held = self._in_use
        if held is not None and held.name == name:
            return held
        try:
            engine = Engine(self.generations.path(name), self._store.identity)
        except IndexDamagedError as error:
            after = self.sound()
            if after not in {None, name}:
                # Swept under us by two rebuilds of others: gone, and not damaged.
                return self._open(after)
            return self._start_again(_damaged(error))
        return self._use(name, engine)

    def _use(self, name: str, engine: Engine) -> InUse:
        self._in_use, self._was_there = InUse(name, engine), True
        return self._in_use

    def rest(self) -> None:
        """Let go of the index; the next read opens it again."""
        with self.opening:
            self._in_use = None

    def put(self, name: str, engine: Engine) -> None:
        """Let the reads go to a generation that was switched to.

        Not under `opening`: whoever holds that may be waiting for the building lock.
        """
        self._use(name, engine)

    def _start_again(self, notice: str | None) -> InUse:
        """Begin an empty generation; catching up fills it like any other."""
        with self.building():
            fresh = self.sound()
            if fresh is None or notice is not None:
                fresh = self.generations.new()
                engine = Engine(self.generations.path(fresh), self._store.identity)
                with engine.writing() as writing:
                    writing.commit((), (), Mark(0, 0, self._store.identity), fresh=True)
                self.generations.switch(fresh)
                self.generations.sweep({fresh})
            else:
                engine = Engine(self.generations.path(fresh), self._store.identity)
        if notice:
            self._notices.append(notice)
            warn(notice)
        return self._use(fresh, engine)

    def sound(self) -> str | None:
        """Return the generation that the home names, None when there is no sound one."""
        try:
            return self.generations.current()
        except IndexDamagedError:
            return None

    @contextmanager
    def building(self, seconds: float = 600) -> Iterator[None]:
        """Hold the lock of the one who makes a generation, across processes.

        *seconds* is how long to wait for another who makes one.

        Raises:
            WriterBusyError: another process has been building for that many seconds.
        """
        # Imported here: 40 ms that only a process which builds an index pays.
        from filelock import FileLock, Timeout  # noqa: PLC0415

        self.generations.prepare()
        lock = FileLock(self.generations.root / "building.lock", timeout=seconds)
        try:
            lock.acquire()
        except Timeout as error:
            raise WriterBusyError("Another process is building the index.") from error
        try:
            yield
        finally:
            lock.release()

    def replace_foreign(self, in_use: InUse) -> InUse:
        """Begin anew in the place of an index that is of another state of the store."""
        with self.opening:
            if self._in_use is not in_use and self._in_use is not None:
                return self._in_use
            return self._start_again(
                "The index belonged to another state of the store and is built again."
            )

    def recover(self, error: IndexDamagedError) -> None:
        """Begin a new index after a search met damage in the one in use."""
        with self.opening:
            self._start_again(_damaged(error))

    def reopened(self, error: IndexDamagedError, *, again: bool) -> InUse:
        """Return an engine to go on with after a read or a write of the index failed.

        The first time it is only opened anew and tidied: another process may have
        replaced the directory under us, or have died in the middle of a commit. A fault
        that stays is damage, and the index is built again.
        """
        with self.opening:
            name = self.sound()
            if again or name is None:
                return self._start_again(_damaged(error))
            self._in_use = None
            opened = self._open(name)
            # Busy or damaged: the next try will say so.
            with suppress(ShadowgraphError):
                opened.engine.tidy()
            return opened

    def tell(self, notice: str) -> None:
        """Keep a notice for the next reader, and log it."""
        with self.opening:
            self._notices.append(notice)
        warn(notice)


def warn(told: str) -> None:
    """Log what happened to the index."""
    # Imported here: 4 ms that only a process with something to tell need pay.
    import logging  # noqa: PLC0415

    logging.getLogger(__name__).warning("%s", told)
