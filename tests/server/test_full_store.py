"""On a full store no tool floods the model that calls it with what it must.

One conversation with one server calls every tool of an agent with its required arguments,
over 3,000 records, the longest where a tool names one.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.conftest import Wire
from tests.server.full import FIRST, PROJECT, WORDS, lines

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.model.filters import Filter
from shadowgraph.operations import toolset
from shadowgraph.operations.cutting import REPLY

TOOLS = "core,graph,tasks"
OWN_BUDGET = {"load_context": 16_000, "resume": 16_000}
"Bytes of the tools whose default is a budget of 4,000 tokens."
A, D, M = f"attempt_{FIRST}", f"decision_{FIRST}", f"memory_{FIRST}"
SAID = " ".join(WORDS[:12])
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("shadowgraph_projects", {}),
    ("shadowgraph_search", {}),
    ("shadowgraph_search", {"query": SAID}),
    ("shadowgraph_context", {}),
    ("shadowgraph_context", {"query": SAID}),
    ("shadowgraph_check", {"action": SAID}),
    ("shadowgraph_check", {"action": "move the ledger to another disk"}),
    ("shadowgraph_get", {"ids": [A]}),
    ("shadowgraph_get", {"ids": [D]}),
    ("shadowgraph_get", {"ids": [f"decision_{number:04}" for number in range(50)]}),
    ("shadowgraph_review", {}),
    ("shadowgraph_review_context", {}),
    ("shadowgraph_maintain", {}),
    ("shadowgraph_reconsider", {}),
    ("shadowgraph_review_signals", {}),
    ("shadowgraph_recall", {}),
    ("shadowgraph_recall", {"query": SAID}),
    ("shadowgraph_retrieve", {}),
    ("shadowgraph_retrieve", {"query": SAID}),
    ("shadowgraph_traverse", {"id": A}),
    ("shadowgraph_traverse", {"id": D}),
    ("shadowgraph_expand", {"recordId": D, "digest": "sha256:00"}),
    ("shadowgraph_record_attempt", {"solution": SAID, "result": "failed"}),
    ("shadowgraph_record_decision", {"title": SAID, "chosen": SAID}),
    ("shadowgraph_record_fact", {"key": "limit.1", "value": 3}),
    ("shadowgraph_record_outcome", {"decisionId": D, "outcome": {"status": "failed"}}),
    ("shadowgraph_confidence_evidence", {"decisionId": D, "key": "k", "reason": "r"}),
    ("shadowgraph_update_status", {"decisionId": D, "status": "planned"}),
    ("shadowgraph_remember", {"memoryType": "note", "key": "note.1", "text": "short"}),
    ("shadowgraph_amend", {"id": A, "changes": {"environment": "Linux"}}),
    ("shadowgraph_reclassify", {"id": A, "resultClass": "failed", "reason": "seen"}),
    ("shadowgraph_link", {"from": A, "to": D, "relation": "about"}),
    ("shadowgraph_unlink", {"from": A, "to": D, "relation": "about"}),
    ("shadowgraph_change_rules", {"recordId": A, "rules": [{"key": "k", "value": 1}]}),
    ("shadowgraph_verify_fact", {"factId": "fact_0001", "evidencePath": "e.json"}),
    ("shadowgraph_ack_review", {"id": "SIGNAL"}),
    ("shadowgraph_supersede", {"decisionId": "decision_0001", "replacementId": D}),
    ("shadowgraph_retract", {"id": A, "reason": "recorded twice"}),
    ("task_list", {}),
    ("task_switch", {"id": f"task_{FIRST}"}),
    ("task_status", {}),
    ("task_audit", {}),
    ("task_handoff", {}),
    ("load_context", {}),
    ("resume", {}),
    ("task_update", {"nextActions": ["a"]}),
    ("record_decision", {"text": SAID}),
    ("record_dead_end", {"text": SAID}),
    ("attach_evidence", {"kind": "test", "content": SAID * 50}),
    ("record_source", {"path": "a.md", "summary": SAID}),
    ("source_status", {}),
    ("checkpoint", {"summary": "one"}),
    ("checkpoint", {"summary": "two"}),
    ("diff", {}),
    ("replay", {}),
    ("bundle_export", {"outputPath": "b.json"}),
    ("bundle_inspect", {"path": "b.json"}),
    ("bundle_import_plan", {"path": "b.json"}),
    ("bundle_import", {"path": "b.json"}),
    ("task_block", {"reason": "waits"}),
    ("task_unblock", {"reason": "goes on"}),
    ("task_update_verification", {"status": "passed", "summary": "all green"}),
    ("task_finalize", {"status": "passed", "summary": "done"}),
    ("task_start", {"title": "another"}),
    ("task_park", {}),
    ("task_abandon", {"id": "task_0001", "reason": "retired"}),
]
LISTS = {
    "shadowgraph_search": "items",
    "shadowgraph_recall": "items",
    "shadowgraph_retrieve": "items",
    "shadowgraph_review": "items",
    "shadowgraph_review_signals": "items",
    "shadowgraph_reconsider": "decisions",
    "shadowgraph_maintain": "due",
    "shadowgraph_traverse": "nodes",
}
"Where the list of a tool stands that lists things."


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """Yield a server on the full store, in a checkout of its own."""
    home, work = tmp_path_factory.mktemp("full"), tmp_path_factory.mktemp("work")
    with Library(home) as library:
        import_lines(library, (json.dumps(one) for one in lines()), project=PROJECT)
        library.search("", Filter(owner=None), limit=1)
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    (work / "a.md").write_text("x\n", encoding="utf-8")
    named = ["--home", str(home), "--project", PROJECT]
    wire = Wire(named, work, {**os.environ}, work.parent / "full-stderr.txt", TOOLS)
    wire.hello()
    yield wire
    wire.end()
    assert wire.process.stdout is not None
    wire.process.stdout.close()


@pytest.fixture(scope="module")
def said(full: Wire) -> list[tuple[str, dict[str, Any]]]:
    """Return what every call was answered with, by tool."""
    answers: list[tuple[str, dict[str, Any]]] = []
    signal = ""
    for name, arguments in CALLS:
        given = {
            key: signal if value == "SIGNAL" else value for key, value in arguments.items()
        }
        result = full.ask("tools/call", name=name, arguments=given)["result"]
        answers.append((name, result))
        if name == "shadowgraph_review_signals":
            signal = result["structuredContent"]["items"][0]["id"]
    return answers


def _bytes(value: object) -> int:
    """Return the size of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_every_tool_of_an_agent_is_called() -> None:
    """A new tool has to be added here."""
    assert {one.name for one in toolset(TOOLS)} == {name for name, _ in CALLS}


