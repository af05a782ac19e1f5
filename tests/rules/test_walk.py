"""Walks over relations: nearest first, every record once, nothing that may not be seen."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.walk import Edge, Walk, walk

IDS = st.sampled_from("abcdefgh")
NAMES = st.sampled_from(["causes", "needs"])
GRAPHS = st.lists(st.tuples(IDS, IDS, NAMES).filter(lambda e: e[0] != e[1]), max_size=14)
DIRECTIONS = st.sampled_from(["in", "out", "both"])


def edges_of(graph: list[tuple[str, str, str]]) -> list[Edge]:
    """Return relations with ids in the order of the list."""
    return [Edge(f"r{n}", a, b, name) for n, (a, b, name) in enumerate(graph)]


def walked(
    edges: list[Edge],
    root: str = "a",
    depth: int = 10,
    hidden: frozenset[str] = frozenset(),
    **asked: str | int | None,
) -> Walk:
    """Walk over a list of relations."""
    return walk(
        root,
        lambda ids: [edge for edge in edges if {edge.source, edge.target} & set(ids)],
        lambda ids: set(ids) - hidden,
        depth=depth,
        **asked,  # type: ignore[arg-type]
    )


def relaxed(
    edges: list[Edge], depth: int, direction: str, hidden: frozenset[str]
) -> dict[str, int]:
    """Return distances from a by relaxing every relation until nothing changes."""
    ways = [
        (near, far)
        for edge in edges
        for near, far, open_ in (
            (edge.source, edge.target, direction != "in"),
            (edge.target, edge.source, direction != "out"),
        )
        if open_ and far not in hidden and near not in hidden - {"a"}
    ]
    found = {"a": 0}
    for _ in range(len(ways) + 1):
        for near, far in ways:
            if near in found and found[near] < depth:
                found[far] = min(found.get(far, 99), found[near] + 1)
    return found


@given(GRAPHS, st.integers(1, 5), DIRECTIONS, st.frozensets(IDS, max_size=3))
def test_distances_are_those_of_shortest_paths(
    graph: list[tuple[str, str, str]],
    depth: int,
    direction: str,
    hidden: frozenset[str],
) -> None:
    """Cycles, doubled relations and closed ways included; hidden records end a path."""
    edges, hidden = edges_of(graph), hidden - {"a"}

    found = walked(edges, depth=depth, hidden=hidden, direction=direction)

    assert relaxed(edges, depth, direction, hidden) == found.distances


@given(GRAPHS, st.integers(1, 5), DIRECTIONS, st.frozensets(IDS, max_size=3))
def test_no_relation_leads_out_of_the_answer(
    graph: list[tuple[str, str, str]],
    depth: int,
    direction: str,
    hidden: frozenset[str],
) -> None:
    """Both ends of every relation are among the records, and none stands twice."""
    found = walked(edges_of(graph), depth=depth, hidden=hidden - {"a"}, direction=direction)

    ends = {end for edge in found.edges for end in (edge.source, edge.target)}
    assert ends <= found.distances.keys()
    assert len({edge.id for edge in found.edges}) == len(found.edges)


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_order_in_which_relations_were_made_does_not_matter(
    graph: list[tuple[str, str, str]], random: Random
) -> None:
    """Of equally far records the smaller id comes first."""
    edges = edges_of(graph)
    shuffled = list(edges)
    random.shuffle(shuffled)

    assert list(walked(edges).distances.items()) == list(walked(shuffled).distances.items())


@given(GRAPHS, st.integers(0, 7))
def test_a_cut_walk_keeps_the_nearest_and_says_so(
    graph: list[tuple[str, str, str]], most: int
) -> None:
    """What is kept is the beginning of the whole walk."""
    whole = walked(edges_of(graph))
    found = walked(edges_of(graph), most=most)

    assert list(whole.distances)[: most + 1] == list(found.distances)
    assert (len(whole.distances) > most + 1) == found.cut


def test_a_name_leaves_other_relations_alone() -> None:
    """Names are compared exactly."""
    edges = edges_of([("a", "b", "causes"), ("a", "c", "needs")])

    found = walked(edges, name="needs")

    assert {"a": 0, "c": 1} == found.distances
    assert ["r1"] == [edge.id for edge in found.edges]


def test_a_relation_back_to_the_root_is_part_of_the_walk() -> None:
    """It ties records that are both in the answer."""
    found = walked(edges_of([("a", "b", "causes"), ("b", "a", "needs")]), depth=2)

    assert ["r0", "r1"] == [edge.id for edge in found.edges]
