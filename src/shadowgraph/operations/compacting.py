"""Compacting the journal: old states go, records and the chain of hashes stay.

It is about the whole store, as a backup is. What may go is decided in `store.compaction`;
here is what a caller says and is told, and that the file really becomes smaller.
"""

from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import OrNull, StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.standpoint import instant_of
from shadowgraph.rules.instants import format_instant
from shadowgraph.store.compaction import Sizes, Superseded

KEPT_LOG = (
    "Another process is reading the store, so the file could not be made smaller. Run the"
    " same again when that has ended."
)


class CompactReply(StoredWire):
    """What a compaction dropped."""

    before: str
    """Instant up to which states were replaced."""
    states: int
    """Superseded states that were dropped, or would be."""
    state_bytes: int
    """Bytes of their text."""
    record_bytes: int
    """Bytes of the records as they stand."""
    journal_bytes: dict[str, int]
    """Bytes of the states in the journal: before, after."""
    store_bytes: dict[str, int]
    """Size of the store on disk: before, after."""
    journal_entry_id: OrNull[str]
    """Entity of the entry that lists what was dropped; null when nothing was."""
    dry_run: bool
    """Whether it only counted."""
    notices: list[str] | None = None
    """What could not be done, and what to do."""


class Compact(Wire):
    """Compact the journal."""

    before: NonBlank
    """States that were replaced by this instant go, ISO 8601; what was known since then stays readable."""
    dry_run: bool = False
    """True to count and change nothing."""


@operation(
    "shadowgraph_compact",
    title="Compact the journal",
    toolset="admin",
    description="""Drop from the journal, all projects, the states of records that others had
        replaced before a time, and make the file smaller. Call it when shadowgraph_stats
        shows a store that grew by changes. Records do not change and the chain verifies;
        reads with knownAt before that time may find nothing. To erase records for good use
        shadowgraph_purge.""",
    request=Compact,
    reply=CompactReply,
    destructive=True,
    idempotent=True,
    example={"before": "2026-01-01T00:00:00Z"},
)
def compact(library: Library, request: Compact, caller: Caller) -> Reply:
    """Drop superseded states."""
    before = _before(library, request.before)
    sizes, disk = _sizes(library), _on_disk(library)
    with library.store.read() as selection:
        what = selection.superseded(before)
    name, erased = None, True
    if not request.dry_run:
        what, name = _compacted(library, before, caller)
        erased = library.store.erase()
    return {
        "before": before,
        "states": len(what.entries),
        "stateBytes": what.bytes,
        "recordBytes": sizes.records,
        "journalBytes": {"before": sizes.journal, "after": _sizes(library).journal},
        "storeBytes": {"before": disk, "after": _on_disk(library)},
        "journalEntryId": name,
        "dryRun": request.dry_run,
        **({} if erased else {"notices": [KEPT_LOG]}),
    }


def _before(library: Library, text: str) -> str:
    """Return the instant as the journal writes it; one to come would promise too much."""
    instant = instant_of(text, "before")
    if instant is None or instant > library.clock():
        raise InvalidInputError(
            "before lies in the future.", hint="Name an instant that has passed."
        )
    return format_instant(instant)


def _compacted(
    library: Library, before: str, caller: Caller
) -> tuple[Superseded, str | None]:
    """Drop what may go, in one transaction; without anything to drop nothing is written."""
    with library.store.read() as selection:
        what = selection.superseded(before)
    if not what.entries:
        return what, None
    name = new_id("compaction")
    with library.write() as transaction:
        # Looked at again: another process may have compacted or purged in between.
        what = transaction.superseded(before)
        transaction.compact(what, name, before, caller.origin(None, None, None))
    return what, name


def _sizes(library: Library) -> Sizes:
    with library.store.read() as selection:
        return selection.sizes()


def _on_disk(library: Library) -> int:
    """Return the bytes of the store's file and its log."""
    path = library.store.path
    files: list[Any] = [path, path.with_name(f"{path.name}-wal")]
    return sum(file.stat().st_size for file in files if file.exists())
