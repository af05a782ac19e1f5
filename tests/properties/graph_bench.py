"""What the steps of the graph machine share: the home, the model, calls and comparisons."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.conftest import StoppedClock
from tests.properties.graph_model import Known, World

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.instants import parse_instant

PROJECTS = ("acme/one", "acme/two")
KEYS = ("db.version", "db.size")
WORD_FIELDS = {
    "attempt": "reason",
    "decision": "goal",
    "fact": "value",
    "memory": "text",
}
"Where a record has its word, by kind."
EVERY_KIND = (*WORD_FIELDS, "relation", "review")

Picked = tuple[str, Known]


class Bench(RuleBasedStateMachine):
    """A library and the model of what it should hold."""

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

    def pick(
        self, data: st.DataObject, *kinds: str, project: str | None = None
    ) -> Picked | None:
        """Choose a record of some kinds, retracted ones among them."""
        names = [
            name
            for name, one in self.world.records.items()
            if one.kind in kinds and project in (None, one.project)
        ]
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

    def stored(self) -> dict[str, Mapping[str, Any]]:
        """Return every stored body by id, the retracted ones included."""
        return {
            record.id: record.body
            for page in self.library.store.pages(retracted=True)
            for record in page
        }

    # What must hold.

    @rule()
    def look(self) -> None:
        """Search by every word there is and was."""
        self.words_are_found(self.library)

    def words_are_found(self, library: Library) -> None:
        """Compare what a library's index holds with the model."""
        words = {
            one.word: name
            for name, one in self.world.records.items()
            if one.word and one.retracted is None
        }
        for word in sorted(self.world.words):
            answer = library.search(word)
            expected = [words[word]] if word in words else []
            assert expected == [hit.record.id for hit in answer.hits]
            # The index itself holds no more than that.
            assert (len(expected), len(words)) == (answer.total, answer.searched)

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        """Record by record, relations, signals and retracted ones included."""
        stored = self.stored()
        assert set(self.world.records) == set(stored)
        for name, known in self.world.records.items():
            assert known == read(stored[name])

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


def read(body: Mapping[str, Any]) -> Known:
    """Return what the model would know of a stored record."""
    kind = body["kind"]
    known = Known(
        kind=kind,
        project=body["project"],
        status=body.get("status"),
        retracted=body.get("retractedReason"),
        went_with=body.get("retractedWith"),
    )
    if kind in WORD_FIELDS:
        known.word = str(body[WORD_FIELDS[kind]]).split()[1]
        known.key = body.get("key")
        known.result_class = body.get("resultClass")
    _READERS.get(kind, lambda _known, _body: None)(known, body)
    return known


def _read_decision(known: Known, body: Mapping[str, Any]) -> None:
    """Read what a decision has beside its word."""
    outcome = body.get("outcome") or {}
    known.outcome = outcome.get("status")
    known.failed_at = outcome.get("observedAt", "")
    known.until = _instant(body.get("reviewAfter"))
    for option in body["alternatives"]:
        known.option = option["id"]
        known.rules = tuple(rule["key"] for rule in option["reopenWhen"])
    known.counted = tuple(
        (one["key"], one["direction"] > 0)
        for one in body["confidence"]["basis"]["contributions"]
        if one["kind"] == "evidence"
    )
    known.successor = body.get("supersededBy")
    known.replaced = tuple(body.get("supersedes") or ())


def _read_fact(known: Known, body: Mapping[str, Any]) -> None:
    """Read when a fact ends."""
    known.until = _instant(body.get("expiresAt"))


def _read_relation(known: Known, body: Mapping[str, Any]) -> None:
    """Read the ends of a relation."""
    known.ends = (body["from"], body["to"], body["relation"])
    known.closed = body["temporal"]["invalidatedAt"] is not None


def _read_review(known: Known, body: Mapping[str, Any]) -> None:
    """Read what a signal speaks of."""
    known.about = body["decisionId"]
    known.grounds = frozenset(map(_ground, map(json.loads, body["coverage"])))


def _ground(told: list[Any]) -> tuple[str, str]:
    """Return a stored ground in the form of the model."""
    if told[0] == "rule":
        return "rule", told[2]["key"]
    return told[1], told[2] if told[1] == "decision outcome failed" else ""


def _instant(text: str | None) -> Any:
    """Return the instant that a text stands for."""
    return None if text is None else parse_instant(text)


_READERS = {
    "decision": _read_decision,
    "fact": _read_fact,
    "relation": _read_relation,
    "review": _read_review,
}
