"""Commands that look after the home: serve, stats, reindex, doctor, export."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import click

from shadowgraph import settings
from shadowgraph.cli import glance, progress, render, terminal
from shadowgraph.cli.garbage import loading
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.errors import CallerError
from shadowgraph.exchange import export_lines
from shadowgraph.library import Library
from shadowgraph.operations import toolset
from shadowgraph.upstream.export import export_envelope

if TYPE_CHECKING:
    from shadowgraph.server.session import Session as Serving


@click.command()
@click.option(
    "--tools",
    default="core",
    show_default=True,
    help="Toolsets or tool names, comma-separated: core, graph, tasks, admin, all.",
)
@click.option("--http", help="Serve many clients at HOST:PORT instead, as 127.0.0.1:8787.")
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    help="Another host name under which clients reach it over HTTP; may be repeated.",
)
@common
@click.pass_context
def serve(context: click.Context, /, **arguments: Any) -> None:
    """Serve the tools over MCP on standard input and output, or over HTTP."""
    # Read first: a host that dies while the SDK loads would leave an orphan for good.
    parent = os.getppid()
    session = session_of(context, arguments)
    operations = toolset(arguments["tools"])
    # The one place that loads the SDK: it costs a second that no other command pays.
    with loading():
        from shadowgraph.server.session import Session as Offering  # noqa: PLC0415

    resolved = session.caller()
    # Read now: a setting that says nothing clear ends the server before a client waits.
    settings.keep_secrets(session.keep_secrets)
    serving = Offering(
        lambda: session.opened(background=True),
        operations,
        # Who the client is, it says itself.
        resolved._replace(client=None),
    )
    if arguments["http"] is not None:
        _serve_http(serving, session, arguments["http"], arguments["allowed_hosts"])
        return
    with loading():
        from shadowgraph.server.stdio import serve as serve_stdio  # noqa: PLC0415

    serve_stdio(serving, parent)


def _serve_http(
    serving: "Serving", session: Session, http: str, hosts: tuple[str, ...]
) -> None:
    """Serve over HTTP, with the token of the environment or of the home."""
    from shadowgraph.server import access, address  # noqa: PLC0415

    named = settings.token()
    token = (
        access.kept(settings.home(session.home))
        if named is None
        else access.sound(named, settings.TOKEN_VARIABLE)
    )
    place = address.parse(http)
    with loading():
        from shadowgraph.server.http import serve as serve_http  # noqa: PLC0415

    serve_http(serving, place, hosts, token)


@click.command()
@common
@click.pass_context
def stats(context: click.Context, /, **arguments: Any) -> None:
    """Show figures of the store."""
    session = session_of(context, arguments)
    reply = session.call("shadowgraph_stats", {})
    if session.as_json:
        print_json(reply)
    else:
        (glance if terminal.on_terminal() else render).figures(reply)


@click.command()
@click.option(
    "--sweep",
    is_flag=True,
    help="Also remove the indexes of other versions; one still in use is built again.",
)
@common
@click.pass_context
def reindex(context: click.Context, /, **arguments: Any) -> None:
    """Build the index again from the store."""
    session = session_of(context, arguments)
    with session.library() as library:
        with progress.bar("records indexed") as tell:
            documents = library.reindex(tell)
        swept = library.sync.sweep_definitions() if arguments["sweep"] else None
    if session.as_json:
        told = {"documents": documents}
        print_json(told if swept is None else {**told, "swept": swept})
        return
    click.echo(f"{documents:,} records indexed.")
    if swept is not None:
        click.echo(f"{swept:,} indexes of other versions removed.")


@click.command()
@common
@click.pass_context
def doctor(context: click.Context, /, **arguments: Any) -> None:
    """Examine store, journal, index and hosts; repairs and deletes nothing."""
    session = session_of(context, arguments)
    # Only here: a server's surroundings are those of its host. No other command of this
    # module needs these two.
    from shadowgraph.cli.hosts import with_hosts  # noqa: PLC0415
    from shadowgraph.doctor import told, without_store  # noqa: PLC0415

    missing = without_store(settings.home(session.home))
    reply = told(missing) if missing else session.call("shadowgraph_doctor", {})
    reply = with_hosts(reply, session)
    if session.as_json:
        print_json(reply)
    else:
        render.findings(reply)
    if not reply["ok"]:
        sys.exit(4)


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@click.option("--all-projects", is_flag=True, help="Export every project.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["lines", "envelope"]),
    default="lines",
    show_default=True,
    help="JSON Lines, or one object in the upstream tool's schema 7.",
)
@common
@click.pass_context
def export(context: click.Context, /, **arguments: Any) -> None:
    """Write records to FILE, or to standard output.

    The project's records; without a project, or with --all-projects, all of them.
    """
    session = session_of(context, arguments)
    caller = session.caller()
    everything = arguments["all_projects"] or caller.project is None
    owner = None if everything else caller.scope(None).owner
    count = 0
    with ExitStack() as stack:
        library = stack.enter_context(session.library())
        made = _exported(library, owner, arguments["form"])
        out: IO[str] = sys.stdout
        if arguments["file"]:
            out = stack.enter_context(_opened(arguments["file"], "w"))
        for text, records in made:
            out.write(text)
            count += records
    click.echo(f"{count:,} records exported.", err=True)


def _exported(library: Library, owner: str | None, form: str) -> Iterator[tuple[str, int]]:
    """Yield the parts of an export with how many records are in each."""
    if form == "envelope":
        yield export_envelope(library, owner)
        return
    for line in export_lines(library, owner):
        yield f"{line}\n", 1


def _opened(name: str, mode: str) -> IO[Any]:
    try:
        if "b" in mode:
            return open(name, mode)  # noqa: PTH123
        # newline: a line ends with \n on every platform.
        return open(name, mode, encoding="utf-8", newline="\n")  # noqa: PTH123
    except OSError as error:
        raise CallerError(f"{name} cannot be opened: {error.strerror}.") from error
