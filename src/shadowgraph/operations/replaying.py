"""The timeline: the journal in one line an entry.

It tells what happened lately, with the reason of a failure. Texts of records that are no
longer read, retracted or private ones, are not repeated in it; whole states are the
business of `history`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.scope import Scope, is_private
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Limit
from shadowgraph.operations.present import clip
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.tasking import InProject
from shadowgraph.store import StoredRecord
from shadowgraph.store.history import Asked, Entry
from shadowgraph.store.selection import Selection

DEFAULT_LIMIT = 30
_LABELS = ("summary", "title", "solution", "path", "text", "key", "relation")
"Members that say what a record is about, the most telling first."


class ReplayReply(StoredWire):
    """The timeline."""

    project: str | None = None
    """Project of the entries."""
    lines: list[str]
    """Time, type, id and a label, oldest first."""
    total: int
    """Entries of the project in all."""
    omitted: int
    """Older entries that are not shown."""


class Replay(InProject):
    """Read the timeline."""

    limit: Limit = None
    """Most entries, the newest ones; 30 when left out."""


@operation(
    "replay",
    title="Read the timeline",
    toolset="tasks",
    description="""List the last changes of a project, oldest first, one line each: time,
        type, record, what it says and why. Call it to see what happened lately. For whole
        states or one record use shadowgraph_journal, for what matters now load_context.
        Changes nothing.""",
    request=Replay,
    reply=ReplayReply,
    read_only=True,
    idempotent=True,
    example={"limit": 10},
)
def replay(library: Library, request: Replay, caller: Caller) -> Reply:
    """Return the newest journal entries as lines."""
    scope = caller.scope(request.project)
    with library.store.read() as selection:
        entries, total = timeline(selection, scope, request.limit or DEFAULT_LIMIT)
    return {
        "project": scope.project,
        "lines": [_line(entry, label) for entry, label in entries],
        "total": total,
        "omitted": max(0, total - len(entries)),
    }


def timeline(
    selection: Selection, scope: Scope, limit: int
) -> tuple[list[tuple[Entry, str]], int]:
    """Return the newest entries of an owner with a label each, oldest first, and a count.

    The count is of all its entries. A record that is not read any more has no label.
    """
    asked = Asked(scope.owner, newest_first=True)
    entries, total = selection.entries(asked, limit, 0)
    found = _readable(selection, [entry.entity for entry in entries], scope)
    readable = {record.id for record in found}
    return [
        (one, _label_of(one.payload or {}) if one.entity in readable else "")
        for one in reversed(entries)
    ], total


def _readable(selection: Selection, ids: Sequence[str], scope: Scope) -> list[StoredRecord]:
    found = selection.by_ids(list(dict.fromkeys(ids)), scope.owner)
    return [record for record in found if not is_private(record.body)]


def _line(entry: Entry, label: str) -> str:
    head = f"{entry.at} {entry.type or 'sealed'} {entry.entity}"
    return f"{head}: {label}" if label else head


def _label_of(body: Mapping[str, Any], most: int = 120) -> str:
    """Return what a record says in one line, with the reason of a failure."""
    told = next((str(body[name]) for name in _LABELS if body.get(name)), "")
    reason = body.get("reason")
    line = clip(told, most)
    return f"{line} ({clip(str(reason), most)})" if told and reason else line
