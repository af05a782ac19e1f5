"""Decisions, dead ends and evidence of a task: linked, found, bounded, without secrets."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operations.conftest import Agent, git

from shadowgraph.rules.passport import OF_TASK


def test_what_is_recorded_is_linked_to_the_current_task(agent: Agent) -> None:
    """By a relation from the record to the task."""
    task = agent.do("task_start", title="t")["task"]["id"]
    made = [
        agent.do("record_decision", text="d"),
        agent.do("record_dead_end", text="e"),
        agent.do("attach_evidence", content="x"),
    ]
    with agent.library.store.read() as selection:
        links = selection.touching("project:acme/billing-api", [task])

    assert ["decision", "attempt", "evidence"] == [one["kind"] for one in made]
    assert {task} == {one["taskId"] for one in made}
    assert {(one["id"], OF_TASK, task) for one in made} == {
        (link.body["from"], link.body["relation"], link.body["to"]) for link in links
    }


def test_without_a_task_it_is_recorded_all_the_same(agent: Agent) -> None:
    """The reply says that it belongs to none."""
    reply = agent.do("record_decision", text="d")

    assert "taskId" not in reply
    assert "none is current" in reply["notices"][0]


def test_a_dead_end_warns_in_every_search_and_check(agent: Agent) -> None:
    """It is a failed attempt like any other."""
    agent.do("task_start", title="t")
    said = {"text": "Copy the quicksilver with rsync", "reason": "torn pages"}
    made = agent.do("record_dead_end", **said)["id"]
    hit = agent.do("shadowgraph_search", query="quicksilver")["items"][0]["record"]
    checked = agent.do("shadowgraph_check", action=said["text"])

    assert (made, "failed", "torn pages") == (hit["id"], hit["resultClass"], hit["reason"])
    assert "avoid" == checked["verdict"]


def test_a_decision_carries_its_evidence_and_files(agent: Agent) -> None:
    """The evidence is named by its id and told by its headline."""
    shown = agent.do("attach_evidence", command="make", exitCode=0, kind="test")["id"]
    said = {"text": "Keep it.\nAnd why.", "evidence": [shown], "files": ["src/a.py"]}
    made = agent.do("record_decision", **said)["id"]
    body = agent.do("shadowgraph_get", ids=[made])["items"][0]

    assert (shown, "test: make (exit status 0)") == (
        body["evidence"][0]["source"], body["evidence"][0]["detail"],
    )  # fmt: skip
    assert "Keep it. And why." == body["title"]
    digest = hashlib.sha256(b"a = 1\n").hexdigest()
    assert [("src/a.py", digest)] == [(f["path"], f["sha256"]) for f in body["files"]]


def test_evidence_is_found_by_its_output_and_shown_by_its_headline(agent: Agent) -> None:
    """Upstream could not search it at all."""
    said = {"command": "make test", "exitCode": 2, "content": "E: quicksilver leaked"}
    made = agent.do("attach_evidence", kind="test", **said)["id"]
    hit = agent.do("shadowgraph_search", query="quicksilver", kind="evidence")["items"][0]

    assert (made, "test: make test (exit status 2)", 2) == (
        hit["record"]["id"], hit["record"]["summary"], hit["record"]["exitCode"],
    )  # fmt: skip


def test_evidence_names_commit_digest_and_file(agent: Agent, checkout: Path) -> None:
    """The digest is of what is kept."""
    made = agent.do("attach_evidence", path="src/a.py", content="ignored")["id"]
    body = agent.do("shadowgraph_get", ids=[made])["items"][0]

    assert ("src/a.py", "a = 1\n") == (body["path"], body["content"])
    assert hashlib.sha256(b"a = 1\n").hexdigest() == body["sha256"]
    assert git(checkout, "rev-parse", "HEAD") == body["head"]


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/hostname", "no/such", "src"])
def test_a_file_that_is_not_in_the_checkout_is_not_read(
    path: str, agent: Agent, tmp_path: Path
) -> None:
    """Nothing is recorded either."""
    (tmp_path / "outside.txt").write_text("x", encoding="utf-8")

    assert "invalid-input" == agent.refused("attach_evidence", path=path).code
    assert {} == agent.library.store.counts()


def test_a_link_out_of_the_checkout_is_not_followed(
    agent: Agent, checkout: Path, tmp_path: Path
) -> None:
    """What counts is where the text stands."""
    (tmp_path / "outside.txt").write_text("x", encoding="utf-8")
    (checkout / "inside.txt").symlink_to(tmp_path / "outside.txt")

    assert "outside" in agent.refused("attach_evidence", path="inside.txt").message


def test_a_long_output_loses_its_middle_and_says_so(agent: Agent, checkout: Path) -> None:
    """Beginning and end are what is asked for."""
    text = "first\n" + "x" * 500_000 + "\nlast"
    (checkout / "log.txt").write_text(text, encoding="utf-8")
    made = agent.do("attach_evidence", path="log.txt")["id"]
    with agent.library.store.read() as selection:
        body = selection.by_ids([made])[0].body

    assert body["truncated"]
    assert len(body["content"].encode()) <= 200_100
    assert body["content"].startswith("first\n")
    assert body["content"].endswith("\nlast")
    assert "bytes left out" in body["content"]


@pytest.mark.parametrize(
    "text",
    [
        "API_TOKEN=hunter2hunter2",
        "Authorization: Bearer hunter2hunter2",
        'db_password: "hunter2hunter2"',
        "GET https://example.org/?token=hunter2hunter2",
    ],
)
def test_named_secrets_do_not_reach_the_store(text: str, agent: Agent) -> None:
    """In outputs, commands and the results of dead ends."""
    agent.do("attach_evidence", content=text, command=f"run {text}")
    agent.do("record_dead_end", text="t", result=text)
    agent.library.close()

    assert b"hunter2hunter2" not in agent.library.store.path.read_bytes()


def test_an_empty_evidence_is_refused(agent: Agent) -> None:
    """An exit status of nothing shows nothing."""
    assert "invalid-input" == agent.refused("attach_evidence", exitCode=0).code
    assert "invalid-input" == agent.refused("record_decision", text="  ").code


def test_a_retry_records_once(agent: Agent) -> None:
    """Decision, dead end and evidence have keys of their own."""
    for name, said in (
        ("record_decision", {"text": "d"}),
        ("record_dead_end", {"text": "d"}),
        ("attach_evidence", {"content": "d"}),
    ):
        first = agent.do(name, **said, idempotencyKey="k")
        again = agent.do(name, **said, idempotencyKey="k")
        assert (first["id"], True) == (again["id"], again["replayed"])

    assert {"attempt": 1, "decision": 1, "evidence": 1} == agent.library.store.counts()


def test_recording_changes_no_passport(agent: Agent, session: Callable[..., Agent]) -> None:
    """Neither the own task nor one that is named."""
    agent.do("task_start", title="t")
    before = agent.passport()
    agent.do("record_decision", text="d")
    session("two").do("record_dead_end", text="d", taskId=before["id"])

    assert before == agent.passport()


def test_a_task_is_found_by_its_words_and_shown_with_plan_and_verdict(
    agent: Agent,
) -> None:
    """Enough to judge it, and its id to go on with it."""
    said = {"objective": "Drain the quicksilver", "nextActions": ["pump", "rinse"]}
    task = agent.do("task_start", title="Barometer", **said)["task"]["id"]
    agent.do("task_update_verification", status="passed")
    hit = agent.do("shadowgraph_search", query="quicksilver")["items"][0]["record"]

    assert {
        "id": task, "kind": "task", "title": "Barometer", "status": "verifying",
        "objective": "Drain the quicksilver", "nextActions": "pump; rinse",
        "verification": "passed",
    }.items() <= hit.items()  # fmt: skip


def test_a_secret_in_a_file_of_evidence_is_masked(agent: Agent, checkout: Path) -> None:
    """As one in the arguments of a call is."""
    (checkout / "log.txt").write_text("API_TOKEN=tr0ub4dor-and-3 was used\n", "utf-8")
    made = agent.do("attach_evidence", path="log.txt")["id"]
    body = agent.do("shadowgraph_get", ids=[made])["items"][0]

    assert "tr0ub4dor" not in str(body)
    assert body["content"].startswith("API_TOKEN=[secret:")
