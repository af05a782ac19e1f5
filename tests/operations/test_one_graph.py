"""Parts of the graph that must know of each other: links, supersessions, undone retractions."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError
from shadowgraph.exchange import import_lines

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


@pytest.fixture
def pair(ask: Ask) -> tuple[str, str]:
    """Return the ids of an old and a new decision."""
    old, new = (ask("record_decision", title=one, chosen=one)["id"] for one in "on")
    return old, new


def test_a_supersession_takes_the_link_that_says_so_already(
    pair: tuple[str, str], ask: Ask
) -> None:
    """One relation, whichever of the two came first."""
    old, new = pair
    link = ask("link", **{"from": new, "to": old, "relation": "supersedes"})
    done = ask("supersede", decisionId=old, replacementId=new)
    again = ask("link", **{"from": new, "to": old, "relation": "supersedes"})

    assert link["id"] == done["relation"]["id"] == again["id"]
    assert 1 == len(ask("traverse", id=old)["relations"])


def test_a_link_takes_the_relation_of_a_supersession(
    pair: tuple[str, str], ask: Ask
) -> None:
    """The other way round, and a second supersession finds it too."""
    old, new = pair
    done = ask("supersede", decisionId=old, replacementId=new)
    link = ask("link", **{"from": new, "to": old, "relation": "supersedes"})
    again = ask("supersede", decisionId=old, replacementId=new)

    assert link["replayed"]
    assert done["relation"]["id"] == link["id"] == again["relation"]["id"]


def test_a_relation_has_one_shape_whoever_made_it(pair: tuple[str, str], ask: Ask) -> None:
    """The same members, in a link and in a supersession."""
    old, new = pair
    link = ask("link", **{"from": old, "to": new, "relation": "near"})
    done = ask("supersede", decisionId=old, replacementId=new)

    assert set(link) == set(done["relation"])


def test_a_relation_is_not_put_back_beside_the_one_that_took_its_place(
    pair: tuple[str, str], ask: Ask, refused: Refused
) -> None:
    """A live relation stands once."""
    ends = {"from": pair[0], "to": pair[1], "relation": "near"}
    first = ask("link", **ends)["id"]
    ask("retract", id=first, reason="x")
    second = ask("link", **ends)["id"]
    error = refused("retract", id=first, undo=True)

    assert isinstance(error, ConflictError)
    assert second in error.hint


def test_a_memory_is_not_put_back_beside_the_one_that_took_its_place(
    ask: Ask, refused: Refused
) -> None:
    """One active memory an identity; another identity is no hindrance."""
    said = {"memoryType": "note", "key": "k"}
    first = ask("remember", **said, text="a")["memory"]["id"]
    ask("retract", id=first, reason="x")
    ask("remember", memoryType="goal", key="k", text="another identity")
    ask("retract", id=first, undo=True)
    ask("retract", id=first, reason="x")
    second = ask("remember", **said, text="b")["memory"]["id"]
    error = refused("retract", id=first, undo=True)

    assert isinstance(error, ConflictError)
    assert second in error.hint


def test_a_signal_that_was_retracted_is_not_raised_again(
    ask: Ask, library: Library
) -> None:
    """Nor does asking write anything; a later breach has a signal of its own."""
    made = ask("record_decision", title="t", chosen="c", reviewAfter="2026-01-01T00:00:00Z")
    signal = ask("review")["items"][0]["reviewSignalId"]
    ask("retract", id=signal, reason="we know")
    before = library.store.revision()
    due = ask("review")["items"][0]
    after = library.store.revision()
    ask("record_outcome", decisionId=made["id"], outcome="failed")

    assert "unpersisted" == due["reviewSignalStatus"]
    assert before == after
    assert ask("review")["items"][0]["reviewSignalId"] != signal


def test_a_relation_that_leads_nowhere_and_was_taken_back_is_no_error(
    ask: Ask, library: Library
) -> None:
    """What the repair plan names ends the finding."""
    made = ask("record_attempt", solution="s", result="r")["id"]
    ends = f'"from": "{made}", "to": "attempt_gone", "relation": "near"'
    line = f'{{"kind": "relation", "id": "r", "project": "acme/billing-api", {ends}}}'
    import_lines(library, [line])
    action = ask("repair_plan")["actions"][0]
    before = ask("validate")["valid"]
    ask("unlink", relationId=action["relationId"])

    assert "shadowgraph_unlink" == action["next"]
    assert (False, True) == (before, ask("validate")["valid"])
    assert [] == ask("repair_plan")["actions"]
