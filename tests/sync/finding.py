"""What a search finds, as ids."""

from shadowgraph import Library
from shadowgraph.model.filters import Filter


def found(library: Library, text: str, *, limit: int = 100) -> set[str]:
    """Return the ids of the records that a search finds."""
    answer = library.search(text, Filter(), limit=limit)
    return {hit.record.id for hit in answer.hits}


def marked(library: Library) -> tuple[int, int]:
    """Return up to which entry the index is applied, and the newest entry there is."""
    with library.store.read() as selection:
        return library.sync.as_it_stands().mark.seq, selection.head().seq
