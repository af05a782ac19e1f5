"""A library: one home, its store, its index, and their sync.

This is the whole product as a Python object; the command line and the MCP server are thin
shells around operations over it. A library may be used from many threads and many
processes at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from shadowgraph.clock import Clock, system_clock, to_millis
from shadowgraph.errors import IndexDamagedError
from shadowgraph.model.filters import Filter
from shadowgraph.rules.ending import Outcome, told
from shadowgraph.search.allocator import share_arena
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.breakdown import Breakdown
from shadowgraph.search.closeness import Action, Closeness
from shadowgraph.search.definition import Definition, packaged
from shadowgraph.search.documents import outcome_of
from shadowgraph.search.explain import Explainer, Why
from shadowgraph.search.plan import telling
from shadowgraph.search.ranking import Ranked
from shadowgraph.search.searching import Found, Searcher
from shadowgraph.search.similar import Comparer, Likeness, Newcomer
from shadowgraph.search.snapshot import Match, Snapshot
from shadowgraph.search.traits import outcome_of_traits
from shadowgraph.store import Store, StoredRecord, Transaction, of_one_state
from shadowgraph.sync import PATIENCE, Indexer, Progress, Sync, View


class Nearby(NamedTuple):
    """An attempt near an action."""

    record: StoredRecord
    outcome: Outcome
    closeness: Closeness
    same_environment: bool | None
    "Whether it shares words with the caller's environment; None when one is not named."


EVERYTHING = Filter()
"The filter that every record passes."


@dataclass(frozen=True, slots=True)
class Hit:
    """One record that was found, and why."""

    record: StoredRecord
    rank: Ranked
    explainer: Explainer = field(repr=False, compare=False)

    @property
    def why(self) -> Why:
        """Why it was found: read when asked for, as most of a long list never is."""
        return self.explainer.once(self.record.row, self.record.body)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found."""

    hits: tuple[Hit, ...]
    total: int
    "How many records match in all."
    searched: int
    "How many records the index holds."
    pending: int
    "Journal entries not searchable yet."
    notices: tuple[str, ...]
    found: Found
    snapshot: Snapshot
    "What was searched."
    suggestions: tuple[str, ...] = ()
    "Words to try instead, when nothing was found."


