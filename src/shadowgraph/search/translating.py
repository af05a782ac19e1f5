"""The engine's errors, told as ours.

The engine raises plain `ValueError` for nearly everything and panics for the rest; what it
has to say of the system stands in its text alone. Every call of it runs inside
`engine_errors`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shadowgraph.errors import (
    DiskFullError,
    HomeNotWritableError,
    IndexDamagedError,
    LockedError,
    ShadowgraphError,
)


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
