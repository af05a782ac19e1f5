"""Verdicts: what they are bound to, what unsettles them, what evidence they rest on."""

from pathlib import Path

import pytest
from tests.operations.conftest import Agent, commit, git

FINAL = ("passed", "failed", "accepted")


def _evidence(agent: Agent, **said: object) -> str:
    """Attach evidence and return its id."""
    return str(agent.do("attach_evidence", **{"content": "x", **said})["id"])


@pytest.mark.parametrize("status", FINAL)
def test_a_final_verdict_binds_the_whole_hash_and_outlives_every_move(
    status: str, agent: Agent, checkout: Path
) -> None:
    """Update, park, switch and finalize keep it, though HEAD moves on."""
    task = agent.do("task_start", title="t")["task"]["id"]
    agent.do("task_update_verification", status=status)
    bound = git(checkout, "rev-parse", "HEAD")
    commit(checkout)
    seen = [
        agent.do("task_update", tags=["x"]),
        agent.do("task_park"),
        agent.do("task_switch", id=task),
        agent.do("task_finalize"),
    ]

    assert 40 == len(bound)
    assert {bound} == {reply["task"]["head"] for reply in seen}
    assert ["verifying", "parked", "verifying", "completed"] == [
        reply["task"]["status"] for reply in seen
    ]


def test_the_same_verdict_again_changes_nothing(agent: Agent) -> None:
    """No event, no revision."""
    agent.do("task_start", title="t")
    one = _evidence(agent)
    said = {"status": "passed", "evidence": [one], "summary": "s"}
    first = agent.do("task_update_verification", **said)
    again = agent.do("task_update_verification", **said)

    assert first["task"] == again["task"]


def test_the_same_verdict_at_another_commit_binds_anew(
    agent: Agent, checkout: Path
) -> None:
    """It was said explicitly, of what is there now."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed")
    head = commit(checkout)

    again = agent.do("task_update_verification", status="passed")
    assert head == again["task"]["head"]


def test_what_is_left_out_of_a_verdict_stays(agent: Agent, checkout: Path) -> None:
    """Evidence alone unfreezes nothing and erases no summary."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed", summary="s")
    bound = git(checkout, "rev-parse", "HEAD")
    commit(checkout)
    one = _evidence(agent)
    agent.do("task_update_verification", evidence=[one])
    held = agent.passport()["verification"]

    assert ("passed", "s", [one], bound) == (
        held["status"], held["summary"], held["evidence"], held["head"],
    )  # fmt: skip


def test_evidence_adds_up_and_finalizing_keeps_the_summary(agent: Agent) -> None:
    """Ids are joined in order, each once."""
    agent.do("task_start", title="t")
    one, two = _evidence(agent), _evidence(agent)
    agent.do("task_update_verification", evidence=[one], summary="s")
    agent.do("task_finalize", status="passed", evidence=[two, one])
    held = agent.passport()["verification"]

    assert ([one, two], "s") == (held["evidence"], held["summary"])


def test_pending_takes_a_task_back_to_work(agent: Agent) -> None:
    """The bound commit goes with the verdict."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="failed")
    task = agent.do("task_update_verification", status="pending")["task"]

    assert ("active", "pending") == (task["status"], task["verification"])
    assert "head" not in task


@pytest.mark.parametrize("change", [{"objective": "another"}, {"writeScope": ["docs"]}])
def test_a_change_of_objective_or_scope_invalidates_a_verdict_visibly(
    change: dict[str, object], agent: Agent
) -> None:
    """What it was stays beside it, and the reply says so."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed", summary="s")
    reply = agent.do("task_update", **change)
    held = agent.passport()["verification"]

    assert ["pending"] == [reply["task"]["verification"]]
    assert f"{next(iter(change))} changed" in reply["notices"][0]
    assert ("pending", None) == (held["status"], held["head"])
    was = held["invalidated"]["was"]
    assert ("passed", "s", 40) == (was["status"], was["summary"], len(was["head"]))
    assert "not final" not in agent.refused("task_finalize").message
    assert "pending" in agent.refused("task_finalize").message


def test_another_change_leaves_a_verdict_alone(agent: Agent) -> None:
    """Next actions and tags are not what it is about."""
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed")
    reply = agent.do("task_update", tags=["x"], nextActions=["y"], risk="high")

    assert "passed" == reply["task"]["verification"]
    assert "notices" not in reply


