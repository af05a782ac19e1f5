"""Paging over 250 records is stable and complete, beyond the window that is reordered."""

from collections.abc import Iterator

import pytest
from tests.conftest import StoppedClock
from tests.store.bodies import NOBODY, attempt

from shadowgraph import Library
from shadowgraph.model.filters import Filter

COUNT = 250
RESULTS = ("failed", "succeeded", "inconclusive")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Yield a library with 250 records that one word finds, and as many others."""
    with Library(tmp_path_factory.mktemp("many"), clock=StoppedClock()) as library:
        with library.write() as transaction:
            for number in range(COUNT):
                body = attempt(
                    f"attempt_{number}",
                    solution="quicksilver " + "and more " * (number % 7),
                    resultClass=RESULTS[number % 3],
                    createdAt=f"2026-{1 + number % 10:02}-01T00:00:00Z",
                )
                transaction.insert(body, "attempt.recorded", NOBODY)
                other = attempt(f"attempt_other-{number}", solution="brimstone")
                transaction.insert(other, "attempt.recorded", NOBODY)
        library.search("anything")
        yield library


def pages(library: Library, text: str, size: int, wanted: Filter) -> list[list[str]]:
    """Return every page of a search, the empty one behind the last included."""
    found = []
    for offset in range(0, COUNT + size, size):
        answer = library.search(text, wanted, limit=size, offset=offset)
        found.append([hit.record.id for hit in answer.hits])
    return found


@pytest.mark.parametrize(
    "text", ["quicksilver", "quicksilver more", "quicksilver -brimstone"]
)
@pytest.mark.parametrize("size", [1, 7, 30, 99, 100, 101, 249, 250])
def test_pages_together_hold_every_record_once(many: Library, text: str, size: int) -> None:
    """No gap and no repetition, wherever the pages are cut."""
    found = [one for page in pages(many, text, size, Filter()) for one in page]

    assert COUNT == len(found)
    assert COUNT == len(set(found))


@pytest.mark.parametrize("size", [7, 99, 101])
def test_pages_are_cut_from_one_order(many: Library, size: int) -> None:
    """A small page shows what a large one shows at the same place."""
    whole = [hit.record.id for hit in many.search("quicksilver", limit=COUNT).hits]

    cut = [one for page in pages(many, "quicksilver", size, Filter()) for one in page]

    assert whole == cut


def test_the_same_page_twice_is_the_same(many: Library) -> None:
    """Equal scores have an order too."""
    first, second = (
        [hit.record.id for hit in many.search("quicksilver", limit=40, offset=80).hits]
        for _ in range(2)
    )

    assert first == second


def test_every_page_is_full_but_the_last(many: Library) -> None:
    """Behind the last one there is nothing, and that is no error."""
    sizes = [len(page) for page in pages(many, "quicksilver", 60, Filter())]

    assert [60, 60, 60, 60, 10, 0] == sizes
    assert () == many.search("quicksilver", limit=10, offset=10_000).hits


def test_the_total_is_the_same_on_every_page(many: Library) -> None:
    """It counts matches, not what was read of them."""
    totals = {
        many.search("quicksilver", limit=10, offset=offset).total
        for offset in (0, 90, 95, 100, 240)
    }

    assert {COUNT} == totals


def test_a_filtered_search_pages_completely(many: Library) -> None:
    """Filters are inside the query, so pages do not run dry."""
    wanted = Filter(result_classes=("failed",))

    found = [one for page in pages(many, "quicksilver", 20, wanted) for one in page]

    assert {f"attempt_{n}" for n in range(0, COUNT, 3)} == set(found)
    assert len(found) == len(set(found))


def test_a_listing_pages_completely(many: Library) -> None:
    """Without words as well."""
    found = {
        hit.record.id
        for offset in range(0, 2 * COUNT, 75)
        for hit in many.search("", limit=75, offset=offset).hits
    }

    assert 2 * COUNT == len(found)
