"""Whose task is current: per worktree and session, and how a task moves between them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operations.conftest import Agent, repository

Session = Callable[..., Agent]


def test_two_sessions_in_one_worktree_do_not_move_each_others_pointer(
    session: Session,
) -> None:
    """Each goes on with its own task, whatever the other does."""
    one, two = session("one"), session("two")
    first = one.do("task_start", title="first")["task"]["id"]
    second = two.do("task_start", title="second")["task"]["id"]
    two.do("task_update", tags=["x"])
    two.do("task_park")
    one.do("task_update", tags=["y"])
    two.do("task_abandon", reason="r")

    assert first == one.do("task_status")["task"]["id"]
    assert ["y"] == one.passport()["tags"]
    assert ["x"] == two.passport(second)["tags"]


def test_one_session_has_a_task_in_each_worktree(session: Session, tmp_path: Path) -> None:
    """A directory within a checkout means the checkout."""
    here = session("one")
    there = session("one", repository(tmp_path / "other") / "src")
    first = here.do("task_start", title="first")["task"]["id"]
    second = there.do("task_start", title="second")["task"]["id"]

    assert first == here.do("task_status")["task"]["id"]
    assert second == session("one", tmp_path / "other").do("task_status")["task"]["id"]


def test_a_session_without_a_task_reads_the_one_of_its_worktree_and_changes_none(
    session: Session,
) -> None:
    """It is told whose it is; to change it, it takes it over."""
    task = session("one").do("task_start", title="t")["task"]["id"]
    new = session("two")
    seen = new.do("task_status")
    error = new.refused("task_update", tags=["x"])
    new.do("task_switch", id=task)
    new.do("task_update", tags=["x"])

    assert (task, False) == (seen["task"]["id"], seen["task"]["current"])
    assert "task_switch" in seen["notices"][0]
    assert ("unknown-record", True) == (error.code, task in error.hint)
    assert ["x"] == session("one").passport()["tags"]


def test_a_session_without_a_task_records_for_the_only_one_of_its_worktree(
    session: Session,
) -> None:
    """A command in a shell belongs to the task of the agent that works there."""
    task = session("one").do("task_start", title="t")["task"]["id"]

    assert task == session("two").do("attach_evidence", content="x")["taskId"]


def test_of_several_tasks_of_a_worktree_none_is_guessed(session: Session) -> None:
    """What is recorded is linked to none, and the reply says so."""
    names = [session(n).do("task_start", title=n)["task"]["id"] for n in ("one", "two")]
    reply = session("three").do("record_decision", text="d")

    assert "taskId" not in reply
    assert all(name in reply["notices"][0] for name in names)


def test_a_named_session_of_a_call_is_that_session(session: Session) -> None:
    """A connection that does not last says who it is."""
    one = session("one")
    task = one.do("task_start", title="t", sessionId="durable")["task"]["id"]

    assert task == session("durable").do("task_status")["task"]["id"]
    assert "unknown-record" == one.refused("task_park").code


def test_a_task_of_another_project_is_not_current_here(session: Session) -> None:
    """The pointer belongs to the project, too."""
    one = session("one")
    one.do("task_start", title="t")

    assert "task" not in one.do("task_status", project="acme/other")


def test_a_task_that_is_worked_on_is_not_left_by_accident(agent: Agent) -> None:
    """Neither by a start nor by a switch; parking it is one step with the switch."""
    first = agent.do("task_start", title="first")["task"]["id"]
    agent.do("task_park")
    second = agent.do("task_start", title="second")["task"]["id"]
    errors = [
        agent.refused("task_start", title="x"),
        agent.refused("task_switch", id=first),
    ]
    reply = agent.do("task_switch", id=first, parkCurrent=True)

    assert {"conflict"} == {error.code for error in errors}
    assert (first, "active") == (reply["task"]["id"], reply["task"]["status"])
    assert [f"{second} was put aside."] == reply["notices"]
    assert "parked" == agent.passport(second)["status"]


def test_switching_to_the_current_task_is_no_parking(agent: Agent) -> None:
    """And changes nothing of it."""
    task = agent.do("task_start", title="t")["task"]["id"]
    reply = agent.do("task_switch", id=task, parkCurrent=True)

    assert ("active", 1) == (reply["task"]["status"], reply["task"]["revision"])


def test_a_blocked_task_that_was_parked_comes_back_blocked(agent: Agent) -> None:
    """With what it waits for; unblocking takes the reason away."""
    task = agent.do("task_start", title="t")["task"]["id"]
    agent.do("task_block", reason="no disk")
    agent.do("task_park")
    back = agent.do("task_switch", id=task)["task"]["status"]
    waits = agent.passport()["blockedReason"]
    agent.do("task_unblock", reason="the disk came")
    after = agent.passport()

    assert ("blocked", "no disk", "active") == (back, waits, after["status"])
    assert "blockedReason" not in after
    assert "the disk came" == after["lastMove"]["reason"]


def test_a_blocked_task_with_a_verdict_is_unblocked_to_verifying(agent: Agent) -> None:
    """The verdict outlives the wait."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed")
    agent.do("task_block", reason="review")

    task = agent.do("task_unblock", reason="reviewed")["task"]
    assert ("verifying", "passed") == (task["status"], task["verification"])


