"""`shadowgraph graph`: a record with what its relations lead to, as a drawing or as JSON."""

from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.completion import complete_ids
from shadowgraph.cli.drawing import dot, drawing, mermaid
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import print_json
from shadowgraph.errors import UnknownRecordError


@click.command()
@click.argument("record", metavar="ID", shell_complete=complete_ids)
@click.option(
    "--format",
    "form",
    type=click.Choice(["mermaid", "dot", "json"]),
    default="mermaid",
    show_default=True,
    help="Language of the drawing.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 10),
    default=2,
    show_default=True,
    help="Most steps from the record.",
)
@click.option("--relation", help="Only relations of this name.")
@common
@click.pass_context
def graph(context: click.Context, /, **arguments: Any) -> None:
    """Draw the graph around the record ID.

    What is left out because there is too much of it is told on standard error.
    """
    session = session_of(context, arguments)
    call = {
        "id": arguments["record"],
        "depth": arguments["depth"],
        "relation": arguments["relation"],
    }
    reply = session.call("shadowgraph_traverse", call)
    limitation = reply.get("limitation") or {}
    if not reply["nodes"]:
        raise UnknownRecordError(str(limitation.get("detail") or arguments["record"]))
    if session.as_json or arguments["form"] == "json":
        print_json(reply)
        return
    made = drawing(reply, render.headline, render.word_of)
    click.echo(mermaid(made) if arguments["form"] == "mermaid" else dot(made))
    if limitation:
        click.echo(f"Not everything is drawn: {limitation['detail']}", err=True)
