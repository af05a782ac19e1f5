"""The thread of a server that indexes what was written, before a read asks for it.

It also lets the server rest: when nobody has read or written for a while, the index is let
go of, its files are mapped no more, and what was remembered to read faster is forgotten. A
dozen of agents leave a dozen of servers open, most of which wait for days.
"""

import threading
from typing import Any, Protocol

from shadowgraph.errors import ShadowgraphError
from shadowgraph.sync.current import warn


class Follows(Protocol):
    """What follows a store, and can be told to."""

    def catch_up(self) -> Any:
        """Apply what the index lacks."""

    def rest(self) -> None:
        """Give back what only makes the next read faster."""


class Indexer(threading.Thread):
    """Indexes in the background of a server, so that reads find nothing to do."""

    DEBOUNCE = 0.03
    "Seconds it waits for more writes to index together."
    REST = 30.0
    "Seconds without a read or a write after which the server rests."

    def __init__(self, sync: Follows) -> None:
        """Let *sync* catch up when there is something to index; started by the caller."""
        super().__init__(name="shadowgraph-indexer", daemon=True)
        self._sync = sync
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._used = False
        "Whether anybody has read since it was last looked at."
        self._resting = True

    def wake(self) -> None:
        """Say that the journal has moved on."""
        self._wanted.set()

    def used(self) -> None:
        """Say that somebody reads; the thread's own catching up does not count."""
        if threading.current_thread() is not self:
            self._used = True
            if self._resting:
                # It waits without end, and has to count from now on.
                self._wanted.set()

    def stop(self) -> None:
        """End the thread after what it is doing."""
        self._stopping.set()
        self._wanted.set()
        self.join(timeout=10)

    def run(self) -> None:
        """Index whenever woken."""
        while True:
            if not self._wanted.wait(None if self._resting else self.REST):
                self._look()
                continue
            self._resting = False
            self._stopping.wait(self.DEBOUNCE)
            if self._stopping.is_set():
                return
            self._wanted.clear()
            try:
                self._sync.catch_up()
            except ShadowgraphError as error:
                # The next read meets the same trouble and reports it to its caller.
                warn(f"indexing in the background: {error.text()}")

    def _look(self) -> None:
        """Let the server rest when it was not used since the last look."""
        # Before it is looked: whoever reads from here on wakes this thread.
        self._resting = True
        used, self._used = self._used, False
        if used:
            self._resting = False
        else:
            self._sync.rest()
