"""A hook as a process: standard input, the deadline, standard output, and failing open.

Whatever happens, the exit status is 0 and standard output holds nothing or one JSON object,
written at once: to a host another status may mean that the action is forbidden. A bug, a
lock or a malformed input leaves one line in the log of the home (`hooklog`), which `doctor`
shows. A watchdog ends the process at the deadline, also while it waits for its input.

The arguments are read here and not by the command line's library, which would cost a hook a
fifth of its time; `shadowgraph hook --help` is the command line's.
"""

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from shadowgraph import hooklog, settings
from shadowgraph.clock import Clock, system_clock
from shadowgraph.errors import ShadowgraphError
from shadowgraph.hosts.answering import written
from shadowgraph.hosts.deciding import Desk
from shadowgraph.hosts.event import EVENTS, HOSTS, Event
from shadowgraph.hosts.reading import read
from shadowgraph.operations.caller import Caller

MOST_INPUT: Final = 8 * 1024 * 1024
"Bytes of input that are read; more than any host sends."
_OPTIONS: Final = ("--host", "--home", "--project", "--on-avoid")


class UnreadableError(ShadowgraphError):
    """What a host sent, or how it called, cannot be understood."""


class Call(NamedTuple):
    """How a hook was called."""

    event: str
    host: str = HOSTS[0]
    home: str | None = None
    project: str | None = None
    on_avoid: str | None = None
    keep_secrets: bool = False

    @classmethod
    def read(cls, arguments: Sequence[str]) -> "Call":
        """Return what the arguments say.

        Raises:
            UnreadableError: one of them is unknown.
        """
        given: dict[str, str] = {}
        words = [part for one in arguments for part in _parts(one)]
        while words:
            word = words.pop(0)
            if word in _OPTIONS and words:
                given[word.lstrip("-").replace("-", "_")] = words.pop(0)
            elif word == "--keep-secrets":
                given["keep_secrets"] = word
            elif "event" not in given and not word.startswith("-"):
                given["event"] = word
            else:
                raise UnreadableError(f"hook does not know {word!r}.")
        if given.get("event") not in EVENTS:
            raise UnreadableError(f"There is no event {given.get('event')!r}.")
        if given.get("host", HOSTS[0]) not in HOSTS:
            raise UnreadableError(f"There is no host {given['host']!r}.")
        secrets = bool(given.pop("keep_secrets", ""))
        return cls(**given, keep_secrets=secrets)


def _parts(word: str) -> list[str]:
    return word.split("=", 1) if word.startswith("--") and "=" in word else [word]


def main(arguments: Sequence[str]) -> None:
    """Answer one event and end the process with status 0."""
    told = b""
    home: Path | None = None
    try:
        home = _home(arguments)
        told = _answered(arguments, home)
    except BaseException as error:  # noqa: BLE001 - a hook fails open, whatever it is
        _note(home, arguments, error)
        told = b""
    _end(told)


def _answered(arguments: Sequence[str], home: Path) -> bytes:
    call = Call.read(arguments)
    may = settings.hooks(home, call.on_avoid)
    watchdog = threading.Timer(may.deadline, _late, (home, arguments, may.deadline))
    watchdog.daemon = True
    watchdog.start()
    try:
        payload = _payload(sys.stdin.buffer.read(MOST_INPUT + 1))
        event = read(call.host, call.event, payload)
        reply = answer(event, call, home, may)
    finally:
        watchdog.cancel()
    return b"" if reply is None else json.dumps(reply, ensure_ascii=True).encode("ascii")


def answer(
    event: Event,
    call: Call,
    home: Path,
    may: settings.HookSettings,
    clock: Clock = system_clock,
) -> Mapping[str, Any] | None:
    """Return the host's JSON for an event; None for silence."""
    resolved = settings.project(call.project, event.directory)
    desk = Desk(
        home,
        Caller(resolved.project, resolved.source).scope(None),
        on_avoid=may.on_avoid,
        capture=may.capture,
        keep_secrets=settings.keep_secrets(call.keep_secrets),
        clock=clock,
    )
    told = desk.answer(event)
    reply = written(event, told)
    if reply is not None and told.lines:
        heard = told.context in _texts(reply)
        desk.remember(event, told, heard=heard)
    return reply


def _texts(reply: Mapping[str, Any]) -> list[str]:
    """Return the texts of an answer in a host's form, at any depth."""
    inner = [_texts(one) for one in reply.values() if isinstance(one, Mapping)]
    own = [one for one in reply.values() if isinstance(one, str)]
    return [*own, *(text for texts in inner for text in texts)]


def _home(arguments: Sequence[str]) -> Path:
    """Return the home, also of a call that is otherwise not understood."""
    words = [part for one in arguments for part in _parts(one)]
    at = words.index("--home") + 1 if "--home" in words else len(words)
    return settings.home(words[at] if at < len(words) else None)


def _payload(given: bytes) -> Mapping[str, Any]:
    """Return the JSON object that a host sent.

    Raises:
        UnreadableError: it is none, or larger than any host sends.
    """
    if len(given) > MOST_INPUT:
        raise UnreadableError(f"The input has more than {MOST_INPUT:,} bytes.")
    try:
        payload = json.loads(given.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The input is not JSON: {error}.") from error
    if not isinstance(payload, dict):
        raise UnreadableError("The input is no JSON object.")
    return payload


def _late(home: Path, arguments: Sequence[str], seconds: float) -> None:
    """End the process: the host has waited long enough."""
    told = f"{_name(arguments)} took longer than {seconds:g} s"
    if home.is_dir():
        hooklog.note(home, system_clock(), told)
    os._exit(0)


def _note(home: Path | None, arguments: Sequence[str], error: BaseException) -> None:
    """Leave a line in the log, where there is a home to leave it in."""
    said = error.message if isinstance(error, ShadowgraphError) else repr(error)
    told = f"{_name(arguments)} {type(error).__name__}: {said}"
    if home is not None and home.is_dir():
        hooklog.note(home, system_clock(), _without_secrets(told))
    if isinstance(error, UnreadableError):
        sys.stderr.write(f"shadowgraph: {said}\n")


def _name(arguments: Sequence[str]) -> str:
    return " ".join(arguments[:3])[:80]


def _without_secrets(text: str) -> str:
    """Mask a line of the log: an error may quote what it stumbled over."""
    from shadowgraph.masking import packaged  # noqa: PLC0415 - needed after a failure only

    return packaged().mask(text)[0]


def _end(told: bytes) -> None:
    """Write the answer at once and end without the interpreter's long goodbye."""
    try:
        if told:
            sys.stdout.buffer.write(told + b"\n")
            sys.stdout.buffer.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)
