"""Signs that work on tasks goes through motions: the same thing done again for nothing.

Advice for a person, from what is recorded: verdicts taken back again and again, the same
output attached many times, the same checkpoint twice, one piece of work cut into tasks that
each last an hour. Nothing is counted against anybody and nothing is changed. At most five
findings with three samples each, from the newest thirty records of a sort.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from shadowgraph.rules.facets import millis_of
from shadowgraph.rules.verdicts import FINAL, verification_of
from shadowgraph.rules.writescope import overlap

LOOKED_AT: Final = 30
"Newest records of a sort that are looked at."
MOST: Final = 5
"Findings at most."
SAMPLES: Final = 3
_HOUR: Final = 3_600_000
SHORT: Final = 4 * _HOUR
"A task that took no longer is short, in milliseconds."
DAY: Final = 24 * _HOUR

Body = Mapping[str, Any]


def signs(
    states: Sequence[Body],
    evidence: Sequence[Body],
    checkpoints: Sequence[Body],
    tasks: Sequence[Body],
) -> list[str]:
    """Return the findings on a task.

    *states* are the task's own states, oldest first; *evidence* and *checkpoints* are of the
    task and *tasks* of its project, newest first.
    """
    found = [
        *_resets(states),
        *_repeated("identical pieces of evidence", evidence[:LOOKED_AT], 3, _output),
        *_repeated("checkpoints that say the same", checkpoints[:LOOKED_AT], 2, _summary),
        *_slices(tasks[:LOOKED_AT]),
    ]
    return found[:MOST]


def _resets(states: Sequence[Body]) -> Iterator[str]:
    """Yield how often a final verdict was taken back."""
    verdicts = [verification_of(state)["status"] for state in states]
    pairs = pairwise(verdicts)
    resets = sum(before in FINAL and after not in FINAL for before, after in pairs)
    if resets >= 2:
        yield f"a final verdict was taken back {resets} times; give it when work has ended"


def _repeated(what: str, held: Iterable[Body], least: int, key: Any) -> Iterator[str]:
    """Yield that several records say the same."""
    ids: dict[str, list[str]] = defaultdict(list)
    for body in held:
        said = key(body)
        if said.strip():
            ids[said].append(str(body["id"]))
    counted = Counter({said: len(same) for said, same in ids.items()})
    for said, count in counted.most_common(SAMPLES):
        if count >= least:
            yield f"{count} {what}: {', '.join(ids[said][:SAMPLES])}"


def _output(body: Body) -> str:
    return str(body.get("content") or "")


def _summary(body: Body) -> str:
    return str(body.get("summary") or "")


def _slices(tasks: Sequence[Body]) -> Iterator[str]:
    """Yield pieces of work that were cut into short tasks within a day."""
    groups: dict[str, list[Body]] = defaultdict(list)
    for task in tasks:
        if _lasted(task) is not None:
            groups[" ".join(str(task.get("objective")).lower().split())].append(task)
    for same in groups.values():
        near = [one for one in same if _ended(same[0]) - _ended(one) <= DAY]
        near = [one for one in near if overlap(_scope(one), _scope(same[0]))]
        if len(near) >= 3:
            named = ", ".join(str(one["id"]) for one in near[:SAMPLES])
            yield f"{len(near)} short tasks of one objective within a day: {named}"


def _lasted(task: Body) -> int | None:
    """Return how long a closed task took; None for one that is open or took long."""
    began, ended = millis_of(task.get("createdAt")), millis_of(task.get("closedAt"))
    if began is None or ended is None or ended - began > SHORT:
        return None
    return ended - began


def _ended(task: Body) -> int:
    return millis_of(task.get("closedAt")) or 0


def _scope(task: Body) -> list[str]:
    held = task.get("writeScope")
    return [str(one) for one in held] if isinstance(held, list) else []
