"""Does what is installed work: the part of the doctor that looks at hosts.

Of each host that has something of ours in a file it says whether the file can be read,
whether the command is there and can be run, whether it is the one that runs now, and
whether the hooks are those of this version. A host without anything of ours is not spoken
of, but for an entry of somebody else under our name.

Invariant: nothing is written and nothing is started.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shadowgraph.doctor import Finding
from shadowgraph.errors import HostFileError
from shadowgraph.installing import files
from shadowgraph.installing.entries import Ours, Target, foreign, found, wanted
from shadowgraph.installing.hosts import HOSTS, NAME, SCOPES, Host, Scope
from shadowgraph.installing.launch import Launch, split
from shadowgraph.installing.places import Places
from shadowgraph.installing.planning import targets


def examined(places: Places, launch: Launch) -> list[Finding]:
    """Return a finding for every file of a host that has something of ours."""
    # With the options that an entry has: others were given to this command, not to it.
    told = replace(launch, options=())
    return [
        finding
        for host in HOSTS.values()
        for scope in SCOPES
        for target in targets(host, scope, places, hooks=True)
        for finding in _file(target, scope, told)
    ]


def _file(target: Target, scope: Scope, launch: Launch) -> Iterator[Finding]:
    name, again = target.host.name, _again(target, scope)
    try:
        raw = files.content(target.path)
        if raw is None:
            return
        text = files.text_of(raw)
        held, other = found(text, target), foreign(text, target)
    except HostFileError as error:
        if files.concern_us(target.path, NAME):
            told = f"{target.path}: {error.message}"
            yield Finding(name, False, told, "Correct the file by hand.")
        return
    if other:
        told = f"{target.path}: its entry {NAME!r} starts something else"
        yield Finding(name, False, told, f"{again} --force")
    if held:
        faults = list(_faults(target, held, launch))
        told = "; ".join(faults) or f"{_what(held)} in place and current"
        yield Finding(name, not faults, f"{target.path}: {told}", again if faults else "")


def _faults(target: Target, held: Ours, launch: Launch) -> Iterator[str]:
    meant = wanted(target, launch, held)
    for command in sorted(_commands(target.host, held)):
        if not (Path(command).is_file() and os.access(command, os.X_OK)):
            yield f"{command} is not there or cannot be run"
    if held.server is not None and held.server != meant.server:
        yield f"the entry is not what this version writes ({launch.command})"
    if held.hooks and held.hooks != meant.hooks:
        yield "the hooks are not those of this version"


def _commands(host: Host, held: Ours) -> Iterator[str]:
    """Yield the executables that a host would start; the same one once."""
    words = [] if held.server is None else [str(held.server["command"])]
    for _, element in held.hooks:
        inner = element["hooks"] if host.nested else [element]
        words += [(split(one["command"]) or [""])[0] for one in inner]
    yield from dict.fromkeys(words)


def _what(held: Ours) -> str:
    parts = ["the server"] * (held.server is not None)
    parts += [f"{len(held.hooks)} hooks"] * bool(held.hooks)
    return " and ".join(parts)


def _again(target: Target, scope: Scope) -> str:
    """Return the command that puts a file right."""
    hooked = " --hooks" * ("hooks" in target.parts)
    return f"Run: shadowgraph install {target.host.name} --scope {scope}{hooked}"
