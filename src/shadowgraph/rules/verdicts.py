"""The verdict on a task: what it says, what it is bound to, and what unsettles it.

A final verdict is bound to the full hash of the commit it was given at, and only another
explicit verdict binds it anew. What is left out is kept: evidence alone changes neither
status nor summary. A verdict that says *passed* against a command that failed needs force
and is marked for good; a later success of the same command takes the contradiction away.
A change of what was to be done unsettles a final verdict: the status becomes pending, and
what was invalidated stays visible beside it. Linked evidence is never unlinked.

Whether evidence exists is looked up by the operations before anything is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from shadowgraph.errors import ConflictError, InvalidInputError

STATUSES: Final = ("unknown", "pending", "passed", "failed", "accepted")
FINAL: Final = ("passed", "failed", "accepted")
"Verdicts that end the work on a task."
NONE: Final[Mapping[str, Any]] = {
    "status": "unknown",
    "evidence": [],
    "summary": "",
    "head": None,
    "updatedAt": None,
}
"The verification of a new task."


class Said(NamedTuple):
    """What a call says of a verdict; None and empty where it says nothing."""

    status: str | None = None
    evidence: Sequence[str] = ()
    summary: str | None = None
    force: bool = False

    @property
    def anything(self) -> bool:
        """Whether it says anything at all."""
        return bool(self.status or self.evidence or self.summary is not None)


def verification_of(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task's verification, whole even when an import lacks members.

    >>> verification_of({"verification": "odd"})["status"]
    'unknown'
    """
    held = task.get("verification")
    found = {**NONE, **(held if isinstance(held, Mapping) else {})}
    ids = found["evidence"] if isinstance(found["evidence"], list) else []
    return {**found, "evidence": list(ids)}


def is_final(task: Mapping[str, Any]) -> bool:
    """Say whether a final verdict stands."""
    return verification_of(task)["status"] in FINAL


def judged(
    held: Mapping[str, Any],
    said: Said,
    head: str | None,
    at: str,
    contradicting: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the verification after a call; the same one when nothing changes.

    *head* is the commit of now, *contradicting* the linked evidence against a success.

    Raises:
        ConflictError: the verdict is passed, evidence speaks against it, and no force.
    """
    made = dict(held)
    if said.status is not None:
        made["status"] = said.status
        made["head"] = head if said.status in FINAL else None
        if said.status in FINAL:
            made.pop("invalidated", None)
    if said.summary is not None:
        made["summary"] = said.summary
    made["evidence"] = list(dict.fromkeys([*held["evidence"], *said.evidence]))
    made = _weighed(made, contradicting, force=said.force)
    return made if made == held else {**made, "updatedAt": at}


def _weighed(
    made: dict[str, Any], contradicting: Sequence[str], *, force: bool
) -> dict[str, Any]:
    """Return a verdict with the mark of what contradicts it.

    Raises:
        ConflictError: something does, and neither this call nor an earlier one insisted.
    """
    kept = {k: v for k, v in made.items() if k not in ("forced", "contradictedBy")}
    if made["status"] != "passed" or not contradicting:
        return kept
    told = made.get("contradictedBy") or ()
    if not force and set(contradicting) - set(told):
        raise ConflictError(
            f"passed contradicts evidence of a failed command: {', '.join(contradicting)}.",
            hint="Attach the output of a later run that succeeded, or pass force when the"
            " failure does not count.",
            details={"contradicting": list(contradicting)},
        )
    return {**kept, "forced": True, "contradictedBy": list(contradicting)}


def contradictions(evidence: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the ids of failed commands that no later success of the same makes good.

    *evidence* comes oldest first.

    >>> contradictions([{"id": "a", "command": "t", "exitCode": 1}])
    ['a']
    """
    failed: dict[str, str] = {}
    for item in evidence:
        code, command = item.get("exitCode"), str(item.get("command") or item["id"])
        if code == 0:
            failed = {one: of for one, of in failed.items() if of != command}
        elif code is not None:
            failed[str(item["id"])] = command
    return list(failed)


def invalidated(held: Mapping[str, Any], reason: str, at: str) -> dict[str, Any]:
    """Return a final verdict that no longer counts, and what it was."""
    was = {k: held.get(k) for k in ("status", "head", "summary", "updatedAt")}
    rest = {k: v for k, v in held.items() if k not in ("forced", "contradictedBy")}
    note = {"at": at, "reason": reason, "was": was}
    return {**rest, "status": "pending", "head": None, "updatedAt": at, "invalidated": note}


def check_final(verification: Mapping[str, Any], open_steps: int, *, force: bool) -> None:
    """Accept a verdict that closes a task.

    Raises:
        InvalidInputError: it is not final.
        ConflictError: it accepts a task with next actions left, without force.
    """
    status = verification["status"]
    if status not in FINAL:
        raise InvalidInputError(
            f"The verdict is {status}; a task is closed with {', '.join(FINAL)}.",
            hint="Pass status, or close it without a verdict with task_abandon.",
        )
    if status == "accepted" and open_steps and not force:
        raise ConflictError(
            f"accepted, but {open_steps} next actions are left.",
            hint="Clear them with task_update (clearNextActions), or pass force.",
        )
