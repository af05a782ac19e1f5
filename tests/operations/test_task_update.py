"""Changing what a task is about: what appends, what replaces, what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operations.conftest import Agent, git, repository

LISTS = ("constraints", "nextActions", "writeScope", "tags")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_appends_in_order_and_holds_each_item_once(name: str, agent: Agent) -> None:
    """Blanks go, and white space around an item."""
    agent.do("task_start", title="t", **{name: ["b", "a"]})
    agent.do("task_update", **{name: ["a", " c ", "", "b", "c"]})

    assert ["b", "a", "c"] == agent.passport()[name]


@pytest.mark.parametrize("name", LISTS)
def test_a_text_where_a_list_is_wanted_is_one_item(name: str, agent: Agent) -> None:
    """It is never read as an empty list, which would wipe a plan."""
    agent.do("task_start", title="t", **{name: ["a"]})
    agent.do("task_update", **{name: "b"}, clearNextActions=name == "nextActions")

    wanted = ["b"] if name == "nextActions" else ["a", "b"]
    assert wanted == agent.passport()[name]


def test_what_is_left_out_stays(agent: Agent) -> None:
    """Only the named field and the bookkeeping change."""
    said = {
        "constraints": ["c"],
        "nextActions": ["n"],
        "writeScope": ["src"],
        "risk": "low",
    }
    agent.do("task_start", title="t", objective="o", **said)
    before = agent.passport()
    agent.do("task_update", tags=["x"])
    after = agent.passport()

    changed = {name for name in after if after[name] != before.get(name)}
    assert {"tags", "revision"} == changed


def test_next_actions_are_replaced_or_cleared_on_request(agent: Agent) -> None:
    """With the flag the list becomes exactly the given one."""
    agent.do("task_start", title="t", nextActions=["a", "b"])
    agent.do("task_update", nextActions=["c"], clearNextActions=True)
    replaced = agent.passport()["nextActions"]
    agent.do("task_update", clearNextActions=True)

    assert (["c"], []) == (replaced, agent.passport()["nextActions"])


def test_removed_constraints_stay_in_the_history(agent: Agent) -> None:
    """With the time at which each one went."""
    agent.do("task_start", title="t", constraints=["a", "b"])
    agent.do("task_update", constraints=["b", "c"], replaceConstraints=True)
    agent.do("task_update", replaceConstraints=True)
    task = agent.passport()

    assert [] == task["constraints"]
    assert ["a", "b", "c"] == [one["constraint"] for one in task["constraintHistory"]]
    assert all(one["removedAt"] for one in task["constraintHistory"])


def test_an_update_of_nothing_fails(agent: Agent) -> None:
    """And leaves the revision as it is."""
    agent.do("task_start", title="t", tags=["a"], risk="low")
    errors = [
        agent.refused("task_update"),
        agent.refused("task_update", tags=["a"], risk="low"),
        agent.refused("task_update", objective="t"),
        agent.refused("task_update", clearNextActions=True),
    ]

    assert {"invalid-input"} == {error.code for error in errors}
    assert 1 == agent.passport()["revision"]


@pytest.mark.parametrize("state", ["active", "parked", "blocked", "verifying"])
def test_an_update_never_moves_the_status(state: str, agent: Agent) -> None:
    """It is allowed in every open state."""
    agent.do("task_start", title="t")
    if state == "parked":
        agent.do("task_park")
    elif state == "blocked":
        agent.do("task_block", reason="r")
    elif state == "verifying":
        agent.do("task_update_verification", status="passed")

    assert state == agent.do("task_update", objective="another")["task"]["status"]


@pytest.mark.parametrize("path", ["../x", "/etc", "src/*.py", "a/../../b", "C:/x"])
def test_a_scope_outside_of_the_checkout_is_refused(path: str, agent: Agent) -> None:
    """Patterns too: a scope holds prefixes."""
    agent.do("task_start", title="t")

    assert "invalid-input" == agent.refused("task_update", writeScope=[path]).code
    assert [] == agent.passport()["writeScope"]


def test_an_absolute_path_within_the_checkout_becomes_relative(
    agent: Agent, checkout: Path
) -> None:
    """So that it holds in another worktree as well."""
    agent.do("task_start", title="t", writeScope=[str(checkout / "src"), "./docs/", "."])

    assert ["src", "docs", "."] == agent.passport()["writeScope"]


def test_repositories_upsert_by_id_and_append_scopes(agent: Agent, tmp_path: Path) -> None:
    """A relative worktree begins where the task did."""
    repository(tmp_path / "web")
    other = repository(tmp_path / "other")
    agent.do("task_start", title="t")
    first = {"id": "web", "worktree": "../web", "writeScope": ["src"]}
    agent.do("task_update", repositories=[first])
    more = {"id": "web", "worktree": str(other), "writeScope": ["docs", "src"]}
    agent.do(
        "task_update", repositories=[more, {**first, "id": "api", "writeScope": ["."]}]
    )

    assert [
        {"id": "web", "worktree": str(other), "writeScope": ["src", "docs"]},
        {"id": "api", "worktree": str(tmp_path / "web"), "writeScope": ["."]},
    ] == agent.passport()["repositories"]


@pytest.mark.parametrize(
    "change",
    [
        {"id": "primary"},
        {"id": " "},
        {"worktree": "no/such"},
        {"worktree": "../web/src"},
        {"worktree": "."},
        {"writeScope": []},
        {"writeScope": [" "]},
        {"writeScope": ["../x"]},
        {"branch": "main"},
    ],
)
def test_a_repository_that_is_none_is_refused(
    change: dict[str, object], agent: Agent, tmp_path: Path
) -> None:
    """The id is reserved, the worktree no root of a checkout, the scope empty or outside."""
    repository(tmp_path / "web")
    agent.do("task_start", title="t")
    given = {"id": "web", "worktree": "../web", "writeScope": ["src"], **change}

    assert "invalid-input" == agent.refused("task_update", repositories=[given]).code
    assert 1 == agent.passport()["revision"]


def test_repositories_need_an_active_task_without_a_verdict(
    agent: Agent, tmp_path: Path
) -> None:
    """A verdict would be about something else than was said."""
    repository(tmp_path / "web")
    web = {"id": "web", "worktree": "../web", "writeScope": ["."]}
    agent.do("task_start", title="t")
    agent.do("task_update_verification", status="passed")
    verifying = agent.refused("task_update", repositories=[web])
    agent.do("task_update_verification", status="pending")
    agent.do("task_block", reason="r")
    blocked = agent.refused("task_update", repositories=[web])
    agent.do("task_unblock", reason="r")

    assert ("conflict", "conflict") == (verifying.code, blocked.code)
    assert agent.do("task_update", repositories=[web])["task"]["status"] == "active"


def test_a_write_that_has_not_seen_the_newest_state_is_refused(agent: Agent) -> None:
    """The error says which revision is there."""
    agent.do("task_start", title="t")
    agent.do("task_update", tags=["a"], expectedRevision=1)
    error = agent.refused("task_update", tags=["b"], expectedRevision=1)

    assert ("conflict", 2) == (error.code, error.details["revision"])
    assert ["a"] == agent.passport()["tags"]


def test_what_has_a_tool_of_its_own_cannot_be_amended(agent: Agent) -> None:
    """Nobody gets around the rules of a passport by correcting it."""
    task = agent.do("task_start", title="t")["task"]["id"]

    for field in ("status", "verification", "nextActions", "head"):
        call = {"id": task, "changes": {field: "x"}, "reason": "r"}
        assert "invalid-input" == agent.refused("shadowgraph_amend", **call).code


def test_every_change_of_a_task_names_actor_client_and_session(
    agent: Agent, session: Callable[..., Agent]
) -> None:
    """The journal has each state with who made it."""
    task = agent.do("task_start", title="t")["task"]["id"]
    session("two").do("task_update", id=task, tags=["x"])
    entries = agent.do("shadowgraph_journal", recordId=task)["items"]

    who = [(e["provenance"]["actor"], e["provenance"]["sessionId"]) for e in entries]
    assert {("tester", "one"), ("tester", "two")} == set(who)
    assert {"pytest"} == {e["provenance"]["client"] for e in entries}


def test_a_task_records_where_it_was_started(agent: Agent, checkout: Path) -> None:
    """Branch, the whole hash of the commit, worktree."""
    agent.do("task_start", title="t")
    task = agent.passport()

    wanted = ("main", git(checkout, "rev-parse", "HEAD"), str(checkout))
    assert wanted == (task["branch"], task["head"], task["worktree"])


def test_outside_of_a_checkout_a_task_records_nothing_of_git(
    session: Callable[..., Agent], tmp_path: Path
) -> None:
    """It can be kept all the same."""
    elsewhere = session("one", tmp_path)
    elsewhere.do("task_start", title="t")
    task = elsewhere.passport()

    assert (None, None, None) == (task["branch"], task["head"], task["worktree"])
