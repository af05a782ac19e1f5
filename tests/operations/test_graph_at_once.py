"""Several writers of the graph at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shadowgraph import Library

Ask = Callable[..., dict[str, Any]]
NFS, LEDGER = "attempt_ledger-on-nfs", "decision_ledger-in-sqlite"
WRITERS = 8


def at_once(call: Callable[[int], dict[str, Any]]) -> list[dict[str, Any]]:
    """Call from several threads and return what each was answered."""
    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(call, range(WRITERS)))


@pytest.mark.usefixtures("tiny_library")
def test_one_link_made_by_many_is_one(ask: Ask, library: Library) -> None:
    """All are answered with it, and one of them made it."""
    made = at_once(
        lambda _: ask("link", **{"from": NFS, "to": LEDGER, "relation": "led_to"})
    )

    assert 1 == len({reply["id"] for reply in made})
    assert WRITERS - 1 == sum(reply.get("replayed", False) for reply in made)
    assert 1 == library.store.counts()["relation"]


def test_many_texts_of_one_memory_follow_each_other(ask: Ask, library: Library) -> None:
    """Each has its number, each but the first replaced another, and one is in force."""
    made = at_once(lambda n: ask("remember", memoryType="note", key="k", text=f"text {n}"))

    versions = [reply["memory"]["version"] for reply in made]
    assert list(range(1, WRITERS + 1)) == sorted(versions)
    replaced = [one for r in made if (one := r["memory"].get("supersedes"))]
    assert WRITERS - 1 == len(set(replaced)) == len(replaced)
    with library.store.read() as selection:
        states = selection.memories_of("project:acme/billing-api", "k")
    assert ["active"] == [s.body["status"] for s in states if s.body["version"] == WRITERS]
    assert 1 == sum(s.body["status"] == "active" for s in states)
