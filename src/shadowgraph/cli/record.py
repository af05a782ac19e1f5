"""Commands that write: record and move."""

from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.options import common, flags, given, session_of
from shadowgraph.cli.session import print_json


@click.group()
def record() -> None:
    """Record an attempt, a decision, a fact or an outcome."""


def _write(context: click.Context, name: str, arguments: dict[str, Any]) -> None:
    session = session_of(context, arguments)
    reply = session.call(name, given(arguments))
    if session.as_json:
        print_json(reply)
    else:
        render.written(reply)


@record.command("attempt")
@flags("shadowgraph_record_attempt")
@common
@click.pass_context
def record_attempt(context: click.Context, /, **arguments: Any) -> None:
    """Record what was tried and how it ended."""
    _write(context, "shadowgraph_record_attempt", arguments)


@record.command("decision")
@flags("shadowgraph_record_decision")
@common
@click.pass_context
def record_decision(context: click.Context, /, **arguments: Any) -> None:
    """Record a choice and the options it rejected."""
    _write(context, "shadowgraph_record_decision", arguments)


@record.command("fact")
@flags("shadowgraph_record_fact")
@common
@click.pass_context
def record_fact(context: click.Context, /, **arguments: Any) -> None:
    """Record the value of a key."""
    _write(context, "shadowgraph_record_fact", arguments)


@record.command("outcome")
@flags("shadowgraph_record_outcome")
@common
@click.pass_context
def record_outcome(context: click.Context, /, **arguments: Any) -> None:
    """Record how a decision turned out."""
    _write(context, "shadowgraph_record_outcome", arguments)


@click.command()
@click.argument("decision_id")
@click.argument("status")
@common
@click.pass_context
def move(context: click.Context, /, **arguments: Any) -> None:
    """Move decision DECISION_ID to another STATUS of its lifecycle."""
    session = session_of(context, arguments)
    reply = session.call(
        "shadowgraph_update_status",
        {"decisionId": arguments["decision_id"], "status": arguments["status"]},
    )
    if session.as_json:
        print_json(reply)
    else:
        click.echo(f"{reply['id']} is {reply['status']}.")
