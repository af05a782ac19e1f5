"""What touches what: relations by their ends, alternatives by their decision."""

from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.store.bodies import NOBODY, attempt, decision, first_schema, put

from shadowgraph import Library

OWNER = "project:acme/billing-api"


def relation(record_id: str, source: str, target: str, **more: Any) -> dict[str, Any]:
    """Return a relation of the project of the bodies."""
    return {
        "id": record_id,
        "kind": "relation",
        "project": "acme/billing-api",
        "from": source,
        "to": target,
        "relation": "needs",
        **more,
    }


def touching(library: Library, *ids: str, owner: str = OWNER) -> list[str]:
    """Return the ids of the relations that touch some records."""
    with library.store.read() as selection:
        return [one.id for one in selection.touching(owner, ids)]


def test_a_relation_is_found_by_either_end(library: Library) -> None:
    """Once, also when both ends are asked for."""
    put(library, relation("relation_1", "a", "b"))
    put(library, relation("relation_2", "b", "c"))

    assert ["relation_1"] == touching(library, "a")
    assert ["relation_1", "relation_2"] == touching(library, "b")
    assert ["relation_1", "relation_2"] == touching(library, "a", "b", "c")
    assert [] == touching(library, "d")


def test_relations_between_two_records_are_those_in_one_direction(
    library: Library,
) -> None:
    """All of them, of the owner alone, oldest first."""
    put(library, relation("relation_2", "a", "b"))
    put(library, relation("relation_1", "a", "b"))
    put(library, relation("relation_3", "b", "a"))
    put(library, relation("relation_4", "a", "b", project="acme/web-shop"))

    with library.store.read() as selection:
        found = [one.id for one in selection.between(OWNER, "a", "b")]

    assert ["relation_2", "relation_1"] == found


def test_a_relation_of_another_owner_is_not_found(library: Library) -> None:
    """Even when it names the same records."""
    put(library, relation("relation_1", "a", "b", project="acme/web-shop"))

    assert [] == touching(library, "a")
    assert ["relation_1"] == touching(library, "a", owner="project:acme/web-shop")


@pytest.mark.parametrize(
    ("question", "index"),
    [
        (
            "SELECT row FROM record WHERE kind = 'relation' AND body ->> '$.from' IN (?)",
            "relation_from",
        ),
        (
            "SELECT row FROM record WHERE kind = 'relation' AND body ->> '$.to' IN (?)",
            "relation_to",
        ),
        (
            "SELECT row FROM record WHERE owner='o' AND kind='memory' AND body ->> '$.key'=?",
            "memory_key",
        ),
    ],
)
def test_a_question_about_the_graph_is_answered_by_an_index(
    question: str, index: str, library: Library
) -> None:
    """Its cost grows with the answer, not with the store."""
    connection = apsw.Connection(str(library.store.path))

    plan = list(connection.execute(f"EXPLAIN QUERY PLAN {question}", ("a",)))

    assert any(f"USING INDEX {index}" in row[3] for row in plan), plan


def test_an_alternative_is_found_in_its_decision_as_it_stands(library: Library) -> None:
    """One that a new state no longer has is not."""
    body = decision("decision_1", alternatives=[{"id": "alternative_1", "label": "x"}])
    record = put(library, body)[0]
    found = []
    for alternatives in ([{"id": "alternative_2", "label": "y"}], []):
        with library.store.read() as selection:
            found.append(
                [
                    [one.id for one in selection.holding(OWNER, [alternative])]
                    for alternative in ("alternative_1", "alternative_2")
                ]
            )
        with library.write() as transaction:
            transaction.replace(
                record, {**body, "alternatives": alternatives}, "decision.changed", NOBODY
            )

    with library.store.read() as selection:
        last = selection.holding(OWNER, ["alternative_1", "alternative_2"])
    assert [[["decision_1"], []], [[], ["decision_1"]]] == found
    assert [] == last


def test_an_older_store_learns_its_alternatives_and_relations(tmp_path: Path) -> None:
    """The step looks through the records that are there, odd ones included."""
    bodies = [
        decision(
            "decision_1",
            alternatives=[{"id": "alternative_1", "label": "x"}, {"label": "no id"}, "odd"],
        ),
        decision("decision_2", alternatives=None),
        relation("relation_1", "decision_1", "alternative_1"),
        attempt("attempt_1"),
    ]
    first_schema(tmp_path, bodies)

    with Library(tmp_path) as library, library.store.read() as selection:
        held = [one.id for one in selection.holding(OWNER, ["alternative_1"])]
        related = [one.id for one in selection.touching(OWNER, ["alternative_1"])]

    assert (["decision_1"], ["relation_1"]) == (held, related)
