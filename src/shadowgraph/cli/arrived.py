"""What an import did, printed: counts, where records went, and every note.

Apart from `render`, which every search loads: an import brings its own report along.
"""

from typing import TYPE_CHECKING

import click

from shadowgraph.cli import render

if TYPE_CHECKING:
    from shadowgraph.upstream.report import Report

LINES = "JSON Lines"
"What a report calls our own form, of which there is nothing to tell."


def printed(report: "Report") -> None:
    """Print what an import did, or would do."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.counts.items()))
    told = "would be imported" if report.dry_run else "imported"
    foreign = report.schema or report.form != LINES
    if foreign:
        schema = f", schema {report.schema}" if report.schema else ""
        click.echo(
            f"{report.form}{schema}: {report.read:,} item{'s' * (report.read != 1)}."
        )
    click.echo(f"{report.imported:,} records {told}{f' ({kinds})' if kinds else ''}.")
    for count, text in (
        (report.unchanged, "were stored already."),
        (report.left, "are stored with other content and were left."),
        (report.replaced, "took the place of what was stored."),
        (report.cleaned, "characters that cannot be stored were taken out."),
    ):
        if count:
            click.echo(f"{count:,} {text}")
    if report.masked:
        click.echo(render.masked_sentence(report.masked))
    if report.retry_keys:
        click.echo(f"Retry keys that go on counting: {report.retry_keys:,}.")
    for conflict in report.conflicts:
        click.echo(f"Stored with other content: {render.plain(conflict)}")
    if foreign:
        _tables(report)


def _tables(report: "Report") -> None:
    """Print where records went, and every note."""
    width = max(map(len, report.owners), default=0)
    for owner, count in sorted(report.owners.items()):
        mark = " (also what names no project)" if owner == report.fallback else ""
        click.echo(f"  {render.plain(owner):<{width}} {count:>8,}{mark}")
    for row in report.as_json()["notes"]:
        examples = ", ".join(map(render.plain, row["examples"]))
        click.echo(f"  {row['sort']:<6} {row['count']:>6,}  {render.plain(row['what'])}")
        click.echo(click.style(f"                 {examples}", dim=True))
