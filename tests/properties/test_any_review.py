"""Any course of observations, reviews and acknowledgements agrees with a plain model.

Hypothesis makes up the course; the model is a set of breaches per decision. A breach is the
set of rules that hold, put together here with `>=` on plain numbers; nothing of the rules,
the store or the index is used for it. Time stands still unless a step moves it, the library
is closed and opened again in between, and at the end the journal's chain must be whole.
"""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

KEYS = ["users", "rate"]
LIMITS = [2, 4]
CALLER = Caller("acme/any", "server")
Breach = frozenset[tuple[str, int]]


class Reviews(RuleBasedStateMachine):
    """A library, what was observed, and the breaches that were seen."""

    def __init__(self) -> None:
        """Begin with an empty home."""
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.home = Path(self.directory.name) / "home"
        self.clock = StoppedClock()
        self.library = Library(self.home, clock=self.clock)
        self.decisions: dict[str, Breach] = {}
        self.values: dict[str, int] = {}
        self.signals: dict[tuple[str, Breach], str] = {}
        self.closed: set[str] = set()

    def teardown(self) -> None:
        """Verify the chain, then remove the home."""
        assert self.library.store.first_fault() is None
        self.library.close()
        self.directory.cleanup()

    def ask(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call an operation."""
        return invoke(self.library, f"shadowgraph_{name}", arguments, CALLER)

    def breach(self, decision: str) -> Breach:
        """Return the rules of a decision that hold now."""
        held = self.decisions[decision]
        return frozenset((k, n) for k, n in held if self.values.get(k, -1) >= n)

    def due(self) -> dict[str, Breach]:
        """Return the open decisions that something speaks against."""
        found = {d: self.breach(d) for d in self.decisions if d not in self.closed}
        return {decision: breach for decision, breach in found.items() if breach}

    @rule(
        held=st.frozensets(
            st.tuples(st.sampled_from(KEYS), st.sampled_from(LIMITS)), min_size=1
        )
    )
    def decide(self, held: Breach) -> None:
        """Record a decision that some rules would reopen."""
        rules = [{"key": k, "operator": "gte", "value": n} for k, n in sorted(held)]
        reply = self.ask(
            "record_decision",
            title="t",
            chosen="c",
            alternatives=[{"label": "b", "reopenWhen": rules}],
        )
        self.decisions[reply["id"]] = held

    @rule(key=st.sampled_from(KEYS), value=st.integers(0, 5))
    def observe(self, key: str, value: int) -> None:
        """Record a value that lasts."""
        self.clock.advance(minutes=1)
        self.ask("record_fact", key=key, value=value)
        self.values[key] = value

    @rule(key=st.sampled_from(KEYS), value=st.integers(0, 5))
    def observe_briefly(self, key: str, value: int) -> None:
        """Record a value whose time is over when anybody asks again."""
        self.clock.advance(minutes=1)
        until = self.clock.now.replace(second=30).isoformat()
        self.ask("record_fact", key=key, value=value, validTo=until)
        self.clock.advance(minutes=1)
        self.values.pop(key, None)

    @rule(name=st.sampled_from(["review", "maintain", "reconsider", "review_context"]))
    def review(self, name: str) -> None:
        """Raise what is due, by any of the operations that do."""
        self.ask(name)
        for decision, breach in self.due().items():
            self.signals.setdefault((decision, breach), "open")

    @precondition(lambda self: self.signals)
    @rule(data=st.data())
    def acknowledge(self, data: st.DataObject) -> None:
        """Acknowledge one of the stored signals."""
        (decision, breach) = data.draw(st.sampled_from(sorted(self.signals, key=repr)))
        (signal,) = [
            one
            for one in self.ask("review_signals", limit=1000)["items"]
            if (one["decisionId"], seen(one)) == (decision, breach)
        ]
        self.ask("ack_review", id=signal["id"])
        self.signals[decision, breach] = "acknowledged"

    @precondition(lambda self: set(self.decisions) - self.closed)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        """Archive a decision; its signals stay."""
        decision = data.draw(st.sampled_from(sorted(set(self.decisions) - self.closed)))
        self.ask("update_status", decisionId=decision, status="archived")
        self.closed.add(decision)

    @rule()
    def restart(self) -> None:
        """Close the library and open it again."""
        self.library.close()
        self.library = Library(self.home, clock=self.clock)

    @invariant()
    def the_stored_signals_are_the_breaches_that_were_seen(self) -> None:
        """Each once, with its status."""
        items = self.ask("review_signals", limit=1000)["items"]
        held = {(one["decisionId"], seen(one)): one["status"] for one in items}

        assert len(items) == len(held)
        assert self.signals == held

    @invariant()
    def what_is_due_is_due_at_this_instant_too(self) -> None:
        """Asked as of now, which stores nothing, with the status of its signal."""
        reply = self.ask("review", asOf=self.clock.now.isoformat(), limit=1000)
        due = self.due()

        assert {d: self.signals.get((d, b), "unpersisted") for d, b in due.items()} == {
            one["decisionId"]: one["reviewSignalStatus"] for one in reply["items"]
        }


def seen(signal: dict[str, Any]) -> Breach:
    """Return the rules that a signal says were broken."""
    return frozenset((c["key"], c["expected"]) for c in signal["violatedConditions"])


TestReviews = Reviews.TestCase
TestReviews.settings = settings(max_examples=30, stateful_step_count=20)
