"""The upstream tool's interface and ours, side by side.

`upstream.toml` is written from what the upstream tool documents; what ours has comes from
the declared operations. A point is one argument, enumeration, default or reply member; this
module says how each stands, for the page and for the contract test alike, so the two cannot
say different things. An operation that is not declared yet is "not yet", and is judged by
itself from the day it is.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from shadowgraph.operations import REGISTRY
from shadowgraph.operations.inputs import IGNORED
from shadowgraph.operations.schemas import advertised, input_schema, output_schema

DATA = Path(__file__).with_name("upstream.toml")

SAME, IGNORED_HERE, DIFFERS, LEFT_OUT, NOT_YET, BROKEN = (
    "same", "accepted, no effect", "differs", "left out", "not yet", "BROKEN",
)  # fmt: skip
"How a point stands; the last one is what the contract test must not find."


@dataclass(frozen=True, slots=True)
class Point:
    """One argument of an upstream tool."""

    name: str
    need: str
    "required, optional or hidden (honoured and not advertised)."
    stands: str
    why: str = ""
    faults: tuple[str, ...] = ()
    "What the data does not explain."


@dataclass(frozen=True, slots=True)
class Tool:
    """One upstream tool."""

    name: str
    stands: str
    why: str
    points: tuple[Point, ...] = ()
    reply: tuple[Point, ...] = ()
    more: tuple[str, ...] = ()
    "Arguments that only ours has."
    idle: tuple[str, ...] = field(default=())
    "Reasons in the data for something that is no difference (any more)."


@lru_cache(maxsize=1)
def data() -> Mapping[str, Any]:
    """Return the written interface."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def tools() -> list[Tool]:
    """Return every upstream tool beside ours."""
    return [tool(name) for name in data()["tools"]]


def tool(name: str) -> Tool:
    """Return one upstream tool beside ours."""
    ours = data().get("ours", {}).get(name, {})
    if "left_out" in ours:
        return Tool(name, LEFT_OUT, ours["left_out"], tuple(_all(name, LEFT_OUT)))
    if name not in REGISTRY:
        return Tool(name, NOT_YET, "", tuple(_all(name, NOT_YET)))
    points = tuple(_arguments(name, ours.get("arguments", {})))
    reply = tuple(_members(name, ours.get("reply", {})))
    known = {point.name for point in points}
    more = [n for n in input_schema(REGISTRY[name])["properties"] if n not in known]
    stands = DIFFERS if any(p.stands in (DIFFERS, LEFT_OUT) for p in points) else SAME
    return Tool(name, stands, "", points, reply, tuple(more), _idle(ours, points, reply))


def _idle(
    ours: Mapping[str, Any], points: Sequence[Point], reply: Sequence[Point]
) -> tuple[str, ...]:
    """Return what is explained and needs no explanation."""
    found = []
    for group, judged in (("arguments", points), ("reply", reply)):
        needed = {p.name for p in judged if p.stands in (DIFFERS, LEFT_OUT)}
        found += [name for name in ours.get(group, {}) if name not in needed]
    return tuple(found)


def _named(name: str) -> Iterator[tuple[str, str]]:
    """Yield every argument of an upstream tool with how it is needed."""
    written = data()["tools"][name]
    shared = [n for group in written.get("use", ()) for n in data()["groups"][group]]
    seen: set[str] = set()
    for need in ("required", "optional", "hidden"):
        names = written.get(need, [])
        for one in [*names, *(shared if need == "optional" else ())]:
            if one not in seen:
                seen.add(one)
                yield one, need
    for one in written.get("nested", ()):
        yield one, "member"


def _all(name: str, stands: str) -> Iterator[Point]:
    for one, need in _named(name):
        yield Point(one, need, stands)


def _arguments(name: str, reasons: Mapping[str, str]) -> Iterator[Point]:
    schema = input_schema(REGISTRY[name])
    required = set(schema["required"])
    written = data()["tools"][name]
    for one, need in _named(name):
        node = at_path(schema, one)
        if node is None and one in IGNORED:
            yield Point(one, need, IGNORED_HERE)
            continue
        faults = (
            ["is not there"]
            if node is None
            else list(_faults(one, node, need, required, written))
        )
        yield _judged(one, need, faults, reasons.get(one, ""), gone=node is None)
    for one in sorted(required - {n for n, need in _named(name) if need == "required"}):
        yield _judged(one, "optional", ["is required here"], reasons.get(one, ""))


def _judged(
    name: str, need: str, faults: Sequence[str], why: str, *, gone: bool = False
) -> Point:
    if not faults:
        return Point(name, need, SAME)
    if not why:
        return Point(name, need, BROKEN, "; ".join(faults), tuple(faults))
    return Point(name, need, LEFT_OUT if gone else DIFFERS, why)


def _faults(
    name: str,
    node: Mapping[str, Any],
    need: str,
    required: set[str],
    written: Mapping[str, Any],
) -> Iterator[str]:
    if need == "required" and name not in required:
        yield "is optional here"
    enum = written.get("enums", {}).get(name)
    values = data()["enums"][enum] if isinstance(enum, str) else enum
    missing = set(values or ()) - set(node.get("enum") or values or ())
    if missing:
        yield f"does not take {', '.join(sorted(missing))}"
    default = _default(name, written)
    told = node.get("default", _told(str(node.get("description", ""))))
    # One that only a description tells is a text.
    if default is not None and told not in (default, str(default)):
        yield f"is {told or 'not told'} when left out, not {default}"


def _default(name: str, written: Mapping[str, Any]) -> Any:
    """Return upstream's default of an argument; None when it has none."""
    shared = data()["defaults"]
    used = {k: v for g in written.get("use", ()) for k, v in shared.get(g, {}).items()}
    return (used | written.get("defaults", {})).get(name)


def _told(description: str) -> str | None:
    """Return the default that a description tells.

    >>> _told("Hits, default 10."), _told("ids or preview (default)."), _told("Hits.")
    ('10', 'preview', None)
    """
    found = re.search(r"[Dd]efault:? ([^\s.,;)]+)|(\S+) \(default\)", description)
    return None if found is None else found.group(1) or found.group(2)


def _members(name: str, reasons: Mapping[str, str]) -> Iterator[Point]:
    schema = advertised(output_schema(REGISTRY[name]))
    written = data()["tools"][name]
    for need in ("reply", "sometimes"):
        for one in written.get(need, ()):
            for member in data()["records"][one[1:]] if one[0] == "@" else [one]:
                gone = member not in schema["properties"]
                faults = ["is not there"] if gone else []
                yield _judged(member, need, faults, reasons.get(member, ""), gone=gone)
    inside = at_path(schema, "items[]") or {}
    for one in written.get("item", ()):
        gone = "properties" in inside and one not in inside["properties"]
        place = f"items[].{one}"
        faults = ["is not there"] if gone else []
        yield _judged(place, "reply", faults, reasons.get(place, ""), gone=gone)


def at_path(schema: Mapping[str, Any], path: str) -> Mapping[str, Any] | None:
    """Return the schema node at a path such as `alternatives[].label`.

    An object whose members are not listed takes any, so a path into it is there.
    """
    node: Mapping[str, Any] = schema
    for step in path.split("."):
        properties = node.get("properties")
        if properties is None:
            return {}
        if step.removesuffix("[]") not in properties:
            return None
        node = properties[step.removesuffix("[]")]
        if step.endswith("[]"):
            node = node.get("items", {})
    return node
