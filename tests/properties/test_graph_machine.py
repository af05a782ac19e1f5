"""Any history of writing calls, restarts, losses and restores: three tellings agree.

Hypothesis makes up histories of operations as clients call them. A dictionary is the model:
it restates in a few lines what each call should leave behind. After every step the stored
records, the fold of the journal and the model must say the same, and from time to time the
index is asked for every word there is and was.

`SHADOWGRAPH_MACHINE=long` (make machine) runs many more and longer histories.
"""

import copy
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.errors import ConflictError, IllegalTransitionError, UnknownRecordError
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.lifecycle import MOVES, SYSTEM_OWNED

PROJECTS = ("acme/one", "acme/two")
KEYS = ("db.version", "db.size")
WORD_FIELDS = {"attempt": "reason", "decision": "goal", "fact": "value"}
"Where a record has its word, by kind."


@dataclass
class Known:
    """What the model knows of one record."""

    kind: str
    project: str
    word: str
    status: str | None = None
    result_class: str | None = None
    key: str | None = None
    outcome: str | None = None
    retracted: str | None = None
    "Reason of its retraction."


@dataclass
class World:
    """The whole model."""

    records: dict[str, Known] = field(default_factory=dict)
    entries: int = 0
    words: set[str] = field(default_factory=set)
    "Every word that ever stood in a record."


