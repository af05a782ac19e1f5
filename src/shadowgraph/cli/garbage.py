"""When the interpreter looks for garbage: not while modules load, and not at the very end.

A command is a process of half a second, most of which is the loading of modules. Nothing
that a module makes is garbage, yet the collector walks all of it several times meanwhile,
and once more when the process ends: a sixth of the processor time of a search. What was
loaded is set aside for good, so a server's collections do not walk it either.
"""

import atexit
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType


@contextmanager
def loading() -> Iterator[None]:
    """Import inside the block without a collection; what is loaded then is set aside."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def load(name: str) -> ModuleType:
    """Return a module, imported without a collection when it is not there yet."""
    if name in sys.modules:
        return sys.modules[name]
    with loading():
        return import_module(name)


def spare_the_end() -> None:
    """Let the process end without a last walk over everything it holds."""
    atexit.register(gc.freeze)
