"""The scenarios of continuity: every fact that a context must tell, at four budgets."""

from pathlib import Path

import pytest
from tests.operations.leaving import Scenario, lay_out, scenarios, text_of

from shadowgraph import Library
from shadowgraph.operations import Caller

BUDGETS = (220, 900, 1200, 4000)
EVERY = scenarios()


@pytest.fixture(params=EVERY, ids=lambda one: str(one.name))
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """Return one scenario."""
    found: Scenario = request.param
    return found


@pytest.fixture
def continuing(library: Library, scenario: Scenario, tmp_path: Path) -> Caller:
    """Lay the scenario out and return who continues it."""
    root = tmp_path / "checkout"
    root.mkdir()
    return lay_out(library, scenario, root)


@pytest.mark.parametrize("budget", BUDGETS)
def test_every_fact_that_must_be_told_survives_the_budget(
    budget: int, library: Library, scenario: Scenario, continuing: Caller
) -> None:
    """Nine signals and the dead end, in a store with nothing else."""
    text = text_of(library, scenario, continuing, budget)

    assert {} == {name: fact for name, fact in scenario.must.items() if fact not in text}


def test_what_matters_is_all_shown_at_1200_tokens(
    library: Library, scenario: Scenario, continuing: Caller
) -> None:
    """What recall loses in a large store, it loses to the store."""
    text = text_of(library, scenario, continuing, 1200)

    assert [] == [one for one in scenario.wanted if one not in text]


def test_there_is_a_scenario_for_every_signal() -> None:
    """And each of them names all."""
    signals = {
        "objective", "constraints", "state", "scope", "decision", "deadEnd", "finding",
        "verification", "authorisation", "next",
    }  # fmt: skip

    assert len(EVERY) >= 6
    assert [signals] * len(EVERY) == [set(one.must) for one in EVERY]
