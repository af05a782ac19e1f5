"""Operations for the person who runs the store: figures, rebuilding, examination."""

from typing import Any

from shadowgraph.doctor import examine, told
from shadowgraph.library import Library
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.registry import Reply, operation


class Nothing(Wire):
    """No arguments."""


class StatsReply(StoredWire):
    """Figures of a home."""

    home: str
    """Directory of the store and its index."""
    records: int
    """Records in all projects."""
    counts: dict[str, int]
    """Records by kind."""
    projects: int
    """Number of projects."""
    revision: int
    """Committed writes."""
    journal: int
    """Journal entries."""
    index: dict[str, Any]
    """documents, segments, pending, bytes, definition version and build digest."""
    store_bytes: int
    """Size of graph.db in bytes."""


@operation(
    "shadowgraph_stats",
    title="Figures of the store",
    toolset="admin",
    description="""Read figures of the whole home: records by kind, journal, index, sizes.
        Call it to see how large a store is. For the projects use shadowgraph_projects, to
        look for faults shadowgraph_doctor. Changes nothing.""",
    request=Nothing,
    reply=StatsReply,
    read_only=True,
    idempotent=True,
    example={},
)
def stats(library: Library, request: Nothing, caller: Caller) -> Reply:
    """Return figures of the home."""
    del request, caller
    view = library.sync.view()
    counts = library.store.counts()
    with library.store.read() as selection:
        head = selection.head()
    return {
        "home": str(library.home),
        "records": sum(counts.values()),
        "counts": counts,
        "projects": sum(1 for one in library.store.projects() if one.counts),
        "revision": library.store.revision(),
        "journal": head.seq,
        "index": {
            "documents": view.snapshot.documents,
            "segments": view.snapshot.segments,
            "pending": view.pending,
            "bytes": sum(
                file.stat().st_size
                for file in view.snapshot.path.iterdir()
                if file.is_file()
            ),
            "definition": library.definition.version,
            "buildDigest": library.definition.build_digest,
        },
        "storeBytes": library.store.path.stat().st_size,
    }


class ReindexReply(StoredWire):
    """The rebuilt index."""

    documents: int
    """Records in it."""


@operation(
    "shadowgraph_reindex",
    title="Build the index again",
    toolset="admin",
    description="""Build the full-text index again from the store, beside the one in use, and
        switch to it. Call it when shadowgraph_doctor asks for it; a new version of the
        index definition needs no call. Changes no record.""",
    request=Nothing,
    reply=ReindexReply,
    idempotent=True,
    example={},
)
def reindex(library: Library, request: Nothing, caller: Caller) -> Reply:
    """Rebuild the index."""
    del request
    return {"documents": library.reindex(caller.progress)}


class Check(StoredWire):
    """One examination."""

    name: str
    """What was examined."""
    ok: bool
    """Whether it is as it should be."""
    detail: str
    """What was found."""
    next: str | None = None
    """What to do about it."""


class DoctorReply(StoredWire):
    """The findings."""

    ok: bool
    """True when nothing was found."""
    checks: list[Check]
    """Every examination, in order."""


@operation(
    "shadowgraph_doctor",
    title="Examine the store",
    toolset="admin",
    description="""Examine store, journal and index: SQLite's integrity check, the hash
        chain, exact id sets of store and index, a canary query. Call it when answers look
        wrong. For figures use shadowgraph_stats. Repairs and deletes nothing; every finding
        says what to do.""",
    request=Nothing,
    reply=DoctorReply,
    read_only=True,
    idempotent=True,
    example={},
)
def doctor(library: Library, request: Nothing, caller: Caller) -> Reply:
    """Examine the home."""
    del request, caller
    return told(examine(library))
