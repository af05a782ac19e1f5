"""The declarations of all operations.

A declaration is the single source of a tool's name, hints, schemas and description. The
function gets a validated request and returns the reply as JSON in wire shape; the reply
model describes it for the schemas, and tests validate every reply against it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, TypeVar

from shadowgraph.errors import InvalidInputError, nearest
from shadowgraph.library import Library
from shadowgraph.model.wire import Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.offered import OFFERED, TOOLSETS

Reply = dict[str, Any]
"A JSON object in wire shape."
R = TypeVar("R", bound=Wire)


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


class Registry(Mapping[str, Operation]):
    """Every operation by name; a module is loaded when one of its operations is asked for."""

    def __init__(self) -> None:
        """Begin without any module loaded."""
        self._declared: dict[str, Operation] = {}

    def __getitem__(self, name: str) -> Operation:
        """Return the operation *name*.

        Raises:
            KeyError: there is none.
        """
        if name not in self._declared:
            _, module = OFFERED[name]
            import_module(f"shadowgraph.operations.{module}")
        return self._declared[name]

    def __contains__(self, name: object) -> bool:
        """Say whether there is an operation *name*, without loading it."""
        return name in OFFERED

    def __iter__(self) -> Iterator[str]:
        """Yield all names, without loading any."""
        return iter(OFFERED)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(OFFERED)

    def declare(self, operation: Operation) -> None:
        """Take a declaration.

        Raises:
            ValueError: it stands elsewhere than the table `OFFERED` says.
        """
        stands = (operation.toolset, operation.run.__module__.rsplit(".", 1)[-1])
        if OFFERED.get(operation.name) != stands:
            raise ValueError(f"offered.py must say of {operation.name}: {stands}.")
        self._declared[operation.name] = operation


REGISTRY: Final = Registry()
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
        declared = Operation(
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
        REGISTRY.declare(declared)
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
        name
        for name, (group, _) in OFFERED.items()
        if "all" in wanted or group in wanted or name in wanted
    ]
    ordered = sorted(chosen, key=lambda name: (TOOLSETS.index(OFFERED[name][0]), name))
    return [REGISTRY[name] for name in ordered]