def test_an_abandoned_task_keeps_its_reason(agent: Agent) -> None:
    """And is closed by it."""
    agent.do("task_start", title="t")
    agent.do("task_abandon", reason="overtaken")
    task = agent.passport()

    assert ("abandoned", "overtaken") == (task["status"], task["lastMove"]["reason"])
    assert task["closedAt"]


@pytest.mark.parametrize(
    ("closing", "said"),
    [("task_abandon", {"reason": "overtaken"}), ("task_finalize", {"status": "failed"})],
)
def test_a_closed_task_changes_no_more(
    closing: str, said: dict[str, str], agent: Agent
) -> None:
    """Named or current, in no member; another can begin."""
    task = agent.do("task_start", title="t")["task"]["id"]
    agent.do(closing, **said)
    before = agent.passport()
    refused = [
        agent.refused(name, id=task, **more)
        for name, more in (
            ("task_update", {"tags": ["x"]}),
            ("task_park", {}),
            ("task_switch", {}),
            ("task_block", {"reason": "r"}),
            ("task_unblock", {"reason": "r"}),
            ("task_update_verification", {"status": "passed"}),
            ("task_finalize", {"status": "passed"}),
            ("task_abandon", {"reason": "again"}),
        )
    ]

    assert {"illegal-transition"} == {error.code for error in refused}
    assert before == agent.passport()
    assert task != agent.do("task_start", title="next")["task"]["id"]


@pytest.mark.parametrize("name", ["task_block", "task_unblock", "task_abandon"])
def test_a_move_that_needs_a_reason_is_refused_without(name: str, agent: Agent) -> None:
    """Blank is no reason."""
    agent.do("task_start", title="t")

    assert {"invalid-input"} == {
        agent.refused(name).code,
        agent.refused(name, reason="  ").code,
    }


def test_a_parked_task_takes_no_verdict(agent: Agent) -> None:
    """It is closed with the one it has, or taken up first."""
    agent.do("task_start", title="t")
    agent.do("task_park")
    verdict = agent.refused("task_update_verification", status="passed")
    closing = agent.refused("task_finalize", status="passed")

    assert {"illegal-transition"} == {verdict.code, closing.code}
    assert "task_switch" in verdict.hint


def test_starting_again_with_the_same_key_starts_no_second_task(agent: Agent) -> None:
    """A retry is answered with the first."""
    first = agent.do("task_start", title="t", idempotencyKey="k")
    again = agent.do("task_start", title="t", idempotencyKey="k")

    assert first["task"]["id"] == again["task"]["id"]
    assert 1 == agent.library.store.counts()["task"]


def test_a_retracted_or_purged_task_is_current_no_more(agent: Agent) -> None:
    """The pointer goes with the record."""
    task = agent.do("task_start", title="t")["task"]["id"]
    agent.do("shadowgraph_retract", id=task, reason="r")
    retracted = agent.do("task_status")
    agent.do("shadowgraph_retract", id=task, undo=True)
    restored = agent.do("task_status")
    agent.do("shadowgraph_purge", project="acme/billing-api", mode="hard")

    assert "task" not in retracted
    assert task == restored["task"]["id"]
    assert "task" not in agent.do("task_status")
