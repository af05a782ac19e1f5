"""Pages far behind the end, and pages of any size: empty or whole, never the end of a process."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

FAR = [2**31, 2**40, 2**62, 2**63 - 1]
pages = pytest.mark.parametrize("far", FAR)
words = pytest.mark.parametrize("query", ["", "ledger", "ledger NFS host"])
Call = Callable[..., dict[str, Any]]


@pytest.fixture
def call(tiny_library: Library) -> Call:
    """Return a function that calls an operation over the twelve records."""

    def ask(name: str, **arguments: Any) -> dict[str, Any]:
        caller = Caller("acme/billing-api")
        return invoke(tiny_library, f"shadowgraph_{name}", arguments, caller)

    return ask


@pages
@words
@pytest.mark.parametrize("name", ["search", "retrieve", "recall"])
def test_a_page_behind_the_end_is_empty_and_counts_all(
    name: str, query: str, far: int, call: Call
) -> None:
    """The engine would make room for every hit before it, and abort."""
    near = call(name, query=query)["page"]["total"]
    page = call(name, query=query, offset=far)

    assert [] == page["items"]
    assert near == page["page"]["total"] > 0


@pages
@words
def test_a_library_takes_any_size_of_a_page(
    tiny_library: Library, query: str, far: int
) -> None:
    """All there is, and no more."""
    answer = tiny_library.search(query, limit=far)

    assert answer.total == len(answer.hits) > 0
    assert [] == list(tiny_library.search(query, limit=far, offset=far).hits)
