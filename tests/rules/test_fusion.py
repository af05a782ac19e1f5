"""Joining rankings by reciprocal rank."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.fusion import fuse, ranks_of

IDS = st.sampled_from("abcdef")
RANKINGS = st.dictionaries(
    st.sampled_from(["lexical", "graph", "temporal"]),
    st.dictionaries(IDS, st.integers(1, 50), max_size=6),
)
WEIGHTS = st.fixed_dictionaries(
    {name: st.integers(0, 4) for name in ("lexical", "graph", "temporal")}
)


@given(RANKINGS, WEIGHTS, st.integers(1, 100))
def test_a_score_is_the_sum_of_weight_over_k_and_rank(
    rankings: dict[str, dict[str, int]], weights: dict[str, int], k: int
) -> None:
    """In exact numbers, for every record that any ranking knows."""
    found = {one.id: one.score for one in fuse(rankings, weights, k)}

    expected = {
        one: sum(
            Fraction(weights[name], k + ranks[one])
            for name, ranks in rankings.items()
            if one in ranks
        )
        for one in {one for ranks in rankings.values() for one in ranks}
    }
    assert found == pytest.approx({one: float(score) for one, score in expected.items()})


@given(RANKINGS, WEIGHTS)
def test_the_order_is_by_score_and_then_by_id(
    rankings: dict[str, dict[str, int]], weights: dict[str, int]
) -> None:
    """So that paging is stable."""
    found = fuse(rankings, weights, 60)

    assert sorted(found, key=lambda one: (-one.score, one.id)) == found


@given(RANKINGS, WEIGHTS)
def test_every_record_shows_its_rank_in_every_ranking(
    rankings: dict[str, dict[str, int]], weights: dict[str, int]
) -> None:
    """None where a ranking does not know it."""
    for one in fuse(rankings, weights, 60):
        assert {name: ranks.get(one.id) for name, ranks in rankings.items()} == one.ranks


def test_two_second_places_beat_one_first() -> None:
    """That several signals agree is worth more than that one is sure."""
    rankings = {"lexical": {"a": 1, "b": 2}, "graph": {"c": 1, "b": 2}}

    assert "b" == fuse(rankings, {"lexical": 1, "graph": 1}, 60)[0].id


@given(st.lists(st.tuples(IDS, st.integers(0, 3)), unique_by=lambda pair: pair[0]))
def test_equal_values_have_equal_ranks_and_none_is_skipped(
    pairs: list[tuple[str, int]],
) -> None:
    """The rank is one more than the number of better values."""
    ordered = sorted(pairs, key=lambda pair: pair[1])
    values = sorted({value for _, value in pairs})

    assert {one: values.index(value) + 1 for one, value in pairs} == ranks_of(ordered)