def test_an_unknown_evidence_id_refuses_the_whole_call(agent: Agent) -> None:
    """Nothing of it is written, whichever tool it came with."""
    agent.do("task_start", title="t")
    one = _evidence(agent)
    said = {"status": "passed", "evidence": [one, "evidence_nowhere"]}
    errors = [
        agent.refused("task_update_verification", **said),
        agent.refused("task_finalize", **said),
        agent.refused("record_decision", text="d", evidence=["evidence_nowhere"]),
        agent.refused("record_dead_end", text="d", evidence=["evidence_nowhere"]),
    ]

    assert {"unknown-record"} == {error.code for error in errors}
    assert ("unknown", 1) == (
        agent.passport()["verification"]["status"], agent.passport()["revision"],
    )  # fmt: skip
    assert {"evidence": 1, "relation": 1, "task": 1} == agent.library.store.counts()


def test_a_record_that_is_no_evidence_proves_nothing(agent: Agent) -> None:
    """The error says what takes it there."""
    agent.do("task_start", title="t")
    decision = agent.do("record_decision", text="d")["id"]
    error = agent.refused("task_update_verification", evidence=[decision])

    assert "attach_evidence" in error.hint


def test_passed_against_a_failed_command_needs_force_and_is_marked(agent: Agent) -> None:
    """The mark names what contradicts it, and stays."""
    agent.do("task_start", title="t")
    bad = _evidence(agent, command="make test", exitCode=1)
    error = agent.refused("task_update_verification", status="passed", evidence=[bad])
    agent.do("task_update_verification", status="passed", evidence=[bad], force=True)
    agent.do("task_finalize")
    held = agent.passport()["verification"]

    assert ("conflict", [bad]) == (error.code, error.details["contradicting"])
    assert (True, [bad]) == (held["forced"], held["contradictedBy"])


def test_a_later_success_of_the_same_command_needs_no_force(agent: Agent) -> None:
    """Of another command it does."""
    agent.do("task_start", title="t")
    bad = _evidence(agent, command="make test", exitCode=1)
    other = _evidence(agent, command="make lint", exitCode=0)
    agent.do("task_update_verification", evidence=[bad, other])
    assert "conflict" == agent.refused("task_update_verification", status="passed").code
    good = _evidence(agent, command="make  test", exitCode=0)
    agent.do("task_update_verification", status="passed", evidence=[good])

    assert "forced" not in agent.passport()["verification"]


def test_failed_goes_with_a_failed_command(agent: Agent) -> None:
    """That is no contradiction."""
    agent.do("task_start", title="t")
    bad = _evidence(agent, command="make test", exitCode=1)

    reply = agent.do("task_finalize", status="failed", evidence=[bad])
    assert ("completed", "failed") == (
        reply["task"]["status"], reply["task"]["verification"],
    )  # fmt: skip


def test_accepting_with_next_actions_left_needs_force(agent: Agent) -> None:
    """They are told all the same."""
    agent.do("task_start", title="t", nextActions=["a"])
    error = agent.refused("task_finalize", status="accepted")
    reply = agent.do("task_finalize", status="accepted", force=True)

    assert "conflict" == error.code
    assert "1 next actions are left." in reply["notices"]


def test_finalizing_names_uncommitted_files_of_the_scope(
    agent: Agent, checkout: Path
) -> None:
    """Files outside of it are nobody's business here."""
    agent.do("task_start", title="t", writeScope=["src"])
    (checkout / "src" / "new.py").write_text("", encoding="utf-8")
    (checkout / "other.py").write_text("", encoding="utf-8")
    notices = agent.do("task_finalize", status="passed")["notices"]

    assert "Not committed in the write scope: src/new.py." in notices


def test_without_a_commit_the_reply_says_that_nothing_is_bound(
    agent: Agent, checkout: Path
) -> None:
    """A null is shown, not hidden."""
    git(checkout, "update-ref", "-d", "HEAD")
    agent.do("task_start", title="t")
    reply = agent.do("task_update_verification", status="passed")

    assert any("bound to no commit" in notice for notice in reply["notices"])
    assert agent.passport()["verification"]["head"] is None


def test_a_call_that_says_nothing_of_a_verdict_is_refused(agent: Agent) -> None:
    """Upstream took it for pending, which unfroze a finished task."""
    agent.do("task_start", title="t")

    assert "invalid-input" == agent.refused("task_update_verification").code