class Graph(RuleBasedStateMachine):
    """A library, the model of what it should hold, and the calls that change both."""

    def __init__(self) -> None:
        """Begin with an empty home."""
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.home = Path(self.directory.name) / "home"
        self.clock = StoppedClock()
        self.library = Library(self.home, clock=self.clock)
        self.numbers: Iterator[int] = count(1)
        self.world = World()
        self.revision = 0
        self.purges: list[tuple[str, list[str] | None]] = []
        self.saved: tuple[Path, World, int] | None = None

    def teardown(self) -> None:
        """Look once more, then remove the home."""
        self.look()
        self.library.close()
        self.directory.cleanup()

    # What the steps share.

    def ask(self, name: str, project: str, /, **arguments: Any) -> dict[str, Any]:
        """Call an operation for a project, a minute after the one before."""
        self.clock.advance(minutes=1)
        caller = Caller(project, "server")
        return invoke(self.library, f"shadowgraph_{name}", arguments, caller)

    def word(self) -> str:
        """Return a word that nothing else has."""
        fresh = f"word{next(self.numbers)}z"
        self.world.words.add(fresh)
        return fresh

    def pick(self, data: st.DataObject, *kinds: str) -> tuple[str, Known] | None:
        """Choose a record of some kinds, retracted ones among them."""
        names = [n for n, r in self.world.records.items() if r.kind in kinds]
        if not names:
            return None
        # By position: ids are new in every run, and a run must be repeatable.
        name = names[data.draw(st.integers(0, len(names) - 1))]
        return name, self.world.records[name]

    def wrote(self, entries: int = 1) -> None:
        """Count a committed write with its entries."""
        self.revision += 1
        self.world.entries += entries

    def refused(
        self, name: str, project: str, error: type[Exception], /, **call: Any
    ) -> None:
        """Call an operation that must be refused."""
        try:
            self.ask(name, project, **call)
        except error:
            return
        raise AssertionError(f"{name} {call} was not refused")

    # Recording.

    @rule(
        project=st.sampled_from(PROJECTS),
        result=st.sampled_from([None, "failed", "succeeded"]),
    )
    def record_attempt(self, project: str, result: str | None) -> None:
        """Record an attempt."""
        word = self.word()
        said = {"solution": "a step", "result": "it ended", "reason": f"for {word} only"}
        more = {"resultClass": result} if result else {}
        made = self.ask("record_attempt", project, **said, **more)
        self.world.records[made["id"]] = Known("attempt", project, word, None, result)
        self.wrote()

    @rule(project=st.sampled_from(PROJECTS))
    def record_decision(self, project: str) -> None:
        """Record a decision, which starts as proposed."""
        word = self.word()
        said = {"title": "a choice", "chosen": "this", "goal": f"for {word} only"}
        made = self.ask("record_decision", project, **said)
        self.world.records[made["id"]] = Known("decision", project, word, "proposed")
        self.wrote()

    @rule(project=st.sampled_from(PROJECTS), key=st.sampled_from(KEYS))
    def record_fact(self, project: str, key: str) -> None:
        """Record a fact, which ends the active one of its key."""
        word = self.word()
        active = self.active(project, key)
        made = self.ask("record_fact", project, key=key, value=f"for {word} only")
        if active:
            active.status = "superseded"
        self.world.records[made["id"]] = Known("fact", project, word, "active", key=key)
        self.wrote(2 if active else 1)

    def active(self, project: str, key: str) -> Known | None:
        """Return the fact that is active for a key."""
        for one in self.world.records.values():
            mine = (one.kind, one.project, one.key, one.status) == (
                "fact", project, key, "active",
            )  # fmt: skip
            if mine and one.retracted is None:
                return one
        return None

    # Changing.

    @rule(data=st.data(), status=st.sampled_from(sorted(MOVES)))
    def update_status(self, data: st.DataObject, status: str) -> None:
        """Move a decision, or be told that the move does not exist."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call = {"decisionId": name, "status": status}
        if held.retracted is not None:
            self.refused("update_status", held.project, UnknownRecordError, **call)
        elif status == held.status:
            self.ask("update_status", held.project, **call)
            self.wrote(0)
        elif status in MOVES[str(held.status)] and status not in SYSTEM_OWNED:
            self.ask("update_status", held.project, **call)
            held.status = status
            self.wrote()
        else:
            self.refused("update_status", held.project, IllegalTransitionError, **call)

    @rule(data=st.data(), outcome=st.sampled_from(["successful", "failed", "mixed"]))
    def record_outcome(self, data: st.DataObject, outcome: str) -> None:
        """Record how a decision turned out."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call = {"decisionId": name, "outcome": {"status": outcome}}
        if held.retracted is not None:
            self.refused("record_outcome", held.project, UnknownRecordError, **call)
            return
        self.ask("record_outcome", held.project, **call)
        held.outcome = outcome
        self.wrote()

    @rule(data=st.data(), same=st.booleans())
    def amend(self, data: st.DataObject, same: bool) -> None:
        """Correct the word of a record, or say what it says already."""
        found = self.pick(data, *WORD_FIELDS)
        if found is None:
            return
        name, held = found
        word = held.word if same else self.word()
        call = {"id": name, "changes": {WORD_FIELDS[held.kind]: f"for {word} only"}}
        if held.retracted is not None:
            self.refused("amend", held.project, UnknownRecordError, **call)
            return
        reply = self.ask("amend", held.project, **call)
        assert bool(reply["changed"]) is not same
        if not same:
            held.word = word
            self.wrote()

    @rule(data=st.data(), result=st.sampled_from(["failed", "succeeded", "inconclusive"]))
    def reclassify(self, data: st.DataObject, result: str) -> None:
        """Declare how an attempt ended."""
        found = self.pick(data, "attempt")
        if found is None:
            return
        name, held = found
        call = {"id": name, "resultClass": result, "reason": "seen again"}
        if held.retracted is not None:
            self.refused("reclassify", held.project, UnknownRecordError, **call)
            return
        self.ask("reclassify", held.project, **call)
        if held.result_class != result:
            held.result_class = result
            self.wrote()

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        """Take a record out of every read; a second time changes nothing."""
        found = self.pick(data, *WORD_FIELDS)
        if found is None:
            return
        name, held = found
        reason = f"reason {next(self.numbers)}"
        self.ask("retract", held.project, id=name, reason=reason)
        if held.retracted is None:
            held.retracted = reason
            self.wrote()

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """Put a record back, unless its place was taken."""
        found = self.pick(data, *WORD_FIELDS)
        if found is None:
            return
        name, held = found
        call = {"id": name, "undo": True}
        taken = (
            held.retracted is not None
            and (held.kind, held.status) == ("fact", "active")
            and self.active(held.project, str(held.key)) is not None
        )
        if taken:
            self.refused("retract", held.project, ConflictError, **call)
            return
        self.ask("retract", held.project, **call)
        if held.retracted is not None:
            held.retracted = None
            self.wrote()

    # Purging.

    @rule(project=st.sampled_from(PROJECTS), mode=st.sampled_from(["logical", "hard"]))
    def purge(self, project: str, mode: str) -> None:
        """Erase a whole project."""
        self.ask("purge", project, project=project, mode=mode)
        self.forget(self.world, project, None)
        self.purges.append((project, None))
        self.wrote()

    @rule(data=st.data(), mode=st.sampled_from(["logical", "hard"]))
    def purge_one(self, data: st.DataObject, mode: str) -> None:
        """Erase one record."""
        found = self.pick(data, *WORD_FIELDS)
        if found is None:
            return
        name, held = found
        project = held.project
        self.ask("purge", project, project=project, ids=[name], mode=mode)
        self.forget(self.world, project, [name])
        self.purges.append((project, [name]))
        self.wrote()

    def forget(self, world: World, project: str, names: list[str] | None) -> None:
        """Take out of a model what a purge takes."""
        for name, held in list(world.records.items()):
            if held.project == project and (names is None or name in names):
                del world.records[name]

    # What happens to files and processes.

    @rule()
    def reopen(self) -> None:
        """End and start again."""
        self.library.close()
        self.library = Library(self.home, clock=self.clock)

    @rule()
    def reindex(self) -> None:
        """Build the index again."""
        living = [one for one in self.world.records.values() if one.retracted is None]
        assert len(living) == self.library.reindex()

    @precondition(lambda self: (self.home / "index").exists())
    @rule()
    def lose_the_index(self) -> None:
        """Delete the index directory."""
        shutil.rmtree(self.home / "index")

    @rule()
    def back_up(self) -> None:
        """Write a backup, and remember what the world was like."""
        file = Path(self.directory.name) / f"{next(self.numbers)}.backup"
        self.ask("backup", PROJECTS[0], destination=str(file))
        self.saved = (file, copy.deepcopy(self.world), len(self.purges))

    @precondition(lambda self: self.saved is not None)
    @rule()
    def restore(self) -> None:
        """Go back to the backup; what was purged since stays purged."""
        assert self.saved is not None
        file, world, known = self.saved
        reply = self.ask("restore", PROJECTS[0], source=str(file))
        later = self.purges[known:]
        words = self.world.words
        self.world = copy.deepcopy(world)
        self.world.words |= words
        for project, names in later:
            self.forget(self.world, project, names)
        # A purge is an entry where it takes something, old states of a record included.
        assert reply["reapplied"] <= len(later)
        self.world.entries += reply["reapplied"]
        assert self.revision < self.library.store.revision()
        self.revision = self.library.store.revision()

    # What must hold.

    @rule()
    def look(self) -> None:
        """Search by every word there is and was."""
        words = {
            one.word: name
            for name, one in self.world.records.items()
            if one.retracted is None
        }
        for word in sorted(self.world.words):
            answer = self.library.search(word)
            expected = [words[word]] if word in words else []
            assert expected == [hit.record.id for hit in answer.hits]
            # The index itself holds no more than that.
            assert (len(expected), len(words)) == (answer.total, answer.searched)

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        """Record by record, the retracted ones included."""
        stored = {
            record.id: record.body
            for page in self.library.store.pages(retracted=True)
            for record in page
        }
        assert set(self.world.records) == set(stored)
        for name, known in self.world.records.items():
            assert known == _read(stored[name])

    @invariant()
    def the_journal_says_what_the_store_says(self) -> None:
        """Its fold gives the stored records, and its chain has no fault."""
        _, differences = self.library.store.replay()
        assert [] == differences
        assert self.library.store.first_fault() is None
        with self.library.store.read() as selection:
            assert self.world.entries == selection.head().seq

    @invariant()
    def the_revision_counts_committed_writes(self) -> None:
        """Those that changed nothing included; a restore goes beyond both."""
        assert self.revision == self.library.store.revision()


def _read(body: Any) -> Known:
    """Return what the model would know of a stored record."""
    text = str(body[WORD_FIELDS[body["kind"]]])
    return Known(
        kind=body["kind"],
        project=body["project"],
        word=text.split()[1],
        status=body.get("status"),
        result_class=body.get("resultClass"),
        key=body.get("key"),
        outcome=(body.get("outcome") or {}).get("status"),
        retracted=body.get("retractedReason"),
    )


LONG = os.environ.get("SHADOWGRAPH_MACHINE") == "long"
TestGraph = Graph.TestCase
TestGraph.settings = settings(
    max_examples=300 if LONG else 25,
    stateful_step_count=60 if LONG else 30,
    deadline=None,
)
