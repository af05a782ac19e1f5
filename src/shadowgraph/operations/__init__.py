"""The verbs: one function per operation, from a request to a reply over a library.

An operation is declared once, with its name, toolset, hints, request and reply; the MCP
tool, `shadowgraph call` and the reference page are derived from that declaration.
`offered` says which there are; the module of an operation is loaded when it is asked for,
and so is what reads and checks calls: a hook judges an action without either.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shadowgraph.operations.caller import Caller
    from shadowgraph.operations.calling import invoke
    from shadowgraph.operations.offered import TOOLSETS
    from shadowgraph.operations.registry import REGISTRY, Operation, toolset

_MODULES = {
    "REGISTRY": "registry",
    "TOOLSETS": "offered",
    "Caller": "caller",
    "Operation": "registry",
    "invoke": "calling",
    "toolset": "registry",
}
"Module of every name below."

__all__ = ["REGISTRY", "TOOLSETS", "Caller", "Operation", "invoke", "toolset"]


def __getattr__(name: str) -> Any:
    """Load what is asked for, and keep it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"shadowgraph.operations.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
