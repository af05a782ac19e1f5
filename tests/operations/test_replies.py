"""Replies against their schemas, on an empty, a small and a full store."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from shadowgraph import Library
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.schemas import advertised, output_schema

Ask = Callable[..., dict[str, Any]]
EXAMPLES = sorted(REGISTRY)
WITHOUT_RECORDS = sorted(
    set(REGISTRY)
    - {"shadowgraph_get", "shadowgraph_update_status", "shadowgraph_record_outcome"}
    - {"shadowgraph_amend", "shadowgraph_reclassify", "shadowgraph_retract"}
)
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
]


def _prepare(name: str, library: Library) -> None:
    """Make the backup that the example of a restore reads."""
    if name == "shadowgraph_restore":
        file = {"destination": REGISTRY[name].example["source"]}
        invoke(library, "shadowgraph_backup", file, Caller())


def _check(name: str, reply: dict[str, Any]) -> None:
    """Validate a reply, as it is sent, against its schema."""
    schema = advertised(output_schema(REGISTRY[name]))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(reply)))


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
