"""How a ranking promise is asked: the hits of a query as ids with the text that is shown.

Where two records could tie, the one that must win is stored first: of equal scores the
newer row comes first, so a promise that only holds by chance fails here.
"""

from shadowgraph import Library
from shadowgraph.library import EVERYTHING, Hit
from shadowgraph.model.filters import Filter

HEADLINES = ("title", "solution", "key", "summary")
"Fields that say what a record is, for a hit without a snippet."

Shown = list[tuple[str, str]]
"Ids without their kind, and texts, best first."


def shown(
    library: Library, query: str, wanted: Filter = EVERYTHING, *, environment: str = ""
) -> Shown:
    """Return every hit of *query* as its id and its snippet, or else its headline."""
    answer = library.search(query, wanted, limit=50, environment=environment)
    return [(hit.record.id.split("_", 1)[1], _text(hit)) for hit in answer.hits]


def order(library: Library, query: str, *, environment: str = "") -> list[str]:
    """Return the ids alone, for a second query on records whose texts are known."""
    return [name for name, _ in shown(library, query, environment=environment)]


def _text(hit: Hit) -> str:
    """Return the text that stands for a record in these tests."""
    if hit.why.snippet is not None:
        return hit.why.snippet.text
    body = hit.record.body
    return str(next(body[name] for name in HEADLINES if name in body))
