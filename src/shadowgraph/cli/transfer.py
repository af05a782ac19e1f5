"""`shadowgraph import`: apart from the other commands, because every reader is loaded for it."""

import sys
from pathlib import Path
from typing import Any

import click

from shadowgraph.cli import arrived, progress
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import print_json
from shadowgraph.intake import FORMS, Wanted, import_data, import_path
from shadowgraph.upstream.importing import Choice


@click.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "form",
    type=click.Choice(list(FORMS)),
    help="Form of another tool; else its content says which it is.",
)
@click.option("--keep", is_flag=True, help="Leave known ids as they are stored.")
@click.option("--replace", is_flag=True, help="Overwrite known ids; not for JSON Lines.")
@click.option("--dry-run", is_flag=True, help="Report what would be done; store nothing.")
@common
@click.pass_context
def import_(context: click.Context, /, **arguments: Any) -> None:
    """Read records from FILE (`-`: standard input), all or nothing.

    FILE is JSON Lines, or a store of the upstream tool: its JSON file, its SQLite file, one
    of its exports. Or it is of another tool: Markdown decision records (MADR, Nygard) or
    basic-memory notes, a file or a directory of them, or a memory.json. Which it is, its
    content says. With --from git-reverts it is a checkout, and each commit that was
    reverted becomes a failed attempt. Records without a project go to --project, else to
    "default"; what is of another tool goes to --project, else to the session's project.
    """
    session = session_of(context, arguments)
    given = arguments["file"]
    with session.library() as library, progress.bar("records imported") as tell:
        wanted = Wanted(
            form=arguments["form"],
            project=session.project,
            session_project=session.caller().project,
            choice=Choice(keep=arguments["keep"], replace=arguments["replace"]),
            dry_run=arguments["dry_run"],
            progress=lambda done: tell(done, 0),
        )
        if given == "-":
            report = import_data(library, sys.stdin.buffer.read(), None, wanted)
        else:
            report = import_path(library, Path(given), wanted)
        library.sync.view()
    if session.as_json:
        print_json(report.as_json())
    else:
        arrived.printed(report)
