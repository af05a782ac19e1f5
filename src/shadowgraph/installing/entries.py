"""What is ours in a host's file: the entry of the server and the hooks.

`found` reads what of ours a text holds, `applied` puts it there, `withdrawn` takes it out.
An entry that starts something else under our name is somebody's; it is replaced only when
told so. Fields and options that a person added to an entry of ours stay.

Invariant: `applied(text, found(made))` makes *made* again from the *text* it was made of,
unless somebody changed it since. That is how `planning` knows that nobody did.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from shadowgraph.errors import HostFileError
from shadowgraph.installing import jsonedit, tomledit
from shadowgraph.installing.hosts import NAME, Event, Host
from shadowgraph.installing.jsontext import NOWHERE, read
from shadowgraph.installing.launch import Launch, hooks, options_of, serves

Part = Literal["server", "hooks"]


@dataclass(frozen=True, slots=True)
class Target:
    """One file of a host and what of ours belongs into it."""

    host: Host
    path: Path
    parts: frozenset[Part]

    @property
    def toml(self) -> bool:
        """Whether the file is TOML; every other one is JSON."""
        return self.path.suffix == ".toml"


@dataclass(frozen=True, slots=True)
class Ours:
    """What of ours stands in a file, or is to stand there."""

    server: dict[str, Any] | None = None
    hooks: tuple[tuple[str, Any], ...] = ()
    "Pairs of an event's name and the element below it."

    def __bool__(self) -> bool:
        """Say whether there is anything."""
        return self.server is not None or bool(self.hooks)


def wanted(target: Target, launch: Launch, known: Ours) -> Ours:
    """Return what install puts into a file, with what a person added to what is *known*."""
    host = target.host
    server = _server(host, launch, known.server) if "server" in target.parts else None
    elements: list[tuple[str, Any]] = []
    if "hooks" in target.parts:
        said = launch.options or _hook_options(host, known)
        told = replace(launch, options=said)
        elements = [(event.name, _element(host, event, told)) for event in host.events]
    return Ours(server, tuple(elements))


def _server(host: Host, launch: Launch, known: dict[str, Any] | None) -> dict[str, Any]:
    made = launch.server()
    if known is not None:
        words = [known["command"], *known.get("args", [])]
        before, behind = options_of(words, "serve")
        told = launch.options or before
        return {**known, **made, "args": [*launch.lead, *told, "serve", *behind]}
    lead = {key: one for key, one in host.extra.items() if key == "type"}
    return {**lead, **made, **host.extra}


def _hook_options(host: Host, known: Ours) -> tuple[str, ...]:
    for _, element in known.hooks:
        for line in _lines(host, element):
            return options_of(line, "hook")[0]
    return ()


def _element(host: Host, event: Event, launch: Launch) -> dict[str, Any]:
    """Return the element below an event: a group with one hook, or the hook itself."""
    line = launch.hook(event.ours, host.name)
    limits = {"matcher": event.matcher} if event.matcher else {}
    hook = {"command": line, "timeout": host.timeout(event)}
    if host.nested:
        return {**limits, "hooks": [{"type": "command", **hook}]}
    return {**hook, **limits}


def found(text: str, target: Target) -> Ours:
    """Return what of ours stands in a text.

    Raises:
        HostFileError: the text is not what the host reads.
    """
    value = _value(text, target)
    server = tomledit.at(value, (target.host.key, NAME))
    mine = server if "server" in target.parts and serves(server) else None
    elements = [
        (path[1], _at(value, path)) for path in _hook_paths(value, target) if len(path) == 3
    ]
    return Ours(mine, tuple((str(event), one) for event, one in elements))


def foreign(text: str, target: Target) -> bool:
    """Say whether something else stands under our name."""
    entry = tomledit.at(_value(text, target), (target.host.key, NAME))
    return "server" in target.parts and entry is not None and not serves(entry)


def applied(text: str, target: Target, ours: Ours, *, force: bool = False) -> str:
    """Return a text with what is ours in it.

    Raises:
        HostFileError: the text is not what the host reads, or something else stands under
            our name and *force* was not given.
    """
    if ours.server is not None and foreign(text, target) and not force:
        raise HostFileError(
            f"it has an entry {NAME!r} that starts something else.",
            hint="Nothing was written. Rename that entry, or replace it with --force.",
        )
    made = text
    if ours.server is not None:
        made = _put(made, target, ours.server)
    if ours.hooks and not target.host.nested and "version" not in _value(made, target):
        # The one number that Cursor asks for in a file of hooks.
        made = jsonedit.put(made, ("version",), 1, relaxed=target.host.relaxed)
    for event, element in ours.hooks:
        made = _with_hook(made, target, event, element)
    return _checked(text, made, target)


def _put(text: str, target: Target, server: dict[str, Any]) -> str:
    path = (target.host.key, NAME)
    if target.toml:
        return tomledit.put(text, path, server)
    return jsonedit.put(text, path, server, relaxed=target.host.relaxed)


def _with_hook(text: str, target: Target, event: str, element: Any) -> str:
    """Set the hook of one event: in the place of an older one, or behind all others."""
    paths = [p for p in _hook_paths(_value(text, target), target) if p[1] == event]
    relaxed = target.host.relaxed
    if not paths:
        return jsonedit.append(text, ("hooks", event), element, relaxed=relaxed)
    for extra in reversed(paths[1:]):
        text = jsonedit.drop(text, extra, relaxed=relaxed)
    # In a group with hooks of others only ours is set.
    one = element["hooks"][0] if len(paths[0]) > 3 else element
    return jsonedit.put(text, paths[0], one, relaxed=relaxed)


def withdrawn(text: str, target: Target, original: str | None) -> str:
    """Return a text without what is ours.

    Objects that hold nothing else now go too when the *original*, the text before install,
    had none; an entry of somebody else that was replaced comes back.
    """
    before = None if original is None else _value(original, target)
    made = text
    if found(text, target).server is not None:
        made = _without_server(made, target, before)
    for path in reversed(list(_hook_paths(_value(made, target), target))):
        made = jsonedit.drop(made, path, relaxed=target.host.relaxed)
    if "hooks" in target.parts:
        events = [("hooks", event.name) for event in target.host.events]
        for path in (*events, ("hooks",)):
            made = _without_empty(made, target, path, before)
        made = _without_version(made, target, before)
    return _checked(text, made, target)


def _without_server(text: str, target: Target, before: Any) -> str:
    path = (target.host.key, NAME)
    replaced = tomledit.at(before, path)
    if replaced is not None and not serves(replaced):
        return _put(text, target, replaced)
    if target.toml:
        return tomledit.drop(text, path)
    made = jsonedit.drop(text, path, relaxed=target.host.relaxed)
    return _without_empty(made, target, path[:1], before)


def _without_empty(text: str, target: Target, path: Sequence[str], before: Any) -> str:
    """Drop what is empty at *path* when it is known that install made it."""
    held = tomledit.at(_value(text, target), path)
    if before is None or tomledit.at(before, path) is not None or held not in ({}, []):
        return text
    return jsonedit.drop(text, path, relaxed=target.host.relaxed)


def _without_version(text: str, target: Target, before: Any) -> str:
    """Drop the number that install wrote into a file of hooks which holds none now."""
    made_by_us = not target.host.nested and before is not None and "version" not in before
    if not made_by_us or "hooks" in _value(text, target):
        return text
    return jsonedit.drop(text, ("version",), relaxed=target.host.relaxed)


def _hook_paths(value: Any, target: Target) -> Iterator[tuple[str | int, ...]]:
    """Yield where hooks of ours stand: a whole element, or one hook in another's group."""
    if "hooks" not in target.parts or target.toml:
        return
    for event in target.host.events:
        held = tomledit.at(value, ("hooks", event.name))
        for number, element in enumerate(held if isinstance(held, list) else ()):
            lines = _lines(target.host, element)
            mine = [place for place, line in enumerate(lines) if hooks(line)]
            path = ("hooks", event.name, number)
            if mine and len(mine) == len(lines):
                yield path
            else:
                yield from ((*path, "hooks", place) for place in mine)


def _lines(host: Host, element: Any) -> list[Any]:
    """Return the commands of an element."""
    if not isinstance(element, dict):
        return []
    if not host.nested:
        return [element.get("command")]
    held = element.get("hooks")
    inner = held if isinstance(held, list) else []
    return [one.get("command") if isinstance(one, dict) else None for one in inner]


def _value(text: str, target: Target) -> Any:
    """Return what a text says; an empty one says an empty object."""
    if target.toml:
        return tomledit.values(text)
    if not text.strip():
        return {}
    value = read(text, relaxed=target.host.relaxed, within=NOWHERE).value
    if not isinstance(value, dict):
        raise HostFileError("it is no JSON object.")
    return value


def _at(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        value = value[step]
    return value


def _checked(before: str, made: str, target: Target) -> str:
    """Return *made* when it says about everything else what was said *before*.

    Raises:
        HostFileError: it does not; the text has a form that is not understood.
    """
    own = (target.host.key, "hooks", "version")
    old, new = (
        repr({key: one for key, one in _value(text, target).items() if key not in own})
        for text in (before, made)
    )
    if old != new:
        raise HostFileError("it has a form that only you can edit.")
    return made
