"""Check: one call before an action. Was this tried here, and did it fail?

The verdict rests on attempts that are close to the action, not on the best of bad matches.
Unknown never permits: *clear* needs an attempt that worked, or a failed one whose
conditions for another try all hold now. An attempt that worked and is closer than any that
failed speaks for the action, and what failed beside it is still shown.
"""

from dataclasses import dataclass
from typing import Any, Literal

from shadowgraph.library import Library, Nearby
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import states_here, told
from shadowgraph.operations.inputs import Facts, Reading
from shadowgraph.operations.present import clip
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.reviewing import retry_verdict

SHOWN = 3
"Matches in a reply."

Verdict = Literal["avoid", "caution", "clear", "unknown"]


class CheckReply(StoredWire):
    """The verdict."""

    project: OrNull[str]
    """Project that was looked in."""
    verdict: Verdict
    """avoid: it failed here; caution: it may fail; clear: it worked; unknown: nothing like it is recorded."""
    matches: list[dict[str, Any]]
    """Attempts that say so: id, solution, resultClass, basis, reason, environment, sameEnvironment, reusableWhen, matched, score, createdAt."""
    advice: str
    """What to do, in one line."""
    pending: int
    """Changes that were not searchable yet."""
    notices: list[str] | None = None
    """What happened to the index."""


class Check(Reading):
    """Check an action."""

    action: NonBlank
    """A sentence, a command or an edit."""
    environment: str = ""
    """Where: versions, OS, configuration."""
    facts: Facts = {}


@dataclass(frozen=True, slots=True)
class _Judged:
    """One nearby attempt and what it says of the action."""

    near: Nearby
    retry: str
    "true, false or unknown: do its conditions for another try hold; none without any."
    elsewhere: bool
    "True when it happened in an environment that shares nothing with the caller's."

    @property
    def failed(self) -> bool:
        """Whether it speaks against the action."""
        return self.near.outcome.cls == "failed" and self.retry != "true"

    @property
    def worked(self) -> bool:
        """Whether it speaks for the action; an outcome that nothing tells does not."""
        return self.near.outcome.cls in ("succeeded", "failed") and not self.failed


@operation(
    "shadowgraph_check",
    title="Check an action",
    description="""Check one action before doing it: avoid, caution, clear or unknown, with the
        attempts that say so and whether their conditions for another try hold. Call it
        before running a command or making an edit that may have been tried. To explore a
        subject use shadowgraph_search. Unknown is no permission: nothing like it is
        recorded. Changes nothing.""",
    request=Check,
    reply=CheckReply,
    read_only=True,
    idempotent=True,
    example={
        "action": "put the ledger's SQLite file on the NFS share in WAL mode",
        "project": "acme/billing-api",
    },
)
def check(library: Library, request: Check, caller: Caller) -> Reply:
    """Judge an action by the attempts near it."""
    scope = caller.scope(request.project, request.origin_id)
    nearby, view = library.nearby(request.action, scope.owner, request.environment)
    judged = [
        _Judged(
            near,
            retry_verdict(
                library.store,
                scope.owner or "",
                near.record,
                request.facts,
                library.clock(),
            ),
            elsewhere=near.same_environment is False,
        )
        for near in nearby
    ]
    settings = library.definition.ranking["check"]
    verdict = _verdict(judged, settings["avoid"], settings["caution"])
    shown = [one for one in judged if one.near.closeness.score >= settings["caution"]]
    states = states_here([one.near.record.body for one in shown[:SHOWN]], caller)
    matches = [_match(one) | told(files) for one, files in zip(shown, states, strict=False)]
    return {
        "project": scope.project,
        "verdict": verdict,
        "matches": matches,
        "advice": _advice(verdict, shown),
        "pending": view.pending,
        **({"notices": list(view.notices)} if view.notices else {}),
    }


def _verdict(judged: list[_Judged], avoid: float, caution: float) -> Verdict:
    """Return what the nearest attempts say together."""
    against = [one for one in judged if one.failed]
    for_it = [one for one in judged if one.worked]
    worst = max((one.near.closeness.score for one in against), default=0.0)
    best = max((one.near.closeness.score for one in for_it), default=0.0)
    doubt = max(
        (one.near.closeness.score for one in judged if one not in for_it), default=0.0
    )
    if worst >= avoid and worst >= best:
        nearest = max(against, key=lambda one: one.near.closeness.score)
        return "caution" if nearest.elsewhere else "avoid"
    if best >= caution and best >= doubt:
        return "clear"
    return "caution" if max(worst, doubt) >= caution else "unknown"


def _match(one: _Judged) -> dict[str, Any]:
    body, near = one.near.record.body, one.near
    shown: dict[str, Any] = {
        "id": near.record.id,
        "solution": clip(str(body.get("solution", "")), 160),
        "resultClass": near.outcome.cls,
        "basis": near.outcome.basis,
        "reason": clip(str(body.get("reason") or body.get("result") or ""), 240),
        "environment": clip(str(body.get("environment") or ""), 100),
        "matched": list(near.closeness.shared[:8]),
        "score": near.closeness.score,
        "createdAt": body.get("createdAt"),
    }
    if near.same_environment is not None:
        shown["sameEnvironment"] = near.same_environment
    if one.retry != "none":
        shown["reusableWhen"] = one.retry
    return shown


def _advice(verdict: Verdict, shown: list[_Judged]) -> str:
    if verdict == "unknown":
        return "Nothing like this is recorded here; that is no sign that it works."
    body = shown[0].near.record.body if shown else {}
    why = clip(str(body.get("reason") or body.get("result") or ""), 160)
    if verdict == "avoid":
        return f"This failed before: {why}"
    if verdict == "clear":
        return "This worked before; record how it goes this time if anything differs."
    return f"Something like this was tried; read the matches first: {why}"
