"""The context of a task: within its budget, required lines first, changing nothing."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadowgraph import Library, ShadowgraphError
from shadowgraph.exchange import import_lines
from shadowgraph.rules.tokens import tokens

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
BUNDLE = "fixtures/continuity/handover.bundle.json"
READS = ("load_context", "resume", "source_status", "replay", "bundle_inspect")


def _task(**changes: Any) -> dict[str, Any]:
    """Return a task record."""
    return {
        "kind": "task",
        "id": "task_t",
        "project": "acme/billing-api",
        "title": "Move the ledger",
        "objective": "Move the ledger database off NFS",
        "status": "active",
        "constraints": ["No schema change"],
        "writeScope": ["ledger"],
        "nextActions": ["switch the path"],
        "verification": {"status": "pending", "evidence": [], "summary": ""},
        "createdAt": "2026-11-01T00:00:00Z",
        **changes,
    }


@pytest.fixture
def task(tiny_library: Library) -> Callable[..., None]:
    """Return a function that stores a task among the tiny records."""

    def store(**changes: Any) -> None:
        import_lines(tiny_library, [json.dumps(_task(**changes))])

    return store


@pytest.mark.parametrize("budget", [120, 220, 900, 1200, 4000])
def test_the_text_never_exceeds_its_budget(
    budget: int, ask: Ask, task: Callable[..., None]
) -> None:
    """The line that names what was left out included."""
    task(nextActions=[f"step {n} " + "words " * 30 for n in range(200)])

    reply = ask("load_context", budget=budget)

    assert reply["tokens"] == tokens(reply["text"]) <= budget
    assert "Left out: " in reply["text"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(120, 3000),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=200), max_size=20),
)
def test_no_task_and_no_budget_make_it_exceed(
    tiny_library: Library, ask: Ask, budget: int, told: list[str]
) -> None:
    """Whatever a task says."""
    ident = hashlib.sha256(json.dumps([budget, told]).encode()).hexdigest()[:20]
    body = _task(id=f"task_{ident}", nextActions=told, constraints=told, status="parked")
    import_lines(tiny_library, [json.dumps(body)], keep=True)

    reply = ask("load_context", budget=budget, taskId=body["id"])

    assert tokens(reply["text"]) <= budget


def test_the_passport_comes_first_and_what_matters_is_found(
    ask: Ask, task: Callable[..., None]
) -> None:
    """Dead ends and decisions by searching for the objective."""
    task()

    text = ask("load_context")["text"]

    assert text.startswith("Objective: Move the ledger database off NFS\n")
    for line in ("Next: switch the path", "Constraint: No schema", "Write only: ledger"):
        assert line in text
    assert text.index("NFS share and set journal_mode=WAL") < text.index("MERGE ...")
    assert "Decision: Keep the ledger in SQLite" in text


def test_a_budget_wins_over_a_preset(ask: Ask, task: Callable[..., None]) -> None:
    """And each preset has its own."""
    task()

    assert 300 == ask("load_context", budget=300, preset="deep")["budget"]
    assert [1200, 4000, 8000, 16000] == [
        ask("resume", preset=name)["budget"] for name in ("quick", "chat", "agent", "deep")
    ]
    assert 4000 == ask("load_context")["budget"]


def test_without_a_task_it_says_so_and_searches_for_the_query(
    ask: Ask, tiny_library: Library
) -> None:
    """The store is of use before the first task."""
    del tiny_library

    reply = ask("load_context", query="invoice PDF memory")

    assert reply["taskId"] is None
    assert "none is open" in reply["text"]
    assert "Dead end: Rendered all 4,000 invoice PDFs" in reply["text"]


def test_without_a_current_task_the_only_open_one_of_the_project_is_read(
    ask: Ask, task: Callable[..., None]
) -> None:
    """A closed one never; of several, none is guessed and all are named."""
    task(id="task_closed", status="completed", updatedAt="2026-11-09T00:00:00Z")
    task(id="task_parked", status="parked", updatedAt="2026-11-08T00:00:00Z")

    assert "task_parked" == ask("load_context")["taskId"]
    task(id="task_open", status="blocked", updatedAt="2026-11-02T00:00:00Z")
    several = ask("load_context")
    assert several["taskId"] is None
    assert "Task: none is current; pass taskId" in several["text"]
    assert "Open task: task_open - Move the ledger" in several["text"]
    assert "task_closed" not in several["text"]


def test_the_task_that_is_current_is_read_among_several(
    ask: Ask, task: Callable[..., None]
) -> None:
    """Until another is switched to."""
    task(id="task_one", status="parked")
    task(id="task_two", status="parked")
    ask("task_switch", id="task_one")

    assert "task_one" == ask("load_context")["taskId"]


def test_a_stale_source_is_warned_of_and_shown(ask: Ask, task: Callable[..., None]) -> None:
    """It is demoted, not hidden."""
    task()
    Path("app.py").write_text("limit = 5\n", encoding="utf-8")
    ask("record_source", path="app.py", summary="the limit is 5")
    Path("app.py").write_text("limit = 50\n", encoding="utf-8")

    text = ask("load_context")["text"]

    assert "Warning: source changed: app.py" in text
    assert "Source (changed): app.py - the limit is 5" in text


def test_a_dead_end_says_when_its_files_changed(
    ask: Ask, task: Callable[..., None], tiny_library: Library
) -> None:
    """Any record may name files."""
    task()
    body = {
        "kind": "attempt",
        "id": "attempt_with-file",
        "project": "acme/billing-api",
        "solution": "Move the ledger database with rsync",
        "result": "it failed",
        "resultClass": "failed",
        "files": [{"path": "gone.py", "sha256": "0" * 64, "size": 3}],
    }
    import_lines(tiny_library, [json.dumps(body)])

    assert "Dead end (file missing): Move the ledger" in ask("load_context")["text"]


def test_a_checkpoint_hands_its_next_actions_to_the_task(
    ask: Ask, task: Callable[..., None]
) -> None:
    """There is one list of them, and search finds the checkpoint."""
    task()
    ask("task_switch", id="task_t")

    made = ask("checkpoint", summary="Half moved, replay red", nextActions=["fix replay"])

    text = ask("load_context")["text"]
    assert ("task_t", ["fix replay"]) == (made["taskId"], made["nextActions"])
    assert "Next: fix replay" in text
    assert "switch the path" not in text
    assert "Checkpoint: Half moved, replay red" in text
    assert made["id"] == ask("search", query="replay red")["items"][0]["record"]["id"]


def test_next_actions_of_a_checkpoint_without_a_task_stay_in_it(
    ask: Ask, task: Callable[..., None]
) -> None:
    """A task of another session is not written to, and the reply says so."""
    task()

    made = ask("checkpoint", summary="Half moved", nextActions=["fix replay"])

    assert made["taskId"] is None
    assert "no task is current" in made["warnings"][0]
    assert ["switch the path"] == ask("get", ids=["task_t"])["items"][0]["nextActions"]


def test_two_checkpoints_are_set_side_by_side(ask: Ask, refused: Refused) -> None:
    """The newest two when none is named."""
    ask("checkpoint", summary="one", nextActions=["a", "b"])
    assert "takes two" in refused("diff").hint
    ask("checkpoint", summary="two", nextActions=["b", "c"])

    reply = ask("diff")

    assert {"added": ["c"], "gone": ["a"]} == reply["nextActions"]
    assert ("one", "two") == (reply["before"]["summary"], reply["after"]["summary"])
    assert ["summary", "nextActions"] == reply["changed"]


def test_the_timeline_says_why_something_failed(ask: Ask) -> None:
    """Oldest first, and nothing of what is not read any more."""
    made = ask("record_attempt", solution="tried it", result="failed", reason="no room")
    assert "tried it (no room)" in ask("replay", limit=1)["lines"][0]

    ask("retract", id=made["id"], reason="wrong")

    assert "tried it" not in json.dumps(ask("replay"))


def test_the_reading_tools_change_no_byte_of_the_home(
    ask: Ask, task: Callable[..., None], tiny_library: Library
) -> None:
    """The index is up to date before; the lock memory of SQLite is no content."""
    task()
    ask("checkpoint", summary="one")
    ask("checkpoint", summary="two")
    tiny_library.sync.view()

    def digests() -> dict[str, str]:
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(tiny_library.home.rglob("*"))
            if path.is_file() and not path.name.endswith("-shm")
        }

    before, files = digests(), sorted(Path().iterdir())
    for name in (*READS, "diff", "bundle_import_plan"):
        ask(name, **({"path": BUNDLE} if name.startswith("bundle") else {}))

    assert before == digests()
    assert files == sorted(Path().iterdir())