def test_no_call_without_a_size_is_answered_with_more_than_8_kb(
    said: list[tuple[str, dict[str, Any]]],
) -> None:
    """Neither as text nor as structure; all but the unconfigured one are real answers."""
    large = {}
    for name, result in said:
        text = len(result["content"][0]["text"].encode())
        size = max(text, _bytes(result.get("structuredContent")))
        if size > OWN_BUDGET.get(name, REPLY):
            large[name] = size

    failed = {name for name, result in said if result.get("isError")}
    assert ({}, {"shadowgraph_verify_fact"}) == (large, failed)


def test_a_list_says_how_much_it_left_out(said: list[tuple[str, dict[str, Any]]]) -> None:
    """What is shown and what is omitted make the whole; some of it is always shown."""
    for name, result in said:
        reply = result["structuredContent"] if name in LISTS else {}
        for block in [reply["completeness"]] if reply else []:
            shown = len(reply[LISTS[name]])
            assert shown <= block["total"], name
            assert shown or not block["total"], name
            if name not in ("shadowgraph_recall", "shadowgraph_traverse"):
                assert block["total"] == shown + block["omitted"], name
            assert "entries" not in reply.get("clipped", {}), name


def test_what_was_cut_is_said_and_read_whole_on_demand(full: Wire) -> None:
    """The record is named, the texts are counted, and one argument brings them."""
    cut = full.reply("get", ids=[D])
    whole = full.reply("get", ids=[D], whole=True)

    assert cut["clipped"]["texts"] > 0
    assert "whole=true" in cut["clipped"]["hint"]
    assert "clipped" not in whole
    (short,), (long,) = cut["items"], whole["items"]
    assert set(long) == set(short)
    kept, _, told = short["chosen"].partition("… [")
    assert long["chosen"].startswith(kept)
    assert f"{len(long['chosen']) - len(kept):,} characters more]" == told


def test_a_named_limit_is_the_callers_own_choice(full: Wire) -> None:
    """Whoever asks for twenty hits gets twenty."""
    reply = full.reply("search", query=SAID, limit=20)

    assert 20 == len(reply["items"])
    assert "clipped" not in reply
