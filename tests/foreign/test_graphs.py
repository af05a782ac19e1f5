"""The memory file of the MCP reference server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.upstream import Report

Take = Callable[..., Report]
Held = Callable[..., list[dict[str, Any]]]


def test_an_entity_is_a_memory_with_its_observations_as_lines(
    take: Take, held: Held
) -> None:
    """Under its name, with its type as a tag."""
    take("memory.json")
    memory = held("memory")[0]

    assert ("billing-api", ["service"]) == (memory["key"], memory["tags"])
    assert [
        "Written in Python 3.12",
        "Ledger writes fail with 'database is locked' when two hosts share the volume",
    ] == memory["text"].splitlines()


def test_a_relation_links_two_memories(take: Take, held: Held) -> None:
    """In the direction in which it is read."""
    take("memory.json")
    keys = {one["id"]: one["key"] for one in held("memory")}

    assert [
        ("Grace", "maintains", "billing-api"),
        ("billing-api", "stores_its_ledger_in", "postgres-16"),
    ] == [(keys[one["from"]], one["relation"], keys[one["to"]]) for one in held("relation")]


def test_what_is_neither_is_kept_with_the_reason(
    take: Take, held: Held, tmp_path: Path
) -> None:
    """A bad line, a second entity of a name, a loose end."""
    entity = {"type": "entity", "name": "a", "entityType": "t", "observations": ["o"]}
    loose = {"type": "relation", "from": "a", "to": "gone", "relationType": "r"}
    odd = {"type": "comment", "text": "hello"}
    lines = [json.dumps(one) for one in (entity, {**entity, "entityType": "u"}, loose, odd)]
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join([*lines, "{not json", ""]), encoding="utf-8")
    take(file)

    assert {
        "a second entity of the same name",
        "a relation with an end that the file does not hold",
        "neither an entity nor a relation",
        "a line that is not JSON",
    } == {one["reason"] for one in held("kept")}
    assert "{not json" in [one["value"] for one in held("kept")]
    assert 1 == len(held("memory"))


def test_a_loose_end_breaks_no_examination(take: Take, library: Library) -> None:
    """The store stays sound."""
    take("memory.json")

    assert library.store.first_fault() is None


def test_the_same_file_again_changes_nothing_and_is_found(
    take: Take, library: Library
) -> None:
    """By the words of an observation."""
    first, again = take("memory.json"), take("memory.json")

    assert (6, 0, 6) == (first.imported, again.imported, again.unchanged)
    found = library.search("database is locked")
    assert "billing-api" == found.hits[0].record.body["key"]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_answer_of_read_graph_is_read_as_well(
    take: Take, held: Held, tmp_path: Path, indent: int | None
) -> None:
    """One object with both lists, on one line or on many."""
    graph = {
        "entities": [
            {"name": name, "entityType": "t", "observations": ["o"], "extra": 1}
            for name in "ab"
        ],
        "relations": [{"from": "a", "to": "b", "relationType": "r"}],
    }
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(graph, indent=indent), encoding="utf-8")
    report = take(file)

    assert {"memory": 2, "relation": 1} == report.counts
    assert {"entityType": "t", "extra": 1} == held("memory")[0]["metadata"]
