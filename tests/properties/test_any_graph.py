"""Any history of memories and relations can be read at any of its instants.

Hypothesis makes up histories; a list of snapshots is the model, one for every instant at
which something was written. A memory without times of its own holds from when it is
written, so what held at an instant and what was known then are the same, and both must be
the snapshot. Walks are compared with the closure of the live pairs.
"""

import tempfile
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.instants import format_instant, parse_instant

CALLER = Caller("acme/billing-api", "server")
KEYS = st.sampled_from(["alpha", "beta", "gamma"])
TEXTS = st.sampled_from(["one", "two", "three"])
NODES = [f"attempt_{name}" for name in "abcde"]
PAIRS = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)).filter(
    lambda pair: pair[0] != pair[1]
)

Snapshot = tuple[dict[str, str], frozenset[tuple[str, str]]]
"Texts by key, and the pairs that are linked."


class Graphs(RuleBasedStateMachine):
    """A library, its snapshots, and what may happen to both."""

    def __init__(self) -> None:
        """Begin with an empty home."""
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.home = Path(self.directory.name) / "home"
        self.clock = StoppedClock()
        self.library = Library(self.home, clock=self.clock)
        self.texts: dict[str, str] = {}
        self.pairs: set[tuple[str, str]] = set()
        self.past: list[tuple[datetime, Snapshot]] = []

    def teardown(self) -> None:
        """Look at every instant once more, then remove the home."""
        for at, snapshot in self.past:
            self.compare(at, snapshot)
        self.library.close()
        self.directory.cleanup()

    def ask(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call an operation."""
        return invoke(self.library, f"shadowgraph_{name}", arguments, CALLER)

    def note(self) -> None:
        """Keep what there is now, and let a minute pass."""
        self.past.append((self.clock.now, (dict(self.texts), frozenset(self.pairs))))
        self.clock.advance(minutes=1)

    @initialize()
    def record(self) -> None:
        """Store the records that relations tie."""
        with self.library.write() as transaction:
            for node in NODES:
                body = {
                    "id": node,
                    "kind": "attempt",
                    "project": "acme/billing-api",
                    "solution": "s",
                    "result": "r",
                }
                origin = CALLER.origin(None, None, None)
                transaction.insert(body, "attempt.recorded", origin)
        self.note()

    @rule(key=KEYS, text=TEXTS)
    def remember(self, key: str, text: str) -> None:
        """Remember a text, new or known."""
        reply = self.ask("remember", memoryType="note", key=key, text=text)
        before = self.texts.get(key)
        done = "ADD" if before is None else "NOOP" if before == text else "UPDATE"
        assert done == reply["operation"]
        self.texts[key] = text
        self.note()

    @rule(key=KEYS)
    def forget(self, key: str) -> None:
        """Delete a memory, or none."""
        plan = [{"action": "DELETE", "memoryType": "note", "key": key}]
        (result,) = self.ask("remember", operations=plan)["results"]
        assert ("DELETE" if key in self.texts else "NOOP") == result["operation"]
        self.texts.pop(key, None)
        self.note()

    @rule(pair=PAIRS)
    def link(self, pair: tuple[str, str]) -> None:
        """Link two records, once or again."""
        reply = self.ask("link", **{"from": pair[0], "to": pair[1], "relation": "needs"})
        assert (pair in self.pairs) == reply.get("replayed", False)
        self.pairs.add(pair)
        self.note()

    @precondition(lambda self: self.pairs)
    @rule(data=st.data())
    def unlink(self, data: st.DataObject) -> None:
        """Take one link back."""
        source, target = data.draw(st.sampled_from(sorted(self.pairs)))
        self.ask("unlink", **{"from": source, "to": target, "relation": "needs"})
        self.pairs.discard((source, target))
        self.note()

    @rule()
    def reopen(self) -> None:
        """End the process and start another."""
        self.library.close()
        self.library = Library(self.home, clock=self.clock)

    @rule()
    def reindex(self) -> None:
        """Build the index again; relations are not in it."""
        counts = self.library.store.counts()
        counts.pop("relation", None)
        assert sum(counts.values()) == self.library.reindex()

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        """Read the graph at an instant of the past."""
        self.compare(*data.draw(st.sampled_from(self.past)))

    def compare(self, at: datetime, snapshot: Snapshot) -> None:
        """Read what held, and what was known, at an instant."""
        texts, pairs = snapshot
        for name in ("asOf", "knownAt"):
            instant = {name: format_instant(at)}
            items = self.ask("recall", kind="memory", **instant)["items"]
            found = {i["record"]["key"]: i["record"]["text"] for i in items}
            assert (texts, len(texts)) == (found, len(items))
            walked = self.ask("traverse", id=NODES[0], depth=10, **instant)
            assert closure(pairs) == set(walked["distances"])

    @invariant()
    def the_present_is_the_last_snapshot(self) -> None:
        """Without any instant."""
        items = self.ask("recall", kind="memory")["items"]
        assert self.texts == {i["record"]["key"]: i["record"]["text"] for i in items}
        walked = self.ask("traverse", id=NODES[0], depth=10)
        if self.past:
            assert closure(self.pairs) == set(walked["distances"])
            assert len(self.pairs) >= len(walked["relations"])

    @invariant()
    def windows_of_a_key_never_overlap(self) -> None:
        """In the order of their numbers each ends before the next begins."""
        for key in ("alpha", "beta", "gamma"):
            with self.library.store.read() as selection:
                held = selection.memories_of("project:acme/billing-api", key)
            states = sorted(held, key=lambda state: state.body["version"])
            assert list(range(1, len(states) + 1)) == [s.body["version"] for s in states]
            windows = [state.body["temporal"] for state in states]
            for earlier, later in pairwise(windows):
                end, start = earlier["validTo"], later["validFrom"]
                assert parse_instant(end) <= parse_instant(start)
            assert sum(s.body["status"] == "active" for s in states) <= 1

    @invariant()
    def the_journal_verifies(self) -> None:
        """The chain has no fault."""
        assert self.library.store.first_fault() is None


def closure(pairs: set[tuple[str, str]] | frozenset[tuple[str, str]]) -> set[str]:
    """Return what pairs tie to the first record, in either direction."""
    found = {NODES[0]}
    while more := {b for a, b in pairs if a in found} | {a for a, b in pairs if b in found}:
        if more <= found:
            break
        found |= more
    return found


TestAnyGraph = Graphs.TestCase
TestAnyGraph.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
