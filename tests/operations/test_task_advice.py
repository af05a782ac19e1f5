"""What an audit and a closing advise, and what they never do: block."""

from pathlib import Path

import pytest
from tests.operations.conftest import Agent

REVIEW = """\
Claim attacked: no write is lost while the ledger is being copied
Counterexample check: a writer was left running during the copy of the file
Observed result: the copy had every row that was acknowledged before it began
Unresolved findings: none identified after three runs with other sizes of files
Residual risk: a crash of the host in the middle of the copy was not tried
Review mode: independent read-only
Check type: negative, with a writer that should have broken it
Reviewed HEAD: {head}
"""


def _advice(agent: Agent, category: str) -> list[str]:
    """Return the advice of an audit."""
    issues = agent.do("task_audit")["issues"]
    return [
        issue["message"]
        for issue in issues
        if (issue["level"], issue["category"]) == ("advice", category)
    ]


def _passed(agent: Agent, kind: str, content: str) -> None:
    """Give a verdict that rests on an output."""
    shown = agent.do("attach_evidence", kind=kind, content=content)["id"]
    agent.do("task_update_verification", status="passed", evidence=[shown])


def test_a_full_review_leaves_nothing_to_advise(agent: Agent) -> None:
    """Bound to the commit of the verdict."""
    agent.do("task_start", title="t", writeScope=["src"], risk="high")
    head = agent.passport()["head"]
    _passed(agent, "review", REVIEW.format(head=head))

    assert [] == _advice(agent, "evidence")


@pytest.mark.parametrize("label", ["Claim attacked", "Residual risk", "Check type"])
def test_a_review_without_a_line_is_told_the_line(label: str, agent: Agent) -> None:
    """By its name."""
    agent.do("task_start", title="t", writeScope=["src"], risk="medium")
    lines = [line for line in REVIEW.splitlines() if not line.startswith(label)]
    _passed(agent, "challenge", "\n".join(lines).format(head="0" * 40))

    (told,) = _advice(agent, "evidence")
    assert label.lower() in told
    assert "reviewed HEAD of the verdict" in told


def test_a_stock_phrase_is_no_filled_line(agent: Agent) -> None:
    """Some words are needed."""
    agent.do("task_start", title="t", writeScope=["docs"], risk="medium")
    said = REVIEW.splitlines()[1:]
    _passed(agent, "review", "\n".join(["Claim attacked: none", *said]))

    assert ["the fullest review lacks: claim attacked"] == _advice(agent, "evidence")


def test_documents_need_no_reviewed_commit(agent: Agent) -> None:
    """Of a scope that holds nothing else."""
    agent.do("task_start", title="t", writeScope=["docs", "README.md"], risk="high")
    _passed(agent, "review", REVIEW.format(head="unknown"))

    assert [] == _advice(agent, "evidence")


@pytest.mark.parametrize(("content", "enough"), [("42 passed", True), ("LGTM.", False)])
def test_a_low_risk_asks_for_any_output_that_says_something(
    content: str, enough: bool, agent: Agent
) -> None:
    """A stock phrase says nothing."""
    agent.do("task_start", title="t", risk="low")
    _passed(agent, "note", content)

    assert enough == (not _advice(agent, "evidence"))


def test_closing_advises_and_closes(agent: Agent) -> None:
    """Nothing that evidence lacks blocks it."""
    agent.do("task_start", title="t", writeScope=["src"], risk="high")
    reply = agent.do("task_finalize", status="passed")

    assert "completed" == reply["task"]["status"]
    assert any("without evidence of kind review" in told for told in reply["notices"])


def test_the_same_output_three_times_is_remarked(agent: Agent) -> None:
    """With its ids."""
    agent.do("task_start", title="t")
    ids = [agent.do("attach_evidence", content="42 passed")["id"] for _ in range(3)]

    (told,) = _advice(agent, "ceremony")
    assert told.startswith("3 identical pieces of evidence")
    assert all(one in told for one in ids)


def test_checkpoints_that_say_the_same_are_remarked(agent: Agent) -> None:
    """Two are enough."""
    agent.do("task_start", title="t")
    for _ in range(2):
        agent.do("checkpoint", summary="half way")

    assert "2 checkpoints that say the same" in _advice(agent, "ceremony")[0]


def test_a_verdict_that_is_taken_back_twice_is_remarked(agent: Agent) -> None:
    """Once is work."""
    agent.do("task_start", title="t", risk="low")
    for status in ("passed", "pending", "passed"):
        agent.do("task_update_verification", status=status)
    once = _advice(agent, "ceremony")
    agent.do("task_update_verification", status="pending")

    assert [] == once
    assert "taken back 2 times" in _advice(agent, "ceremony")[0]


def test_one_objective_in_three_short_tasks_is_remarked(agent: Agent) -> None:
    """On the same paths, within a day."""
    for number in range(3):
        said = {"objective": "Move it", "writeScope": ["src"]}
        made = agent.do("task_start", title=f"part {number}", **said)["task"]["id"]
        agent.do("task_finalize", status="passed")

    issues = agent.do("task_audit", id=made)["issues"]
    assert any("3 short tasks of one objective" in issue["message"] for issue in issues)


def test_a_changed_source_of_the_task_is_a_warning(agent: Agent, checkout: Path) -> None:
    """In a category of its own."""
    agent.do("task_start", title="t", nextActions=["n"])
    agent.do("record_source", path="src/a.py", summary="a is 1")
    (checkout / "src" / "a.py").write_text("a = 22\n", encoding="utf-8")

    issues = agent.do("task_audit")["issues"]
    assert ["source changed: src/a.py"] == [
        issue["message"] for issue in issues if issue["category"] == "sources"
    ]


def test_a_hand_off_tells_the_newest_checkpoint(agent: Agent) -> None:
    """And no older one."""
    agent.do("task_start", title="t")
    agent.do("checkpoint", summary="half way")
    agent.do("checkpoint", summary="nearly there")

    text = agent.do("task_handoff")["text"]
    assert "nearly there" in text
    assert "half way" not in text
