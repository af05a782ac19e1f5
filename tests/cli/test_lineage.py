"""shadowgraph show: a record with what it hangs together with, as a tree."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from click.testing import Result

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")


@pytest.fixture
def call(cli: Cli) -> Callable[..., dict[str, Any]]:
    """Return a function that calls an operation."""

    def run(name: str, **arguments: Any) -> dict[str, Any]:
        result = cli(*PROJECT, "call", name, json.dumps(arguments))
        assert 0 == result.exit_code, result.output
        reply: dict[str, Any] = json.loads(result.output)
        return reply

    return run


def _tree(cli: Cli, *ids: str) -> list[str]:
    """Return the lines of the trees."""
    lines = cli(*PROJECT, "show", *ids).output.splitlines()
    return [line for line in lines if line.startswith(("├", "└", "│", "   "))]


@pytest.mark.usefixtures("filled")
def test_rejected_alternatives_stand_with_their_reasons(cli: Cli) -> None:
    """Below the fields of the record."""
    assert [
        "└─ alternatives",
        "   ├─ PostgreSQL for the ledger: A second service to run and back up for two writers.",
        "   └─ SQLite on the NFS share: WAL needs shared memory on one host; it corrupted the ledger.",
    ] == _tree(cli, "decision_ledger-in-sqlite")


def test_supersession_is_followed_to_both_ends(
    cli: Cli, call: Callable[..., dict[str, Any]]
) -> None:
    """The nearest first."""
    ids = [
        call("shadowgraph_record_decision", title=name, chosen=name)["id"]
        for name in ("First", "Second", "Third", "Fourth")
    ]
    for old, new in pairwise(ids):
        call("supersede", decisionId=old, replacementId=new)
    tree = _tree(cli, ids[1])

    assert ["├─ supersedes", "└─ superseded by"] == [
        line for line in tree if line[0] in "├└"
    ]
    assert ["First", "Third", "Fourth"] == [
        line.split()[-2] for line in tree if "─ S" in line or "─ P" in line
    ]


@pytest.mark.usefixtures("filled")
def test_relations_tell_their_direction_and_tries_stand_apart(
    cli: Cli, call: Callable[..., dict[str, Any]]
) -> None:
    """An arrow out, an arrow in."""
    nfs, smb = "attempt_ledger-on-nfs", "attempt_ledger-on-smb-macos"
    call("link", **{"from": smb, "to": nfs, "relation": "retry_of"})
    call("link", **{"from": nfs, "to": "decision_ledger-in-sqlite", "relation": "led_to"})
    tree = _tree(cli, nfs)

    assert "├─ tries" == tree[0]
    assert tree[1].startswith("│  └─ retry_of ← FAILED  Tried the same WAL setup")
    assert tree[3].startswith("   └─ led_to → VALIDATED  Keep the ledger in SQLite")


@pytest.mark.usefixtures("filled")
def test_reviews_of_a_decision_are_in_its_tree(
    cli: Cli, call: Callable[..., dict[str, Any]]
) -> None:
    """Open or acknowledged, with their reason."""
    call("review")
    tree = _tree(cli, "decision_retry-card-twice")

    assert any(line.endswith("reviews") for line in tree)
    assert any("─ open  review date reached" in line for line in tree)


@pytest.mark.usefixtures("filled")
def test_a_record_of_another_project_is_not_in_the_tree(
    cli: Cli, call: Callable[..., dict[str, Any]]
) -> None:
    """Its id, which the record itself holds, is all that is told."""
    cli("record", "fact", "--key", "secret", "--value", "1", "--project", "acme/other")
    other = json.loads(cli("--json", "search", "secret", "--project", "acme/other").output)
    id_ = other["items"][0]["record"]["id"]
    made = call("record_attempt", solution="s", result="r", relatedTo=[id_])
    tree = _tree(cli, made["id"])

    assert ["└─ related", f"   └─ {id_}"] == tree


@pytest.mark.usefixtures("filled")
def test_a_record_alone_has_no_tree(cli: Cli) -> None:
    """And JSON has none in any case."""
    assert [] == _tree(cli, "fact_postgres-version")
    assert {"project", "items", "missing", "omitted"} == set(
        json.loads(cli(*PROJECT, "--json", "show", "decision_ledger-in-sqlite").output)
    )


def test_supersession_in_a_circle_ends(cli: Cli) -> None:
    """An import may hold anything."""
    lines = [
        {
            "kind": "decision", "id": name, "title": name, "chosen": "c", "project": "p",
            "status": "superseded", "supersededBy": other, "supersedes": [other, name, 7],
        }
        for name, other in (("d1", "d2"), ("d2", "d1"))
    ]  # fmt: skip
    cli("import", "-", stdin="\n".join(map(json.dumps, lines)))
    result = cli("show", "d1", "--project", "p")

    assert 0 == result.exit_code
    assert 2 == result.output.count("SUPERSEDED  d2")
