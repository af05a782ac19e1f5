"""The context as of another instant."""

from collections.abc import Callable
from typing import Any

from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
EARLY = "2026-11-15T12:30:00Z"


def test_what_was_made_later_is_not_in_it(ask: Ask, clock: StoppedClock) -> None:
    """In none of its sections, and in no count."""
    ask("record_attempt", solution="a", result="it failed")
    ask("record_decision", title="a", chosen="c", confidence=0.1)
    clock.advance(hours=1)
    ask("record_attempt", solution="b", result="it failed")
    ask("record_decision", title="b", chosen="c", confidence=0.1)
    then, now = ask("context", asOf=EARLY), ask("context")

    for name in ("failedAttempts", "activeDecisions", "belowConfidenceThreshold"):
        assert (1, 2) == (len(then[name]), len(now[name]))
        assert 1 == then["completeness"]["collections"][name]["total"]
    assert ["a"] == [one["solution"] for one in then["failedAttempts"]]


def test_facts_count_by_their_windows(ask: Ask, clock: StoppedClock) -> None:
    """The value of then fires the rule and is no stale assumption yet."""
    alternative = {"label": "b", "reopenWhen": [{"key": "k", "value": 1}]}
    ask("record_decision", title="t", chosen="c", alternatives=[alternative])
    ask("record_fact", key="k", value=0)
    clock.advance(minutes=10)
    ask("record_fact", key="k", value=1)
    clock.advance(hours=1)
    ask("record_fact", key="k", value=2)
    then, now = ask("context", asOf=EARLY), ask("context")

    assert (1, 0) == (len(then["firedConditions"]), len(now["firedConditions"]))
    assert ["0"] == [one["value"] for one in then["staleAssumptions"]]
    assert {"0", "1"} == {one["value"] for one in now["staleAssumptions"]}
    assert EARLY == then["completeness"]["scope"]["asOf"]


def test_an_attempt_may_have_been_worth_another_try_then(
    ask: Ask, clock: StoppedClock
) -> None:
    """And no longer be."""
    rules = [{"key": "k", "operator": "lte", "value": 1}]
    ask("record_attempt", solution="s", result="it failed", reusableWhen=rules)
    ask("record_fact", key="k", value=1)
    clock.advance(hours=1)
    ask("record_fact", key="k", value=5)

    assert 1 == len(ask("context", asOf=EARLY)["reusableAttempts"])
    assert [] == ask("context")["reusableAttempts"]


def test_what_is_no_instant_is_refused(refused: Refused, library: Library) -> None:
    """Nothing is stored by asking."""
    revision = library.store.revision()

    assert isinstance(refused("context", asOf="soon"), InvalidInputError)
    assert revision == library.store.revision()
