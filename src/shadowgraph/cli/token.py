"""`shadowgraph token`: the token that clients over HTTP show."""

from typing import Any

import click

from shadowgraph import settings
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import print_json
from shadowgraph.errors import InvalidInputError
from shadowgraph.server.access import kept, renew


@click.command()
@click.option("--rotate", is_flag=True, help="Make a new one; the old one ends.")
@common
@click.pass_context
def token(context: click.Context, /, **arguments: Any) -> None:
    """Print the token for clients over HTTP, made when there is none.

    A running server keeps the token it was started with: start it again after --rotate.
    """
    session = session_of(context, arguments)
    home = settings.home(session.home)
    named = settings.token()
    if named is not None and arguments["rotate"]:
        raise InvalidInputError(
            f"{settings.TOKEN_VARIABLE} names the token, so a new one would not be used.",
            hint=f"Change it there, or unset {settings.TOKEN_VARIABLE}.",
        )
    held = named or (None if arguments["rotate"] else kept(home))
    told = held or renew(home)
    if session.as_json:
        print_json({"token": told, "made": held is None})
    else:
        click.echo(told)
