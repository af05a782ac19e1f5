"""Commands that continue and hand over a task: resume, source, bundle."""

from pathlib import Path
from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.options import common, flags, given, session_of
from shadowgraph.cli.session import Session, print_json


def _show(session: Session, reply: dict[str, Any], lines: list[str]) -> None:
    if session.as_json:
        print_json(reply)
        return
    for line in lines:
        click.echo(render.plain(line))


@click.command()
@flags("resume")
@common
@click.pass_context
def resume(context: click.Context, /, **arguments: Any) -> None:
    """Show what is needed to go on with the task, within a budget of tokens."""
    session = session_of(context, arguments)
    reply = session.call("resume", given(arguments))
    _show(session, reply, reply["text"].splitlines())


@click.group()
def source() -> None:
    """Record what was learned from a file, or check what is recorded."""


@source.command("add")
@click.argument("path")
@flags("record_source", leave_out=("path",))
@common
@click.pass_context
def source_add(context: click.Context, /, **arguments: Any) -> None:
    """Record what was learned from the file PATH."""
    session = session_of(context, arguments)
    call = {"path": str(Path(arguments.pop("path")).absolute()), **given(arguments)}
    reply = session.call("record_source", call)
    told = f"{reply['path']} {reply['hash']} ({reply['recorded']}): {reply['summary']}"
    _show(session, reply, [told])


@source.command("status")
@flags("source_status")
@common
@click.pass_context
def source_status(context: click.Context, /, **arguments: Any) -> None:
    """Check every recorded source against its file."""
    session = session_of(context, arguments)
    reply = session.call("source_status", given(arguments))
    lines = [f"{one['status']:8} {one['path']}: {one['summary']}" for one in reply["items"]]
    _show(session, reply, lines or ["No source is recorded."])


@click.group()
def bundle() -> None:
    """Hand a task over as one file, or take one."""


@bundle.command("export")
@click.argument("file")
@flags("bundle_export", leave_out=("outputPath", "includeEvidence"))
@click.option("--without-evidence", is_flag=True, help="Leave out the evidence.")
@common
@click.pass_context
def bundle_export(context: click.Context, /, **arguments: Any) -> None:
    """Write the task to the new FILE inside the checkout."""
    session = session_of(context, arguments)
    call: dict[str, Any] = {
        "outputPath": str(Path(arguments.pop("file")).absolute()),
        "includeEvidence": not arguments.pop("without_evidence"),
    }
    reply = session.call("bundle_export", call | given(arguments))
    counts = ", ".join(f"{count} {name}" for name, count in reply["counts"].items())
    _show(session, reply, [f"{reply['taskId']} written to {reply['path']}: {counts}."])


@bundle.command("inspect")
@click.argument("file")
@common
@click.pass_context
def bundle_inspect(context: click.Context, /, **arguments: Any) -> None:
    """Check the bundle FILE and say what is in it."""
    session = session_of(context, arguments)
    reply = session.call("bundle_inspect", {"path": _absolute(arguments["file"])})
    counts = ", ".join(f"{count} {name}" for name, count in reply["counts"].items())
    told = [f"{reply['task']['id']}: {reply['task']['title']}", counts, reply["trust"]]
    _show(session, reply, told)


@bundle.command("plan")
@click.argument("file")
@click.option("--as-new", is_flag=True, help="Give the task a new id.")
@common
@click.pass_context
def bundle_plan(context: click.Context, /, **arguments: Any) -> None:
    """Say what importing the bundle FILE would do."""
    _taken(context, arguments, "bundle_import_plan", {})


@bundle.command("import")
@click.argument("file")
@click.option("--write", is_flag=True, help="Write; else this is a plan.")
@click.option("--as-new", is_flag=True, help="Give the task a new id.")
@common
@click.pass_context
def bundle_import(context: click.Context, /, **arguments: Any) -> None:
    """Import the bundle FILE: its task arrives parked and unverified."""
    _taken(context, arguments, "bundle_import", {"write": arguments["write"]})


def _taken(
    context: click.Context, arguments: dict[str, Any], name: str, more: dict[str, Any]
) -> None:
    session = session_of(context, arguments)
    call = {"path": _absolute(arguments["file"]), "asNew": arguments["as_new"], **more}
    reply = session.call(name, call)
    lines = [f"{reply['outcome']} ({reply['destination']}): {reply['taskId']}"]
    for one in reply["actions"]:
        why = f" ({one['reason']})" if "reason" in one else ""
        lines.append(f"  {one['action']:7} {one['kind']} {one['id']}{why}")
    _show(session, reply, [*lines, reply["next"]])


def _absolute(text: str) -> str:
    return str(Path(text).absolute())
