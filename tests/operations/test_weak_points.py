"""What the upstream tool does badly and no other file of tests is about."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.offered import OFFERED

Ask = Callable[..., dict[str, Any]]
PROJECT = "acme/billing-api"


def hits(ask: Ask, query: str) -> list[str]:
    """Return the ids that a search finds, best first."""
    return [one["record"]["id"] for one in ask("search", query=query)["items"]]


def test_facts_and_memories_are_searched_like_decisions(ask: Ask) -> None:
    """By their keys, their values and their texts."""
    fact = ask("record_fact", key="quagga.size", value="as large as a zebu")["id"]
    said = {"memoryType": "note", "key": "zebu.food", "text": "it eats what a quagga eats"}
    ask("remember", **said)

    assert fact in hits(ask, "quagga")
    assert {"fact", "memory"} == {one.split("_")[0] for one in hits(ask, "zebu")}


@pytest.mark.parametrize(("word", "inside"), [("art", "start"), ("test", "latest")])
def test_a_word_inside_another_is_no_match(ask: Ask, word: str, inside: str) -> None:
    """Unless the other one is an identifier made of words."""
    ask("record_attempt", solution=inside, result="r")
    whole = ask("record_attempt", solution=f"get_{word}_id", result="r")["id"]

    assert [whole] == hits(ask, word)


@pytest.mark.parametrize(
    "name", ["solution", "title", "confidence", "schemaVersion", "alternatives", "kind"]
)
def test_the_name_of_a_member_is_no_word_of_a_record(ask: Ask, name: str) -> None:
    """Only what stands in the members is searched."""
    ask("record_attempt", solution="quagga", result="zebu")
    ask("record_decision", title="quagga", chosen="zebu", alternatives=[{"label": "okapi"}])
    assert 2 == len(hits(ask, "quagga"))

    assert [] == hits(ask, name)


def test_whoever_sees_signals_can_acknowledge_them() -> None:
    """The tools that raise, list and acknowledge are offered together."""
    tools = ("review", "review_signals", "ack_review", "reconsider", "review_context")
    sets = {name: OFFERED[f"shadowgraph_{name}"][0] for name in tools}

    assert 1 == len(set(sets.values())), sets


def test_an_import_raises_the_revision(library: Library, ask: Ask) -> None:
    """Whatever the file says of itself; nothing imported takes the number back."""
    ask("record_attempt", solution="s", result="r")
    before = library.store.revision()
    line = {"kind": "attempt", "id": "attempt_x", "solution": "s", "result": "r"}
    import_lines(library, [json.dumps({**line, "project": PROJECT, "revision": 0})])

    assert before < library.store.revision()


def test_a_link_to_a_home_knows_what_was_purged(library: Library, tmp_path: Path) -> None:
    """Whichever path a home is opened by, its tombstones are the same."""
    caller = Caller(PROJECT, "server")
    said = {"solution": "zorilla", "result": "r"}
    invoke(library, "shadowgraph_record_attempt", said, caller)
    library.close()
    (tmp_path / "link").symlink_to(library.home, target_is_directory=True)
    (tmp_path / "older").write_bytes(library.store.path.read_bytes())
    with Library(tmp_path / "link") as opened:
        invoke(opened, "shadowgraph_purge", {"project": PROJECT}, caller)
    library.store.path.write_bytes((tmp_path / "older").read_bytes())

    for path in (library.home, tmp_path / "link"):
        with Library(path) as opened:
            found = invoke(opened, "shadowgraph_search", {"query": "zorilla"}, caller)
            assert 0 == found["page"]["total"]


def test_the_doctor_finds_nothing_in_a_home_of_now(ask: Ask) -> None:
    """An empty store is a sound one, and nothing has to be set up first."""
    assert ask("doctor")["ok"]
    assert REGISTRY["shadowgraph_doctor"].read_only
