"""shadowgraph: a searchable memory of what was tried, and how it ended.

What the package offers is loaded when it is asked for: a hook that only writes a record
loads no search, and a command that only prints its help loads nothing of this.
"""

import importlib as _importlib
import typing as _typing

from shadowgraph.version import __version__

if _typing.TYPE_CHECKING:
    from shadowgraph.errors import (
        CallerError,
        DamageError,
        OperatorError,
        ShadowgraphError,
    )
    from shadowgraph.library import Answer, Hit, Library
    from shadowgraph.model.filters import Filter

_OFFERED = {
    "Answer": "library",
    "CallerError": "errors",
    "DamageError": "errors",
    "Filter": "model.filters",
    "Hit": "library",
    "Library": "library",
    "OperatorError": "errors",
    "ShadowgraphError": "errors",
}
"Module of every name below."

__all__ = [
    "Answer",
    "CallerError",
    "DamageError",
    "Filter",
    "Hit",
    "Library",
    "OperatorError",
    "ShadowgraphError",
    "__version__",
]


def __getattr__(name: str) -> _typing.Any:
    """Load what is asked for, and keep it."""
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_importlib.import_module(f"shadowgraph.{_OFFERED[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return what is offered, loaded or not."""
    return sorted({*globals(), *_OFFERED})
