"""The confidence formula, its deduplication and its one slot for the outcome."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.rules.confidence import (
    CONTRADICTING,
    OUTCOME_DIRECTION,
    POLICY,
    SUPPORTING,
    initial,
    normalize_source_class,
    with_contribution,
)

AT = "2026-03-04T09:15:00.000Z"
MILLI_WEIGHTS = {
    "agent_claimed": 500,
    "tool_observed": 700,
    "human_confirmed": 850,
    "production_verified": 1000,
}
Wire = dict[str, object]


def evidence(
    before: Wire, key: str, direction: float = SUPPORTING, cls: str = "tool_observed"
) -> tuple[Wire, bool]:
    """Return the confidence after one piece of evidence."""
    return with_contribution(
        before,
        key=key,
        kind="evidence",
        direction=direction,
        source_class=cls,
        reason="seen",
        provenance={"actor": "a"},
        at=AT,
    )


def outcome(before: Wire, status: str, cls: str = "agent_claimed") -> tuple[Wire, bool]:
    """Return the confidence after one recorded outcome."""
    return with_contribution(
        before,
        key="outcome:decision_1",
        kind="outcome",
        direction=OUTCOME_DIRECTION[status],
        source_class=cls,
        reason="recorded",
        provenance=None,
        at=AT,
        outcome_status=status,
    )


def basis(confidence: Wire) -> Wire:
    """Return the basis block."""
    block = confidence["basis"]
    assert isinstance(block, dict)
    return block


def history(confidence: Wire) -> list[Wire]:
    """Return the history items."""
    items = confidence["history"]
    assert isinstance(items, list)
    return items


STEPS = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.sampled_from([1, -1]),
        st.sampled_from(sorted(MILLI_WEIGHTS)),
    ),
    max_size=8,
    unique_by=lambda step: step[0],
)


@given(st.integers(0, 1000), STEPS, st.randoms())
def test_the_number_depends_on_what_was_added_and_never_on_the_order(
    milli: int, steps: list[tuple[str, int, str]], random: object
) -> None:
    """Integer arithmetic in millionths gives the same number for every order."""
    total = milli * 1000 + sum(200 * MILLI_WEIGHTS[cls] * way for _, way, cls in steps)
    expected = min(1_000_000, max(0, total)) / 1_000_000
    shuffled = list(steps)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    for order in (steps, shuffled):
        confidence = initial(milli / 1000)
        for key, way, cls in order:
            confidence, changed = evidence(confidence, key, way, cls)
            assert changed
        assert expected == confidence["current"]


@given(STEPS, st.lists(st.sampled_from(sorted(OUTCOME_DIRECTION)), max_size=3))
def test_history_and_basis_account_for_the_number(
    steps: list[tuple[str, int, str]], statuses: list[str]
) -> None:
    """Every step of history starts where the last one ended."""
    confidence = initial(0.5, 3)
    for key, way, cls in steps:
        confidence, _ = evidence(confidence, key, way, cls)
    for status in statuses:
        confidence, _ = outcome(confidence, status)

    trail = [0.5, *(item["to"] for item in history(confidence))]
    assert trail[:-1] == [item["from"] for item in history(confidence)]
    assert confidence["current"] == trail[-1]
    assert len(steps) == (
        basis(confidence)["supportingEvidence"]  # type: ignore[operator]
        + basis(confidence)["contradictingEvidence"]
    )
    assert 3 == basis(confidence)["declaredEvidence"]
    assert json.dumps(confidence)


def test_a_new_confidence_has_the_shape_of_the_wire() -> None:
    """Declared evidence is counted and does not move the number."""
    assert {
        "initial": 0.5,
        "current": 0.5,
        "basis": {
            "supportingEvidence": 0,
            "contradictingEvidence": 0,
            "successfulOutcomes": 0,
            "failedOutcomes": 0,
            "mixedOutcomes": 0,
            "unknownOutcomes": 0,
            "humanConfirmations": 0,
            "productionVerifications": 0,
            "declaredEvidence": 2,
            "policy": POLICY,
            "contributions": [],
        },
        "history": [],
        "policy": POLICY,
    } == initial(0.5, 2)


@pytest.mark.parametrize("value", [-0.1, 1.1, True, None, "0.5", float("nan"), 10**400])
def test_a_confidence_outside_zero_to_one_is_refused(value: object) -> None:
    """Neither a truth value nor a text is a confidence."""
    with pytest.raises(InvalidInputError):
        initial(value)


@pytest.mark.parametrize("value", [0, 1])
def test_the_ends_of_the_range_are_confidences(value: int) -> None:
    """Both ends count."""
    assert value == initial(value)["current"]


def test_evidence_counts_once_even_when_it_turns_round() -> None:
    """The first piece with a key wins."""
    once, _ = evidence(initial(0.5), "load-test")
    twice, changed = evidence(once, "load-test", CONTRADICTING)

    assert (once, False) == (twice, changed)


def test_a_contribution_leaves_the_object_before_it_untouched() -> None:
    """Values are never changed in place."""
    before = initial(0.5)
    evidence(before, "load-test")

    assert initial(0.5) == before


def test_a_full_confidence_still_counts_what_supports_it() -> None:
    """The sum comes first, so a later contradiction starts from above one."""
    confidence = initial(1.0)
    for key in ("a", "b"):
        confidence, changed = evidence(confidence, key, cls="production_verified")
        assert (1.0, True) == (confidence["current"], changed)
    confidence, _ = evidence(confidence, "c", CONTRADICTING, "production_verified")

    assert 1.0 == confidence["current"]
    assert 2 == basis(confidence)["supportingEvidence"]
    assert 3 == basis(confidence)["productionVerifications"]


def test_a_later_outcome_replaces_the_earlier_one() -> None:
    """There is one slot, and history notes the replacement."""
    confidence, _ = outcome(initial(0.5), "successful")
    confidence, changed = outcome(confidence, "failed", "human_confirmed")

    assert (0.33, True) == (confidence["current"], changed)
    assert (0, 1) == (
        basis(confidence)["successfulOutcomes"],
        basis(confidence)["failedOutcomes"],
    )
    assert "replaces the outcome successful" in str(history(confidence)[-1]["reason"])
    assert -0.27 == history(confidence)[-1]["delta"]


def test_the_same_outcome_again_changes_nothing() -> None:
    """Same direction and class weigh alike."""
    once, _ = outcome(initial(0.5), "mixed")

    assert (once, False) == outcome(once, "mixed")
    assert 0.45 == once["current"]


def test_an_unknown_outcome_weighs_nothing_and_empties_the_slot() -> None:
    """It is counted, and the number returns to what the evidence says."""
    confidence, _ = outcome(initial(0.5), "failed")
    confidence, changed = outcome(confidence, "unknown")

    assert (0.5, True) == (confidence["current"], changed)
    assert 1 == basis(confidence)["unknownOutcomes"]
    assert [] == basis(confidence)["contributions"]
    assert (confidence, False) == outcome(confidence, "unknown")
    known, _ = outcome(confidence, "successful")
    assert 0 == basis(known)["unknownOutcomes"]


def test_an_imported_confidence_keeps_what_is_not_understood() -> None:
    """Legacy objects have no basis and may carry members of their own."""
    legacy: Wire = {"current": 0.4, "migratedFromLegacyCurrent": True}
    confidence, _ = evidence(legacy, "a", cls="something new")

    assert 0.5 == confidence["current"]
    assert confidence["migratedFromLegacyCurrent"] is True


def test_a_confidence_of_another_policy_is_left_alone() -> None:
    """Numbers of two formulas cannot be mixed."""
    with pytest.raises(ConflictError):
        evidence({**initial(0.5), "policy": "bayes_v2"}, "a")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, ("agent_claimed", None)),
        ("", ("agent_claimed", None)),
        ("agent_claimed", ("agent_claimed", None)),
        (" Human-Confirmed", ("human_confirmed", " Human-Confirmed")),
        ("pytest", ("agent_claimed", "pytest")),
    ],
)
def test_a_source_class_is_resolved_and_its_wording_kept(
    raw: str | None, expected: tuple[str, str | None]
) -> None:
    """What reads differently from its class is remembered."""
    assert expected == normalize_source_class(raw)
