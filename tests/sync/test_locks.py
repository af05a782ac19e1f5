"""Threads of one process that meet over the locks of the index."""

import threading

from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.errors import IndexDamagedError


def test_a_rebuild_ends_while_another_thread_begins_the_index_anew(
    library: Library,
) -> None:
    """One has the lock of building and the other the lock of opening; neither waits for both."""
    put(library, attempt("attempt_1", reason="quicksilver"))
    library.search("anything")
    damage = IndexDamagedError("somebody met damage.")
    other = threading.Thread(target=library.sync.recover, args=(damage,), daemon=True)

    def meet(_: int, __: int) -> None:
        if not other.ident:
            other.start()
            while not library.sync.current.opening.locked():
                pass

    rebuilding = threading.Thread(target=library.reindex, args=(meet,), daemon=True)
    rebuilding.start()
    rebuilding.join(timeout=60)
    other.join(timeout=60)

    assert not rebuilding.is_alive()
    assert not other.is_alive()
    assert {"attempt_1"} == found(library, "quicksilver")
