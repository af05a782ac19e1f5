"""Evidence moves a confidence once, by its class, and never in silence otherwise."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
WEIGHTS = {
    "agent_claimed": 0.5,
    "tool_observed": 0.7,
    "human_confirmed": 0.85,
    "production_verified": 1.0,
}


@pytest.fixture
def decision(ask: Ask) -> str:
    """Record a decision; return its id."""
    return str(ask("record_decision", title="t", chosen="c")["id"])


@pytest.mark.parametrize("source_class", WEIGHTS)
@pytest.mark.parametrize("supports", [True, False])
def test_it_moves_by_a_fifth_of_its_weight(
    source_class: str, supports: bool, ask: Ask, decision: str
) -> None:
    """Up or down."""
    reply = ask(
        "confidence_evidence",
        decisionId=decision,
        key="k",
        reason="seen",
        supports=supports,
        sourceClass=source_class,
    )

    moved = 0.2 * WEIGHTS[source_class] * (1 if supports else -1)
    assert round(0.5 + moved, 6) == reply["confidence"]["current"]
    (counted,) = reply["confidence"]["basis"]["contributions"]
    assert ("k", "seen", source_class) == tuple(
        counted[name] for name in ("key", "reason", "sourceClass")
    )


def test_the_same_observation_counts_once(
    ask: Ask, library: Library, decision: str
) -> None:
    """A retry is answered with the decision as it stands."""
    given = {"decisionId": decision, "key": "k", "reason": "seen"}
    first = ask("confidence_evidence", **given)
    with library.store.read() as selection:
        head = selection.head()
    again = ask("confidence_evidence", **given)

    assert again == {**first, "replayed": True}
    with library.store.read() as selection:
        assert head == selection.head()


@pytest.mark.parametrize("other", [{"supports": False}, {"sourceClass": "tool_observed"}])
def test_a_key_that_stands_for_something_else_is_refused(
    other: dict[str, Any], ask: Ask, refused: Refused, decision: str
) -> None:
    """Keeping the first in silence would lose the second."""
    given = {"decisionId": decision, "key": "k", "reason": "seen"}
    ask("confidence_evidence", **given)
    error = refused("confidence_evidence", **given, **other)

    assert isinstance(error, ConflictError)
    assert "seen" in error.message


def test_an_observation_may_be_older_than_its_recording(ask: Ask, decision: str) -> None:
    """The contribution carries its own instant."""
    reply = ask(
        "confidence_evidence",
        decisionId=decision,
        key="k",
        reason="seen",
        observedAt="2026-10-01T00:00:00Z",
    )

    (counted,) = reply["confidence"]["basis"]["contributions"]
    assert "2026-10-01T00:00:00Z" == counted["at"]


def test_a_decision_without_confidence_is_refused(
    ask: Ask, refused: Refused, library: Library, decision: str
) -> None:
    """There is no number to move, and none is made up."""
    with library.write() as transaction:
        held = transaction.by_id(decision)
        assert held is not None
        origin = Caller().origin(None, None, None)
        transaction.replace(held, {**held.body, "confidence": None}, "x", origin)
    error = refused("confidence_evidence", decisionId=decision, key="k", reason="r")

    assert isinstance(error, InvalidInputError)
    assert ask("get", ids=[decision])["items"][0]["confidence"] is None


PIECES = st.lists(st.tuples(st.sampled_from(sorted(WEIGHTS)), st.booleans()), max_size=8)


@settings(max_examples=25)
@given(st.sampled_from([0, 0.3, 0.95, 1]), PIECES, st.randoms())
def test_the_sum_comes_first_and_the_clamp_last(
    tmp_path_factory: pytest.TempPathFactory,
    start: float,
    pieces: list[tuple[str, bool]],
    chance: Any,
) -> None:
    """In any order the number is the same, at the ends too."""
    expected = start + sum(0.2 * WEIGHTS[c] * (1 if way else -1) for c, way in pieces)
    ordered = list(enumerate(pieces))
    chance.shuffle(ordered)
    caller = Caller("acme/sums", "server")
    with Library(tmp_path_factory.mktemp("sums")) as library:
        reply = invoke(
            library,
            "shadowgraph_record_decision",
            {"title": "t", "chosen": "c", "confidence": start},
            caller,
        )
        for number, (source_class, supports) in ordered:
            reply = invoke(
                library,
                "shadowgraph_confidence_evidence",
                {
                    "decisionId": reply["id"],
                    "key": f"k{number}",
                    "reason": "r",
                    "supports": supports,
                    "sourceClass": source_class,
                },
                caller,
            )

    assert abs(min(1, max(0, expected)) - reply["confidence"]["current"]) < 1e-6
