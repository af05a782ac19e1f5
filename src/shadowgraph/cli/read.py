"""Commands that read: search, context, show, projects."""

from typing import Any

import click

from shadowgraph.cli import render
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
        render.hits(reply)


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
        render.working_set(reply)


@click.command()
@click.argument("ids", nargs=-1, required=True)
@click.option("--all-projects", is_flag=True, help="Look in every project.")
@common
@click.pass_context
def show(context: click.Context, /, **arguments: Any) -> None:
    """Show the full records IDS."""
    session = session_of(context, arguments)
    reply = session.call(
        "shadowgraph_get",
        {"ids": list(arguments["ids"]), "allProjects": arguments["all_projects"]},
    )
    if session.as_json:
        print_json(reply)
    else:
        render.records(reply)


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
        render.project_table(reply)
