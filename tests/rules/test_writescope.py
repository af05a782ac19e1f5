"""Prefix paths: one form for all, and nothing outside of the checkout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.writescope import covers, overlap, prefix

PARTS = st.lists(st.sampled_from(["a", "b", "..", ".", "", "c d", "[id]"]), max_size=6)


@given(PARTS)
def test_a_prefix_stays_inside_and_is_its_own_prefix(parts: list[str]) -> None:
    """Whatever it is made of; what would leave is refused."""
    path = "/".join(parts).lstrip("/")
    try:
        found = prefix(path)
    except InvalidInputError:
        assert ".." in parts
        return

    assert ".." not in found.split("/")
    assert found == prefix(found)


@given(PARTS, PARTS)
def test_an_overlap_goes_both_ways(one: list[str], other: list[str]) -> None:
    """It is a statement about two scopes."""
    mine, theirs = (
        [prefix("/".join(p for p in parts if p not in ("", "..")))]
        for parts in (one, other)
    )

    assert overlap(mine, theirs) == overlap(theirs, mine)
    assert overlap(mine, mine)


@pytest.mark.parametrize(
    ("scope", "path", "wanted"),
    [
        (["src"], "src/a.py", True),
        (["src"], "src", True),
        (["src"], "srcs/a.py", False),
        (["src/a.py"], "src", False),
        (["."], "anything", True),
        ([], "anything", False),
    ],
)
def test_a_directory_covers_what_is_below_it(
    scope: list[str], path: str, wanted: bool
) -> None:
    """By whole names, not by their beginnings."""
    assert wanted == covers(scope, path)
