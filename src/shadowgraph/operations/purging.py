"""Erasing records for good: a whole project, or some records of it.

The review signals about a record go with it, and the relations that touch it; other
records that name it get a state that does not (`store.targets`). After a
purge the text is in no row, no retry key, no journal payload, no free page and no
segment of the index; stores that a restore kept in the home are purged as well. Tombstones
keep an older backup from bringing it back. What left the home before, an export or a
backup, is out of reach, and the reply says so.
"""

import shutil
from typing import Annotated, Literal

from pydantic import Field

from shadowgraph.errors import OperatorError, UnknownRecordError
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.building import now_text
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.store import Store
from shadowgraph.store.backup import sweep_work
from shadowgraph.store.restoring import kept_stores
from shadowgraph.store.targets import Target
from shadowgraph.store.tombstones import Tombstone, digest_of

MOST_RANGES = 200
"Ranges of journal entries that a reply lists."
OUT_OF_REACH = (
    "Exports and backups made before hold the text still; restoring such a backup into this"
    " home does not bring it back, but the file itself has to be deleted by you."
)

NOT_BESIDE = (
    "{} cannot be written, so a copy of the whole home from before would bring it back."
)


class PurgeCounts(StoredWire):
    """What a purge takes."""

    project: str
    """Project it is about."""
    records: int
    """Records of every kind but facts, relations and reviews."""
    facts: int
    """Facts."""
    relations: int
    """Relations."""
    reviews: int
    """Reviews."""
    removed: int
    """Records of all kinds together."""
    counts: dict[str, int]
    """Records by kind."""
    journal: int
    """Journal entries about them."""
    idempotency: int
    """Retry keys that stand for them."""
    rewritten: int
    """Other records that name them by id, and no longer do after it."""


class PurgeReply(PurgeCounts):
    """What a purge took."""

    mode: str
    """logical or hard."""
    journal_entries_redacted: int
    """Entries that lost their payload and kept their header, those of rewritten records too."""
    journal_entries_removed: int
    """Entries of which number and hash are left."""
    removed_journal_sequences: list[list[int]]
    """Their numbers, as [first, last], the first 200 ranges; the purge's own entry has all."""
    idempotency_removed: int
    """Retry keys that went."""
    journal_entry_id: str
    """Entity of the entry that tells of the purge."""
    erased: bool
    """Whether nothing is left in any file of the home; false says what to do in notices."""
    backups: str
    """What the purge does not reach."""
    notices: list[str] | None = None
    """What could not be done, and what to do."""


class PurgePreview(Wire):
    """Preview a purge."""

    project: NonBlank
    """Project to look at."""
    ids: Annotated[list[str] | None, Field(max_length=1000)] = None
    """Only these records of it, with their review signals and relations."""


class Purge(PurgePreview):
    """Purge a project."""

    mode: Literal["logical", "hard"] = "logical"
    """logical keeps who wrote which id when; hard keeps numbers and hashes alone."""


@operation(
    "shadowgraph_purge_preview",
    title="Preview a purge",
    toolset="admin",
    description="""Count what shadowgraph_purge would erase of one project: records by kind,
        journal entries, retry keys. Call it before a purge and show the figures. Changes
        nothing.""",
    request=PurgePreview,
    reply=PurgeCounts,
    read_only=True,
    idempotent=True,
    example={"project": "acme/web-shop"},
)
def purge_preview(library: Library, request: PurgePreview, caller: Caller) -> Reply:
    """Count what a purge would take."""
    owner = caller.scope(request.project).owner or ""
    with library.store.read() as selection:
        what = selection.purge_target(owner, request.ids)
    return _counts(request.project, what)


@operation(
    "shadowgraph_purge",
    title="Purge a project",
    toolset="admin",
    description="""Erase all records of one project, or those in ids, for good: rows, journal
        payloads, retry keys, free pages, index. Call it only when somebody asked for text to
        be gone; a wrong record is taken out undoably by shadowgraph_retract. See
        shadowgraph_purge_preview first. The journal's chain still verifies, and restoring
        an older backup does not bring anything back.""",
    request=Purge,
    reply=PurgeReply,
    destructive=True,
    idempotent=True,
    example={"project": "acme/web-shop"},
)
def purge(library: Library, request: Purge, caller: Caller) -> Reply:
    """Erase records for good."""
    what, stone = _removed(library, request, caller)
    graveyard = library.store.graveyard
    beside = graveyard.add([stone])
    left = _erase(library, stone)
    notices = left if beside else [*left, NOT_BESIDE.format(graveyard.beside)]
    hard = request.mode == "hard"
    return {
        **_counts(request.project, what),
        "mode": request.mode,
        "journalEntriesRedacted": len(what.told if hard else what.entries),
        "journalEntriesRemoved": len(what.entries) if hard else 0,
        "removedJournalSequences": what.ranges[:MOST_RANGES] if hard else [],
        "idempotencyRemoved": what.retry_keys,
        "journalEntryId": stone.id,
        "erased": not left,
        "backups": OUT_OF_REACH,
        **({"notices": notices} if notices else {}),
    }


def _removed(library: Library, request: Purge, caller: Caller) -> tuple[Target, Tombstone]:
    """Remove what the request names; return it with its tombstone.

    A project without a record here gets its tombstone, too: a backup or a store that a
    restore replaced may hold some.
    """
    owner = caller.scope(request.project).owner or ""
    with library.write() as transaction:
        what = transaction.purge_target(owner, request.ids, request.mode)
        _check_found(library, request, what)
        stone = Tombstone(
            id=new_id("purge"),
            at=now_text(library),
            mode=request.mode,
            store=library.store.identity,
            owner=digest_of(owner) if request.ids is None else None,
            records=tuple(map(digest_of, what.ids)),
        )
        transaction.purge(what, stone, owner, caller.origin(None, None, None))
    return what, stone


def _check_found(library: Library, request: PurgePreview, what: Target) -> None:
    """Refuse an id that neither is a record of the project nor was purged before."""
    absent = [one for one in request.ids or () if one not in what.ids]
    graves = library.store.graveyard.read() if absent else []
    buried = {digest for stone in graves for digest in stone.records}
    absent = [one for one in absent if digest_of(one) not in buried]
    if absent:
        raise UnknownRecordError(
            f"There is no record {absent[0]!r} in project {request.project}.",
            hint="Nothing was purged.",
            details={"missing": absent},
        )


def _erase(library: Library, stone: Tombstone) -> list[str]:
    """Leave nothing in any file of the home; return what could not be done."""
    notices = []
    try:
        library.sync.forget()
    except OperatorError as error:
        notices.append(f"The index still has it until the next search: {error.message}")
    if not library.store.erase():
        notices.append(
            "Another process is reading the store, so its log could not be emptied. Run the"
            " same purge again when that has ended."
        )
    for kept in kept_stores(library.home):
        shutil.rmtree(kept / "index", ignore_errors=True)
        with Store(kept, library.clock) as store:
            # It stands in this home, whichever store it was: the name means the same.
            store.bury([stone._replace(store=store.identity)])
            store.erase()
    sweep_work(library.home)
    return notices


def _counts(project: str, what: Target) -> Reply:
    apart = ("fact", "relation", "review")
    fact, relation, review = (what.counts.get(kind, 0) for kind in apart)
    return {
        "project": project,
        "records": len(what.rows) - fact - relation - review,
        "facts": fact,
        "relations": relation,
        "reviews": review,
        "removed": len(what.rows),
        "counts": what.counts,
        "journal": len(what.entries),
        "idempotency": what.retry_keys,
        "rewritten": len(what.naming),
    }
