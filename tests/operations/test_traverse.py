"""Following relations from a record."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.operations import Caller, invoke, traversing
from shadowgraph.store import links

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
DETAILS = ("preview", "full")


def record(ask: Ask, *solutions: str) -> list[str]:
    """Record attempts and return their ids."""
    return [ask("record_attempt", solution=s, result="done")["id"] for s in solutions]


def tie(ask: Ask, source: str, target: str, name: str = "needs", **more: Any) -> str:
    """Link two records and return the id of the relation."""
    made = ask("link", **{"from": source, "to": target, "relation": name, **more})
    return str(made["id"])


def reached(ask: Ask, root: str, **asked: Any) -> list[str]:
    """Return the ids of the records that a walk reaches, in its order."""
    return [node["id"] for node in ask("traverse", id=root, **asked)["nodes"]]


@pytest.fixture
def chain(ask: Ask) -> list[str]:
    """Return four records, each of which needs the next, and the last the first."""
    ids = record(ask, "one", "two", "three", "four")
    for source, target in zip(ids, [*ids[1:], ids[0]], strict=True):
        tie(ask, source, target)
    return ids


def test_a_walk_goes_one_step_unless_told_otherwise(ask: Ask, chain: list[str]) -> None:
    """In both directions, the root first."""
    reply = ask("traverse", id=chain[0])

    assert chain[0] == reply["nodes"][0]["id"]
    assert {chain[0]: 0, chain[1]: 1, chain[3]: 1} == reply["distances"]
    assert 2 == len(reply["relations"])
    assert reply["completeness"]["complete"]


def test_a_walk_through_a_cycle_ends(ask: Ask, chain: list[str]) -> None:
    """Every record and every relation stands once."""
    reply = ask("traverse", id=chain[0], depth=10)

    assert {chain[0]: 0, chain[1]: 1, chain[3]: 1, chain[2]: 2} == reply["distances"]
    assert 4 == len({one["id"] for one in reply["relations"]}) == len(reply["relations"])


@pytest.mark.parametrize(("direction", "step"), [("out", 1), ("in", 3)])
def test_a_direction_closes_the_other_way(
    direction: str, step: int, ask: Ask, chain: list[str]
) -> None:
    """Out follows a relation from its beginning, in from its end."""
    assert [chain[0], chain[step]] == reached(ask, chain[0], direction=direction)


def test_a_name_is_followed_alone(ask: Ask, chain: list[str]) -> None:
    """The exact one."""
    tie(ask, chain[0], chain[2], "explains")

    assert [chain[0], chain[2]] == reached(ask, chain[0], relation="explains", depth=5)
    assert [chain[0]] == reached(ask, chain[0], relation="explain", depth=5)


def test_an_alternative_is_a_node_with_its_decision(ask: Ask) -> None:
    """It can be walked through, and be the root."""
    decision = ask(
        "record_decision",
        title="t",
        chosen="c",
        alternatives=[{"label": "other", "reason": "too slow"}],
    )
    alternative = decision["alternatives"][0]["id"]
    (attempt,) = record(ask, "tried the other")
    tie(ask, attempt, alternative, "tried")

    node = ask("traverse", id=attempt)["nodes"][1]

    assert ("alternative", decision["id"], "other", "too slow") == (
        node["kind"],
        node["decisionId"],
        node["label"],
        node["reasonRejected"],
    )
    assert [alternative, attempt] == reached(ask, alternative)


def test_full_records_come_when_they_are_asked_for(ask: Ask, chain: list[str]) -> None:
    """The default is enough to judge by."""
    brief = ask("traverse", id=chain[0])["nodes"][0]
    full = ask("traverse", id=chain[0], detail="full")["nodes"][0]

    assert "schemaVersion" not in brief
    assert ask("get", ids=[chain[0]])["items"][0]["causalClaim"] == full["causalClaim"]
    ties = [ask("traverse", id=chain[0], detail=d)["relations"][0] for d in DETAILS]
    assert [False, True] == ["temporal" in one for one in ties]


def test_a_root_that_is_not_there_gives_empty_lists_and_says_so(ask: Ask) -> None:
    """With the sentence of an unknown id."""
    reply = ask("traverse", id="attempt_none")

    assert ([], []) == (reply["nodes"], reply["relations"])
    assert "scoped_coverage" == reply["limitation"]["code"]
    assert "'attempt_none'" in reply["limitation"]["detail"]
    assert not reply["completeness"]["complete"]


def test_a_walk_does_not_lead_through_another_project(library: Library, ask: Ask) -> None:
    """Not even when an import brought relations across."""
    here, back = record(ask, "here", "back here")
    there = invoke(
        library,
        "shadowgraph_record_attempt",
        {"solution": "there", "result": "r"},
        Caller("acme/web-shop", "server"),
    )["id"]
    with library.write() as transaction:
        for number, (source, target) in enumerate([(here, there), (there, back)]):
            body = {
                "id": f"relation_{number}",
                "kind": "relation",
                "project": "acme/billing-api",
                "from": source,
                "to": target,
                "relation": "needs",
            }
            transaction.insert(body, "relation.imported", Caller().origin(None, None, None))

    reply = ask("traverse", id=here, depth=10)

    assert ([here], []) == ([n["id"] for n in reply["nodes"]], reply["relations"])


def test_what_did_not_hold_at_an_instant_is_not_walked(ask: Ask) -> None:
    """Relations, and records of every kind."""
    first, second, third = (
        ask("record_attempt", solution=f"try {n}", result="r", createdAt=made)["id"]
        for n, made in enumerate(["2026-01-01", "2026-02-01", "2026-09-01"])
    )
    tie(ask, first, second, validFrom="2026-03-01T00:00:00Z")
    tie(ask, first, third, validFrom="2026-03-01T00:00:00Z")

    assert [first] == reached(ask, first, asOf="2026-02-15T00:00:00Z")
    assert [first, second] == reached(ask, first, asOf="2026-04-01T00:00:00Z")
    assert [first, second, third] == reached(ask, first)
    assert [] == reached(ask, first, asOf="2025-12-31T00:00:00Z")


def test_what_was_not_known_at_an_instant_is_not_walked(
    ask: Ask, clock: StoppedClock
) -> None:
    """Whatever time a record says of itself, the journal knows when it came."""
    first, second = record(ask, "one", "two")
    clock.advance(days=1)
    tie(ask, first, second, validFrom="2026-01-01T00:00:00Z")

    assert [first] == reached(ask, first, knownAt="2026-11-15T18:00:00Z")
    assert [first, second] == reached(ask, first, knownAt="2026-11-16T12:00:00Z")
    assert [] == reached(ask, first, knownAt="2026-11-15T11:59:59Z")


def test_a_node_is_shown_as_it_was_known(ask: Ask, clock: StoppedClock) -> None:
    """The state of then, not of now."""
    decision = ask("record_decision", title="t", chosen="c")["id"]
    clock.advance(days=1)
    ask("update_status", decisionId=decision, status="planned")

    def status(**asked: str) -> str:
        return str(ask("traverse", id=decision, **asked)["nodes"][0]["status"])

    assert ("proposed", "planned") == (status(knownAt="2026-11-15T13:00:00Z"), status())


@pytest.mark.parametrize("name", ["asOf", "knownAt"])
def test_a_time_that_is_none_is_refused_by_its_name(name: str, refused: Refused) -> None:
    """A local time would be a guess."""
    error = refused("traverse", id="a", **{name: "2026-03-04T10:00:00"})

    assert error.message.startswith(f"{name}: ")


def test_a_large_walk_says_what_it_left_out(ask: Ask, library: Library) -> None:
    """The nearest records stay."""
    (hub,) = record(ask, "hub")
    with library.write() as transaction:
        for number in range(250):
            body = {
                "id": f"attempt_{number:03}",
                "kind": "attempt",
                "project": "acme/billing-api",
                "solution": "s",
                "result": "r",
            }
            origin = Caller().origin(None, None, None)
            transaction.insert(body, "attempt.recorded", origin)
            edge = {
                "id": f"relation_{number:03}",
                "kind": "relation",
                "project": "acme/billing-api",
                "from": hub,
                "to": body["id"],
                "relation": "needs",
            }
            transaction.insert(edge, "relation.created", origin)

    reply = ask("traverse", id=hub, depth=2)

    shown = len(reply["nodes"])
    assert 100 < shown < 201
    assert (201, 201 - shown) == (
        reply["completeness"]["total"],
        reply["completeness"]["omitted"],
    )
    assert f"attempt_{shown - 2:03}" == reply["nodes"][-1]["id"]
    assert len(str(reply)) < 40_000
    assert "reply_capped" == reply["limitation"]["code"]
    assert not reply["completeness"]["complete"]


def test_a_record_with_too_many_relations_says_that_some_were_left_out(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest are walked."""
    for module in (links, traversing):
        monkeypatch.setattr(module, "MOST_TOUCHING", 2)
    hub, *others = record(ask, "hub", "one", "two", "three")
    for other in others:
        tie(ask, hub, other)

    reply = ask("traverse", id=hub)

    assert {hub, *others[:2]} == set(reply["distances"])
    assert "reply_capped" == reply["limitation"]["code"]
