"""Commands of hooks, for people: their help, and what a transcript would have left behind.

A host's own call never comes here (`cli.start`); what it does is in `hosts`.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from shadowgraph import settings
from shadowgraph.cli import render
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.errors import CallerError
from shadowgraph.hosts.event import EVENTS, HOSTS
from shadowgraph.hosts.policy import policy_of
from shadowgraph.hosts.process import main as serve
from shadowgraph.hosts.replay import Replay, Shown

HOST = click.option(
    "--host",
    type=click.Choice(HOSTS),
    default=HOSTS[0],
    show_default=True,
    help="Who calls.",
)


@click.command()
@click.argument("event", required=False, type=click.Choice(EVENTS))
@HOST
@click.option(
    "--on-avoid",
    type=click.Choice(settings.ON_AVOID),
    help="What an action to avoid leads to [env: SHADOWGRAPH_ON_AVOID].",
)
@click.option(
    "--dry-run",
    "transcript",
    type=click.Path(dir_okay=False),
    help="Show what a transcript would have left behind; store nothing.",
)
@common
@click.pass_context
def hook(context: click.Context, /, **arguments: Any) -> None:
    """Answer one EVENT of a host: JSON in, JSON or nothing out, always status 0.

    What goes wrong is in the log that `shadowgraph doctor` shows.
    """
    session = session_of(context, arguments)
    if arguments["transcript"]:
        _show(session, arguments["transcript"], arguments["host"])
        return
    if arguments["event"] is None:
        raise click.UsageError("Missing argument 'EVENT'.", context)
    serve(_words(session, arguments))


def _words(session: Session, arguments: dict[str, Any]) -> list[str]:
    given = {
        "--host": arguments["host"],
        "--home": session.home,
        "--project": session.project,
        "--on-avoid": arguments["on_avoid"],
    }
    words = [f"{name}={value}" for name, value in given.items() if value is not None]
    secrets = ["--keep-secrets"] if session.keep_secrets else []
    return [arguments["event"], *words, *secrets]


@click.command()
@click.argument("transcript", type=click.Path(dir_okay=False, allow_dash=True))
@HOST
@common
@click.pass_context
def captures(context: click.Context, /, **arguments: Any) -> None:
    """Show what hooks would have recorded of TRANSCRIPT, and why not the rest.

    TRANSCRIPT is a session file of Claude Code or the payloads of hooks, as JSON Lines.
    """
    session = session_of(context, arguments)
    _show(session, arguments["transcript"], arguments["host"])


def _show(session: Session, transcript: str, host: str) -> None:
    replay = Replay(policy_of(settings.home(session.home)), host)
    shown = list(replay.of(_lines(transcript)))
    counts = Counter(one.what for one in shown)
    if session.as_json:
        told = [one.as_json() for one in shown]
        print_json({"events": told, "counts": counts, "passedOver": replay.passed_over})
        return
    for one in shown:
        click.echo(render.plain(_line(one)))
    told_counts = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    click.echo(f"{len(shown)} commands: {told_counts or 'none'}.")


def _line(one: Shown) -> str:
    status = "?" if one.status is None else one.status
    cue = f" ({one.cue})" if one.cue else ""
    command = " ".join(one.command.split())[:100]
    return f"{one.what:<9} {one.ground}{cue}: [{status}] {command}"


def _lines(transcript: str) -> list[str]:
    if transcript == "-":
        return sys.stdin.read().splitlines()
    try:
        text = Path(transcript).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise CallerError(f"{transcript} cannot be read: {error.strerror}.") from error
    return text.splitlines()
