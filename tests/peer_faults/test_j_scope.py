"""Group J: which project a call is about, and that it stays so."""

from pathlib import Path

import pytest
from tests.peer_faults.asking import Ask, Refused, hits, note

from shadowgraph import settings

OTHER = "acme/other"


def test_j01_without_a_project_a_search_is_about_the_sessions(
    ask: Ask, refused: Refused
) -> None:
    """And an id of another project reads like one that never was."""
    mine, foreign = note(ask, "quicksilver"), note(ask, "quicksilver", project=OTHER)

    assert [mine] == hits(ask, "quicksilver")
    foreign_error = refused("get", ids=[foreign])
    unknown_error = refused("get", ids=["attempt_none"])
    assert foreign_error.code == unknown_error.code == "unknown-record"
    assert foreign_error.message.replace(foreign, "ID") == (
        unknown_error.message.replace("attempt_none", "ID")
    )


def test_j02_a_reply_names_the_project_it_is_about(ask: Ask) -> None:
    """Of a write as of a read, with what named it."""
    written = ask("record_attempt", solution="quicksilver", result="x")
    scope = ask("search", query="quicksilver")["completeness"]["scope"]

    assert ("acme/billing-api", "acme/billing-api") == (
        written["project"],
        scope["project"],
    )
    assert "server" == scope["projectSource"]
    for name, arguments in (("context", {}), ("check", {"action": "x"})):
        assert "acme/billing-api" == ask(name, **arguments)["project"]


def test_j04_a_project_has_not_to_be_guessed(ask: Ask) -> None:
    """It is derived, and the others can be listed."""
    note(ask, "quicksilver", project=OTHER)

    reply = ask("projects")
    assert "acme/billing-api" == reply["current"]
    assert OTHER in [one["project"] for one in reply["items"]]


def test_j05_the_users_home_directory_names_no_project(tmp_path: Path) -> None:
    """A host that starts there does not put two repositories into one."""
    (tmp_path / ".git").mkdir()
    surroundings = {"HOME": str(tmp_path)}

    found = settings.project(None, tmp_path, surroundings)
    assert (None, "fallback") == (found.project, found.source)
    named = settings.project(None, tmp_path, {**surroundings, "SHADOWGRAPH_PROJECT": "a/b"})
    assert "a/b" == named.project


def test_j07_a_call_about_another_project_brings_nothing_along(ask: Ask) -> None:
    """Neither into it nor back from it."""
    mine, theirs = note(ask, "quicksilver"), note(ask, "quicksilver", project=OTHER)

    assert [theirs] == hits(ask, "quicksilver", project=OTHER)
    assert [mine] == hits(ask, "quicksilver")


@pytest.mark.parametrize("name", ["search", "context", "projects"])
def test_j08_an_argument_counts_for_its_call_alone(name: str, ask: Ask) -> None:
    """There is no current project that a call could move."""
    ask(name, project=OTHER)

    assert "acme/billing-api" == ask("record_attempt", solution="a", result="b")["project"]
    assert "acme/billing-api" == ask("projects")["current"]
