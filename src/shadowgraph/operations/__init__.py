"""The verbs: one function per operation, from a request to a reply over a library.

An operation is declared once, with its name, toolset, hints, request and reply; the MCP
tool, `shadowgraph call` and the reference page are derived from that declaration.
`offered` says which there are; the module of an operation is loaded when it is asked for.
"""

from shadowgraph.operations.caller import Caller
from shadowgraph.operations.calling import invoke
from shadowgraph.operations.offered import TOOLSETS
from shadowgraph.operations.registry import REGISTRY, Operation, toolset

__all__ = ["REGISTRY", "TOOLSETS", "Caller", "Operation", "invoke", "toolset"]
