"""Retrieve: a search, and what its hits are linked to."""

from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]


def attempt(ask: Ask, solution: str) -> str:
    """Record an attempt and return its id."""
    return str(ask("record_attempt", solution=solution, result="done")["id"])


def tie(ask: Ask, source: str, target: str, name: str = "needs") -> None:
    """Link two records."""
    ask("link", **{"from": source, "to": target, "relation": name})


def found(ask: Ask, query: str = "axolotl", **asked: Any) -> list[tuple[str, int, str]]:
    """Return id, boost and means of every item, in its order."""
    items = ask("retrieve", query=query, **asked)["items"]
    return [(i["record"]["id"], i["graphBoost"], i["matchedBy"]) for i in items]


def test_a_hit_is_what_a_search_finds(ask: Ask) -> None:
    """With its reasons as a list."""
    attempt(ask, "fed the axolotl")

    hit = ask("search", query="axolotl")["items"][0]
    item = ask("retrieve", query="axolotl")["items"][0]

    assert hit == {key: item[key] for key in hit}
    assert (0, [hit["reason"]]) == (item["graphBoost"], item["reasons"])


@pytest.mark.parametrize("outward", [True, False])
def test_a_neighbour_stands_behind_its_hit(outward: bool, ask: Ask) -> None:
    """Whichever of the two the relation begins at, and it says why it is there."""
    hit, beside = attempt(ask, "axolotl"), attempt(ask, "newt")
    tie(ask, *((hit, beside) if outward else (beside, hit)))

    reply = ask("retrieve", query="axolotl")

    assert [(hit, 0, "content"), (beside, 1, "graph")] == found(ask)
    item = reply["items"][1]
    assert ["relationship"] == item["matched"]
    assert [f"needs {'from' if outward else 'to'} {hit}"] == item["reasons"]
    assert round(reply["items"][0]["score"] / 2, 3) == pytest.approx(
        item["score"], abs=0.001
    )
    assert (True, 1, 2) == (
        reply["completeness"]["includesGraphNeighbours"],
        reply["completeness"]["neighbours"],
        reply["page"]["total"],
    )


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_neighbour_of_a_neighbour_is_not_one(order: tuple[int, int], ask: Ask) -> None:
    """One step, in whatever order the relations were made."""
    hit, beside, beyond = (attempt(ask, word) for word in ("axolotl", "newt", "frog"))
    ties = [(hit, beside), (beside, beyond)]
    for at in order:
        tie(ask, *ties[at])

    assert [hit, beside] == [one for one, _, _ in found(ask)]


def test_a_hit_that_is_linked_to_a_hit_stands_once(ask: Ask) -> None:
    """With both of its reasons."""
    first, second = attempt(ask, "axolotl"), attempt(ask, "an axolotl and much else too")
    tie(ask, first, second)

    items = {i["record"]["id"]: i for i in ask("retrieve", query="axolotl")["items"]}

    assert {first, second} == set(items)
    assert 1 == items[second]["graphBoost"]
    assert [items[second]["reason"], f"needs from {first}"] == items[second]["reasons"]


def test_a_neighbour_is_of_the_kind_that_was_asked_for(ask: Ask) -> None:
    """The words need not be in it, the kind must fit."""
    hit = attempt(ask, "axolotl")
    decision = ask("record_decision", title="pond", chosen="c")["id"]
    tie(ask, hit, decision)

    assert [hit] == [one for one, _, _ in found(ask, kind="attempt")]
    assert [hit, decision] == [one for one, _, _ in found(ask)]


def test_a_link_that_was_taken_back_leads_nowhere(ask: Ask) -> None:
    """Only relations in force count."""
    hit, beside = attempt(ask, "axolotl"), attempt(ask, "newt")
    tie(ask, hit, beside)
    ask("unlink", **{"from": hit, "to": beside, "relation": "needs"})

    assert [(hit, 0, "content")] == found(ask)


def test_pages_follow_each_other_with_their_neighbours(ask: Ask) -> None:
    """Every record stands on one page, as it does on one long page."""
    hits = [attempt(ask, f"axolotl {'and so on ' * n}") for n in range(5)]
    for number, hit in enumerate(hits):
        tie(ask, hit, attempt(ask, f"newt {number}"))

    whole = found(ask, limit=20)
    pages = [one for at in range(0, 12, 2) for one in found(ask, limit=2, offset=at)]

    assert 10 == len(whole)
    assert whole == pages


def test_a_read_across_projects_finds_neighbours_in_each(ask: Ask) -> None:
    """Each hit in its own project."""
    made = {"result": "done", "project": "acme/web-shop"}
    hit = ask("record_attempt", solution="axolotl", **made)["id"]
    beside = ask("record_attempt", solution="newt", **made)["id"]
    ask(
        "link",
        **{"from": hit, "to": beside, "relation": "needs", "project": "acme/web-shop"},
    )

    assert [] == found(ask)
    assert [hit, beside] == [one for one, _, _ in found(ask, allProjects=True)]


def test_scores_are_taken_apart_on_request(ask: Ask) -> None:
    """As in a search; a neighbour has no words of its own."""
    attempt(ask, "Fed the axolotl")

    (item,) = ask("retrieve", query="axolotl", explain=True)["items"]

    told = item["explanation"]
    parts = [*told["byWord"].values(), *told["extras"].values()]
    assert sum(parts) == pytest.approx(told["wordScore"], rel=0.01)