class Library:
    """An open home; close it, or use it in a `with` block.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home, Library(Path(home)) as library:
    ...     library.store.revision()
    0
    """

    def __init__(
        self,
        home: Path,
        *,
        clock: Clock = system_clock,
        background: bool = False,
        definition: Definition | None = None,
        keep_secrets: bool = False,
    ) -> None:
        """Open *home*, making it when it does not exist.

        With *background* a thread indexes after writes, as a server wants it. With
        *keep_secrets* what operations and imports write is stored with the credentials in
        it, which are masked otherwise.

        Raises:
            OperatorError: the home cannot be used, or is from a newer version.
            StoreDamagedError: `graph.db` is not a sound store; it is left as it is.
        """
        self.home = home
        self.clock = clock
        self.keep_secrets = keep_secrets
        self.definition = definition or packaged()
        self.analyzer = Analyzer(self.definition.analysis)
        self.store = Store(home, clock)
        self.store.settle()
        self.sync = Sync(self.store, home, self.definition, self.analyzer)
        self._searcher = Searcher(self.definition, self.analyzer, self._as_stored)
        if background:
            share_arena()
            self.sync.background = Indexer(self.sync)
            self.sync.background.start()

    def _as_stored(self, text: str) -> str:
        """Return a text as a write of this library would store it."""
        if self.keep_secrets:
            return text
        # Imported here: 5 ms that most searches need not pay.
        from shadowgraph.masking import masked  # noqa: PLC0415

        return masked(text)

    def __enter__(self) -> Self:
        """Return the library itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the library."""
        self.close()

    def close(self) -> None:
        """Stop indexing and close the store."""
        if self.sync.background is not None:
            self.sync.background.stop()
            self.sync.background = None
        self.sync.close()
        self.store.close()

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Run the block as one transaction; the index follows by itself."""
        with self.store.write() as transaction:
            yield transaction
        if self.sync.background is not None:
            self.sync.background.wake()

    def now(self) -> int:
        """Return the present in milliseconds since 1970."""
        return to_millis(self.clock())

    def search(
        self,
        text: str,
        wanted: Filter = EVERYTHING,
        *,
        limit: int = 10,
        offset: int = 0,
        environment: str = "",
        patience: float = PATIENCE,
    ) -> Answer:
        """Search everything written so far; with no words, list the newest.

        *environment* names where the caller is, so that records from there rise;
        `wanted.environment` asks for such records alone. *patience* is how many seconds
        to wait for another process that is writing the index.
        """
        asked = {"limit": limit, "offset": offset, "environment": environment}

        def searched() -> Answer:
            try:
                return self._searched(text, wanted, patience, asked)
            except IndexDamagedError as error:
                # Derived data: begun anew from the store, and asked once more.
                self.sync.recover(error)
                return self._searched(text, wanted, patience, asked)

        return of_one_state(self.store, searched)

    def _searched(
        self, text: str, wanted: Filter, patience: float, asked: Mapping[str, Any]
    ) -> Answer:
        view = self.sync.view(patience)
        found = self._searcher.search(view.snapshot, text, wanted, now=self.now(), **asked)
        return self._answer(view, found, wanted)

    def _answer(self, view: View, found: Found, wanted: Filter) -> Answer:
        with self.store.read() as selection:
            records = selection.by_rows([hit.row for hit in found.hits])
        explainer = Explainer(self.definition, self.analyzer, found.plan)
        hits = [
            Hit(records[hit.row], hit, explainer)
            for hit in found.hits
            if hit.row in records
        ]
        suggestions: Sequence[str] = ()
        if not found.total and found.plan.groups:
            suggestions = self._searcher.suggestions(view.snapshot, found, wanted)
        return Answer(
            hits=tuple(_successors_first(hits)),
            total=found.total,
            searched=view.snapshot.documents,
            pending=view.pending,
            notices=view.notices,
            found=found,
            snapshot=view.snapshot,
            suggestions=tuple(suggestions),
        )

    def take_apart(self, answer: Answer) -> list[Breakdown]:
        """Return what the score of each hit of *answer* is made of, in its order."""
        parts = self._searcher.take_apart(answer.snapshot, answer.found)
        explainer = Explainer(self.definition, self.analyzer, answer.found.plan)
        return [
            parts[hit.record.row].over(explainer.counts(hit.record.body))
            for hit in answer.hits
        ]

    def similar(
        self, text: str, owner: str | None, *, but: int | None = None
    ) -> list[tuple[StoredRecord, Likeness]]:
        """Return earlier attempts whose solution is like *text*, most alike first.

        The index is read as it stands, so a write never waits for indexing; the few
        records it lacks are compared as well. *but* is the row of the attempt itself.
        """
        settings = self.definition.ranking["similar"]
        snapshot = self.sync.as_it_stands()
        comparer = Comparer(self.definition, self.analyzer, snapshot)
        new = Newcomer(comparer, text, float(settings["synonym"]))
        found = self._candidates(snapshot, comparer, new.stems, owner)
        alike = [
            (record, new.likeness(str(record.body.get("solution", ""))))
            for record in found
            if record.row != but
        ]
        alike = [pair for pair in alike if pair[1].score >= float(settings["least"])]
        alike.sort(key=lambda pair: (-pair[1].score, -pair[0].row))
        return alike[: int(settings["most"])]

    def _candidates(
        self,
        snapshot: Snapshot,
        comparer: Comparer,
        stems: Mapping[str, float],
        owner: str | None,
    ) -> list[StoredRecord]:
        """Return attempts that share rare stems, and those not yet in the index."""
        settings = self.definition.ranking["similar"]
        rarest = comparer.rarest(stems, int(settings["terms"]))
        wanted = Filter(owner=owner, kinds=("attempt",))
        most = int(settings["most"]) * 3
        near = self._searcher.candidates(snapshot, " ".join(rarest), wanted, most)
        with self.store.read() as selection:
            fresh = selection.changes(snapshot.mark.seq, int(settings["unindexed"]))
            rows = {*(one.row for one in near), *(change.row for change in fresh)}
            records = selection.by_rows(sorted(rows))
        return [
            record
            for record in records.values()
            if record.kind == "attempt" and owner in (None, record.owner)
        ]

    def nearby(
        self,
        action: str,
        owner: str | None,
        environment: str = "",
        *,
        patience: float = PATIENCE,
    ) -> tuple[list[Nearby], View]:
        """Return attempts near an *action*, closest first, and the view they are from.

        *patience* is how many seconds to wait for another process that is writing the
        index.
        """
        try:
            return self._nearby(action, owner, environment, patience)
        except IndexDamagedError as error:
            self.sync.recover(error)
            return self._nearby(action, owner, environment, patience)

    def _nearby(
        self, action: str, owner: str | None, environment: str, patience: float
    ) -> tuple[list[Nearby], View]:
        view = self.sync.view(patience)
        settings = self.definition.ranking["check"]
        action = self._as_stored(action)
        wanted = Filter(owner=owner, kinds=("attempt",))
        most = int(settings["candidates"])
        matches = self._searcher.candidates(view.snapshot, action, wanted, most)
        with self.store.read() as selection:
            records = selection.by_rows([match.row for match in matches])
        comparer = Comparer(self.definition, self.analyzer, view.snapshot)
        asked = Action(comparer, telling(action), settings)
        scene = comparer.stems(environment)
        found = [
            self._compared(records[match.row], match, asked, comparer, scene.keys())
            for match in matches
            if match.row in records
        ]
        found.sort(key=lambda near: -near.closeness.score)
        return found, view

    def _compared(
        self,
        record: StoredRecord,
        match: Match,
        action: Action,
        comparer: Comparer,
        scene: AbstractSet[str],
    ) -> Nearby:
        """Compare an *action* in a *scene* with one attempt.

        How it ended the index knows where the record does not declare it: compiling the
        failure words would cost more than all else.
        """
        body = record.body
        there = comparer.stems(str(body.get("environment") or "")) if scene else {}
        same = bool(scene & there.keys()) if scene and there else None
        outcome = told(body) or outcome_of_traits(match.traits)
        return Nearby(record, outcome, action.closeness(body), same)

    def reindex(self, progress: Progress | None = None) -> int:
        """Build the index again beside the one in use; return how many records it holds."""
        return self.sync.rebuild(progress)

    def result_class(self, body: Mapping[str, Any]) -> str | None:
        """Return how an attempt ended, declared or read; None for another kind."""
        outcome = outcome_of(body, self.definition)
        return outcome.cls if outcome else None


def _successors_first(hits: list[Hit]) -> list[Hit]:
    """Put every superseded record below its successor, when both are in the answer.

    The words may fit the old one better; what replaced it is still what holds.
    """
    by_id = {hit.record.id: hit for hit in hits}
    ordered: dict[str, Hit] = {}
    for hit in hits:
        chain = [hit]
        while True:
            after = by_id.get(str(chain[-1].record.body.get("supersededBy")))
            if after is None or after in chain:
                break
            chain.append(after)
        for one in reversed(chain):
            ordered.setdefault(one.record.id, one)
    return list(ordered.values())
