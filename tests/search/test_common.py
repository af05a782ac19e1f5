"""Common tokens of a large index only order what rarer ones find.

Large is what a definition says, so these tests say six hundred. `timeout` stands in 400
of them, `gateway` in 60, `backpressure` in 3; two thirds of each hold `timeout`, too.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.library import Answer
from shadowgraph.operations import Caller, invoke
from shadowgraph.search.definition import Definition, load, packaged

INDEX = Path(__file__).parents[2] / "index"
RECORDS = 600


def _line(number: int) -> str:
    """Return one attempt; every word that the tests ask for stands in some of them."""
    words = [f"step{number}"]
    words += ["timeout"] * (number % 3 > 0)
    words += ["gateway"] * (number % 10 == 4)
    words += ["backpressure"] * (number in (5, 6, 7))
    words += ["filler"] * (number % 7)
    words += ["not"] * (number % 2)
    return json.dumps(
        {
            "kind": "attempt",
            "id": f"a{number}",
            "project": "acme",
            "solution": f"Tried {' '.join(words)}",
            "result": "It ended",
            "createdAt": "2026-01-01T00:00:00Z",
        }
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with all records in it."""
    path = tmp_path_factory.mktemp("common")
    with Library(path, clock=StoppedClock()) as library:
        import_lines(library, map(_line, range(RECORDS)))
        library.search("anything")
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Definition:
    """Return the definition for which six hundred records are many."""
    copy = Path(shutil.copytree(INDEX, tmp_path_factory.mktemp("definition") / "index"))
    text = (copy / "ranking.toml").read_text(encoding="utf-8")
    assert "common_from = 10000" in text
    changed = text.replace("common_from = 10000", f"common_from = {RECORDS}")
    (copy / "ranking.toml").write_text(changed, encoding="utf-8")
    return load(copy)


@pytest.fixture(scope="module")
def library(home: Path, large: Definition) -> Iterator[Library]:
    """Yield a library that leaves common tokens to the second step."""
    with Library(home, clock=StoppedClock(), definition=large) as library:
        yield library


@pytest.fixture(scope="module")
def whole(home: Path) -> Iterator[Library]:
    """Yield a library for which the same records are few."""
    with Library(home, clock=StoppedClock(), definition=packaged()) as library:
        yield library


def _scores(answer: Answer) -> dict[str, float]:
    """Return the scores of an answer by id."""
    return {hit.record.id: hit.rank.score for hit in answer.hits}


def _search(library: Library, query: str, **arguments: Any) -> dict[str, Any]:
    """Return the reply of the search operation."""
    given = {"query": query, **arguments}
    return invoke(library, "shadowgraph_search", given, Caller("acme"))


def test_a_common_word_finds_nothing_beside_a_rarer_one(library: Library) -> None:
    """Sixty records hold gateway; the other 360 with timeout are not told of."""
    assert 60 == library.search("gateway timeout").total


def test_a_common_word_orders_what_a_rarer_one_finds(library: Library) -> None:
    """What holds both stands above what holds one of them."""
    hits = library.search("gateway timeout", limit=60).hits[:40]

    both = ["timeout" in hit.record.body["solution"] for hit in hits]
    assert both == sorted(both, reverse=True)
    assert {True, False} == set(both)


@pytest.mark.parametrize("query", ["gateway timeout filler", "gateway not timeout"])
def test_scores_are_what_they_are_without_common_words(
    query: str, library: Library, whole: Library
) -> None:
    """The second step adds what the first left out, a negation, too."""
    found = _scores(library.search(query, limit=20))
    usual = _scores(whole.search(query, limit=200))

    assert found == pytest.approx({name: usual[name] for name in found}, rel=1e-5)


def test_common_words_alone_find_their_records(library: Library) -> None:
    """Without anything rarer they are what was asked for."""
    assert 400 == library.search("timeout").total


@pytest.mark.parametrize("query", ["backpressure timeout", "quicksilver timeout"])
def test_common_words_find_too_when_rarer_ones_find_little(
    query: str, library: Library, whole: Library
) -> None:
    """Three records, or none, are no answer while four hundred hold the other word."""
    found, usual = library.search(query, limit=30), whole.search(query, limit=30)

    assert usual.total == found.total
    assert _scores(usual) == _scores(found)
    assert () == found.found.common


def test_every_page_counts_the_same(library: Library) -> None:
    """A page behind the window is not answered by other words."""
    pages = [
        library.search("gateway timeout", limit=25, offset=start) for start in (0, 25, 50)
    ]

    assert {60} == {page.total for page in pages}
    rows = [hit.record.id for page in pages for hit in page.hits]
    assert 60 == len(rows) == len(set(rows))


@pytest.mark.parametrize("query", ["gateway timeout", "gateway not timeout"])
@pytest.mark.parametrize("offset", [0, 30])
def test_parts_of_a_score_add_up_with_common_words(
    query: str, offset: int, library: Library
) -> None:
    """Within the window, and behind it, where common words gave nothing."""
    reply = _search(library, query, limit=30, offset=offset, explain=True)

    for item in reply["items"]:
        parts = item["explanation"]
        told = sum(parts["byWord"].values()) + sum(parts["extras"].values())
        assert told == pytest.approx(parts["wordScore"], abs=0.01)


def test_a_reply_names_the_words_that_found_nothing(library: Library) -> None:
    """A reader who wants their records can ask for them alone."""
    found, alone = _search(library, "gateway timeout"), _search(library, "timeout")

    assert ["timeout"] == found["completeness"]["commonWords"]
    assert "commonWords" not in alone["completeness"]


def test_a_small_index_finds_by_every_word(whole: Library) -> None:
    """A tenth of few records is not common but what they are about."""
    assert 420 == whole.search("gateway timeout").total


def test_a_check_compares_what_the_rarer_words_find(library: Library) -> None:
    """The attempts with the telling word come first among those compared."""
    reply = invoke(
        library,
        "shadowgraph_check",
        {"action": "Try step5 timeout backpressure"},
        Caller("acme"),
    )

    assert "a5" == reply["matches"][0]["id"]
