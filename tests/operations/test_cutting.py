"""How much a tool says by itself, whatever a reply holds."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.operations import REGISTRY
from shadowgraph.operations.cutting import REPLY, Maker, bounded, fitting, size, within

GET = REGISTRY["shadowgraph_get"]
TEXTS = st.text(alphabet="ab \nдж漢", max_size=3_000)
JSON = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("k"), inner),
    max_leaves=40,
)


def _long(texts: int, characters: int) -> dict[str, Any]:
    """Return a reply with so many texts of so many characters."""
    return {f"text{number}": "word " * (characters // 5) for number in range(texts)}


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), JSON))
def test_a_reply_is_small_or_says_what_was_cut(reply: dict[str, Any]) -> None:
    """What is small enough is not touched, and of what is not every name is kept."""
    told = bounded(GET, {}, reply)

    if size(reply) <= REPLY:
        assert reply == told
    else:
        assert size(told) <= REPLY
        assert {*reply, "clipped"} == set(told)
        assert told["clipped"]["characters"] > 0


def test_texts_are_cut_no_further_than_needed() -> None:
    """One long text keeps more than many."""
    one, many = bounded(GET, {}, _long(1, 20_000)), bounded(GET, {}, _long(30, 2_000))

    assert len(one["text0"]) > 4 * len(many["text0"])
    assert many["text0"].startswith("word word")


def test_lists_are_cut_when_short_texts_are_not_short_enough() -> None:
    """And what is left out of them is counted."""
    told = bounded(GET, {}, {"notes": [f"note {number}" for number in range(2_000)]})

    assert size(told) <= REPLY
    assert 2_000 == len(told["notes"]) + told["clipped"]["entries"]


def test_an_id_a_path_or_a_digest_is_not_cut() -> None:
    """A part of one is worse than none."""
    path = "src/" + "deep/" * 60 + "file.py"
    told = bounded(GET, {}, {"path": path, **_long(40, 2_000)})

    assert path == told["path"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("shadowgraph_get", {"whole": True}),
        ("shadowgraph_search", {"detail": "full"}),
        ("shadowgraph_search", {"limit": 3}),
        ("load_context", {}),
        ("shadowgraph_journal", {}),
    ],
)
def test_what_was_asked_for_is_not_cut(name: str, arguments: dict[str, Any]) -> None:
    """By a size, by a tool with its own budget, or by an operator."""
    reply = _long(10, 5_000)

    assert reply == bounded(REGISTRY[name], arguments, reply)


@pytest.mark.parametrize(
    "arguments", [{"detail": "preview"}, {"limit": None}, {"limit": ""}]
)
def test_a_default_that_is_spelt_out_is_no_size(arguments: dict[str, Any]) -> None:
    """Nor is an absent one."""
    told = bounded(REGISTRY["shadowgraph_search"], arguments, _long(10, 5_000))

    assert size(told) <= REPLY


def test_a_reply_that_was_cut_is_not_called_lossless() -> None:
    """Whoever relies on the block would rely on a part."""
    block = {"losslessItems": True, "total": 1}
    told = bounded(GET, {}, {"completeness": block, **_long(10, 5_000)})

    assert {"losslessItems": False, "total": 1} == told["completeness"]


def test_the_first_item_always_goes_out() -> None:
    """However long; then as many as fit."""
    items: list[dict[str, Any]] = [{"a": "x" * 500}, {"a": 1}, {"a": 2}]

    assert items[:1] == within(items, 10)
    assert items == within(items, len(json.dumps(items)))


@given(
    lengths=st.lists(st.integers(1, 400), min_size=1, max_size=6),
    room=st.integers(1, 1_500),
    shares=st.lists(st.floats(0.1, 1.0), min_size=1, max_size=5, unique=True),
)
def test_items_are_made_with_the_first_share_with_which_all_fit(
    lengths: list[int], room: int, shares: list[float]
) -> None:
    """When there is none, as many as fit are made with the last."""
    falling = sorted(shares, reverse=True)

    def shown(share: float) -> list[dict[str, Any]]:
        return [_cut(length, share) for length in lengths]

    makers = [partial(_cut, length) for length in lengths]
    fit = (shown(share) for share in falling if size(shown(share)) <= room)
    assert fitting(makers, room, falling) == next(fit, within(shown(falling[-1]), room))


def _cut(length: int, share: float) -> dict[str, Any]:
    """Return an item with a share of a text of some length."""
    return {"text": "x" * int(length * share)}


def test_items_behind_the_room_are_never_made() -> None:
    """What is left out of a reply is not read for it."""
    made: list[int] = []

    def maker(number: int) -> Maker:
        return lambda share: made.append(number) or _cut(100, share)  # type: ignore[func-returns-value]

    kept = fitting([maker(number) for number in range(10)], 250, [1.0, 0.5])

    assert 4 == len(kept)
    assert [0, 1, 2, 3, 4] == made
