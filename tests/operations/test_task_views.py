"""Reading tasks: status, list, hand-off, audit. They change nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.operations.conftest import Agent, commit, git

from shadowgraph.exchange import import_lines

READERS: list[tuple[str, dict[str, Any]]] = [
    ("task_status", {}),
    ("task_status", {"full": True}),
    ("task_list", {"all": True}),
    ("task_handoff", {}),
    ("task_audit", {}),
]


def test_a_reader_changes_no_byte_of_the_home(agent: Agent) -> None:
    """Not even the pointer's time."""
    agent.do("task_start", title="t", writeScope=["src"])
    agent.do("record_dead_end", text="d")
    agent.library.sync.view()
    before = _bytes(agent.library.home)
    for name, said in READERS:
        agent.do(name, **said)

    assert before == _bytes(agent.library.home)


def _bytes(home: Path) -> dict[str, bytes]:
    """Return what every file of a home holds, SQLite's shared memory aside."""
    return {
        file.relative_to(home).as_posix(): file.read_bytes()
        for file in sorted(home.rglob("*"))
        if file.is_file() and not file.name.endswith("-shm")
    }


def test_a_status_shows_how_the_checkout_drifted(agent: Agent, checkout: Path) -> None:
    """Branch and commit, each in words."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed")
    assert "drift" not in agent.do("task_status")
    git(checkout, "checkout", "-q", "-b", "side")
    commit(checkout)
    told = agent.do("task_status")["drift"]

    assert "started on branch main, now on side" in told
    assert any(text.startswith("the verdict is bound to ") for text in told)


def test_any_task_is_shown_without_switching_to_it(agent: Agent) -> None:
    """The reply says which one is really current."""
    first = agent.do("task_start", title="first")["task"]["id"]
    agent.do("task_park")
    second = agent.do("task_start", title="second")["task"]["id"]
    reply = agent.do("task_status", id=first)

    assert ("first", False, second) == (
        reply["passport"]["title"], reply["task"]["current"], reply["currentId"],
    )  # fmt: skip
    assert second == agent.do("task_status")["task"]["id"]


def test_a_list_shows_open_tasks_and_counts_the_closed(agent: Agent) -> None:
    """The latest change first, the current one marked."""
    agent.do("task_start", title="a", writeScope=["src/api"])
    agent.do("task_abandon", reason="r")
    agent.do("task_start", title="b", writeScope=["docs"])
    agent.do("task_park")
    agent.do("task_start", title="c", writeScope=["src"])
    opened = agent.do("task_list")
    narrow = agent.do("task_list", all=True, scope="src/api/v1.py")

    assert [("c", True), ("b", False)] == [
        (item["title"], item["current"]) for item in opened["items"]
    ]
    assert 1 == opened["closedHidden"]
    assert {"a", "c"} == {item["title"] for item in narrow["items"]}
    assert ["b"] == [i["title"] for i in agent.do("task_list", status="parked")["items"]]
    limited = agent.do("task_list", limit=1, compact=True)
    assert (2, 1) == (limited["matched"], limited["omitted"])
    assert {"id", "title", "status", "current"} == set(limited["items"][0])


@pytest.mark.parametrize(
    "said",
    [
        {"open": True, "all": True},
        {"open": True, "status": ["parked"]},
        {"all": True, "status": ["parked"]},
        {"status": []},
        {"status": ["odd"]},
        {"limit": 0},
    ],
)
def test_filters_that_contradict_each_other_are_refused(
    said: dict[str, Any], agent: Agent
) -> None:
    """So are values that are none."""
    assert "invalid-input" == agent.refused("task_list", **said).code


def test_a_task_that_came_half_hides_no_other(agent: Agent) -> None:
    """An import is taken as it comes, and every reader bears it."""
    agent.do("task_start", title="whole")
    half = {"kind": "task", "id": "task_half", "project": "acme/billing-api"}
    odd = {**half, "id": "task_odd", "status": 7, "nextActions": "a", "verification": []}
    import_lines(agent.library, [json.dumps(half), json.dumps(odd)])
    listed = agent.do("task_list", all=True)

    assert {"task_half", "task_odd"} < {item["id"] for item in listed["items"]}
    for task in ("task_half", "task_odd"):
        assert agent.do("task_status", id=task)["passport"]["id"] == task
        assert task in agent.do("task_handoff", id=task)["text"]
        assert agent.do("task_audit", id=task)["warnings"]


def test_a_hand_off_holds_what_the_next_one_needs(agent: Agent, checkout: Path) -> None:
    """Passport, verdict, evidence, decisions and dead ends of the task alone."""
    agent.do("record_dead_end", text="of no task")
    said = {"constraints": ["keep it"], "nextActions": ["pump"], "writeScope": ["src"]}
    agent.do("task_start", title="t", objective="Drain it", **said)
    agent.do("record_decision", text="By night")
    agent.do("record_dead_end", text="By hand", reason="too slow")
    shown = agent.do("attach_evidence", command="make", exitCode=0)["id"]
    agent.do("task_update_verification", status="passed", evidence=[shown], summary="ok")
    text = agent.do("task_handoff")["text"]

    head = git(checkout, "rev-parse", "HEAD")
    for wanted in (
        *("Drain it", "- keep it", "- pump", "- src", "By night", "By hand - too slow"),
        *(f"Verdict: passed, bound to {head}", f"Linked evidence: {shown}", "Summary: ok"),
    ):
        assert wanted in text
    assert "of no task" not in text


def test_a_hand_off_says_how_many_records_it_leaves_out(agent: Agent) -> None:
    """And how to come by them."""
    agent.do("task_start", title="t")
    for number in range(15):
        agent.do("record_decision", text=f"decision {number}")
    reply = agent.do("task_handoff")

    assert 3 == reply["omitted"]
    assert "3 more: shadowgraph_traverse" in reply["text"]


def test_without_a_task_a_hand_off_and_an_audit_say_so(agent: Agent) -> None:
    """A text that warns, not an error."""
    assert "No task is current" in agent.do("task_handoff")["text"]
    assert "None is current." == agent.do("task_audit")["issues"][0]["message"]


def test_an_audit_remarks_what_is_open_and_what_drifted(
    agent: Agent, checkout: Path
) -> None:
    """Each with its category."""
    agent.do("task_start", title="t", writeScope=["src"])
    (checkout / "src" / "a.py").write_text("a = 2\n", encoding="utf-8")
    git(checkout, "checkout", "-q", "-b", "side")
    issues = agent.do("task_audit")["issues"]

    found = {(issue["category"], issue["message"]) for issue in issues}
    assert {
        ("drift", "started on branch main, now on side"),
        ("plan", "no next action is named"),
        ("verdict", "the verdict is open: unknown"),
        ("changes", "not committed: src/a.py"),
    } == found


def test_an_audit_remarks_a_forced_and_an_invalidated_verdict(agent: Agent) -> None:
    """Both stay visible until the next verdict."""
    agent.do("task_start", title="t", writeScope=["src"], nextActions=["n"])
    bad = agent.do("attach_evidence", command="make", exitCode=1)["id"]
    said = {"status": "passed", "evidence": [bad], "force": True}
    agent.do("task_update_verification", **said)
    forced = agent.do("task_audit")["issues"]
    agent.do("task_update", objective="another")
    invalidated = agent.do("task_audit")["issues"]

    assert ["the verdict was forced against evidence of a failed command"] == [
        issue["message"] for issue in forced if issue["level"] == "warn"
    ]
    assert any("was invalidated" in issue["message"] for issue in invalidated)


def test_a_sound_task_has_nothing_to_remark(
    session: Callable[..., Agent], agent: Agent
) -> None:
    """Then the one issue is that all is well."""
    agent.do("task_start", title="t", writeScope=["src"], nextActions=["n"], risk="low")
    said = {"command": "make", "exitCode": 0, "content": "42 passed in 3.1s"}
    shown = agent.do("attach_evidence", **said)["id"]
    agent.do("task_update_verification", status="passed", evidence=[shown])
    reply = session("two").do("task_audit")

    assert (["ok"], 0) == ([i["level"] for i in reply["issues"]], reply["warnings"])
