"""Records that name files: fresh, changed or missing beside each hit, never hidden."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.operations.conftest import Agent

from shadowgraph.errors import InvalidInputError
from shadowgraph.operations.searching import stale_later

SAID = {"solution": "Raise the quicksilver pool", "result": "it failed", "reason": "limit"}


def _tried(agent: Agent, *files: str) -> str:
    """Record an attempt about files."""
    made = agent.do("shadowgraph_record_attempt", **SAID, files=list(files))
    return str(made["id"])


def _hit(agent: Agent) -> dict[str, Any]:
    """Return the first hit."""
    found: dict[str, Any] = agent.do("shadowgraph_search", query="quicksilver")["items"][0]
    return found


@pytest.mark.parametrize(
    ("change", "state"),
    [
        (Path.exists, "fresh"),
        (lambda file: file.write_text("a = 2\n", "utf-8"), "changed"),
        (lambda file: file.write_text("a = 11\n", "utf-8"), "changed"),
        (lambda file: file.unlink(), "missing"),
        (lambda file: file.touch(), "fresh"),
    ],
)
def test_every_reader_says_what_became_of_the_files(
    change: Callable[[Path], None], state: str, agent: Agent, checkout: Path
) -> None:
    """Search, get and check; another time of the same bytes is no change."""
    made = _tried(agent, "src/a.py")
    change(checkout / "src" / "a.py")

    whole = agent.do("shadowgraph_get", ids=[made])["items"][0]
    match = agent.do("shadowgraph_check", action=SAID["solution"])["matches"][0]
    for told in (_hit(agent), whole, match):
        assert state == told["freshness"]
        assert [{"path": "src/a.py", "status": state}] == told["fileStates"]


def test_a_stale_hit_scores_less_and_stays(agent: Agent, checkout: Path) -> None:
    """It is demoted, not hidden."""
    made = _tried(agent, "src/a.py")
    before = _hit(agent)
    (checkout / "src" / "a.py").unlink()
    after = _hit(agent)

    assert made == before["record"]["id"] == after["record"]["id"]
    assert after["score"] < before["score"]


def test_a_stale_hit_lets_better_ones_pass_and_no_others() -> None:
    """Whatever order the others stand in."""
    items = [
        {"id": "a", "score": 10.0, "freshness": "changed"},
        {"id": "b", "score": 9.0},
        {"id": "c", "score": 7.0, "freshness": "missing"},
        {"id": "d", "score": 5.0},
        {"id": "e", "score": 6.0},
    ]

    assert ["b", "a", "c", "d", "e"] == [item["id"] for item in stale_later(items)]


def test_files_of_another_project_are_not_looked_for_here(
    agent: Agent, checkout: Path
) -> None:
    """A file of the same name in this checkout says nothing of theirs."""
    said = SAID | {"project": "other/place", "files": ["src/a.py"]}
    made = agent.do("shadowgraph_record_attempt", **said)["id"]
    (checkout / "src" / "a.py").unlink()
    read = agent.do("shadowgraph_get", ids=[made], project="other/place")["items"][0]

    assert "freshness" not in read


def test_a_session_without_a_directory_names_files_without_measuring(
    session: Callable[..., Agent],
) -> None:
    """And says nothing of their state."""
    nowhere = session("two", None)
    made = _tried(nowhere, "src/a.py", "./src/a.py")

    body = nowhere.do("shadowgraph_get", ids=[made])["items"][0]
    assert [{"path": "src/a.py"}] == body["files"]
    assert "freshness" not in body


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".git/config", "a\x01b"])
def test_a_file_outside_of_the_checkout_is_refused(path: str, agent: Agent) -> None:
    """Nothing is recorded."""
    error = agent.refused("shadowgraph_record_attempt", **SAID, files=[path])

    assert isinstance(error, InvalidInputError)
    assert [] == agent.do("shadowgraph_search", query="quicksilver")["items"]


def test_a_decision_names_files_as_well(agent: Agent) -> None:
    """Measured at once."""
    said = {"title": "t", "chosen": "c", "files": ["src/a.py", "later.py"]}
    body = agent.do("shadowgraph_record_decision", **said)

    assert ["src/a.py", "later.py"] == [file["path"] for file in body["files"]]
    assert [True, False] == ["sha256" in file for file in body["files"]]


def test_amending_the_files_measures_them_anew(agent: Agent, checkout: Path) -> None:
    """What was said then holds for the files as they are now."""
    made = _tried(agent, "src/a.py")
    (checkout / "src" / "a.py").write_text("a = 2\n", encoding="utf-8")
    agent.do("shadowgraph_amend", id=made, changes={"files": ["src/a.py"]})

    assert "fresh" == _hit(agent)["freshness"]
    bad = agent.refused("shadowgraph_amend", id=made, changes={"files": [{"path": "x"}]})
    assert "list of paths" in bad.message
