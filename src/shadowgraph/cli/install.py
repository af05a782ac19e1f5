"""Commands that put shadowgraph into the settings of hosts, and take it out again.

What would change is shown first; a person is asked, a script says `--yes`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import click

from shadowgraph import settings
from shadowgraph.cli.hosts import launch_here
from shadowgraph.cli.keep import YES, agreed
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.errors import InvalidInputError
from shadowgraph.installing import planning
from shadowgraph.installing.changes import Change
from shadowgraph.installing.hosts import HOSTS, SCOPES, Host, Scope
from shadowgraph.installing.places import Places
from shadowgraph.rules.visibility import visible

_HOST = click.argument(
    "hosts", nargs=-1, type=click.Choice(list(HOSTS)), metavar="[HOST]..."
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show the change; write nothing.")
_ONE_OF = f"HOST is one of {', '.join(HOSTS)}"


@click.command(epilog=f"{_ONE_OF}; without one, those that are used here.")
@_HOST
@click.option("--hooks", is_flag=True, help="Install the hooks of the host as well.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="For the user everywhere, or in the files of this project.",
)
@click.option("--force", is_flag=True, help="Replace an entry of somebody else.")
@_DRY_RUN
@YES
@common
@click.pass_context
def install(context: click.Context, /, **arguments: Any) -> None:
    """Put shadowgraph into the settings of HOST.

    Only its own entry is written, atomically and with a backup beside the file; --home and
    --project become part of the command.
    """
    session = session_of(context, arguments)
    places, scope = settings.places(), cast("Scope", arguments["scope"])
    if scope == "project" and places.project is None:
        raise InvalidInputError(
            "This directory belongs to no project.", hint="Run it in the project."
        )
    named: Sequence[str] = arguments["hosts"]
    hosts = planning.chosen(named, places)
    if named:
        _possible(hosts, scope, hooks=arguments["hooks"])
    if settings.named_home() and session.home is None and not session.as_json:
        click.echo(
            f"{settings.HOME_VARIABLE} is set here, and a host may not see it;"
            " --home writes it into the command.",
            err=True,
        )
    plan = planning.install(
        hosts,
        scope,
        places,
        launch_here(session),
        hooks=arguments["hooks"],
        force=arguments["force"],
    )
    _carry_out(session, plan, places, arguments, "installed")
    if not session.as_json and not arguments["dry_run"]:
        for host in hosts:
            click.echo(f"See that it works in {host.title}: {host.check}.")


@click.command(epilog=f"{_ONE_OF}; without one, all of them.")
@_HOST
@click.option("--hooks", is_flag=True, help="Only the hooks; the server stays.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    help="Only there; without it, in the user's and the project's files.",
)
@_DRY_RUN
@YES
@common
@click.pass_context
def uninstall(context: click.Context, /, **arguments: Any) -> None:
    """Take shadowgraph and its hooks out of the settings of HOST.

    A file that nobody changed since becomes what it was, byte for byte; of another only
    what install wrote goes. With --hooks a file becomes what install without them makes of
    it. The store stays where it is.
    """
    session = session_of(context, arguments)
    places, only_hooks = settings.places(), bool(arguments["hooks"])
    hosts = [HOSTS[name] for name in arguments["hosts"] or HOSTS]
    scopes = [cast("Scope", arguments["scope"])] if arguments["scope"] else list(SCOPES)
    if arguments["hosts"]:
        _possible(hosts, arguments["scope"] or "user", hooks=only_hooks)
    plan = planning.uninstall(hosts, scopes, places, only_hooks=only_hooks)
    _carry_out(session, plan, places, arguments, "uninstalled")


def _possible(hosts: Sequence[Host], scope: Scope, *, hooks: bool) -> None:
    """Refuse what a named host does not have.

    Raises:
        InvalidInputError: no file for a project, or no hooks.
    """
    for host in hosts:
        if scope == "project" and not host.projects:
            raise InvalidInputError(
                f"{host.title} reads no file of a project.", hint="Pass --scope user."
            )
        if hooks and not host.events:
            raise InvalidInputError(f"{host.title} has no hooks.", hint="Omit --hooks.")


def _carry_out(
    session: Session,
    plan: Sequence[Change],
    places: Places,
    arguments: dict[str, Any],
    done: str,
) -> None:
    """Show a plan, ask, write it, and say what was done."""
    changes = [one for one in plan if one.kind != "unchanged"]
    asked = bool(changes) and not arguments["dry_run"]
    if not session.as_json:
        for change in changes:
            click.echo(visible(change.diff()), nl=False)
    if asked:
        question = f"Write {_files(len(changes))}?"
        why = "Files of other programs are changed"
        agreed(question, yes=arguments["yes"], why=why)
    if not arguments["dry_run"]:
        planning.write(plan, places)
    if session.as_json:
        told = [_as_json(one) for one in plan]
        print_json({"written": asked, "changes": told})
        return
    for one in plan:
        word = one.kind if asked or one.kind == "unchanged" else f"would be {one.kind}"
        click.echo(visible(f"{word}  {one.path}"))
    if not changes:
        click.echo(f"Nothing to change: already {done}.")


def _files(count: int) -> str:
    return "this file" if count == 1 else f"these {count} files"


def _as_json(change: Change) -> dict[str, Any]:
    path: Path = change.path
    return {
        "host": change.host,
        "file": str(path),
        "change": change.kind,
        "diff": change.diff(),
    }
