"""No reply about one project holds a word of another."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.operations.conftest import full_name

from shadowgraph import Library, ShadowgraphError
from shadowgraph.exchange import import_lines
from shadowgraph.operations import REGISTRY, Caller, invoke

HERE, THERE = "north/one", "south/two"
# Nothing in here occurs in the other project, in another operation or in a message.
SECRETS = ("quokka", "zymurgy", "wombat", "jackalope", "okapi", "narwhal")
ABOUT_ONE_PROJECT = sorted(
    name
    for name, operation in REGISTRY.items()
    if "project"
    in {field.alias or key for key, field in operation.request.model_fields.items()}
    and name != "shadowgraph_projects"
)
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "quokka zymurgy wombat"}),
    ("search", {"query": "quokkas"}),
    ("search", {"query": "quoka"}),
    ("search", {"query": '"zymurgy failed"'}),
    ("search", {}),
    ("search", {"kind": "fact", "detail": "full"}),
    ("search", {"environment": "okapi"}),
    ("search", {"query": "shared words", "explain": True}),
    ("check", {"action": "quokka zymurgy wombat", "environment": "okapi"}),
    ("context", {}),
    ("context", {"query": "quokka", "environment": "okapi"}),
    ("context", {"focalId": "attempt_quokka"}),
    ("context", {"focalId": "attempt_here"}),
    ("context", {"changedFacts": ["jackalope.size"], "facts": {"jackalope.size": 9}}),
    ("get", {"ids": ["attempt_quokka"]}),
    ("get", {"ids": ["attempt_quokk", "attempt_here"]}),
    ("get", {"ids": ["decision_zymurgy", "fact_jackalope"]}),
    ("record_attempt", {"solution": "shared words", "result": "failed"}),
    (
        "record_attempt",
        {"solution": "quokka zymurgy", "result": "x", "idempotencyKey": "k"},
    ),
    ("record_fact", {"key": "jackalope.size", "value": 1}),
    ("record_decision", {"title": "shared words", "chosen": "x"}),
    ("update_status", {"decisionId": "decision_zymurgy", "status": "planned"}),
    ("update_status", {"decisionId": "decision_zymurg", "status": "planned"}),
    ("record_outcome", {"decisionId": "decision_zymurgy", "outcome": "failed"}),
    ("record_outcome", {"decisionId": "attempt_quokka", "outcome": "failed"}),
    (
        "link",
        {"from": "attempt_here", "to": "attempt_quokka", "relation": "like"},
    ),
    (
        "link",
        {"from": "decision_zymurgy", "to": "attempt_quokka", "relation": "led_to"},
    ),
    ("unlink", {"relationId": "relation_wombat"}),
    (
        "unlink",
        {"from": "attempt_quokka", "to": "decision_zymurgy", "relation": "led_to"},
    ),
    ("traverse", {"id": "attempt_quokka", "depth": 10}),
    ("traverse", {"id": "attempt_here", "depth": 10}),
    ("remember", {"memoryType": "note", "key": "shared.words", "text": "plain"}),
    ("recall", {"query": "quokka zymurgy wombat jackalope okapi narwhal"}),
    ("recall", {"query": "shared words", "detail": "full"}),
    ("recall", {"query": "shared words", "knownAt": "2027-01-01"}),
    ("recall", {"query": "shared words", "scope": {"userId": "someone"}}),
    ("recall", {"focalId": "attempt_quokka"}),
    ("recall", {"focalId": "attempt_here", "graphDepth": 10}),
    ("recall", {}),
    ("retrieve", {"query": "shared words"}),
    ("retrieve", {"query": "quokka zymurgy"}),
    ("expand", {"recordId": "attempt_quokka", "digest": "x"}),
    ("expand", {"recordId": "memory_narwhal", "digest": "x"}),
    ("review", {"changedFacts": ["jackalope.size"], "facts": {"jackalope.size": 9}}),
    ("review_context", {"changedFacts": ["jackalope.size"]}),
    ("reconsider", {"changedFacts": ["jackalope.size"]}),
    ("reconsider", {"decisionId": "decision_zymurgy"}),
    ("review_signals", {}),
    ("ack_review", {"id": "review_of-zymurgy"}),
    ("maintain", {"changedFacts": ["jackalope.size"], "now": "2030-01-01"}),
    (
        "supersede",
        {"decisionId": "decision_zymurgy", "replacementId": "decision_zymurg"},
    ),
    (
        "confidence_evidence",
        {"decisionId": "decision_zymurgy", "key": "k", "reason": "r"},
    ),
    ("change_rules", {"recordId": "attempt_quokka", "rules": ["t"]}),
    ("verify_fact", {"factId": "fact_jackalope", "evidencePath": "e.json"}),
    ("import", {"path": "fixtures/tiny/records.jsonl", "dryRun": True}),
    # Correcting, retracting, purging, backing up.
    ("amend", {"id": "attempt_quokka", "changes": {"reason": "x"}}),
    ("amend", {"id": "attempt_quokk", "changes": {"reason": "x"}}),
    ("reclassify", {"id": "attempt_quokka", "resultClass": "failed", "reason": "x"}),
    ("retract", {"id": "fact_jackalope", "reason": "x"}),
    ("retract", {"id": "fact_jackalope", "undo": True}),
    ("journal", {}),
    ("journal", {"recordId": "attempt_quokka", "detail": "full"}),
    ("journal", {"type": "decision.imported"}),
    ("rebuild", {}),
    ("validate", {}),
    ("repair_plan", {}),
    ("redact", {}),
    ("purge_preview", {"project": HERE}),
    ("purge", {"project": HERE, "mode": "hard"}),
    ("purge", {"project": HERE, "ids": ["attempt_quokka"]}),
    # Continuing and handing over a task.
    ("record_source", {"path": "README.md", "summary": "shared words"}),
    ("record_source", {"path": "README.md", "summary": "x", "taskId": "task_okapi"}),
    ("source_status", {}),
    ("checkpoint", {"summary": "shared words", "nextActions": ["plain"]}),
    ("checkpoint", {"summary": "shared words", "taskId": "task_okapi"}),
    ("diff", {}),
    ("diff", {"from": "evidence_jackalope", "to": "evidence_jackalope"}),
    ("replay", {"limit": 1000}),
    ("load_context", {"query": "quokka zymurgy wombat jackalope okapi narwhal"}),
    ("load_context", {"taskId": "task_okapi"}),
    ("load_context", {"preset": "deep"}),
    ("resume", {"query": "shared words"}),
    ("bundle_export", {"outputPath": "out.json"}),
    ("bundle_export", {"outputPath": "out.json", "taskId": "task_okapi"}),
    ("bundle_import_plan", {"path": "fixtures/continuity/handover.bundle.json"}),
    ("bundle_import", {"path": "fixtures/continuity/handover.bundle.json", "write": True}),
]

# Tools whose names have no prefix.
TASK_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("task_start", {"title": "shared words", "nextActions": ["plain"]}),
    ("task_status", {}),
    ("task_status", {"id": "task_quokka"}),
    ("task_list", {"all": True, "scope": ["okapi"]}),
    ("task_switch", {"id": "task_quokka"}),
    ("task_park", {"id": "task_quokka"}),
    ("task_update", {"id": "task_quokka", "tags": ["x"]}),
    ("task_update", {"id": "task_quokk", "tags": ["x"]}),
    ("task_block", {"id": "task_quokka", "reason": "x"}),
    ("task_unblock", {"id": "task_quokka", "reason": "x"}),
    ("task_abandon", {"id": "task_quokka", "reason": "x"}),
    ("task_update_verification", {"id": "task_quokka", "status": "passed"}),
    ("task_finalize", {"id": "task_quokka", "status": "passed"}),
    ("task_handoff", {}),
    ("task_handoff", {"id": "task_quokka"}),
    ("task_audit", {"id": "task_quokka"}),
    ("record_decision", {"text": "x", "taskId": "task_quokka"}),
    ("record_decision", {"text": "x", "evidence": ["evidence_narwhal"]}),
    ("record_dead_end", {"text": "shared words", "evidence": ["attempt_quokka"]}),
    ("attach_evidence", {"content": "shared words", "taskId": "task_quokka"}),
]
EVERY_CALL = [(full_name(name), given) for name, given in CALLS] + TASK_CALLS


OWN_CONTENT = {"shadowgraph_validate", "shadowgraph_repair_plan", "shadowgraph_redact"}
"They show records of the project as they are: one of them names a foreign id itself."


def _records() -> Iterator[dict[str, Any]]:
    """Yield records with secret words, tied to each other and across, and a plain one."""
    yield {
        "kind": "attempt",
        "id": "attempt_quokka",
        "project": THERE,
        "solution": "shared words, quokka",
        "result": "zymurgy failed",
        "resultClass": "failed",
        "reason": "wombat",
        "environment": "okapi",
        "reusableWhen": [{"key": "jackalope.size", "operator": "gte", "value": 3}],
    }
    yield {
        "kind": "task",
        "id": "task_quokka",
        "project": THERE,
        "title": "zymurgy of shared words",
        "objective": "wombat",
        "status": "active",
        "writeScope": ["okapi"],
        "nextActions": ["narwhal"],
    }
    yield {
        "kind": "evidence",
        "id": "evidence_narwhal",
        "project": THERE,
        "summary": "okapi",
        "detail": "zymurgy",
    }
    yield {
        "kind": "decision",
        "id": "decision_zymurgy",
        "project": THERE,
        "title": "shared words, zymurgy",
        "chosen": "narwhal",
        "confidence": 0.1,
        "alternatives": [{"label": "wombat", "reopenWhen": ["jackalope.size"]}],
    }
    yield {
        "kind": "fact",
        "id": "fact_jackalope",
        "project": THERE,
        "key": "jackalope.size",
        "value": "narwhal",
        "validTo": "2026-01-01T00:00:00Z",
    }
    yield {
        "kind": "memory",
        "id": "memory_narwhal",
        "project": THERE,
        "memoryType": "note",
        "key": "shared.words",
        "text": "shared words, narwhal",
        "status": "active",
    }
    yield {
        "kind": "relation",
        "id": "relation_wombat",
        "project": THERE,
        "from": "attempt_quokka",
        "to": "decision_zymurgy",
        "relation": "led_to",
    }
    yield {
        "kind": "task",
        "id": "task_okapi",
        "project": THERE,
        "title": "shared words, okapi",
        "objective": "quokka",
        "status": "active",
        "nextActions": ["wombat"],
    }
    yield {
        "kind": "source",
        "id": "source_zymurgy",
        "project": THERE,
        "path": "zymurgy.py",
        "conclusion": "narwhal",
        "summary": "narwhal",
        "taskId": "task_okapi",
    }
    yield {
        "kind": "evidence",
        "id": "evidence_jackalope",
        "project": THERE,
        "evidenceKind": "checkpoint",
        "summary": "wombat",
        "taskId": "task_okapi",
    }
    # A relation of this project whose end is in the other: an import can bring one.
    yield {
        "kind": "relation",
        "id": "relation_across",
        "project": HERE,
        "from": "attempt_here",
        "to": "attempt_quokka",
        "relation": "like",
    }
    yield {
        "kind": "review",
        "id": "review_of-zymurgy",
        "project": THERE,
        "decisionId": "decision_zymurgy",
        "title": "shared words, zymurgy",
        "reason": "jackalope.size",
        "status": "open",
    }
    yield {
        "kind": "attempt",
        "id": "attempt_here",
        "project": HERE,
        "solution": "shared words, plain",
        "result": "it failed",
    }


@pytest.fixture
def two_projects(library: Library) -> Library:
    """Return a library with a project of secret words beside a plain one."""
    import_lines(library, map(json.dumps, _records()))
    there = Caller(THERE, "server")
    arguments = {"solution": "wombat narwhal", "result": "okapi", "idempotencyKey": "k"}
    invoke(library, "shadowgraph_record_attempt", arguments, there)
    library.sync.view()
    return library


@pytest.fixture
def overheard(two_projects: Library) -> Callable[[str, dict[str, Any]], str]:
    """Return a function that gives all that a call from the other project lets out."""

    def call(name: str, arguments: dict[str, Any]) -> str:
        try:
            reply: Any = invoke(two_projects, name, arguments, Caller(HERE, "server"))
        except ShadowgraphError as error:
            reply = [error.text(), error.details]
        return json.dumps(reply, ensure_ascii=False)

    return call


@pytest.mark.parametrize(("name", "arguments"), EVERY_CALL)
def test_no_reply_holds_a_word_of_another_project(
    name: str,
    arguments: dict[str, Any],
    overheard: Callable[[str, dict[str, Any]], str],
) -> None:
    """What the caller said itself aside: hits, errors, suggestions, similar attempts."""
    heard = overheard(name, arguments)

    said = json.dumps(arguments)
    if name in OWN_CONTENT:
        said += "attempt_quokka"
    assert [] == [word for word in SECRETS if word in heard and word not in said]


def test_every_operation_about_one_project_is_listened_to() -> None:
    """A new operation has to be added above."""
    assert ABOUT_ONE_PROJECT == sorted({name for name, _ in EVERY_CALL})


@pytest.mark.parametrize("known", ["attempt_quokka", "decision_zymurgy", "fact_jackalope"])
def test_a_foreign_id_reads_exactly_like_an_unknown_one(
    known: str, overheard: Callable[[str, dict[str, Any]], str]
) -> None:
    """Neither text nor details tell them apart."""
    foreign = overheard("shadowgraph_get", {"ids": [known]})
    # As long and of the same kind: suggestions go by both.
    nowhere = known[:-4] + "zzzz"
    unknown = overheard("shadowgraph_get", {"ids": [nowhere]})

    assert unknown.replace(nowhere, known) == foreign


def test_a_foreign_word_gives_the_answer_of_an_unknown_one(
    overheard: Callable[[str, dict[str, Any]], str],
) -> None:
    """No count, no repair and no suggestion says that it exists elsewhere."""
    foreign = overheard("shadowgraph_search", {"query": "zymurgy"})
    unknown = overheard("shadowgraph_search", {"query": "flibbet"})

    assert unknown.replace("flibbet", "zymurgy") == foreign


def test_a_fact_of_another_project_decides_nothing_here(
    overheard: Callable[[str, dict[str, Any]], str], two_projects: Library
) -> None:
    """Conditions are checked against the facts of their own owner."""
    invoke(
        two_projects,
        "shadowgraph_record_attempt",
        {
            "solution": "s",
            "result": "r",
            "reusableWhen": [{"key": "elsewhere", "value": 1}],
        },
        Caller(HERE, "server"),
    )
    invoke(
        two_projects,
        "shadowgraph_record_fact",
        {"key": "elsewhere", "value": 1},
        Caller(THERE, "server"),
    )

    assert [] == json.loads(overheard("shadowgraph_context", {}))["reusableAttempts"]


def test_projects_lists_names_and_counts_and_no_contents(
    overheard: Callable[[str, dict[str, Any]], str],
) -> None:
    """The names are what the operation is for."""
    heard = overheard("shadowgraph_projects", {})

    assert [] == [word for word in SECRETS if word in heard]
    assert {HERE, THERE, "default"} == {
        row["project"] for row in json.loads(heard)["items"]
    }
