"""Commands that look after the home: serve, stats, reindex, doctor, export, import."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import IO, Any

import click

from shadowgraph import settings
from shadowgraph.cli import render
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import print_json
from shadowgraph.errors import CallerError, ImportLineError
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.library import Library
from shadowgraph.operations import toolset


@click.command()
@click.option(
    "--tools",
    default="core",
    show_default=True,
    help="Toolsets or tool names, comma-separated: core, graph, tasks, admin, all.",
)
@common
@click.pass_context
def serve(context: click.Context, /, **arguments: Any) -> None:
    """Serve the tools over MCP on standard input and output."""
    # Read first: a host that dies while the SDK loads would leave an orphan for good.
    parent = os.getppid()
    session = session_of(context, arguments)
    operations = toolset(arguments["tools"])
    # The one place that loads the SDK: it costs a second that no other command pays.
    from shadowgraph.server.session import Session as Serving  # noqa: PLC0415
    from shadowgraph.server.stdio import serve as serve_stdio  # noqa: PLC0415

    resolved = session.caller()
    home = settings.home(session.home)
    serving = Serving(
        lambda: Library(home, background=True),
        operations,
        type(resolved)(resolved.project, resolved.source, actor=resolved.actor),
    )
    serve_stdio(serving, parent)


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
        render.figures(reply)


@click.command()
@common
@click.pass_context
def reindex(context: click.Context, /, **arguments: Any) -> None:
    """Build the index again from the store."""
    session = session_of(context, arguments)
    with session.library() as library:
        documents = library.reindex(render.progress("records indexed"))
    if session.as_json:
        print_json({"documents": documents})
    else:
        click.echo(f"{documents:,} records indexed.")


@click.command()
@common
@click.pass_context
def doctor(context: click.Context, /, **arguments: Any) -> None:
    """Examine store, journal and index; repairs and deletes nothing."""
    session = session_of(context, arguments)
    reply = session.call("shadowgraph_doctor", {})
    if session.as_json:
        print_json(reply)
    else:
        render.findings(reply)
    if not reply["ok"]:
        sys.exit(4)


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@click.option("--all-projects", is_flag=True, help="Export every project.")
@common
@click.pass_context
def export(context: click.Context, /, **arguments: Any) -> None:
    """Write records as JSON Lines to FILE, or to standard output.

    The project's records; without a project, or with --all-projects, all of them.
    """
    session = session_of(context, arguments)
    caller = session.caller()
    everything = arguments["all_projects"] or caller.project is None
    owner = None if everything else caller.scope(None).owner
    count = 0
    with ExitStack() as stack:
        library = stack.enter_context(session.library())
        out: IO[str] = sys.stdout
        if arguments["file"]:
            out = stack.enter_context(_opened(arguments["file"], "w"))
        for line in export_lines(library, owner):
            out.write(line + "\n")
            count += 1
    click.echo(f"{count:,} records exported.", err=True)


def _opened(name: str, mode: str) -> IO[Any]:
    try:
        if "b" in mode:
            return open(name, mode)  # noqa: PTH123
        # newline: a line ends with \n on every platform.
        return open(name, mode, encoding="utf-8", newline="\n")  # noqa: PTH123
    except OSError as error:
        raise CallerError(f"{name} cannot be opened: {error.strerror}.") from error


def _lines(stream: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(stream, start=1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ImportLineError("the line is not UTF-8.", line=number) from error


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--keep", is_flag=True, help="Leave known ids as they are stored.")
@common
@click.pass_context
def import_(context: click.Context, /, **arguments: Any) -> None:
    """Read records from the JSON Lines FILE (`-`: standard input), all or nothing.

    Records without a project go to --project, else to "default".
    """
    session = session_of(context, arguments)
    with ExitStack() as stack:
        stream: Iterable[bytes] = sys.stdin.buffer
        if arguments["file"] != "-":
            stream = stack.enter_context(_opened(arguments["file"], "rb"))
        library = stack.enter_context(session.library())
        tell = render.progress("records imported")
        report = import_lines(
            library,
            _lines(stream),
            project=session.project,
            keep=arguments["keep"],
            progress=lambda done: tell(done, 0),
        )
        library.sync.view()
    if session.as_json:
        print_json(
            {
                "imported": report.imported,
                "unchanged": report.unchanged,
                "cleanedCharacters": report.cleaned,
                "counts": report.counts,
            }
        )
    else:
        render.imported(report)
