"""Group I: an answer is small, and says what it left out."""

import json
from typing import Any

import pytest
from tests.peer_faults.asking import Ask, note

from shadowgraph import Library, ShadowgraphError
from shadowgraph.exchange import export_lines
from shadowgraph.operations import REGISTRY, Caller, invoke, toolset
from shadowgraph.server.offer import INSTRUCTIONS, tool

LONG = "a long explanation of what went on there " * 200
MOST = 100_000
"Characters that no reply of a call without arguments may have: 25,000 tokens."


@pytest.fixture
def grown(library: Library, ask: Ask) -> Library:
    """Return a library as weeks of work leave it: long records of several kinds."""
    for number in range(60):
        note(ask, f"quicksilver {number} {LONG}", reason=LONG, resultClass="failed")
        if number % 3 == 0:
            ask("record_decision", title=f"choice {number}", chosen=LONG, goal=LONG)
            ask("record_fact", key=f"key.{number}", value=LONG)
    return library


@pytest.mark.usefixtures("grown")
def test_i01_an_overview_keeps_to_its_budget_in_a_grown_store(ask: Ask) -> None:
    """Two thousand tokens by default, whatever there is to tell."""
    reply = ask("context", query="quicksilver")

    assert len(json.dumps(reply)) <= 2000 * 4
    assert reply["failedAttempts"]


@pytest.mark.usefixtures("grown")
@pytest.mark.parametrize(("detail", "most"), [("ids", 8_000), ("preview", 40_000)])
def test_i02_twenty_hits_keep_to_their_level_of_detail(
    detail: str, most: int, ask: Ask
) -> None:
    """However long the records are."""
    reply = ask("search", query="quicksilver", limit=20, detail=detail)

    assert len(json.dumps(reply)) <= most
    assert reply["items"]


@pytest.mark.usefixtures("grown")
def test_i03_a_preview_has_the_id_by_which_the_whole_is_read(ask: Ask) -> None:
    """Ten long records fit, and the text of one is one call away."""
    items = ask("search", query="quicksilver", limit=10)["items"]

    assert 10 == len(items)
    whole = ask("get", ids=[items[0]["record"]["id"]])["items"][0]
    assert whole["reason"] == LONG.strip() or whole["reason"] == LONG


READS = [
    name
    for name, operation in REGISTRY.items()
    if operation.read_only and not operation.request.model_json_schema().get("required")
]


@pytest.mark.parametrize("name", READS)
def test_i04_a_call_without_arguments_is_bounded(
    name: str, grown: Library, caller: Caller
) -> None:
    """Every reading tool, on a grown store, refusals included."""
    try:
        told = json.dumps(invoke(grown, name, {}, caller), ensure_ascii=False)
    except ShadowgraphError as error:
        told = error.text()

    assert len(told) <= MOST


def _definitions() -> dict[str, Any]:
    """Return the list of tools that a server offers by default."""
    listed = [
        tool(one).model_dump(by_alias=True, exclude_none=True, mode="json")
        for one in toolset("core")
    ]
    return {"tools": listed}


def test_i05_few_tools_are_offered_by_default() -> None:
    """And a choice of toolsets is honoured."""
    assert len(toolset("core")) <= 16
    assert ["shadowgraph_doctor"] == [one.name for one in toolset("shadowgraph_doctor")]


def test_i06_definitions_and_instructions_take_little_of_a_context() -> None:
    """At most 8,000 tokens together, at four characters each."""
    text = json.dumps(_definitions(), separators=(",", ":")) + INSTRUCTIONS

    assert len(text) <= 8_000 * 4


@pytest.mark.usefixtures("grown")
def test_i07_a_budget_that_is_too_small_gives_less_and_no_error(ask: Ask) -> None:
    """The smallest there is still says what was left out."""
    reply = ask("context", query="quicksilver", budget=300)

    assert len(json.dumps(reply)) < len(json.dumps(ask("context", query="quicksilver")))
    assert "completeness" in reply


def test_i04_the_store_of_these_tests_is_not_small(grown: Library) -> None:
    """Else the bounds above would say nothing."""
    assert sum(map(len, export_lines(grown))) > 5 * MOST
