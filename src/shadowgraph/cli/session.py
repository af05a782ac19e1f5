"""What every command shares: options, the library, and how errors end the process."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from shadowgraph import settings
from shadowgraph.errors import ShadowgraphError
from shadowgraph.library import Library
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.rules.visibility import visible


@dataclass(frozen=True, slots=True)
class Session:
    """The options before the command."""

    home: str | None
    project: str | None
    as_json: bool
    keep_secrets: bool = False

    def caller(self) -> Caller:
        """Return the caller, with the project that argument or surroundings name."""
        resolved = settings.project(self.project)
        return Caller(
            resolved.project,
            resolved.source,
            actor=_user(),
            client="shadowgraph-cli",
            session_id=settings.session(),
            directory=settings.workplace(),
        )

    @contextmanager
    def library(self) -> Iterator[Library]:
        """Open the home for one command."""
        with self.opened() as library:
            yield library

    def opened(self, *, background: bool = False) -> Library:
        """Return the library of the home, open."""
        return Library(
            settings.home(self.home),
            background=background,
            keep_secrets=settings.keep_secrets(self.keep_secrets),
        )

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Run one operation with the arguments that were given."""
        given = {key: value for key, value in arguments.items() if value not in (None, ())}
        with self.library() as library:
            reply = invoke(library, name, given, self.caller())
            if not REGISTRY[name].read_only:
                # No thread does it in the background here: the next reader finds it done.
                library.sync.catch_up()
            return reply


def _user() -> str | None:
    return os.environ.get("USER") or os.environ.get("USERNAME")


def text_argument(value: str | None) -> str | None:
    """Return *value*, or all of standard input when it is `-`."""
    if value != "-":
        return value
    return sys.stdin.read()


def print_json(value: Any) -> None:
    """Print a value as JSON with two spaces of indent."""
    click.echo(visible(json.dumps(value, ensure_ascii=False, indent=2)))


def fail(error: ShadowgraphError, *, as_json: bool) -> None:
    """Print an error and end with the exit status of its class."""
    if as_json:
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        told = {"error": {**body, "details": error.details}}
        click.echo(visible(json.dumps(told, ensure_ascii=False)))
    else:
        click.echo(visible(f"shadowgraph: {error.message}"), err=True)
        if error.hint:
            click.echo(visible(f"  {error.hint.strip()}"), err=True)
    sys.exit(error.exit_status)


def use_utf8() -> None:
    """Make every standard stream UTF-8, on platforms with another default too."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
