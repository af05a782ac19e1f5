"""Answers as a person at a terminal sees them: how it ended, how old it is, why.

One record is a line with its class, its name and its age, and below it what was said about
it, wrapped to the width of the terminal and cut after a few lines. A pipe gets the plain
form of `render`, in which no text is cut.
"""

from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.cli.terminal import columns_of, cut, size, width, wrapped

MARKS = {"failed": "✗", "succeeded": "✓", "inconclusive": "~"}
"What stands before a result class, for eyes that do not see its colour."
INDENT = "      "
_LABEL = 8


@render.as_shown
def hits(reply: dict[str, Any]) -> None:
    """Print the answer of a search."""
    for position, item in enumerate(reply["items"], start=reply["page"]["offset"] + 1):
        _record(item["record"], f"{position:>3} ", match=item["reason"])
        if "explanation" in item:
            render.score(item["score"], item["explanation"])
        click.echo()
    render.found(reply)


@render.as_shown
def working_set(reply: dict[str, Any]) -> None:
    """Print a context."""
    counted = reply["completeness"]["collections"]
    for name, title in render.SECTIONS:
        if not counted[name]["total"]:
            continue
        of = f" {counted[name]['returned']} of {counted[name]['total']}"
        click.echo(
            click.style(title, bold=True, underline=True) + click.style(of, dim=True)
        )
        for item in reply[name]:
            if name in ("failedAttempts", "activeDecisions"):
                _record(item, "  ", match=item.get("matched"))
            else:
                render.context_item(name, item)
        click.echo()
    click.echo(f"Project {render.plain(reply['project'])}.")
    render.notes(reply["completeness"])


def _record(record: dict[str, Any], before: str, match: str | None = None) -> None:
    """Print one record."""
    word = render.word_of(record)
    label = f"{MARKS.get(word, '•')} {word.upper()}"
    age = render.age(record.get("createdAt"))
    room = width() - len(before) - len(label) - len(age) - 4
    name = cut(render.headline(record), max(room, 20))
    gap = " " * max(2, room - len(name) + 2)
    click.echo(
        before
        + click.style(label, fg=render.COLOURS.get(word), bold=True)
        + f"  {click.style(name, bold=True)}{gap}{click.style(age, dim=True)}".rstrip()
    )
    for line_label, text in _told(record):
        _line(line_label, text)
    if match:
        _line("match", render.plain(match), dim=True, most=1)
    told = (record["id"], render.plain(record.get("project") or ""))
    click.echo(click.style(INDENT + "  ".join(filter(None, told)), dim=True))


def _told(record: dict[str, Any]) -> list[tuple[str, str]]:
    """Return why it ended so before what was seen."""
    names = (
        ("chosen", "chose"),
        ("value", "value"),
        ("text", "text"),
        ("reason", "why"),
        ("result", "result"),
        ("environment", "where"),
    )
    found = [
        (label, render.plain(record[name]))
        for name, label in names
        if record.get(name) not in (None, "")
    ]
    return [*found, *(("not", render.plain(one)) for one in record.get("rejected", []))]


def _line(label: str, text: str, *, dim: bool = False, most: int = 3) -> None:
    lines = wrapped(
        text,
        width(),
        first=f"{INDENT}{label:{_LABEL}}",
        rest=INDENT + " " * _LABEL,
        most=most,
    )
    head = lines[0][len(INDENT) :]
    click.echo(
        INDENT
        + click.style(head[:_LABEL], fg="cyan", dim=dim or None)
        + click.style(head[_LABEL:], dim=dim or None)
    )
    for line in lines[1:]:
        click.echo(click.style(line, dim=dim or None))


BAR = 30
"Characters of the longest bar."


@render.as_shown
def figures(reply: dict[str, Any]) -> None:
    """Print the figures of a home."""
    index = reply["index"]
    click.echo(click.style(f"{reply['records']:,} records", bold=True), nl=False)
    click.echo(f" in {reply['projects']:,} projects, {render.plain(reply['home'])}")
    click.echo()
    counts = sorted(reply["counts"].items(), key=lambda pair: (-pair[1], pair[0]))
    most = max((count for _, count in counts), default=1)
    rows = [(f"  {kind}", f"{count:,}") for kind, count in counts]
    for line, (_, count) in zip(columns_of(rows, right=[1]), counts, strict=True):
        bar = "█" * max(1, round(BAR * count / most))
        click.echo(f"{line}  {click.style(bar, fg='cyan')}")
    pending = index["pending"]
    state = f"{pending:,} changes pending" if pending else "up to date"
    click.echo()
    sizes = [
        ("  store", size(reply["storeBytes"]), f"revision {reply['revision']:,}"),
        ("  journal", f"{reply['journal']:,} entries", ""),
        ("  index", size(index["bytes"]), f"{index['documents']:,} records, {state}"),
        ("", "", f"{index['segments']} segments, definition {index['definition']}"),
    ]
    for line in columns_of(sizes):
        click.echo(line)


@render.as_shown
def project_table(reply: dict[str, Any]) -> None:
    """Print the projects as a table, last written first."""
    head = ("", "project", "records", "written", "kinds")
    rows = [head] + [
        (
            "*" if row["project"] == reply["current"] else "",
            render.plain(row["project"]),
            f"{row['records']:,}",
            render.age(row.get("lastWrite")),
            ", ".join(f"{count:,} {kind}" for kind, count in row["counts"].items()),
        )
        for row in reply["items"]
    ]
    lines = columns_of(rows, right=[2])
    click.echo(click.style(lines[0], dim=True))
    for line in lines[1:]:
        text = cut(line, width())
        click.echo(click.style(text, bold=True) if text.startswith("*") else text)
    click.echo(f"* this session's project ({reply['source']})")
