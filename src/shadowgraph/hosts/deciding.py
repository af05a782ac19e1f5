"""From an event to an answer: what is looked at, what is stored, what is said.

Before an action the same judgement counts as in shadowgraph_check. With a prompt the attempts
near it count, from a closeness on that a check would show as well; at the start of a session
there is nothing to be near to, so the failures of the project that somebody wrote down or that
happened more than once, and those of late, are shown. Reads in a hook are in a hurry: an index that lacks more than a
few records is left to somebody with more time.

What a session was told already is left out (`told`), except where an action is asked about or
denied: that stops every time. Only what reached the host is remembered as told.

A home without a store is left without one by everything but a failure worth keeping.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from shadowgraph.clock import Clock, system_clock
from shadowgraph.hosts.capturing import Captured, Recorder, failures_of, ruled
from shadowgraph.hosts.digest import entry, fitting, framed
from shadowgraph.hosts.event import SILENCE, Answer, Event
from shadowgraph.hosts.policy import policy_of
from shadowgraph.hosts.told import LISTED, WARNED, Told, mark, sweep
from shadowgraph.model.scope import Scope
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.store import Store
from shadowgraph.store.store import FILE_NAME

PATIENCE: Final = 0.2
"Seconds to wait for another process that is writing the index."
SHOWN: Final = 5
"Attempts in one digest."
PROMPT: Final = 4_000
"Characters of a prompt that are compared."
RECENT: Final = timedelta(days=30)
"Age up to which what a tool saw once is shown at the start of a session."
REMEMBERED: Final = timedelta(days=365)
"The same for what somebody wrote down, and for what happened again and again."
_LOOKED_AT: Final = 60


class Desk:
    """Answers the events of one home and project."""

    def __init__(
        self,
        home: Path,
        scope: Scope,
        *,
        on_avoid: str = "context",
        capture: bool = True,
        keep_secrets: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        """Answer in *home* for *scope*.

        *on_avoid* is what an action to avoid leads to: context, ask or deny; *capture*
        says whether failures are recorded.
        """
        self.home = home
        self.scope = scope
        self.on_avoid = on_avoid
        self.capture = capture
        self.keep_secrets = keep_secrets
        self.clock = clock

    def answer(self, event: Event) -> Answer:
        """Return what is said to an event; what is worth keeping of it is stored."""
        if event.name.startswith("post-tool-use"):
            self.take(event)
            return SILENCE
        if not (self.home / FILE_NAME).is_file():
            return SILENCE
        return {
            "session-start": self._started,
            "user-prompt": self._prompted,
            "pre-tool-use": self._acting,
            "pre-compact": self._compacting,
            "session-end": self._ended,
        }[event.name](event)

    def take(self, event: Event) -> Captured:
        """Store what an event of a tool tells, when it is worth keeping."""
        if not event.command or not self.capture:
            return Captured("nothing", "off" if event.command else "no-command")
        policy = policy_of(self.home)
        ruling = ruled(policy, event)
        if not ruling.keep and not (self.home / FILE_NAME).is_file():
            return Captured("nothing", ruling.ground)
        if not (ruling.keep or ruling.ground == "success"):
            return Captured("nothing", ruling.ground)
        with Store(self.home, self.clock) as store:
            store.settle()
            recorder = Recorder(store, self.scope, policy, self.keep_secrets, self.clock)
            return recorder.take(event)

    def _acting(self, event: Event) -> Answer:
        action = event.action
        if not action or (event.command and policy_of(self.home).only_answers(action)):
            return SILENCE
        # Imported here, as below: what only writes a record loads no search.
        from shadowgraph.operations.avoiding import judge_action  # noqa: PLC0415

        with self._library() as library:
            judged = judge_action(library, action, self.scope.owner, patience=PATIENCE)
        if judged.verdict != "avoid":
            return SILENCE
        against = [entry(one.near.record.body) for one in judged.shown if one.failed][:2]
        decision: Any = self.on_avoid if self.on_avoid in ("ask", "deny") else ""
        new = against if decision else self._untold(event, against, WARNED)
        if not new:
            return SILENCE
        told = _listing(new, "shadowgraph: this or nearly this failed here before.")
        reason = f"shadowgraph: {new[0][2:]}"
        return told._replace(
            decision=decision, reason=reason if decision else "", message=reason
        )

    def _prompted(self, event: Event) -> Answer:
        if not event.prompt.strip():
            return SILENCE
        from shadowgraph.operations.avoiding import judge_action  # noqa: PLC0415

        with self._library() as library:
            judged = judge_action(
                library, event.prompt[:PROMPT], self.scope.owner, patience=PATIENCE
            )
        near = [entry(one.near.record.body) for one in judged.shown if one.failed]
        heading = "Attempts that failed in this project and may concern this prompt:"
        return _listing(self._untold(event, near[:SHOWN], LISTED), heading)

    def _started(self, event: Event) -> Answer:
        sweep(self.home, self.clock())
        if event.source != "startup":
            self._memory(event).forget()
        with self._library() as library:
            found = self._failed(library)
        bodies = [one for one in found.values() if self._counts(one)]
        bodies.sort(key=_worth, reverse=True)
        heading = "Attempts that failed in this project and are not resolved:"
        lines = [entry(body) for body in bodies[:SHOWN]]
        return _listing(self._untold(event, lines, LISTED), heading)

    def remember(self, event: Event, answer: Answer, *, heard: bool) -> None:
        """Remember that an answer reached the host; *heard* says that the model reads it."""
        ways = [WARNED] if event.name == "pre-tool-use" else []
        ways += [LISTED] if heard else []
        marks = [mark(way, line) for line in answer.lines for way in ways]
        self._memory(event).add(marks)

    def _untold(self, event: Event, lines: list[str], way: str) -> list[str]:
        """Return the lines that the session was not told in this *way* yet."""
        known = self._memory(event).lines()
        return [line for line in lines if mark(way, line) not in known]

    def _memory(self, event: Event) -> Told:
        return Told(self.home, self.scope.owner or "", event.session)

    def _failed(self, library: Any) -> dict[str, Mapping[str, Any]]:
        """Return the failures made last and those that happened again last, by id."""
        # Imported here with what searches: a hook that only writes needs no dataclass.
        from shadowgraph.model.filters import Filter  # noqa: PLC0415

        owner = self.scope.owner or ""
        wanted = Filter(owner=owner, kinds=("attempt",), result_classes=("failed",))
        made = library.search("", wanted, limit=_LOOKED_AT, patience=PATIENCE)
        with library.store.read() as selection:
            seen = selection.latest(owner, "attempt", _LOOKED_AT)
        found = [hit.record.body for hit in made.hits]
        found += [one.body for one in seen if one.body.get("resultClass") == "failed"]
        return {str(body["id"]): body for body in found}

    def _counts(self, body: Mapping[str, Any]) -> bool:
        """Say whether a failure is worth a line at the start of a session."""
        if body.get("resolvedBy"):
            return False
        seen = instant_or_none(body.get("lastSeenAt") or body.get("createdAt"))
        once = body.get("sourceClass") == "tool_observed" and _occurrences(body) == 1
        age = RECENT if once else REMEMBERED
        return seen is not None and self.clock() - seen <= age

    def _compacting(self, event: Event) -> Answer:
        self._memory(event).forget()
        count = len(self._captured(event))
        if not count:
            return SILENCE
        told = (
            f"shadowgraph keeps {_failures(count)} of this session beyond the compaction."
        )
        return Answer(message=told)

    def _ended(self, event: Event) -> Answer:
        self._memory(event).forget()
        captured = self._captured(event)
        if not captured:
            return SILENCE
        resolved = sum(bool(body.get("resolvedBy")) for body in captured)
        told = f"shadowgraph recorded {_failures(len(captured))} in this session"
        return Answer(message=f"{told}, {resolved} of them resolved by now.")

    def _captured(self, event: Event) -> list[Mapping[str, Any]]:
        if not event.session:
            return []
        with self._store() as store, store.read() as selection:
            return failures_of(selection, self.scope.owner or "", event.session)

    @contextmanager
    def _store(self) -> Iterator[Store]:
        with Store(self.home, self.clock) as store:
            store.settle()
            yield store

    @contextmanager
    def _library(self) -> Iterator[Any]:
        from shadowgraph.library import Library  # noqa: PLC0415

        with Library(self.home, clock=self.clock) as library:
            library.sync.hurried = True
            yield library


def _listing(lines: list[str], heading: str) -> Answer:
    """Return an answer with as many of the lines as a digest holds."""
    shown = fitting(lines, heading)
    return Answer(context=framed(shown, heading), lines=tuple(shown))


def _occurrences(body: Mapping[str, Any]) -> int:
    count = body.get("occurrences")
    return count if isinstance(count, int) and not isinstance(count, bool) else 1


def _worth(body: Mapping[str, Any]) -> tuple[bool, int, str]:
    """Return what orders failures: somebody's words before a tool's, then how often."""
    observed = body.get("sourceClass") == "tool_observed"
    return not observed, _occurrences(body), str(body.get("createdAt") or "")


def _failures(count: int) -> str:
    return "1 failed attempt" if count == 1 else f"{count} failed attempts"
