"""The command that a host is told to run, and how such a command is recognised again.

A host starts with an environment and a directory of its own, so the command is the full
path of the executable that runs now, or of its Python with `-m shadowgraph`. A home and a
project are written only when the caller named them.

Invariant: what `Launch` writes, `serves` and `hooks` recognise as ours, whichever path and
options it has.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

MODULE = ("-m", "shadowgraph")


@dataclass(frozen=True, slots=True)
class Launch:
    """How this shadowgraph is started."""

    command: str
    "An absolute path."
    lead: tuple[str, ...] = ()
    "Arguments before everything else: `-m shadowgraph` behind a Python."
    options: tuple[str, ...] = ()
    "The home and the project, when they were named."
    windows: bool = False

    def server(self) -> dict[str, Any]:
        """Return command and arguments of the server."""
        return {"command": self.command, "args": [*self.lead, *self.options, "serve"]}

    def hook(self, event: str, host: str) -> str:
        """Return the line of a shell that answers one event of a host."""
        words = [*self.lead, *self.options, "hook", event, "--host", host]
        if not self.windows:
            return shlex.join([self.command, *words])
        return " ".join([_quoted(self.command), *(_for_windows(word) for word in words)])


def launch_of(
    started: str, python: str, *, home: str | None, project: str | None, windows: bool
) -> Launch:
    """Return how the running program is started again.

    Args:
        started: what the process was started as, `sys.argv[0]`, with its directory.
        python: the running interpreter.
        home: the home that was named, or None.
        project: the project that was named, or None.
        windows: whether lines are read by the shell of Windows.
    """
    options: list[str] = []
    if home is not None:
        options += ["--home", str(Path(home).expanduser().absolute())]
    if project is not None:
        options += ["--project", project]
    if _is_ours(started) and Path(started).is_file():
        return Launch(str(Path(started).absolute()), (), tuple(options), windows)
    return Launch(str(Path(python).absolute()), MODULE, tuple(options), windows)


def serves(entry: object) -> bool:
    """Say whether a host's entry for a server starts shadowgraph's.

    >>> serves({"command": "/opt/bin/shadowgraph", "args": ["serve"]})
    True
    >>> serves({"command": "npx", "args": ["shadowgraph"]})
    False
    """
    if not isinstance(entry, Mapping):
        return False
    return "serve" in _rest([entry.get("command"), *_list(entry.get("args"))])


def hooks(line: object, event: str | None = None, host: str | None = None) -> bool:
    """Say whether a line of a shell is a hook of ours, for the event and the host if named.

    >>> hooks("/opt/bin/shadowgraph hook session-start --host cursor", "session-start")
    True
    """
    rest = _rest(split(line))
    if "hook" not in rest:
        return False
    words = rest[rest.index("hook") + 1 :]
    named = words[:1] == [event] or event is None
    return named and (host is None or words[1:3] == ["--host", host])


def options_of(
    written: str | Sequence[object], verb: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words before and behind *verb* in a command of ours.

    >>> options_of("/opt/bin/shadowgraph --home /srv/memory hook pre-compact", "hook")
    (('--home', '/srv/memory'), ('pre-compact',))
    """
    rest = _rest(split(written) if isinstance(written, str) else written)
    if verb not in rest:
        return (), ()
    place = rest.index(verb)
    return tuple(rest[:place]), tuple(rest[place + 1 :])


def split(line: object) -> list[str]:
    """Return the words of a line of a shell, of either family; nothing when it has none."""
    if not isinstance(line, str):
        return []
    posix = "\\" not in line
    try:
        words = shlex.split(line, posix=posix)
    except ValueError:
        return []
    return words if posix else [word.strip('"') for word in words]


def _rest(words: Sequence[object]) -> list[str]:
    """Return the words behind shadowgraph's own command; nothing when it is another."""
    if not words or not all(isinstance(word, str) for word in words):
        return []
    texts = [str(word) for word in words]
    if _is_ours(texts[0]):
        return texts[1:]
    if tuple(texts[1:3]) == MODULE:
        return texts[3:]
    return []


def _for_windows(word: str) -> str:
    """Return a word as both shells of Windows read it: hosts use either."""
    return word if re.fullmatch(r"[\w./:=-]+", word) else _quoted(word)


def _quoted(word: str) -> str:
    """Return a word in quotes, its path with slashes: one shell escapes with the other."""
    return '"' + word.replace("\\", "/").replace('"', '\\"') + '"'


def _is_ours(command: str) -> bool:
    """Say whether a path ends in shadowgraph's executable, on any platform."""
    last = PureWindowsPath(command).name if "\\" in command else PurePosixPath(command).name
    return last.lower() in ("shadowgraph", "shadowgraph.exe")


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []
