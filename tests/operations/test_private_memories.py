"""A memory of one user, agent or run is found by nobody else."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Filter, Library, ShadowgraphError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
ADA, BOB = {"userId": "ada"}, {"userId": "bob"}


@pytest.fixture
def secret(ask: Ask) -> str:
    """Return the id of a memory of Ada's, beside an attempt that it is linked to."""
    attempt = ask("record_attempt", solution="fed the newt", result="r")["id"]
    memory = ask(
        "remember", memoryType="note", key="pond.owner", text="axolotl", scope=ADA
    )["memory"]["id"]
    ask("link", **{"from": attempt, "to": memory, "relation": "about"})
    return str(memory)


def ids(reply: dict[str, Any]) -> list[str]:
    """Return the ids of the records in a reply."""
    return [item["record"]["id"] for item in reply["items"]]


def test_its_own_scope_recalls_it(ask: Ask, secret: str) -> None:
    """By its words, by its kind, and without any word."""
    assert [secret] == ids(ask("recall", query="axolotl", scope=ADA))
    assert [secret] == ids(ask("recall", query="kind:memory axolotl", scope=ADA))
    assert secret in ids(ask("recall", scope=ADA))
    assert [secret] == ids(ask("recall", kind="memory", scope=ADA))


@pytest.mark.parametrize(
    "scope",
    [None, {}, BOB, {"userId": "ada", "runId": "1"}, {"agentId": "ada"}, {"userId": "Ada"}],
)
def test_no_other_scope_recalls_it(
    scope: dict[str, Any] | None, ask: Ask, secret: str
) -> None:
    """A scope is compared exactly, in all three parts."""
    assert secret not in ids(ask("recall", query="axolotl", scope=scope))
    assert secret not in ids(ask("recall", scope=scope))


def test_a_scope_sees_its_own_memories_and_the_records_of_the_project(
    ask: Ask, secret: str
) -> None:
    """Memories of the whole project are another scope."""
    shared = ask("remember", memoryType="note", key="k", text="newt")["memory"]["id"]
    found = ids(ask("recall", query="newt axolotl", scope=ADA))

    assert secret in found
    assert shared not in found
    assert 2 == len(found)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"query": "axolotl"}),
        ("search", {"query": "axolotl", "allProjects": True}),
        ("search", {"query": "axolotls", "allProjects": True}),
        ("search", {"query": "axlotl"}),
        ("search", {"query": "axlotl", "allProjects": True}),
        ("search", {"query": "axolo", "allProjects": True}),
        ("search", {}),
        ("search", {"allProjects": True}),
        ("search", {"kind": "memory", "allProjects": True}),
        ("search", {"query": "-newt", "allProjects": True}),
        ("search", {"query": "kind:memory"}),
        ("search", {"status": "active", "allProjects": True}),
        ("retrieve", {"query": "newt", "detail": "full"}),
        ("context", {"query": "axolotl"}),
        ("check", {"action": "axolotl"}),
    ],
)
@pytest.mark.usefixtures("secret")
def test_no_read_without_its_scope_shows_it(
    name: str, arguments: dict[str, Any], ask: Ask
) -> None:
    """No hit, no suggestion, no repaired word, no neighbour."""
    asked = str(arguments.get("query") or arguments.get("action") or "")
    reply = str(ask(name, **arguments)).replace(f"'{asked}'", "")

    assert "pond.owner" not in reply
    assert "axolotl" not in reply


def test_it_is_not_read_by_its_id(ask: Ask, refused: Refused, secret: str) -> None:
    """It reads like an unknown one, and is suggested for none."""
    error = refused("get", ids=[secret])
    near = refused("get", ids=[f"{secret[:-1]}!"])

    assert "unknown-record" == error.code
    assert secret not in str([near.hint, near.details["nearest"]])
    assert "unavailable" == ask("expand", recordId=secret, digest="x")["status"]
    assert secret == ask("expand", recordId=secret, digest="x", scope=ADA)["record"]["id"]


def test_no_walk_shows_it_to_another(ask: Ask, secret: str) -> None:
    """Neither the record nor the relation to it."""
    root = ask("search", query="newt")["items"][0]["record"]["id"]

    bare = ask("traverse", id=root)
    own = ask("traverse", id=root, scope=ADA)

    assert secret not in str(bare)
    assert ([root], []) == ([node["id"] for node in bare["nodes"]], bare["relations"])
    assert [root, secret] == [node["id"] for node in own["nodes"]]
    assert [] == ask("traverse", id=secret, scope=BOB)["nodes"]


def test_the_library_finds_it_by_its_audience_alone(library: Library, secret: str) -> None:
    """Programs that search across owners do not meet it either."""
    assert 0 == library.search("axolotl").total
    assert 0 == library.search("axolotl", Filter(kinds=("memory",))).total
    own = Filter(owner='project:acme/billing-api\x1f["ada", null, null]')
    assert [secret] == [hit.record.id for hit in library.search("axolotl", own).hits]


def test_the_doctor_finds_the_newest_record_when_it_is_private(
    ask: Ask, secret: str
) -> None:
    """Its canary looks where the record is found."""
    assert ask("doctor")["ok"]
    assert secret
