"""Titles: what a record is about comes above what it mentions.

1. A decision's title comes above its chosen option.
2. A decision's title comes above its evidence.
3. An attempt's solution comes above its result.
4. An attempt's solution comes above its reason.
5. A fact's key comes above a value.
6. A memory's key comes above its text.
7. A task's title comes above a constraint.
8. The kinds do not matter: a solution comes above a decision's evidence.
9. A word in the body is still found, and its text is what is shown.
"""

from typing import Any

from tests.ranking.asking import shown
from tests.store.bodies import PROJECT, WRITTEN, attempt, decision, fact

from shadowgraph import Library


def plain(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    """Return a record of a kind that has few rules of its own."""
    shared = {"project": PROJECT, "status": "active", "createdAt": WRITTEN}
    return {"kind": kind, "id": f"{kind}_{name}", **shared, **fields}


def evidence(detail: str) -> list[dict[str, str]]:
    """Return one piece of evidence."""
    return [{"source": "notes.md", "detail": detail}]


RECORDS = [
    decision("decision_named", title="Paint the ledger", chosen="Two coats of colour"),
    decision("decision_chosen", title="Paint the wall", chosen="Two coats of ledger"),
    decision(
        "decision_about", title="Keep the gearbox", evidence=evidence("A wall was seen")
    ),
    decision(
        "decision_seen", title="Keep the wall", evidence=evidence("A gearbox was seen")
    ),
    attempt("attempt_solved", solution="Sealed the turbine", result="The pump stayed dry"),
    attempt("attempt_ended", solution="Sealed the pump", result="The turbine stayed dry"),
    attempt("attempt_did", solution="Sanded the hinge", reason="The frame was rough"),
    attempt("attempt_because", solution="Sanded the frame", reason="The hinge was rough"),
    fact("fact_key", key="quarry.depth", value="Nine yards of stone"),
    fact("fact_value", key="stone.depth", value="Nine yards of quarry"),
    plain("memory", "key", key="harbour", text="Ships wait beyond the wharf"),
    plain("memory", "text", key="wharf", text="Ships wait beyond the harbour"),
    plain("task", "title", title="Measure the orchard", constraints=["Never the barn"]),
    plain("task", "must", title="Measure the barn", constraints=["Never the orchard"]),
    attempt("attempt_tried", solution="Broke the flywheel", result="It spun on"),
    decision("decision_noted", title="Spin on", evidence=evidence("Broke the flywheel")),
]


def test_1_a_title_comes_above_the_chosen_option(corpus: Library) -> None:
    """The decision is about the one and mentions the other."""
    assert [
        ("named", "Paint the ledger"),
        ("chosen", "Two coats of ledger"),
    ] == shown(corpus, "ledger")


def test_2_a_title_comes_above_evidence(corpus: Library) -> None:
    """Evidence quotes all sorts of things."""
    assert [
        ("about", "Keep the gearbox"),
        ("seen", "A gearbox was seen"),
    ] == shown(corpus, "gearbox")


def test_3_a_solution_comes_above_a_result(corpus: Library) -> None:
    """What was tried, before what was seen."""
    assert [
        ("solved", "Sealed the turbine"),
        ("ended", "The turbine stayed dry"),
    ] == shown(corpus, "turbine")


def test_4_a_solution_comes_above_a_reason(corpus: Library) -> None:
    """What was tried, before why."""
    assert [
        ("did", "Sanded the hinge"),
        ("because", "The hinge was rough"),
    ] == shown(corpus, "hinge")


def test_5_a_key_comes_above_a_value(corpus: Library) -> None:
    """Facts are asked for by their keys."""
    assert [
        ("key", "quarry.depth"),
        ("value", "Nine yards of quarry"),
    ] == shown(corpus, "quarry")


def test_6_a_key_of_a_memory_comes_above_its_text(corpus: Library) -> None:
    """Memories as well."""
    assert [
        ("key", "harbour"),
        ("text", "Ships wait beyond the harbour"),
    ] == shown(corpus, "harbour")


def test_7_a_title_of_a_task_comes_above_a_constraint(corpus: Library) -> None:
    """The task, before what it must keep to."""
    assert [
        ("title", "Measure the orchard"),
        ("must", "Never the orchard"),
    ] == shown(corpus, "orchard")


def test_8_a_solution_comes_above_the_evidence_of_a_decision(corpus: Library) -> None:
    """Whatever kind the other record is of."""
    assert [
        ("tried", "Broke the flywheel"),
        ("noted", "Broke the flywheel"),
    ] == shown(corpus, "flywheel")


def test_9_a_word_in_the_body_is_found_and_shown(corpus: Library) -> None:
    """A preference takes nothing away."""
    assert [("noted", "notes.md"), ("seen", "notes.md"), ("about", "notes.md")] == shown(
        corpus, "notes.md"
    )
