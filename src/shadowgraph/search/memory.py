"""Giving memory back to the system after the engine has used it.

A writer of the index allocates some megabytes on threads of its own and frees them at its
end. The C library keeps what was freed in one arena per thread, in pieces, for allocations
of that thread that never come: a server that indexes for an hour holds hundreds of megabytes of
nothing. glibc gives them back when asked (`malloc_trim`); other C libraries have nothing
to ask, and there `give_back` does nothing.

The invariant: asking never changes an answer and never fails a call.
"""

import threading
from collections.abc import Callable
from functools import lru_cache

EVERY = 16
"Small writers after which it is asked; it costs some milliseconds."

_lock = threading.Lock()
_since = 0


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    # Imported here: a process that indexes nothing need not pay for it.
    import ctypes  # noqa: PLC0415

    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
    return found


def give_back() -> bool:
    """Give freed memory back now; say whether the system can be asked."""
    trim = _trim()
    if trim is not None:
        trim(0)
    return trim is not None


def writer_ended(*, large: bool) -> None:
    """Count a writer; after a large one, or after some small ones, give memory back."""
    global _since  # noqa: PLW0603 - what the process holds is one thing per process
    with _lock:
        _since += 1
        due = large or _since >= EVERY
        _since = 0 if due else _since
    if due:
        give_back()
