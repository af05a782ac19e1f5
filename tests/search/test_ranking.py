"""What a hit says about its rank. The promises themselves stand in `tests/ranking`."""

import pytest
from tests.search.asking import ids
from tests.store.bodies import attempt, put

from shadowgraph import Library


def test_a_factor_of_a_hit_can_be_told(library: Library) -> None:
    """Score, engine score and priors belong together."""
    put(library, attempt("attempt_1", solution="The ledger", resultClass="failed"))

    (hit,) = library.search("ledger").hits

    product = hit.rank.engine_score
    for _, factor in hit.rank.factors:
        product *= factor
    assert pytest.approx(product) == hit.rank.score
    assert {"failed", "recency"} == {name for name, _ in hit.rank.factors}
    assert "failed" == hit.rank.result


def test_two_projects_do_not_see_each_other(library: Library) -> None:
    """The owner is part of the query."""
    put(
        library,
        attempt("attempt_ours", solution="The ledger"),
        attempt("attempt_theirs", solution="The ledger", project="acme/web-shop"),
    )

    assert ["attempt_theirs"] == ids(library, "ledger", owner="project:acme/web-shop")
