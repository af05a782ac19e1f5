"""The verbs: one function per operation, from a request to a reply over a library.

An operation is declared once, with its name, toolset, hints, request and reply; the MCP
tool, `shadowgraph call` and the reference page are derived from that declaration.
Importing this package registers all of them.
"""

from shadowgraph.operations import (
    admin,
    checking,
    context,
    copies,
    correcting,
    facts,
    history,
    progress,
    purging,
    reading,
    recording,
    redacting,
    retracting,
    searching,
    validating,
)
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.calling import invoke
from shadowgraph.operations.registry import REGISTRY, TOOLSETS, Operation, toolset

__all__ = [
    "REGISTRY",
    "TOOLSETS",
    "Caller",
    "Operation",
    "admin",
    "checking",
    "context",
    "copies",
    "correcting",
    "facts",
    "history",
    "invoke",
    "progress",
    "purging",
    "reading",
    "recording",
    "redacting",
    "retracting",
    "searching",
    "toolset",
    "validating",
]
