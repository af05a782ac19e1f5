"""What the upstream tool documents holds here, or the data says why it does not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from shadowgraph.operations import REGISTRY
from shadowgraph.operations.inputs import IGNORED

DOCS = Path(__file__).parents[2] / "docs"


def _loaded() -> ModuleType:
    """Return the module that sets the two interfaces side by side."""
    spec = importlib.util.spec_from_file_location(
        "compatibility", DOCS / "compatibility.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its own module up.
    sys.modules["compatibility"] = module
    spec.loader.exec_module(module)
    return module


BESIDE = _loaded()
DATA: dict[str, Any] = BESIDE.data()
# From the day an operation is declared, its tool is held against the data.
DECLARED = [name for name in DATA["tools"] if name in REGISTRY]
every_tool = pytest.mark.parametrize("name", DECLARED)


@every_tool
def test_every_argument_of_upstream_is_taken_or_explained(name: str) -> None:
    """Names, what is required, values of enumerations, defaults."""
    found = BESIDE.tool(name)

    assert [] == [(p.name, p.faults) for p in found.points if p.faults]


@every_tool
def test_every_member_of_a_reply_of_upstream_is_there_or_explained(name: str) -> None:
    """Of records and of the items of lists too."""
    found = BESIDE.tool(name)

    assert [] == [(p.name, p.faults) for p in found.reply if p.faults]


@every_tool
def test_nothing_is_explained_that_is_no_difference(name: str) -> None:
    """A reason that outlives its difference would be a lie on the page."""
    assert () == BESIDE.tool(name).idle


def test_the_data_names_every_tool_of_upstream() -> None:
    """Thirty-six, the one that needs a verifier among them."""
    assert 36 == len(DATA["tools"])
    assert all(name.startswith("shadowgraph_") for name in DATA["tools"])


def test_only_tools_of_the_data_are_explained() -> None:
    """A misspelt name would explain nothing."""
    assert set() == set(DATA["ours"]) - set(DATA["tools"])


def test_a_tool_that_is_left_out_is_not_there() -> None:
    """It is one or the other."""
    left_out = {name for name, ours in DATA["ours"].items() if "left_out" in ours}

    assert set() == left_out & set(REGISTRY)
    assert {"left out"} == {BESIDE.tool(name).stands for name in left_out}


def test_the_core_tools_of_upstream_are_declared() -> None:
    """The main job of the tool."""
    assert {
        "shadowgraph_record_decision", "shadowgraph_record_attempt", "shadowgraph_search",
        "shadowgraph_context", "shadowgraph_record_fact", "shadowgraph_record_outcome",
        "shadowgraph_update_status",
    } <= set(DECLARED)  # fmt: skip


def test_the_arguments_of_access_grants_are_accepted_everywhere() -> None:
    """Where upstream takes them, ours has none of its own of that name."""
    for name in DECLARED:
        points = {p.name: p.stands for p in BESIDE.tool(name).points}
        ignored = IGNORED & set(points)

        assert {"accepted, no effect"} >= {points[one] for one in ignored}


def test_enums_and_groups_that_the_data_uses_are_in_it() -> None:
    """A reference to nothing would hold ours to nothing."""
    for written in DATA["tools"].values():
        assert set(written.get("use", ())) <= set(DATA["groups"])
        assert set(DATA["defaults"]) <= set(DATA["groups"])
        named = {e for e in written.get("enums", {}).values() if isinstance(e, str)}
        assert named <= set(DATA["enums"])
        records = {r[1:] for r in written.get("reply", ()) if r.startswith("@")}
        assert records <= set(DATA["records"])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"required": ["key", "value", "unit"]}, "is not there"),
        ({"required": ["key", "value", "confidence"]}, "is optional here"),
        ({"defaults": {"confidence": 0.9}}, "is 0.5 when left out, not 0.9"),
        (
            {"enums": {"verificationStatus": ["unverified", "guessed"]}},
            "does not take guessed",
        ),
        ({"required": ["key"]}, "is required here"),
        ({"defaults": {"source": "me"}}, "is not told when left out, not me"),
        ({"reply": ["@fact", "proof"]}, "is not there"),
    ],
)
def test_a_difference_that_nobody_explains_is_found(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], fault: str
) -> None:
    """The comparison can fail."""
    name = "shadowgraph_record_fact"
    written = {**DATA["tools"][name], **change}
    changed = {**DATA, "tools": {**DATA["tools"], name: written}}
    monkeypatch.setattr(BESIDE, "data", lambda: changed)

    found = BESIDE.tool(name)
    assert fault in {f for point in (*found.points, *found.reply) for f in point.faults}
