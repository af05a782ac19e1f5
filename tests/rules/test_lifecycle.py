"""The eleven states of a decision and the moves between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import IllegalTransitionError, InvalidInputError
from shadowgraph.rules.lifecycle import (
    CURRENT,
    INITIAL,
    LEGACY_STATES,
    MOVES,
    REVIEWED,
    STATES,
    SYSTEM_OWNED,
    check_move,
    normalize_status,
)

ALLOWED = {
    tuple(line.split(" > "))
    for line in """\
proposed > planned
proposed > in_progress
proposed > abandoned
proposed > archived
planned > in_progress
planned > abandoned
planned > archived
in_progress > executed
in_progress > failed
in_progress > abandoned
in_progress > archived
executed > validated
executed > failed
executed > reconsidered
executed > archived
validated > reconsidered
validated > archived
failed > reconsidered
failed > abandoned
failed > archived
reconsidered > planned
reconsidered > in_progress
reconsidered > abandoned
reconsidered > archived
stale > reconsidered
stale > archived
abandoned > archived""".splitlines()
}


@given(st.sampled_from(STATES), st.sampled_from(STATES))
def test_exactly_the_listed_moves_are_allowed(current: str, target: str) -> None:
    """Staying is a no-op, a listed move is work, everything else is refused."""
    if current == target:
        assert not check_move(current, target)
    elif (current, target) in ALLOWED:
        assert check_move(current, target)
    else:
        with pytest.raises(IllegalTransitionError):
            check_move(current, target)


def test_there_are_eleven_states_and_a_new_decision_is_proposed() -> None:
    """The vocabulary is closed."""
    assert 11 == len(STATES)
    assert "proposed" == INITIAL


def test_no_caller_reaches_a_state_of_the_system() -> None:
    """The table has no move into stale or superseded."""
    targets = {target for targets in MOVES.values() for target in targets}

    assert set() == targets & SYSTEM_OWNED
    assert targets <= set(STATES)


def test_failed_and_stale_decisions_are_reviewed_but_not_current() -> None:
    """Both sets are as the reference lists them."""
    assert {"failed", "stale"} == REVIEWED - CURRENT
    assert set() == CURRENT - REVIEWED


def test_a_refusal_names_where_one_is_and_where_one_can_go() -> None:
    """A model can correct the call from the text and from the details."""
    with pytest.raises(IllegalTransitionError) as caught:
        check_move("validated", "planned")

    expected = {
        "from": "validated",
        "to": "planned",
        "legal": ["reconsidered", "archived"],
    }
    assert expected == caught.value.details
    assert "validated" in caught.value.message
    assert "reconsidered, archived" in caught.value.message


@pytest.mark.parametrize(
    ("target", "tool"),
    [("stale", "shadowgraph_maintain"), ("superseded", "shadowgraph_supersede")],
)
def test_a_state_of_the_system_names_the_tool_that_sets_it(target: str, tool: str) -> None:
    """The refusal leads to the right call."""
    with pytest.raises(IllegalTransitionError) as caught:
        check_move("proposed", target)

    assert tool in caught.value.message
    assert tool in caught.value.hint


def test_a_final_state_says_that_it_is_final() -> None:
    """There is nothing to list."""
    with pytest.raises(IllegalTransitionError, match="final") as caught:
        check_move("archived", "proposed")

    assert [] == caught.value.details["legal"]


def test_a_state_of_a_newer_version_is_never_moved() -> None:
    """What this version does not know it leaves alone."""
    with pytest.raises(IllegalTransitionError):
        check_move("delegated", "archived")


@given(st.sampled_from(STATES), st.sampled_from(["", " ", "\t"]), st.booleans())
def test_case_hyphens_and_blanks_do_not_matter(state: str, blank: str, upper: bool) -> None:
    """Every spelling of a state names it."""
    spelled = state.replace("_", "-")
    text = f"{blank}{spelled.upper() if upper else spelled}{blank}"

    assert state == normalize_status(text)


def test_an_unknown_status_names_the_nearest() -> None:
    """A slip of the pen is answered with the word meant."""
    with pytest.raises(InvalidInputError, match="Did you mean validated") as caught:
        normalize_status("validatd")

    assert list(STATES) == caught.value.details["legal"]


def test_a_status_has_no_synonyms() -> None:
    """What merely means the same is refused, the legacy words included."""
    for word in ("done", "cancelled", "", *LEGACY_STATES):
        with pytest.raises(InvalidInputError):
            normalize_status(word)
