"""Commands that read: search, context, show, projects."""

from typing import Any

import click

from shadowgraph.cli import glance, render, terminal
from shadowgraph.cli.completion import complete_ids
from shadowgraph.cli.lineage import gathered, tree
from shadowgraph.cli.options import common, flags, given, session_of
from shadowgraph.cli.session import print_json, text_argument


@click.command()
@click.argument("query", nargs=-1)
@flags("shadowgraph_search", leave_out=("query",))
@common
@click.pass_context
def search(context: click.Context, /, **arguments: Any) -> None:
    """Search for QUERY; `-` reads it from standard input, nothing lists the newest."""
    session = session_of(context, arguments)
    words = " ".join(arguments.pop("query"))
    query = text_argument(words) or ""
    reply = session.call("shadowgraph_search", {"query": query, **given(arguments)})
    if session.as_json:
        print_json(reply)
    else:
        (glance if terminal.on_terminal() else render).hits(reply)


@click.command()
@click.argument("query", nargs=-1)
@flags("shadowgraph_context", leave_out=("query",))
@common
@click.pass_context
def context(context: click.Context, /, **arguments: Any) -> None:
    """Show what to know before starting the task QUERY."""
    session = session_of(context, arguments)
    query = text_argument(" ".join(arguments.pop("query"))) or ""
    reply = session.call("shadowgraph_context", {"query": query, **given(arguments)})
    if session.as_json:
        print_json(reply)
    else:
        (glance if terminal.on_terminal() else render).working_set(reply)


@click.command()
@click.argument("ids", nargs=-1, required=True, shell_complete=complete_ids)
@click.option("--all-projects", is_flag=True, help="Look in every project.")
@common
@click.pass_context
def show(context: click.Context, /, **arguments: Any) -> None:
    """Show the full records IDS, each with what it hangs together with as a tree.

    The tree tells what a record replaced and what replaced it, earlier and later tries,
    alternatives, relations, and reviews. With --json the records alone are printed;
    `shadowgraph graph` prints relations for programs.
    """
    session = session_of(context, arguments)
    everywhere = arguments["all_projects"]
    call = {"ids": list(arguments["ids"]), "allProjects": everywhere, "whole": True}
    reply = session.call("shadowgraph_get", call)
    if session.as_json:
        print_json(reply)
        return
    render.records(reply)
    with session.library() as library:
        for body in reply["items"]:
            found = gathered(library, session.caller(), body)
            for line in tree(body, found):
                click.echo(line)


@click.command()
@common
@click.pass_context
def projects(context: click.Context, /, **arguments: Any) -> None:
    """List the projects of the store."""
    session = session_of(context, arguments)
    reply = session.call("shadowgraph_projects", {})
    if session.as_json:
        print_json(reply)
    else:
        (glance if terminal.on_terminal() else render).project_table(reply)
