"""A walk over relations: breadth first, every record once, however the graph is tied.

The walk goes out in steps from one record. What touches the records of a step is asked of
the caller, and so is which of the records reached may be seen at all: one that may not is
as if it were not there, and neither it nor a relation to it is part of the answer. A cycle
ends the walk at records it has seen, so it always ends.

The answer does not depend on the order in which relations were made: of equally far records
those with the smaller id come first.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

DIRECTIONS: Final = ("in", "out", "both")
DEEPEST: Final = 10
"Most steps of a walk."


class Edge(NamedTuple):
    """One relation between two records."""

    id: str
    source: str
    target: str
    name: str

    def far(self, here: str, direction: str) -> str | None:
        """Return the other end as seen from *here*; None when that way is closed."""
        if direction in ("out", "both") and here == self.source:
            return self.target
        if direction in ("in", "both") and here == self.target:
            return self.source
        return None


class Walk(NamedTuple):
    """What a walk came by."""

    distances: dict[str, int]
    "Steps from the root by id, nearest first; the root itself is 0."
    edges: tuple[Edge, ...]
    "Relations walked, each once, in the order in which they were met."
    cut: bool
    "Whether there was more than the walk may hold."


Touching = Callable[[Collection[str]], Iterable[Edge]]
"Returns the relations that begin or end at one of some records."
Visible = Callable[[Collection[str]], Collection[str]]
"Returns those of some ids that may be seen."


def walk(
    root: str,
    touching: Touching,
    visible: Visible,
    *,
    depth: int,
    direction: str = "both",
    name: str | None = None,
    most: int = 1_000,
) -> Walk:
    """Walk from *root* up to *depth* steps over relations called *name* (any when None).

    At most *most* records are reached beside the root, the nearest ones.

    >>> edge = Edge("r", "a", "b", "causes")
    >>> walk("a", lambda ids: [edge], set, depth=3).distances
    {'a': 0, 'b': 1}
    """
    distances = {root: 0}
    edges: dict[str, Edge] = {}
    step, cut = [root], False
    for distance in range(1, depth + 1):
        met = [edge for edge in touching(step) if name in (None, edge.name)]
        ends = {(edge, far) for edge in met for far in _ends(edge, step, direction)}
        fresh = sorted(visible(sorted({far for _, far in ends} - distances.keys())))
        room = most - (len(distances) - 1)
        cut = cut or len(fresh) > room
        step = fresh[:room]
        distances |= dict.fromkeys(step, distance)
        kept = {edge.id for edge, far in ends if far in distances}
        edges |= {edge.id: edge for edge in met if edge.id in kept}
        if not step:
            break
    return Walk(distances, tuple(edges.values()), cut)


def _ends(edge: Edge, step: Collection[str], direction: str) -> list[str]:
    """Return the ends that an edge leads to from the records of a step."""
    here = {edge.source, edge.target}.intersection(step)
    return [far for one in sorted(here) if (far := edge.far(one, direction)) is not None]
