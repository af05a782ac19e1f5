"""Progress on standard error, for a person at a terminal and for nobody else.

In a pipe, a file or a job nothing is written: what a program reads stays as it is. A bar is
drawn when the whole is known, a count when it is not, and seconds when nothing is known but
that it goes on; a line is gone when the work is done.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

WIDTH = 24
"Characters of a bar."
_CLEAR = "\r\x1b[K"

Tell = Callable[[int, int], None]
"Takes how much is done and the whole; 0 for a whole that is not known."


def _shown() -> bool:
    return sys.stderr.isatty()


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def drawn(done: int, total: int, what: str) -> str:
    """Return a line of progress.

    >>> drawn(1, 4, "records indexed")
    '[######                  ]  25%  1 of 4 records indexed'
    >>> drawn(1200, 0, "records imported")
    '1,200 records imported'
    """
    if not total:
        return f"{done:,} {what}"
    share = min(1.0, done / total)
    filled = "#" * int(share * WIDTH)
    return f"[{filled:<{WIDTH}}] {share:>4.0%}  {done:,} of {total:,} {what}"


@contextmanager
def bar(what: str) -> Iterator[Tell]:
    """Give a function that draws how far something is; the line is cleared at the end."""
    shown = _shown()

    def tell(done: int, total: int) -> None:
        if shown:
            _write(f"{_CLEAR}{drawn(done, total, what)}")

    try:
        yield tell
    finally:
        if shown:
            _write(_CLEAR)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show that something goes on, with the seconds it has taken."""
    if not _shown():
        yield
        return
    over = threading.Event()
    clock = threading.Thread(target=_tick, args=(what, over), daemon=True)
    clock.start()
    try:
        yield
    finally:
        over.set()
        clock.join()
        _write(_CLEAR)


def _tick(what: str, over: threading.Event) -> None:
    began = monotonic()
    while not over.wait(0.5):
        _write(f"{_CLEAR}{what}, {monotonic() - began:.0f} s")
