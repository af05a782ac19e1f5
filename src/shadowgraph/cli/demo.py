"""`shadowgraph demo`: what an agent would see, against the real server.

A temporary home is filled from records that come with the package, the server is started
as a client would start it, and an attempt is recorded, searched for and read back as
context. Nothing of the user's own home is touched.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.talk import Conversation
from shadowgraph.exchange import import_lines
from shadowgraph.library import Library

PROJECT = "acme/billing-api"
NEW_ATTEMPT = {
    "solution": "Put the ledger's SQLite database on the shared NFS volume in WAL mode",
    "result": "sqlite3.OperationalError: database is locked, on the second host",
    "resultClass": "failed",
    "reason": "WAL needs shared memory, and two hosts have none in common",
    "environment": "SQLite 3.46, Python 3.12, Linux, NFSv4",
}
HOW_TO_ADD = """\
Add it to a client:

  claude mcp add shadowgraph -- shadowgraph serve

or, in a client that reads JSON:

  {
    "mcpServers": {
      "shadowgraph": { "command": "shadowgraph", "args": ["serve"] }
    }
  }
"""


def demo_records() -> Path:
    """Return the records of the demo, packaged or in the checkout."""
    packaged = Path(__file__).parents[1] / "_demo" / "records.jsonl"
    if packaged.is_file():
        return packaged
    return Path(__file__).parents[3] / "fixtures" / "tiny" / "records.jsonl"


@click.command()
def demo() -> None:
    """Show, in a temporary home, what an agent would see."""
    with TemporaryDirectory(prefix="shadowgraph-demo-") as home:
        with Library(Path(home)) as library:
            text = demo_records().read_text(encoding="utf-8")
            report = import_lines(library, text.splitlines())
            library.sync.view()
        click.echo(f"A temporary home with {report.imported} records. Starting the server")
        click.echo(f"over stdio for project {PROJECT}, and talking to it as a client.\n")
        command = [sys.executable, "-m", "shadowgraph", "--home", home]
        with Conversation([*command, "--project", PROJECT, "serve"]) as client:
            _talk(client)
    click.echo(HOW_TO_ADD)


def _talk(client: Conversation) -> None:
    _title("shadowgraph_record_attempt: the agent tried something, and it failed")
    render.written(_call(client, "shadowgraph_record_attempt", NEW_ATTEMPT))
    _title('shadowgraph_search "database is locked": before trying again')
    render.hits(
        _call(client, "shadowgraph_search", {"query": "database is locked", "limit": 3})
    )
    _title('shadowgraph_context "let two hosts write the ledger": at the start of a task')
    render.working_set(
        _call(
            client,
            "shadowgraph_context",
            {"query": "let two hosts write the ledger", "limit": 3},
        )
    )


def _title(text: str) -> None:
    click.echo(click.style(f"\n== {text}\n", bold=True))


def _call(client: Conversation, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return client.call(name, arguments)
