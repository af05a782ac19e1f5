"""The declarations of all operations.

A declaration is the single source of a tool's name, hints, schemas and description. The
function gets a validated request and returns the reply as JSON in wire shape; the reply
model describes it for the schemas, and tests validate every reply against it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from shadowgraph.errors import InvalidInputError, nearest
from shadowgraph.library import Library
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller

Reply = dict[str, Any]
"A JSON object in wire shape."
R = TypeVar("R", bound=Wire)

TOOLSETS = ("core", "graph", "tasks", "admin")
"Groups of tools a server can offer."


@dataclass(frozen=True, slots=True)
class Operation:
    """One verb."""

    name: str
    title: str
    toolset: str
    description: str
    request: type[Wire]
    reply: type[Wire]
    run: Callable[[Library, Any, Caller], Reply]
    read_only: bool
    destructive: bool
    idempotent: bool
    example: dict[str, Any] = field(default_factory=dict)
    "Arguments of one call, for the reference page; a test runs it."


REGISTRY: dict[str, Operation] = {}
"Every operation by name."


def operation(  # noqa: PLR0913 - a declaration names everything once
    name: str,
    *,
    title: str,
    description: str,
    reply: type[Wire],
    request: type[R],
    toolset: str = "core",
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    example: dict[str, Any] | None = None,
) -> Callable[
    [Callable[[Library, R, Caller], Reply]], Callable[[Library, R, Caller], Reply]
]:
    """Declare the decorated function as the operation *name*."""

    def declare(
        run: Callable[[Library, R, Caller], Reply],
    ) -> Callable[[Library, R, Caller], Reply]:
        REGISTRY[name] = Operation(
            name=name,
            title=title,
            toolset=toolset,
            description=" ".join(description.split()),
            request=request,
            reply=reply,
            run=run,
            read_only=read_only,
            destructive=destructive,
            idempotent=idempotent,
            example=example or {},
        )
        return run

    return declare


def toolset(names: str) -> list[Operation]:
    """Return the operations of a comma-separated list of toolsets and tool names.

    Raises:
        InvalidInputError: a name is neither a toolset nor an operation.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    known = (*TOOLSETS, "all", *REGISTRY)
    for name in wanted:
        if name not in known:
            close = nearest(name, known)
            raise InvalidInputError(
                f"{name!r} is no toolset and no tool.",
                hint=f"Toolsets: {', '.join(TOOLSETS)}, all."
                + (f" Nearest: {', '.join(close)}." if close else ""),
            )
    chosen = [
        op
        for op in REGISTRY.values()
        if "all" in wanted or op.toolset in wanted or op.name in wanted
    ]
    return sorted(chosen, key=lambda op: (TOOLSETS.index(op.toolset), op.name))
