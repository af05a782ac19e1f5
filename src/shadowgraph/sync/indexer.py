"""The thread of a server that indexes what was written, before a read asks for it."""

import threading
from typing import Any, Protocol

from shadowgraph.errors import ShadowgraphError
from shadowgraph.sync.current import warn


class Follows(Protocol):
    """What follows a store, and can be told to."""

    def catch_up(self) -> Any:
        """Apply what the index lacks."""


class Indexer(threading.Thread):
    """Indexes in the background of a server, so that reads find nothing to do."""

    DEBOUNCE = 0.03
    "Seconds it waits for more writes to index together."

    def __init__(self, sync: Follows) -> None:
        """Let *sync* catch up when there is something to index; started by the caller."""
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
                warn(f"indexing in the background: {error.text()}")
