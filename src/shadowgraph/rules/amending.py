"""Which fields of a record a caller may correct, and who owns the others.

This module owns one table: the descriptive fields by kind, and for every other field the
sentence that says what sets it. Memories, relations, signals and what an import kept have no
descriptive field: each has an operation of its own. The invariant: a field that decides how a record takes
part in the graph (its identity, owner, state, validity, confidence) is never corrected by
hand, because something else was derived from it when it was set.
Applying a correction, with the shape of each field, is in `operations.correcting`.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from shadowgraph.errors import InvalidInputError, UnknownArgumentError, nearest

DESCRIPTIVE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "attempt": (
            "solution",
            "result",
            "reason",
            "environment",
            "reusableWhen",
            "relatedTo",
            "files",
        ),
        "decision": (
            "title",
            "goal",
            "chosen",
            "assumptions",
            "evidence",
            "alternatives",
            "failedAttempts",
            "files",
            "reviewAfter",
        ),
        "fact": ("value", "confidence"),
    }
)
"Fields that only describe, by kind; of another kind all that nobody owns."

_AGAIN = "Retract the record with shadowgraph_retract and record it again."
_STORE = "The store sets it."
_EVERYWHERE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("id", "kind", "schemaVersion", "updatedAt", "amended"), _STORE),
        **dict.fromkeys(("createdAt", "temporal", "validityPolicy", "observedAt"), _AGAIN),
        **dict.fromkeys(("project", "originId", "attribution"), _AGAIN),
        **dict.fromkeys(("sourceClass", "sourceRaw", "source"), _AGAIN),
        **dict.fromkeys(("actor", "client", "sessionId"), _STORE),
        **dict.fromkeys(
            ("retractedAt", "retractedReason", "retractedWith"),
            "Call shadowgraph_retract instead.",
        ),
        **dict.fromkeys(
            ("supersedes", "supersededBy"), "Call shadowgraph_supersede instead."
        ),
    }
)
_OWNED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "attempt": {
            "resultClass": "Call shadowgraph_reclassify instead.",
            "reclassified": "Call shadowgraph_reclassify instead.",
            "causalClaim": "It follows reason; correct that.",
        },
        "decision": {
            "status": "Call shadowgraph_update_status instead.",
            "outcome": "Call shadowgraph_record_outcome instead.",
            "confidence": "Call shadowgraph_confidence_evidence or"
            " shadowgraph_record_outcome instead.",
        },
        "fact": {
            "key": _AGAIN,
            "status": "Call shadowgraph_record_fact to end it with a new value.",
            "expiresAt": _AGAIN,
            "verification": "Call shadowgraph_verify_fact instead.",
            "verificationStatus": "Call shadowgraph_verify_fact instead.",
        },
        "task": {
            **dict.fromkeys(
                (
                    *("objective", "constraints", "constraintHistory", "writeScope"),
                    *("nextActions", "tags", "risk", "repositories", "revision"),
                ),
                "Call task_update instead.",
            ),
            **dict.fromkeys(
                ("status", "blockedReason", "lastMove", "closedAt"),
                "Call task_park, task_switch, task_block, task_finalize or task_abandon"
                " instead.",
            ),
            "verification": "Call task_update_verification instead.",
            **dict.fromkeys(("branch", "head", "worktree"), _STORE),
        },
        "evidence": dict.fromkeys(
            (
                *("command", "exitCode", "durationMs", "content", "detail", "path"),
                *("sha256", "truncated", "head", "taskId"),
            ),
            "Attach new evidence with attach_evidence.",
        ),
    }
)
_WHOLE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "memory": "Call shadowgraph_remember with the same type and key; it keeps the"
        " history.",
        "relation": "Call shadowgraph_unlink and then shadowgraph_link instead.",
        "review": "It says what was found. Call shadowgraph_ack_review to clear it, or"
        " shadowgraph_change_rules to change what raises it.",
        "kept": "It is what an import brought, word for word. Correct the file and import"
        " it with replace.",
    }
)
"Kinds of which nothing is corrected, with what to do instead."


def check_amendable(kind: str, field: str, held: Collection[str]) -> None:
    """Accept a descriptive *field* of a record that has the fields *held*.

    >>> check_amendable("attempt", "reason", ())

    Raises:
        InvalidInputError: something else sets the field; the hint names it.
        UnknownArgumentError: records of the kind have no such field.
    """
    owner = _OWNED.get(kind, {}).get(field) or _EVERYWHERE.get(field) or _WHOLE.get(kind)
    if owner is not None:
        raise InvalidInputError(
            f"{field} of {_article(kind)} cannot be corrected by hand.",
            hint=owner,
            details={"field": field},
        )
    known = DESCRIPTIVE.get(kind)
    if known is None or field in known or field in held:
        return
    close = nearest(field, known)
    raise UnknownArgumentError(
        f"{_article(kind).capitalize()} has no field {field!r}.",
        hint=f"Did you mean {close[0]!r}?" if close else f"It has: {', '.join(known)}.",
        details={"field": field, "nearest": close},
    )


def _article(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"
