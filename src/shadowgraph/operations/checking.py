"""Check: one call before an action. Was this tried here, and did it fail?

How the attempts near an action are judged is in `avoiding`; here is what is asked and what
is answered.
"""

from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.avoiding import Judged, Verdict, judge_action
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import states_here, told
from shadowgraph.operations.inputs import Facts, Reading
from shadowgraph.operations.present import clip
from shadowgraph.operations.registry import Reply, operation

SHOWN = 3
"Matches in a reply."


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


@operation(
    "shadowgraph_check",
    title="Check an action",
    description="""Check one action before doing it: avoid, caution, clear or unknown,
        with the attempts that say so and whether another try is worth it now. Call it
        before a command or an edit that may have been tried. To explore a subject use
        shadowgraph_search. Unknown is no permission. Changes nothing.""",
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
    judged = judge_action(
        library, request.action, scope.owner, request.environment, request.facts
    )
    view = judged.view
    shown = judged.shown[:SHOWN]
    states = states_here([one.near.record.body for one in shown], caller)
    return {
        "project": scope.project,
        "verdict": judged.verdict,
        "matches": [
            _match(one) | told(files) for one, files in zip(shown, states, strict=True)
        ],
        "advice": judged.advice,
        "pending": view.pending,
        **({"notices": list(view.notices)} if view.notices else {}),
    }


def _match(one: Judged) -> dict[str, Any]:
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
    if one.resolved:
        shown["resolvedBy"] = body["resolvedBy"]
    return shown
