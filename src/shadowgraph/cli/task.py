"""Commands about tasks: one for each verb.

What an agent does over MCP a person does here, in the same worktree: the flags come from
the operations, and the line that is printed says the same as their reply. A shell has a
session of its own; SHADOWGRAPH_SESSION names another.
"""

from collections.abc import Callable
from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.options import common, flags, given, session_of
from shadowgraph.cli.session import print_json, text_argument

Show = Callable[[dict[str, Any]], None]


@click.group()
def task() -> None:
    """Keep the state of work that others have to go on with."""


def _run(
    context: click.Context, name: str, arguments: dict[str, Any], show: Show | None = None
) -> None:
    session = session_of(context, arguments)
    reply = session.call(name, given(arguments))
    if session.as_json:
        print_json(reply)
    else:
        (show or line)(reply)


def line(reply: dict[str, Any]) -> None:
    """Print where a task stands, on one line, and what is to be said of it."""
    state = reply.get("task")
    if state:
        told = [state["id"], state["status"], f"verification {state['verification']}"]
        told.append(f"revision {state['revision']}")
        mark = "*" if state["current"] else " "
        click.echo(f"{mark} {render.plain(state['title'])}: {', '.join(told)}")
        if state.get("head"):
            click.echo(f"  bound to: {state['head']}")
        if state.get("nextAction"):
            click.echo(f"  next: {render.plain(state['nextAction'])}")
    for text in (*reply.get("drift", ()), *reply.get("notices", ())):
        click.echo(f"  {render.plain(text)}")


@task.command("start")
@click.argument("title")
@flags("task_start", leave_out=("title",))
@common
@click.pass_context
def start(context: click.Context, /, **arguments: Any) -> None:
    """Start the task TITLE and make it the current one."""
    _run(context, "task_start", arguments)


@task.command("update")
@flags("task_update")
@common
@click.pass_context
def update(context: click.Context, /, **arguments: Any) -> None:
    """Change what the task is about."""
    _run(context, "task_update", arguments)


@task.command("status")
@click.argument("id", required=False)
@flags("task_status", leave_out=("id",))
@common
@click.pass_context
def status(context: click.Context, /, **arguments: Any) -> None:
    """Show where the current task stands, or the task ID in full."""
    _run(context, "task_status", arguments, _whole)


def _whole(reply: dict[str, Any]) -> None:
    line(reply)
    if "passport" in reply:
        render.records({"items": [reply["passport"]], "missing": [], "omitted": []})


@task.command("list")
@flags("task_list")
@common
@click.pass_context
def list_(context: click.Context, /, **arguments: Any) -> None:
    """List tasks, open ones by default."""
    _run(context, "task_list", arguments, _table)


def _table(reply: dict[str, Any]) -> None:
    for item in reply["items"]:
        mark = "*" if item["current"] else " "
        told = f"{item['status']:<10} {item['id']}  {render.plain(item['title'])}"
        click.echo(f"{mark} {told}")
    left = f", {reply['omitted']} not shown" if reply["omitted"] else ""
    hidden = f", {reply['closedHidden']} closed" if reply["closedHidden"] else ""
    click.echo(f"{reply['matched']} tasks{left}{hidden}.")


@task.command("switch")
@click.argument("id")
@flags("task_switch", leave_out=("id",))
@common
@click.pass_context
def switch(context: click.Context, /, **arguments: Any) -> None:
    """Take up the task ID."""
    _run(context, "task_switch", arguments)


@task.command("park")
@flags("task_park")
@common
@click.pass_context
def park(context: click.Context, /, **arguments: Any) -> None:
    """Put the task aside."""
    _run(context, "task_park", arguments)


@task.command("block")
@click.argument("reason")
@flags("task_block", leave_out=("reason",))
@common
@click.pass_context
def block(context: click.Context, /, **arguments: Any) -> None:
    """Say that the task waits for REASON."""
    _run(context, "task_block", arguments)


@task.command("unblock")
@click.argument("reason")
@flags("task_unblock", leave_out=("reason",))
@common
@click.pass_context
def unblock(context: click.Context, /, **arguments: Any) -> None:
    """Let the task go on; REASON says what changed."""
    _run(context, "task_unblock", arguments)


@task.command("abandon")
@click.argument("reason")
@flags("task_abandon", leave_out=("reason",))
@common
@click.pass_context
def abandon(context: click.Context, /, **arguments: Any) -> None:
    """Close the task without a verdict, for REASON."""
    _run(context, "task_abandon", arguments)


@task.command("verify")
@click.argument("status", required=False)
@flags("task_update_verification", leave_out=("status",))
@common
@click.pass_context
def verify(context: click.Context, /, **arguments: Any) -> None:
    """Record the verdict STATUS: unknown, pending, passed, failed or accepted."""
    _run(context, "task_update_verification", arguments)


@task.command("finalize")
@click.argument("status", required=False)
@flags("task_finalize", leave_out=("status",))
@common
@click.pass_context
def finalize(context: click.Context, /, **arguments: Any) -> None:
    """Close the task with the verdict STATUS, or with the one it has."""
    _run(context, "task_finalize", arguments)


@task.command("handoff")
@click.argument("id", required=False)
@flags("task_handoff", leave_out=("id",))
@common
@click.pass_context
def handoff(context: click.Context, /, **arguments: Any) -> None:
    """Print what another one needs to go on with the task."""
    _run(context, "task_handoff", arguments, _text)


def _text(reply: dict[str, Any]) -> None:
    for one in reply["text"].splitlines():
        click.echo(render.plain(one))


@task.command("audit")
@click.argument("id", required=False)
@flags("task_audit", leave_out=("id",))
@common
@click.pass_context
def audit(context: click.Context, /, **arguments: Any) -> None:
    """Examine the task; changes nothing."""
    _run(context, "task_audit", arguments, _issues)


def _issues(reply: dict[str, Any]) -> None:
    for issue in reply["issues"]:
        mark = "ok  " if issue["level"] == "ok" else "WARN"
        click.echo(f"{mark} {issue['category']:8} {render.plain(issue['message'])}")


@click.group()
def evidence() -> None:
    """Keep outputs that a verdict rests on."""


@evidence.command("add")
@click.argument("content", required=False)
@flags("attach_evidence", leave_out=("content",))
@common
@click.pass_context
def add(context: click.Context, /, **arguments: Any) -> None:
    """Keep CONTENT (`-`: standard input), or the file named by --path."""
    arguments["content"] = text_argument(arguments["content"])
    _run(context, "attach_evidence", arguments, noted)


def noted(reply: dict[str, Any]) -> None:
    """Print what was recorded, and for which task."""
    of = f" of {reply['taskId']}" if reply.get("taskId") else ""
    verb = "was recorded before" if reply.get("replayed") else "recorded"
    click.echo(f"{reply['id']}{of} {verb}.")
    for text in reply.get("notices", ()):
        click.echo(f"  {render.plain(text)}")
