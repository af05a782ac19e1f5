"""`shadowgraph log`: what happened, as people read it, and as it happens.

The newest entry stands last, beside the prompt. Following costs one small question to the
store per step: whether its revision is another one; only then is the journal read. The
command `journal` shows the same entries for looking into, newest first, page by page.
"""

import re
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import click

from shadowgraph.cli import render, terminal
from shadowgraph.cli.completion import complete_ids
from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.clock import system_clock
from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.visibility import visible

STEP = 0.5
"Seconds between two looks at the revision."
PAGE = 100
"Entries that are asked for at once."
_AGO = re.compile(r"(\d{1,6})\s*(m|min|h|d|w)\Z")
_UNITS = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}
VERBS = {
    "recorded": "green",
    "observed": "green",
    "retracted": "red",
    "purged": "red",
    "superseded": "yellow",
}
"Colour of what happened, by the last word of an entry's type."

Entry = dict[str, Any]
Ask = Callable[..., dict[str, Any]]


@click.command()
@click.argument("record", required=False, shell_complete=complete_ids)
@click.option("--since", help="Instant (ISO 8601), or how long ago: 30m, 2h, 3d, 1w.")
@click.option(
    "--limit", type=click.IntRange(1, 1000), help="Most entries; 20, or all since."
)
@click.option("--follow", "-f", is_flag=True, help="Go on with what happens from now on.")
@click.option("--all-projects", is_flag=True, help="Entries of every project.")
@common
@click.pass_context
def log(context: click.Context, /, **arguments: Any) -> None:
    """Tell what happened, newest last: in the project, or to the record RECORD.

    With --json it is one object; with --follow too, one object a line. To see whole states,
    or to page through everything, use `shadowgraph journal`.
    """
    session = session_of(context, arguments)
    since = since_of(arguments["since"], system_clock())
    call = {
        "recordId": arguments["record"],
        "allProjects": arguments["all_projects"] or None,
        # The short form of a relation does not say what it links.
        "detail": None if session.as_json else "full",
    }
    with session.library() as library:
        ask = _asker(library, session.caller(), call)
        revision = library.store.revision()
        most = arguments["limit"] or (None if since else 20)
        entries = latest(ask, most, since)
        show = _shown_as(session, follow=arguments["follow"])
        show(entries)
        if arguments["follow"]:
            last = ask(limit=1)["items"]
            seen = max([0, *(one["seq"] for one in (*entries, *last))])
            never = threading.Event()
            for fresh in followed(library, ask, revision, seen, lambda: never.wait(STEP)):
                show(fresh)


def since_of(text: str | None, now: datetime) -> datetime | None:
    """Return the instant that *text* means.

    Raises:
        InvalidInputError: it is neither an instant nor a span.
    """
    if text is None:
        return None
    ago = _AGO.match(text.strip())
    if ago:
        return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    found = instant_or_none(text)
    if found is None:
        raise InvalidInputError(
            f"--since {text!r} is no instant.",
            hint="Write 2026-03-04, 2026-03-04T10:00:00Z, or how long ago: 30m, 2h, 3d, 1w.",
        )
    return found


def _asker(library: Library, caller: Caller, call: dict[str, Any]) -> Ask:
    given = {name: value for name, value in call.items() if value is not None}

    def ask(**more: Any) -> dict[str, Any]:
        asked = {**given, "newestFirst": True, **more}
        return invoke(library, "shadowgraph_journal", asked, caller)

    return ask


def _newest_first(ask: Ask) -> Iterator[Entry]:
    """Yield every entry, page by page."""
    offset = 0
    while True:
        items = ask(limit=PAGE, offset=offset)["items"]
        yield from items
        if not items:
            return
        offset += len(items)


def latest(ask: Ask, most: int | None, since: datetime | None) -> list[Entry]:
    """Return the newest entries in the order in which they happened."""
    found: list[Entry] = []
    for entry in _newest_first(ask):
        at = instant_or_none(entry.get("at"))
        early = since is not None and at is not None and at < since
        if early or (most is not None and len(found) >= most):
            break
        found.append(entry)
    return found[::-1]


def followed(
    library: Library, ask: Ask, revision: int, seen: int, over: Callable[[], bool]
) -> Iterator[list[Entry]]:
    """Yield what is written after entry *seen*, until *over* says so.

    *over* is what waits between two looks. A restore may put a shorter journal in place:
    then what follows counts from its end.
    """
    while not over():
        now = library.store.revision()
        if now == revision:
            continue
        revision = now
        newest = ask(limit=1)["items"]
        head = newest[0]["seq"] if newest else 0
        fresh = []
        for entry in _newest_first(ask) if head > seen else ():
            if entry["seq"] <= seen:
                break
            fresh.append(entry)
        seen = max((one["seq"] for one in fresh), default=head)
        if fresh:
            yield fresh[::-1]


def _shown_as(session: Session, *, follow: bool) -> Callable[[list[Entry]], None]:
    """Return how entries are printed."""

    def as_lines(entries: list[Entry]) -> None:
        for entry in entries:
            click.echo(visible(render.compact(entry)))

    if session.as_json:
        return as_lines if follow else lambda entries: print_json({"items": entries})
    return show


def show(entries: list[Entry]) -> None:
    """Print entries as people read them."""
    for entry in entries:
        click.echo(told(entry))


def told(entry: Entry) -> str:
    """Return one entry as a line: when, what, of which record, and who."""
    held = entry.get("payload") or entry.get("preview") or {}
    kind, _, verb = str(entry["type"]).partition(".")
    when = str(entry.get("at") or "")[:16].replace("T", " ")
    name = _name(entry, held)
    who = (entry.get("provenance") or {}).get("actor") or ""
    tail = "  ".join(filter(None, (str(entry.get("entityId") or ""), str(who))))
    room = terminal.width() - 45 - len(tail) if terminal.on_terminal() else None
    if room is not None:
        name = terminal.cut(name, max(24, room))
    return "  ".join(
        part
        for part in (
            click.style(f"{when:16}", dim=True),
            click.style(f"{visible(verb or kind):12}", fg=VERBS.get(verb, "cyan")),
            f"{visible(str(entry.get('entityKind') or kind)):8}",
            visible(render.plain(name)),
            click.style(visible(render.plain(tail)), dim=True),
        )
        if part
    )


def _name(entry: Entry, held: dict[str, Any]) -> str:
    """Return what an entry is about in words."""
    if entry.get("redacted"):
        return f"(taken by a {entry.get('redactedReason')})"
    if "counts" in held:
        counts = ", ".join(f"{count} {what}" for what, count in held["counts"].items())
        return f"{held.get('mode', '')} {counts}".strip()
    ends = (held.get("from"), held.get("relation"), held.get("to"))
    if held.get("relation"):
        return " ".join(str(end) for end in ends if end)
    word = str(held.get("resultClass") or held.get("status") or "")
    names = ("solution", "title", "key", "summary", "label", "text", "reason", "collection")
    name = next((str(held[one]) for one in names if held.get(one)), "")
    return f"{word.upper()} {name}" if word else name
