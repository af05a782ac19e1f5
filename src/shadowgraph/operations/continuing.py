"""Continuing a task: what the next agent needs, within a hard budget of tokens.

The passport of the task, what git says, warnings, dead ends and decisions found by searching
for the objective and the next actions, sources with the state of their files, evidence and
the timeline. What gathers them is in `gathering`; fitting lines into the budget is
`rules.packing`, counting tokens `rules.tokens`. The invariants: the text is estimated at no
more than the budget, its last line, which names what was left out, included; required lines
come first; and the read changes nothing. The members beside the text are some 60 tokens.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.gathering import Gathered, gather
from shadowgraph.operations.passports import TaskId
from shadowgraph.operations.present import clip
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.rooted import Root, files_at, stand_in
from shadowgraph.operations.tasking import InSession
from shadowgraph.rules.packing import pack
from shadowgraph.rules.tokens import MARGIN, tokens

PRESETS = {"quick": 1_200, "chat": 4_000, "agent": 8_000, "deep": 16_000}
DEFAULT_BUDGET = PRESETS["chat"]
LEAST_BUDGET = 120
TURNS = {"deadEnds": 2, "decisions": 2}
"Lines of a section that are shown a turn."
NAMES = {"deadEnds": "dead ends", "nextActions": "next", "timeline": "events"}
"What the last line calls a section, where its key is no word."


class LoadContextReply(StoredWire):
    """What to know before going on."""

    project: str | None = None
    """Project of the task."""
    task_id: OrNull[str]
    """The task; null when none is open."""
    text: str
    """The context, one line a fact; the last one names what was left out."""
    budget: int
    """Tokens the text may take."""
    tokens: int
    """Tokens it takes at most, by an estimate that errs upwards."""
    omitted: dict[str, int]
    """Lines left out, by section."""
    pending: int | None = None
    """Journal entries that search did not see yet."""


class LoadContext(InSession):
    """Load the context of a task."""

    query: str = ""
    """What else the session is about."""
    budget: Annotated[int | None, Field(ge=LEAST_BUDGET, le=100_000)] = None
    """Most tokens of the text; wins over preset; else 4000."""
    preset: Literal["quick", "chat", "agent", "deep"] | None = None
    """1200, 4000, 8000 or 16000 tokens."""
    task_id: TaskId = None
    root: Root = None


class Resume(LoadContext):
    """Load the context of a task again."""


@operation(
    "load_context",
    title="Load the context of a task",
    toolset="tasks",
    description="""Read what is needed to go on with a task: objective, next actions,
        constraints, scope, verification, git, warnings, the dead ends and decisions that
        matter, sources with their freshness, within a token budget. Call it once when a
        session begins. For a subject without a task use shadowgraph_context, for one idea
        shadowgraph_search. Changes nothing.""",
    request=LoadContext,
    reply=LoadContextReply,
    read_only=True,
    idempotent=True,
    example={"query": "database is locked", "preset": "quick"},
)
def load_context(library: Library, request: LoadContext, caller: Caller) -> Reply:
    """Return the context of a task within its budget."""
    scope = caller.scope(request.project)
    budget = request.budget or PRESETS.get(request.preset or "", DEFAULT_BUDGET)
    where = files_at(request.root, caller)
    here = stand_in(caller, scope, request.root, request.session_id)
    found = gather(library, here, where, request.query, request.task_id)
    return _fitted(found, budget)


@operation(
    "resume",
    title="Load the context again",
    toolset="tasks",
    description="""The same as load_context, for reading it again later in a session. Call
        it after an interruption or when the context was compacted; do not call it after
        each step. For one idea use shadowgraph_search. Changes nothing.""",
    request=Resume,
    reply=LoadContextReply,
    read_only=True,
    idempotent=True,
    example={"preset": "quick"},
)
def resume(library: Library, request: Resume, caller: Caller) -> Reply:
    """Return what `load_context` returns."""
    return load_context(library, request, caller)


def _fitted(found: Gathered, budget: int) -> Reply:
    """Return the reply with as many lines as the budget holds.

    Room is kept for a last line that names everything as left out; what it names in the
    end is never more.
    """
    everything = dict(found.beyond)
    for line in found.lines:
        everything[line.section] = everything.get(line.section, 0) + 1
    room = max(0.0, budget - MARGIN - 1 - _cost(_left_out(everything)))
    text, omitted = _text(found, room)
    # Lines are dearer one by one than together: what that saved is spent once more.
    more = _text(found, room + budget - tokens(text))
    if tokens(more[0]) <= budget:
        text, omitted = more
    return {
        "project": found.project,
        "taskId": found.task_id,
        "text": text,
        "budget": budget,
        "tokens": tokens(text),
        "omitted": omitted,
        **({"pending": found.pending} if found.pending else {}),
    }


def _text(found: Gathered, room: float) -> tuple[str, dict[str, int]]:
    """Return the text of the lines that fit into *room*, and what is left out."""
    packed = pack(found.lines, room, _cost, clip, TURNS)
    for section, beyond in found.beyond.items():
        packed.omitted[section] = packed.omitted.get(section, 0) + beyond
    omitted = {name: count for name, count in packed.omitted.items() if count}
    lines = [*packed.lines, *([_left_out(omitted)] if omitted else [])]
    return "\n".join(lines), omitted


def _left_out(omitted: Mapping[str, int]) -> str:
    told = (f"{count} {NAMES.get(name, name)}" for name, count in omitted.items() if count)
    return f"Left out: {', '.join(told)}"


def _cost(line: str) -> float:
    """Return what a line and its end add to the text."""
    return tokens(f"{line}\n") - MARGIN
