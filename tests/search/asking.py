"""Short ways to ask a library."""

from typing import Any

from shadowgraph import Library
from shadowgraph.model.filters import Filter


def ids(library: Library, text: str, *, limit: int = 50, **wanted: Any) -> list[str]:
    """Return the ids that a search finds within a filter, best first."""
    answer = library.search(text, Filter(**wanted), limit=limit)
    return [hit.record.id for hit in answer.hits]
