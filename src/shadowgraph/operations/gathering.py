"""Gathering what a task's context is made of, as lines in the order they are read.

Dead ends and decisions come from two sides: those linked to the task and those that a
search for its objective, next actions and the caller's words finds, in one order by
reciprocal rank. A record whose files changed or are gone is said to be so and loses a part
of its score; it is never left out for that. Nothing here knows of budgets.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shadowgraph import checkout
from shadowgraph.checkout import GitState
from shadowgraph.files import Files
from shadowgraph.library import Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.scope import Scope
from shadowgraph.operations.cautions import warnings_of
from shadowgraph.operations.freshness import DEMOTION, STALE, states, worst
from shadowgraph.operations.passports import (
    checkpoints,
    evidence_of,
    linked,
    open_tasks,
    read_of,
    sources,
)
from shadowgraph.operations.replaying import timeline
from shadowgraph.operations.tasking import Standing
from shadowgraph.rules.fusion import fuse
from shadowgraph.rules.lifecycle import CURRENT
from shadowgraph.rules.packing import Line
from shadowgraph.rules.passport import listed
from shadowgraph.rules.verdicts import verification_of
from shadowgraph.store import StoredRecord

MOST = 25
"Records of one kind that a context chooses from."
LOOKED_AT = 100
"Hits of one search that are looked at: repeats of one text are shown once."
TIMELINE = 12
MOST_NAMED = 8
"Open tasks that are named when none is current."
REQUIRED_CONSTRAINTS = 4
REQUIRED_WARNINGS = 3
_K = 5
_WEIGHTS = {"words": 1.0, "asked": 1.0, "task": 1.2}
"How much a search for the task, one for the caller's words, and a link to the task count."


@dataclass
class Gathered:
    """What a context may show."""

    project: str | None
    task_id: str | None
    lines: list[Line]
    beyond: dict[str, int] = field(default_factory=dict)
    "What there is beside the lines, by section."
    pending: int = 0


@dataclass(frozen=True, slots=True)
class _Held:
    """What the store holds of the task."""

    task: StoredRecord | None
    others: list[StoredRecord]
    "Open tasks to choose from, when none is current."
    linked: list[StoredRecord]
    sources: list[StoredRecord]
    evidence: list[StoredRecord]
    checkpoints: list[StoredRecord]
    timeline: list[str]
    entries: int


def gather(
    library: Library, here: Standing, where: Files, query: str, task_id: str | None
) -> Gathered:
    """Return the lines of a context."""
    scope = here.scope
    held = _held(library, here, task_id)
    git = checkout.state(where.root)
    task: Mapping[str, Any] = held.task.body if held.task else {}
    measured = [(one.body, where.state(one.body)) for one in held.sources]
    found = Gathered(scope.project, held.task.id if held.task else None, [])
    found.lines += _passport(task, git, held.others)
    found.lines += _warned(warnings_of(task, git, measured))
    finder = _Finder(library, scope, where, _words(task), query, held.linked, found)
    failed = Filter(owner=scope.owner, kinds=("attempt",), result_classes=("failed",))
    finder.find("deadEnds", "Dead end", failed, _failure)
    current = tuple(sorted(CURRENT))
    decided = Filter(owner=scope.owner, kinds=("decision",), statuses=current)
    finder.find("decisions", "Decision", decided, _choice)
    found.lines += _checkpoints(held.checkpoints)
    near = finder.near("source")
    found.lines += [_source(*one) for one in _in_order(measured, task, near)]
    found.lines += [_evidence(one.body) for one in held.evidence]
    found.lines += [Line("timeline", "Event", (line,)) for line in reversed(held.timeline)]
    found.beyond["timeline"] = max(0, held.entries - len(held.timeline))
    return found


def _held(library: Library, here: Standing, task_id: str | None) -> _Held:
    scope = here.scope
    with library.store.read() as selection:
        task = read_of(selection, here, task_id)
        entries, total = timeline(selection, scope, TIMELINE)
        return _Held(
            task=task,
            others=[] if task else open_tasks(selection, here)[:MOST_NAMED],
            linked=linked(selection, task) if task else [],
            sources=sources(selection, scope.owner or ""),
            evidence=evidence_of(selection, task) if task else [],
            checkpoints=checkpoints(
                selection, scope.owner or "", task.id if task else None
            ),
            timeline=[f"{one.at[:16]} {one.type} {told}".strip() for one, told in entries],
            entries=total,
        )


def _words(task: Mapping[str, Any]) -> str:
    """Return what a search for a task asks: what it is for, what is next, and where."""
    told = [str(task.get("title") or ""), str(task.get("objective") or "")]
    told += listed(task, "nextActions")[:3]
    return " ".join([*told, *listed(task, "writeScope"), *listed(task, "tags")]).strip()


def _passport(
    task: Mapping[str, Any], git: GitState, others: Sequence[StoredRecord]
) -> list[Line]:
    if not task:
        told = "none is current; pass taskId" if others else "none is open"
        named = [(other.id, str(other.body.get("title") or "")) for other in others]
        lines = [Line("task", "Open task", one) for one in named]
        return [Line("task", "Task", (told,), required=True), *lines, _git(git, {})]
    objective = str(task.get("objective") or task.get("title") or "")
    lines = [Line("objective", "Objective", (objective,), required=True)]
    title = str(task.get("title") or "")
    if title and title != objective:
        lines.append(Line("task", "Task", (title,)))
    actions = listed(task, "nextActions")
    lines += _several("nextActions", "Next", actions, 1)
    lines += _several(
        "constraints", "Constraint", listed(task, "constraints"), REQUIRED_CONSTRAINTS
    )
    scope = ", ".join(listed(task, "writeScope")) or "not said"
    lines.append(Line("scope", "Write only", (scope,), required=True))
    lines += [_state(task), _git(git, task)]
    return lines


def _several(section: str, label: str, told: Sequence[str], required: int) -> list[Line]:
    return [
        Line(section, label, (text,), required=position < required)
        for position, text in enumerate(told)
    ]


def _state(task: Mapping[str, Any]) -> Line:
    held = verification_of(task)
    verdict = f"{task.get('status')}, verification {held.get('status') or 'unknown'}"
    if isinstance(held.get("head"), str):
        verdict += f" at {held['head'][:10]}"
    return Line("state", "State", (verdict, str(held.get("summary") or "")), required=True)


def _git(git: GitState, task: Mapping[str, Any]) -> Line:
    if git.head is None and git.branch is None:
        return Line("git", "Git", ("no repository here",), required=bool(task))
    dirty = f"{len(git.dirty)} changed" if git.dirty else "clean"
    ref = f"{git.branch or 'detached'} {(git.head or 'no commit')[:10]}"
    return Line("git", "Git", (ref, dirty, ", ".join(git.dirty[:8])), required=True)


def _warned(told: Sequence[str]) -> list[Line]:
    return _several("warnings", "Warning", told, REQUIRED_WARNINGS)


@dataclass
class _Finder:
    """Finds records that matter, from the task and from a search."""

    library: Library
    scope: Scope
    where: Files
    words: str
    query: str
    linked: Sequence[StoredRecord]
    into: Gathered

    def find(
        self,
        section: str,
        label: str,
        wanted: Filter,
        parts: Callable[[Mapping[str, Any]], tuple[str, ...]],
    ) -> None:
        """Add a line for every record of *wanted* that matters, best first."""
        known: dict[str, StoredRecord] = {}
        rankings: dict[str, dict[str, int]] = {}
        total = 0
        for name, text in (("words", self.words), ("asked", self.query)):
            if not text.strip() and (name == "asked" or self.query.strip()):
                continue
            answer = self.library.search(text, wanted, limit=LOOKED_AT)
            self.into.pending = max(self.into.pending, answer.pending)
            total = max(total, answer.total)
            known |= {hit.record.id: hit.record for hit in answer.hits}
            rankings[name] = {hit.record.id: at for at, hit in enumerate(answer.hits, 1)}
        own = [one for one in self.linked if self._fits(one, wanted)]
        known |= {one.id: one for one in own}
        rankings["task"] = {one.id: at for at, one in enumerate(own, 1)}
        ordered = self._ordered(rankings, known)
        # What says the same as a better one is not said twice; it counts as left out.
        distinct: dict[tuple[str, ...], str] = {}
        for record, state in ordered:
            told = f"{label} (file {state})" if state in STALE else label
            distinct.setdefault(parts(record.body), told)
        for position, (said, told) in enumerate(list(distinct.items())[:MOST]):
            self.into.lines.append(Line(section, told, said, required=not position))
        shown = min(len(distinct), MOST)
        self.into.beyond[section] = max(0, max(total, len(ordered)) - shown)

    def near(self, kind: str) -> dict[str, int]:
        """Return the places of records of a *kind* that a search for the task finds."""
        text = f"{self.words} {self.query}".strip()
        if not text:
            return {}
        wanted = Filter(owner=self.scope.owner, kinds=(kind,))
        hits = self.library.search(text, wanted, limit=MOST).hits
        return {hit.record.id: place for place, hit in enumerate(hits)}

    def _fits(self, record: StoredRecord, wanted: Filter) -> bool:
        if record.kind not in wanted.kinds:
            return False
        if record.kind == "attempt":
            return self.library.result_class(record.body) in wanted.result_classes
        return record.body.get("status") in wanted.statuses

    def _ordered(
        self, rankings: Mapping[str, Mapping[str, int]], known: Mapping[str, StoredRecord]
    ) -> list[tuple[StoredRecord, str | None]]:
        """Return the records best first; one whose files are stale counts for less."""
        found = [
            (one.score, known[one.id], worst(states(self.where, known[one.id].body)))
            for one in fuse(rankings, _WEIGHTS, _K)
        ]
        found.sort(key=lambda one: -(one[0] * (DEMOTION if one[2] in STALE else 1)))
        return [(record, state) for _, record, state in found]


def _failure(body: Mapping[str, Any]) -> tuple[str, ...]:
    why = str(body.get("reason") or body.get("result") or "")
    return str(body.get("solution") or ""), why


def _choice(body: Mapping[str, Any]) -> tuple[str, ...]:
    title, chosen = str(body.get("title") or ""), str(body.get("chosen") or "")
    return (title,) if title == chosen else (title, chosen)


def _checkpoints(held: Sequence[StoredRecord]) -> list[Line]:
    return [
        Line(
            "checkpoints",
            "Checkpoint",
            (str(one.body.get("summary") or ""), str(one.body.get("status") or "")),
            required=not position,
        )
        for position, one in enumerate(held[:MOST])
    ]


def _in_order(
    measured: Sequence[tuple[Mapping[str, Any], str]],
    task: Mapping[str, Any],
    near: Mapping[str, int],
) -> list[tuple[Mapping[str, Any], str]]:
    """Return sources: those of the task and those near its words, stale ones first."""

    def rank(one: tuple[Mapping[str, Any], str]) -> tuple[bool, bool, int]:
        body, state = one
        place = near.get(str(body["id"]), MOST)
        own = bool(task) and body.get("taskId") == task.get("id")
        return not own and place == MOST, state not in STALE, place

    return sorted(measured, key=rank)


def _source(body: Mapping[str, Any], state: str) -> Line:
    told = str(body.get("summary") or body.get("conclusion") or "")
    return Line("sources", f"Source ({state})", (str(body.get("path")), told))


def _evidence(body: Mapping[str, Any]) -> Line:
    code = body.get("exitCode")
    label = "Evidence" if code is None else f"Evidence (exit {code})"
    told = str(body.get("summary") or body.get("detail") or body.get("content") or "")
    return Line("evidence", label, (str(body.get("command") or ""), told))
