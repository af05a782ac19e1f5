"""Replies against their schemas, on an empty, a small and a full store."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from tests.operations import signing

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.schemas import advertised, output_schema

Ask = Callable[..., dict[str, Any]]
EXAMPLES = sorted(REGISTRY)
# Their examples are about records that are there.
ABOUT_RECORDS = {
    "shadowgraph_ack_review",
    "shadowgraph_amend",
    "shadowgraph_change_rules",
    "shadowgraph_confidence_evidence",
    "shadowgraph_get",
    "shadowgraph_link",
    "shadowgraph_recall",
    "shadowgraph_reclassify",
    "shadowgraph_record_outcome",
    "shadowgraph_retract",
    "shadowgraph_supersede",
    "shadowgraph_unlink",
    "shadowgraph_update_status",
    "shadowgraph_verify_fact",
    "task_switch",
}
WITHOUT_RECORDS = sorted(set(REGISTRY) - ABOUT_RECORDS)
BEFORE = {
    "bundle_export": ["bundle_import"],
    "diff": ["checkpoint", "checkpoint"],
    "shadowgraph_ack_review": ["shadowgraph_review"],
    "shadowgraph_unlink": ["shadowgraph_link"],
    "task_park": ["task_start"],
    "task_update": ["task_start"],
    "task_block": ["task_start"],
    "task_abandon": ["task_start"],
    "task_update_verification": ["task_start"],
    "task_finalize": ["task_start"],
    "task_unblock": ["task_start", "task_block"],
}
"Operations whose examples an example needs first."
MORE_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {}),
    ("search", {"query": "nothing has this wordlike"}),
    ("search", {"query": "database", "detail": "full", "explain": True}),
    ("search", {"query": "database", "detail": "ids", "limit": 1}),
    ("search", {"allProjects": True, "kind": "fact"}),
    ("search", {"query": "lokced", "offset": 3}),
    ("context", {"facts": {"ledger.writers": 5}, "environment": "PostgreSQL 17"}),
    ("context", {"project": "acme/web-shop"}),
    ("context", {"budget": 300, "limit": 1}),
    ("get", {"ids": ["fact_ledger-writers", "decision_ledger-in-sqlite", "no_such"]}),
    ("get", {"ids": ["attempt_webhook-replay"], "allProjects": True}),
    ("record_attempt", {"solution": "a", "result": "b", "sourceClass": "hearsay"}),
    ("record_fact", {"key": "ledger.writers", "value": {"deep": [1, None]}}),
    ("record_decision", {"title": "t", "chosen": "c", "evidence": ["seen once"]}),
    ("traverse", {"id": "no_such"}),
    ("traverse", {"id": "decision_ledger-in-sqlite", "detail": "full", "depth": 10}),
    ("recall", {}),
    ("recall", {"query": "nothing has this wordlike", "asOf": "2026-05-01"}),
    ("recall", {"query": "ledger", "detail": "full", "queryEmbedding": [0.1, 0.2]}),
    ("recall", {"query": "ledger", "knownAt": "2026-12-01", "preferRecent": True}),
    ("retrieve", {"query": "ledger", "detail": "ids", "explain": True}),
    ("retrieve", {"query": "nothing has this wordlike"}),
    ("expand", {"recordId": "no_such", "digest": "x"}),
    ("expand", {"recordId": "decision_ledger-in-sqlite", "digest": "x"}),
    ("remember", {"memoryType": "note", "key": "k", "text": "t", "embedding": [1]}),
    (
        "remember",
        {"operations": [{"action": "delete", "memoryType": "note", "key": "none"}]},
    ),
]


def _check(name: str, reply: dict[str, Any]) -> None:
    """Validate a reply, as it is sent, against its schema."""
    schema = advertised(output_schema(REGISTRY[name]))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(reply)))


def _task(library: Library, record_id: str) -> None:
    """Import a task that has no more than it must."""
    task = {"kind": "task", "id": record_id, "title": "t", "status": "parked"}
    import_lines(library, [json.dumps({**task, "project": "acme/billing-api"})])


def _prepare(name: str, library: Library) -> None:
    """Do what has to come before the example of an operation."""
    for earlier in BEFORE.get(name, ()):
        invoke(library, earlier, REGISTRY[earlier].example, Caller())
    if name == "task_switch":
        _task(library, REGISTRY[name].example["id"])
    if name == "shadowgraph_restore":
        file = {"destination": REGISTRY[name].example["source"]}
        invoke(library, "shadowgraph_backup", file, Caller())
    if name == "shadowgraph_verify_fact":
        example = REGISTRY[name].example
        with library.store.read() as selection:
            fact = selection.by_id(example["factId"])
        assert fact is not None
        directory = signing.configure(library.home)
        signing.write(directory, example["evidencePath"], signing.evidence_for(fact.body))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_runs_and_its_reply_fits_the_schema(
    name: str, tiny_library: Library
) -> None:
    """The reference page shows calls that work."""
    _prepare(name, tiny_library)

    reply = invoke(tiny_library, name, REGISTRY[name].example, Caller())

    _check(name, reply)


@pytest.mark.parametrize("name", WITHOUT_RECORDS)
def test_the_reply_of_an_empty_store_fits_the_schema(name: str, library: Library) -> None:
    """The first call of all gets a whole answer."""
    _prepare(name, library)
    reply = invoke(library, name, REGISTRY[name].example, Caller())

    _check(name, reply)


@pytest.mark.parametrize(("name", "arguments"), MORE_CALLS)
@pytest.mark.usefixtures("tiny_library")
def test_the_reply_of_an_unusual_call_fits_the_schema(
    name: str, arguments: dict[str, Any], ask: Ask
) -> None:
    """Other details, empty pages, foreign values."""
    reply = ask(name, **arguments)

    _check(f"shadowgraph_{name}", reply)


DEFAULT_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"allProjects": True}),
    ("search", {"query": "timeout", "project": "acme/platform"}),
    ("context", {"project": "acme/billing-api"}),
    ("context", {"project": "acme/platform", "query": "container keeps restarting"}),
    ("context", {"project": "acme/data-pipeline", "query": "slow PostgreSQL migration"}),
    ("recall", {"query": "container keeps restarting", "project": "acme/platform"}),
    ("retrieve", {"query": "timeout", "project": "acme/platform"}),
    ("projects", {}),
    ("stats", {}),
    ("doctor", {}),
]


@pytest.mark.parametrize(("name", "arguments"), DEFAULT_CALLS)
def test_a_call_with_defaults_answers_within_eight_kilobytes(
    name: str, arguments: dict[str, Any], notes: Library
) -> None:
    """An answer takes room in a model's memory; a large one pushes the task out."""
    reply = invoke(notes, f"shadowgraph_{name}", arguments, Caller())

    text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    assert len(text.encode()) <= 8_192
