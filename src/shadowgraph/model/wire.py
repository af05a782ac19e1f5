"""The base of every model that crosses the wire.

Python names are snake_case and the wire is camelCase; one alias generator does both
directions. The string below a field is its description and reaches the schemas, the
command line help and the reference pages through `descriptions`, so it is written once.
pydantic can read these strings itself, but does so when a class is made: that would cost
every command some 60 ms for texts that few of them show.
"""

import ast
import inspect
import sys
import threading
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        # Built at first use: a command line call needs one model of twenty.
        defer_build=True,
        # Bytes on the wire are JSON; NaN and infinity are not.
        allow_inf_nan=False,
    )


class StoredWire(Wire):
    """A stored shape: unknown fields from imports and newer versions are kept."""

    model_config = ConfigDict(extra="allow")


T = TypeVar("T")
OrNull = Annotated[T | None, Field(json_schema_extra={"x-null": True})]
"A member that is always there and may be null; any other `None` is left out on the wire."


@lru_cache(maxsize=256)
def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Return the string below each field of *model* and its bases, by field name."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if issubclass(cls, BaseModel) and cls.__module__.startswith("shadowgraph"):
            found |= _strings_of(cls.__module__).get(cls.__qualname__, {})
    return found


_PARSING = threading.Lock()
"""CPython 3.11 counts the depth of a tree per interpreter, so two threads that parse at once
end in a SystemError."""


@lru_cache(maxsize=256)
def _strings_of(module: str) -> dict[str, dict[str, str]]:
    """Return the strings below the fields of every class of a module, by class.

    A module is read once: asking for the source of a class reads its whole module each time.
    """
    with _PARSING:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {node.name: _strings_below(node.body) for node in classes}


def _strings_below(body: list[ast.stmt]) -> dict[str, str]:
    found = {}
    for field, below in pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[field.target.id] = inspect.cleandoc(below.value.value)
    return found
