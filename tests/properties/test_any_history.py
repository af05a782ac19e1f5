"""Any history of writes, rebuilds, losses and restarts ends in the same answers.

Hypothesis makes up histories; a dictionary is the model. Every state of a record has one
word that nothing else has, so a search for it must find exactly the record that has it now,
and a word that was replaced must find nothing. The words have digits, because a word with
digits is never repaired to one that looks like it.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    precondition,
    rule,
)
from tests.conftest import StoppedClock
from tests.store.bodies import NOBODY, attempt, decision, fact

from shadowgraph import Filter, Library

PROJECTS = st.sampled_from(["acme/billing-api", "acme/web-shop"])
KINDS = st.sampled_from(["attempt", "decision", "fact"])


def body_of(kind: str, record_id: str, project: str, word: str) -> dict[str, Any]:
    """Return a record of a kind that says a word in one of its searched fields."""
    if kind == "attempt":
        return attempt(record_id, project=project, reason=f"Because of {word} itself.")
    if kind == "decision":
        return decision(record_id, project=project, assumptions=[f"{word} stays"])
    return fact(record_id, project=project, key=record_id, value={"is": [word]})


class Histories(RuleBasedStateMachine):
    """A library, a dictionary of what it should hold, and what may happen to both."""

    records = Bundle("records")

    def __init__(self) -> None:
        """Begin with an empty home."""
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.home = Path(self.directory.name) / "home"
        self.clock = StoppedClock()
        self.library = Library(self.home, clock=self.clock)
        self.numbers: Iterator[int] = count(1)
        self.model: dict[str, tuple[dict[str, Any], str]] = {}
        self.gone: list[str] = []
        self.revision = 0
        self.entries = 0

    def teardown(self) -> None:
        """Look once more, then remove the home."""
        self.look()
        self.library.close()
        self.directory.cleanup()

    @rule(target=records, kind=KINDS, project=PROJECTS)
    def record(self, kind: str, project: str) -> str:
        """Store a new record."""
        number = next(self.numbers)
        word = f"word{number}z"
        body = body_of(kind, f"{kind}_{number}", project, word)
        with self.library.write() as transaction:
            transaction.insert(body, f"{kind}.recorded", NOBODY)
        self.model[body["id"]] = (body, word)
        self.revision += 1
        self.entries += 1
        return str(body["id"])

    @rule(record_id=records)
    def replace(self, record_id: str) -> None:
        """Store a new state of a record."""
        held, old = self.model[record_id]
        word = f"word{next(self.numbers)}z"
        body = body_of(held["kind"], record_id, held["project"], word)
        with self.library.write() as transaction:
            found = transaction.by_id(record_id)
            assert found is not None
            transaction.replace(found, body, f"{held['kind']}.changed", NOBODY)
        self.model[record_id] = (body, word)
        self.gone.append(old)
        self.revision += 1
        self.entries += 1

    @rule(target=records, record_id=consumes(records))
    def move(self, record_id: str) -> str:
        """Give a record to another project."""
        held, word = self.model[record_id]
        body = {**held, "project": "acme/platform"}
        with self.library.write() as transaction:
            found = transaction.by_id(record_id)
            assert found is not None
            transaction.replace(found, body, f"{held['kind']}.moved", NOBODY)
        self.model[record_id] = (body, word)
        self.revision += 1
        self.entries += 1
        return record_id

    @rule()
    def write_nothing(self) -> None:
        """Commit a write that changes no record."""
        with self.library.write():
            pass
        self.revision += 1

    @rule()
    def fail_to_write(self) -> None:
        """Break off a write half-way."""
        word = f"word{next(self.numbers)}z"
        with suppress(RuntimeError), self.library.write() as transaction:
            body = body_of("attempt", "attempt_lost", "acme/web-shop", word)
            transaction.insert(body, "attempt.recorded", NOBODY)
            raise RuntimeError
        self.gone.append(word)

    @rule()
    def reopen(self) -> None:
        """End the process and start another."""
        self.library.close()
        self.library = Library(self.home, clock=self.clock)

    @rule()
    def catch_up(self) -> None:
        """Bring the index up to the store."""
        assert 0 == self.library.sync.view().pending

    @rule()
    def reindex(self) -> None:
        """Build the index again."""
        assert len(self.model) == self.library.reindex()

    @precondition(lambda self: (self.home / "index").exists())
    @rule(closed=st.booleans())
    def lose_the_index(self, closed: bool) -> None:
        """Delete the index directory, under the open library or between two."""
        if closed:
            self.library.close()
        shutil.rmtree(self.home / "index")
        if closed:
            self.library = Library(self.home, clock=self.clock)

    @rule(days=st.integers(1, 400))
    def let_time_pass(self, days: int) -> None:
        """Let the clock move on."""
        self.clock.advance(days=days)

    @rule()
    def look(self) -> None:
        """Search by every word there is and was."""
        for record_id, (body, word) in self.model.items():
            answer = self.library.search(word)
            assert [record_id] == [hit.record.id for hit in answer.hits]
            assert body == answer.hits[0].record.body
            assert len(self.model) == answer.searched
            foreign = Filter(owner="project:acme/nobody")
            assert 0 == self.library.search(word, foreign).total
        for word in self.gone[-5:]:
            assert 0 == self.library.search(word).total

    @invariant()
    def the_journal_verifies(self) -> None:
        """The chain has every change, and no fault."""
        with self.library.store.read() as selection:
            assert self.entries == selection.head().seq
        assert self.library.store.first_fault() is None

    @invariant()
    def the_revision_counts_committed_writes(self) -> None:
        """Those that changed nothing included."""
        assert self.revision == self.library.store.revision()

    @invariant()
    def the_mark_claims_no_more_than_there_is(self) -> None:
        """An index is never ahead of its store."""
        assert self.library.sync.as_it_stands().mark.seq <= self.entries


TestAnyHistory = Histories.TestCase
TestAnyHistory.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
