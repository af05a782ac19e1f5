"""Commands that keep a store: backup, restore, purge, journal, compact.

What cannot be undone is shown first and asked about on a terminal; a script says `--yes`.
"""

import sys
from pathlib import Path
from typing import Any

import click

from shadowgraph.cli import progress, render
from shadowgraph.cli.completion import complete_ids, complete_projects
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.errors import InvalidInputError

YES = click.option("--yes", is_flag=True, help="Do not ask.")


def agreed(question: str, *, yes: bool, why: str = "This cannot be undone") -> None:
    """Go on only when somebody said so; *why* it is asked begins the refusal.

    Raises:
        InvalidInputError: nobody can be asked, and --yes was not given.
    """
    if yes:
        return
    if not _on_terminal():
        raise InvalidInputError(
            f"{why}, and there is no terminal to ask on.",
            hint="Pass --yes when it is meant.",
        )
    click.confirm(question, abort=True, err=True)


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _show(session: Session, reply: dict[str, Any], lines: list[str]) -> None:
    if session.as_json:
        print_json(reply)
        return
    for line in [*lines, *reply.get("notices", ())]:
        click.echo(render.plain(line))


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@common
@click.pass_context
def backup(context: click.Context, /, **arguments: Any) -> None:
    """Write the whole store, all projects, to the new FILE, with checksums."""
    session = session_of(context, arguments)
    destination = str(Path(arguments["file"]).absolute())
    with progress.waiting("Writing the backup"):
        reply = session.call("shadowgraph_backup", {"destination": destination})
    count = sum(reply["manifest"]["counts"].values())
    told = f"{count:,} records backed up to {reply['destination']}"
    _show(session, reply, [f"{told} ({reply['bytes']:,} bytes)."])


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--check", is_flag=True, help="Check the backup and replace nothing.")
@YES
@common
@click.pass_context
def restore(context: click.Context, /, **arguments: Any) -> None:
    """Replace the whole store, all projects, by the backup FILE.

    The backup is checked first, and what is replaced is kept in the home. Purges stay
    purged.
    """
    session = session_of(context, arguments)
    call = {"source": str(Path(arguments["file"]).absolute()), "memoryOnly": True}
    checked = session.call("shadowgraph_restore", call)
    if not arguments["check"]:
        told = f"{checked['records']:,} records of {checked['manifest']['createdAt']}"
        agreed(f"Replace the whole store by {told}?", yes=arguments["yes"])
        checked = session.call("shadowgraph_restore", call | {"memoryOnly": False})
    done = "restored" if checked["replaced"] else "would be restored"
    lines = [f"{checked['records']:,} records {done}."]
    lines += [f"Kept what was replaced: {one}" for one in checked["retainedArtifacts"]]
    if checked["reapplied"]:
        lines.append(f"Purged again what {checked['reapplied']} purges had removed.")
    _show(session, checked, lines)


@click.command()
@click.argument("name", metavar="PROJECT", shell_complete=complete_projects)
@click.option("--hard", is_flag=True, help="Leave of the journal numbers and hashes alone.")
@click.option("--id", "ids", multiple=True, help="Only this record; may be repeated.")
@YES
@common
@click.pass_context
def purge(context: click.Context, /, **arguments: Any) -> None:
    """Erase all records of PROJECT for good, from every file of the home."""
    session = session_of(context, arguments)
    call: dict[str, Any] = {"project": arguments["name"]}
    if arguments["ids"]:
        call["ids"] = list(arguments["ids"])
    found = session.call("shadowgraph_purge_preview", call)
    agreed(
        f"Erase {found['removed']:,} records and {found['journal']:,} journal entries of"
        f" {render.plain(found['project'])} for good?",
        yes=arguments["yes"],
    )
    mode = "hard" if arguments["hard"] else "logical"
    reply = session.call("shadowgraph_purge", call | {"mode": mode})
    told = f"{reply['removed']:,} records and {reply['journal']:,} journal entries purged"
    _show(session, reply, [f"{told} ({mode}).", reply["backups"]])


@click.command()
@click.argument("record", required=False, shell_complete=complete_ids)
@click.option("--type", help="Only entries of this type, such as attempt.retracted.")
@click.option("--limit", type=int, help="Entries to show, newest first.")
@click.option("--offset", type=int, help="Entries to skip.")
@click.option("--full", is_flag=True, help="With the whole state after each change.")
@click.option("--all-projects", is_flag=True, help="Entries of every project.")
@common
@click.pass_context
def journal(context: click.Context, /, **arguments: Any) -> None:
    """Show what changed, newest first: of the project, or of the record RECORD.

    For looking into: every entry has its type, --full shows whole states, --offset pages.
    To read what happened like a diary, and to watch it, use `shadowgraph log`.
    """
    session = session_of(context, arguments)
    call = {
        "recordId": arguments["record"],
        "type": arguments["type"],
        "limit": arguments["limit"],
        "offset": arguments["offset"],
        "detail": "full" if arguments["full"] else None,
        "allProjects": arguments["all_projects"] or None,
        "newestFirst": True,
    }
    reply = session.call("shadowgraph_journal", call)
    if session.as_json:
        print_json(reply)
    else:
        render.entries(reply)


@click.command()
@click.option("--before", required=True, help="Day or instant up to which it is compacted.")
@YES
@common
@click.pass_context
def compact(context: click.Context, /, **arguments: Any) -> None:
    """Drop old states from the journal: those that were replaced before a time.

    Records stay as they are, and so does everything that was known since.
    """
    session = session_of(context, arguments)
    call = {"before": arguments["before"]}
    found = session.call("shadowgraph_compact", call | {"dryRun": True})
    agreed(
        f"Drop {found['states']:,} states ({found['stateBytes']:,} bytes) for good?",
        yes=arguments["yes"],
    )
    reply = session.call("shadowgraph_compact", call)
    sizes = f"{reply['storeBytes']['before']:,} to {reply['storeBytes']['after']:,} bytes"
    _show(session, reply, [f"{reply['states']:,} states dropped; {sizes}."])
