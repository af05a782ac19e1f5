"""Mentions of records in records: found wherever they can stand, taken out without a rest."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.mentions import HOLDING, PURGED, is_about, mentions, without

MADE = "attempt_01jd2w3x4y5z6789abcdefghjk"
UUID = "decision_8d9f1c52-13f0-4c1e-9a53-2f7b6d1f0a11"
ids = st.sampled_from([MADE, UUID, "adr-7", "redis", "fact_01jd2w3x4y5z6789abcdefghjm"])
texts = ids | st.builds("see {}, then {}.".format, ids, ids) | st.text(max_size=8)
names = st.sampled_from([*sorted(HOLDING), "environment", "reason", "value", "note"])
values = st.recursive(
    texts | st.none() | st.integers() | st.booleans(),
    lambda one: (
        st.lists(one, max_size=4) | st.dictionaries(names | ids | st.just("id"), one)
    ),
    max_leaves=12,
)
bodies = st.dictionaries(names, values).map(lambda one: {"id": "x", "kind": "y", **one})


def quoted(body: object, one: str) -> bool:
    """Say whether an id stands anywhere in a value."""
    return one in json.dumps(body)


@pytest.mark.parametrize("name", sorted(HOLDING))
def test_every_member_that_holds_ids_loses_the_one_that_is_gone(name: str) -> None:
    """Alone, in a list, and as the id of an object in a list; whatever the id looks like."""
    body = {"id": "a", name: "adr-7", "inside": {name: ["adr-7", "adr-8", {"id": "adr-7"}]}}

    assert {"id": "a", "inside": {name: ["adr-8"]}} == without(body, {"adr-7"})


@pytest.mark.parametrize("one", [MADE, UUID])
def test_an_id_made_by_a_tool_is_taken_out_of_any_text(one: str) -> None:
    """In the middle of a sentence, as a whole value, as the name of a member."""
    body = {"id": "a", "reason": f"as in {one}.", "metadata": {one: [one]}}
    left = without(body, {one})

    assert {
        "id": "a",
        "reason": f"as in {PURGED}.",
        "metadata": {PURGED: [PURGED]},
    } == left


def test_an_imported_id_that_is_a_word_stays_in_texts() -> None:
    """A record called redis does not own the word."""
    body = {"id": "a", "environment": "redis", "assumptions": ["redis"]}

    assert body is without(body, {"redis"})


def test_a_record_keeps_its_own_name() -> None:
    """What identifies it is no mention."""
    body = {"id": MADE, "kind": MADE, "project": MADE, "originId": MADE}

    assert not mentions(body, {MADE})


def test_a_longer_id_is_another_one() -> None:
    """An id that another one begins with is not in it."""
    assert not mentions({"id": "a", "reason": f"{UUID}a and {UUID[:-1]}"}, {UUID})


@given(bodies, st.sets(ids))
def test_nothing_is_left_and_nothing_else_is_touched(
    body: dict[str, Any], gone: set[str]
) -> None:
    """What is left mentions nothing, and without a mention it is the very same body."""
    left = without(body, gone)

    assert without(left, gone) is left
    assert (left is body) is not mentions(body, gone)
    assert not any(quoted(left, one) for one in gone & {MADE, UUID})
    assert without(body, set()) is body


@pytest.mark.parametrize("name", ["id", "from", "to", "entityId", "taskIds", "relatedTo"])
def test_an_imported_event_is_about_the_record_it_names(name: str) -> None:
    """By any member that holds ids; another member with the word in it says nothing."""
    assert is_about({"type": "x", name: ["adr-7"]}, {"adr-7"})
    assert not is_about({"type": "x", "note": "adr-7"}, {"adr-7"})
