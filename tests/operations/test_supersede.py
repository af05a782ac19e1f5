"""Supersession: one decision takes the place of another, for good."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import (
    IllegalTransitionError,
    InvalidInputError,
    UnknownRecordError,
)

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
PATHS = {
    "proposed": [],
    "planned": ["planned"],
    "in_progress": ["in_progress"],
    "executed": ["in_progress", "executed"],
    "validated": ["in_progress", "executed", "validated"],
    "failed": ["in_progress", "failed"],
    "reconsidered": ["in_progress", "failed", "reconsidered"],
    "abandoned": ["abandoned"],
    "archived": ["archived"],
}


def decide(ask: Ask, status: str = "proposed", **given: Any) -> str:
    """Record a decision and move it to a state; return its id."""
    made = str(ask("record_decision", title="t", chosen="c", **given)["id"])
    for step in PATHS[status]:
        ask("update_status", decisionId=made, status=step)
    return made


def test_both_decisions_and_a_relation_say_so(ask: Ask, library: Library) -> None:
    """Three records, three entries, one transaction."""
    old, new = decide(ask), decide(ask)
    revision = library.store.revision()
    reply = ask("supersede", decisionId=old, replacementId=new)

    assert ("superseded", new) == (
        reply["previous"]["status"],
        reply["previous"]["supersededBy"],
    )
    assert [old] == reply["replacement"]["supersedes"]
    assert (new, old, "supersedes") == tuple(
        reply["relation"][name] for name in ("from", "to", "relation")
    )
    assert revision + 1 == library.store.revision()
    entries = library.store._connection().execute(
        "SELECT type FROM journal ORDER BY seq DESC LIMIT 3"
    )
    assert ["decision.recorded", "decision.superseded", "relation.created"] == [
        kind for (kind,) in entries
    ]


def test_the_same_pair_again_changes_nothing(ask: Ask, library: Library) -> None:
    """The stored relation comes back."""
    old, new = decide(ask), decide(ask)
    first = ask("supersede", decisionId=old, replacementId=new)
    with library.store.read() as selection:
        head = selection.head()

    assert first == ask("supersede", decisionId=old, replacementId=new)
    with library.store.read() as selection:
        assert head == selection.head()


def test_one_decision_may_replace_several(ask: Ask) -> None:
    """In the order in which it did."""
    one, two, new = decide(ask), decide(ask), decide(ask)
    ask("supersede", decisionId=one, replacementId=new)
    reply = ask("supersede", decisionId=two, replacementId=new)

    assert [one, two] == reply["replacement"]["supersedes"]


@pytest.mark.parametrize("previous", PATHS)
@pytest.mark.parametrize("successor", ["proposed", "failed", "abandoned", "archived"])
def test_the_states_of_both_decide(
    previous: str, successor: str, ask: Ask, refused: Refused
) -> None:
    """What is archived stays so, and what was given up replaces nothing."""
    old, new = decide(ask, previous), decide(ask, successor)
    arguments = {"decisionId": old, "replacementId": new}

    if previous != "archived" and successor not in ("abandoned", "archived"):
        assert "superseded" == ask("supersede", **arguments)["previous"]["status"]
    else:
        assert isinstance(refused("supersede", **arguments), IllegalTransitionError)


def test_a_stale_decision_can_be_replaced_and_not_replace(
    ask: Ask, refused: Refused
) -> None:
    """It needs another look first."""
    stale, fresh = decide(ask, reviewAfter="2026-11-01"), decide(ask)
    ask("maintain")

    assert isinstance(
        refused("supersede", decisionId=fresh, replacementId=stale), IllegalTransitionError
    )
    assert ask("supersede", decisionId=stale, replacementId=fresh)["relation"]


def test_what_was_superseded_cannot_replace_or_be_replaced_by_another(
    ask: Ask, refused: Refused
) -> None:
    """So a circle cannot come about."""
    old, new, other = decide(ask), decide(ask), decide(ask)
    ask("supersede", decisionId=old, replacementId=new)

    for pair in [(new, old), (old, other)]:
        error = refused("supersede", decisionId=pair[0], replacementId=pair[1])
        assert isinstance(error, IllegalTransitionError)


def test_a_decision_cannot_supersede_itself(ask: Ask, refused: Refused) -> None:
    """The refusal says what to do first."""
    one = decide(ask)
    error = refused("supersede", decisionId=one, replacementId=one)

    assert isinstance(error, InvalidInputError)
    assert "Record the new decision" in error.hint


def test_both_must_be_decisions_of_the_same_project(ask: Ask, refused: Refused) -> None:
    """A foreign one reads like an unknown one."""
    here = decide(ask)
    there = decide(ask, project="acme/other")
    attempt = ask("record_attempt", solution="s", result="r")["id"]

    assert isinstance(
        refused("supersede", decisionId=here, replacementId=there), UnknownRecordError
    )
    assert isinstance(
        refused("supersede", decisionId=here, replacementId=attempt), InvalidInputError
    )
    assert "proposed" == ask("get", ids=[here])["items"][0]["status"]
