"""shadowgraph: a searchable memory of what was tried, and how it ended."""

from shadowgraph.errors import (
    CallerError,
    DamageError,
    OperatorError,
    ShadowgraphError,
)
from shadowgraph.library import Answer, Hit, Library
from shadowgraph.model.filters import Filter
from shadowgraph.version import __version__

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
