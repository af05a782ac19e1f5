"""What becomes of the parts of a bundle in this store: the plan of an import.

A plan is made from the bundle and from what the store holds, and says for every record
whether it is created, reused, given another id or left out, and why. What is known here
wins: a record under the same id stays as it is, a source that has a conclusion keeps it,
and no verdict of elsewhere counts. The plan holds the bodies it would write, so applying it
decides nothing any more. Ids are kept when nothing has them; else they are made from the
digest of the bundle, so that the same bundle gives the same ids.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shadowgraph.files import Files
from shadowgraph.model.bundles import Bundle, BundledDecision
from shadowgraph.model.scope import Scope
from shadowgraph.operations.bundleforms import dead_end_form, decision_form, evidence_form
from shadowgraph.operations.recording import AlternativeIn, alternative_item, causal_claim
from shadowgraph.operations.sources import id_of
from shadowgraph.rules.bundles import text_digest
from shadowgraph.rules.confidence import initial
from shadowgraph.rules.lifecycle import INITIAL, STATES
from shadowgraph.rules.passport import OF_TASK
from shadowgraph.rules.verdicts import NONE
from shadowgraph.store.selection import Selection

Body = dict[str, Any]


@dataclass
class Arrival:
    """What an import would do."""

    outcome: str
    "create, idempotent or conflict."
    destination: str
    "task-missing, task-present, already-imported or import-conflict."
    task_id: str
    actions: list[Body] = field(default_factory=list)
    "One entry a record: action, kind, id, originId, reason."
    bodies: list[Body] = field(default_factory=list)
    "What would be written, in order."


def arrival(
    selection: Selection, scope: Scope, bundle: Bundle, where: Files, *, as_new: bool
) -> Arrival:
    """Return the plan of importing *bundle* for the owner of *scope*."""
    held = selection.by_id(bundle.task.id, retracted=True)
    mine = held is not None and held.owner == scope.owner
    if as_new or (held is not None and not mine):
        task_id = _free(selection, _renamed(bundle.task.id, bundle))
        found = selection.by_id(_renamed(bundle.task.id, bundle), scope.owner)
        if not as_new and found is not None and _came_with(found.body, bundle):
            return Arrival("idempotent", "already-imported", found.id)
        return _Planning(selection, scope, bundle, where, task_id).made()
    if held is None:
        return _Planning(selection, scope, bundle, where, bundle.task.id).made()
    if _came_with(held.body, bundle):
        return Arrival("idempotent", "already-imported", held.id)
    came = isinstance(held.body.get("imported"), Mapping)
    return Arrival("conflict", "import-conflict" if came else "task-present", held.id)


def _came_with(body: Mapping[str, Any], bundle: Bundle) -> bool:
    imported = body.get("imported")
    return isinstance(imported, Mapping) and imported.get("bundleId") == bundle.bundle_id


def _renamed(record_id: str, bundle: Bundle) -> str:
    digest = bundle.bundle_id.removeprefix("sha256:")
    return f"{record_id[:170]}_import_{digest[:12]}"


def _free(selection: Selection, record_id: str) -> str:
    """Return *record_id*, or the first id made from it that nothing has."""
    found, number = record_id, 1
    while selection.by_id(found, retracted=True) is not None:
        number += 1
        found = f"{record_id}_{number}"
    return found


class _Planning:
    """One plan while it is made."""

    def __init__(
        self,
        selection: Selection,
        scope: Scope,
        bundle: Bundle,
        where: Files,
        task_id: str,
    ) -> None:
        self._selection = selection
        self._scope = scope
        self._bundle = bundle
        self._where = where
        self._plan = Arrival("create", "task-missing", task_id)

    def made(self) -> Arrival:
        """Return the plan, its task first."""
        bundle = self._bundle
        plan = self._plan
        evidence = {one.origin_id: self._evidence(one) for one in bundle.evidence}
        task = self._task(evidence)
        for decision in bundle.decisions:
            self._record("decision", decision, _decision(decision), decision_form)
        for dead_end in bundle.dead_ends:
            self._record("attempt", dead_end, _dead_end(dead_end), dead_end_form)
        for source in bundle.sources:
            self._source(source)
        if bundle.checkpoint is not None:
            self._checkpoint()
        plan.bodies.insert(0, task)
        self._say("create", "task", plan.task_id, bundle.task.id)
        plan.actions.insert(0, plan.actions.pop())
        return plan

    def _say(self, action: str, kind: str, id_: str, origin: str, why: str = "") -> None:
        told = {"action": action, "kind": kind, "id": id_, "originId": origin}
        self._plan.actions.append(told | ({"reason": why} if why else {}))

    def _task(self, evidence: Mapping[str, str]) -> Body:
        carried = self._bundle.task.model_dump(by_alias=True, mode="json")
        status, verdict = carried.pop("originalStatus"), carried.pop("originalVerification")
        named = verdict.get("evidence")
        ids = (
            [one for one in named if isinstance(one, str)]
            if isinstance(named, list)
            else []
        )
        return carried | {
            "kind": "task",
            "id": self._plan.task_id,
            "status": "parked",
            "constraintHistory": [],
            "repositories": [],
            "verification": dict(NONE),
            "revision": 1,
            "imported": {
                "bundleId": self._bundle.bundle_id,
                "originId": self._bundle.task.id,
                "origin": self._bundle.origin.model_dump(by_alias=True),
                "originalStatus": status,
                "originalVerification": {
                    **verdict,
                    "evidence": [evidence.get(one, one) for one in ids],
                },
                "unresolvedEvidence": [one for one in ids if one not in evidence],
            },
        }

    def _record(self, kind: str, part: Any, body: Body, form: Any) -> str:
        """Plan a record and its link to the task; return its id here."""
        held = self._selection.by_id(part.origin_id, retracted=True)
        id_ = str(part.origin_id)
        if held is not None and held.owner == self._scope.owner and held.kind == kind:
            same = form(held.body) == form(body | {"id": id_, "kind": kind})
            why = "" if same else "what is known here under this id stays"
            self._say("reuse", kind, id_, id_, why)
        else:
            id_ = (
                id_ if held is None else _free(self._selection, _renamed(id_, self._bundle))
            )
            self._say("create" if held is None else "remap", kind, id_, part.origin_id)
            self._plan.bodies.append(
                body | {"kind": kind, "id": id_, "importedFrom": self._from(part.origin_id)}
            )
        self._plan.bodies.append(
            {"kind": "relation", "from": id_, "to": self._plan.task_id, "relation": OF_TASK}
        )
        return id_

    def _from(self, origin_id: str) -> Body:
        return {"bundleId": self._bundle.bundle_id, "originId": origin_id}

    def _evidence(self, part: Any) -> str:
        """Plan a piece of evidence; the same content under the same id is reused."""
        held = self._selection.by_id(part.origin_id, self._scope.owner)
        known = evidence_form(held.body)["content"] if held is not None else None
        if known is not None and text_digest(known) == part.content_digest:
            self._say("reuse", "evidence", part.origin_id, part.origin_id)
            return str(part.origin_id)
        taken = self._selection.by_id(part.origin_id, retracted=True) is not None
        id_ = str(part.origin_id)
        id_ = _free(self._selection, _renamed(id_, self._bundle)) if taken else id_
        self._say("remap" if taken else "create", "evidence", id_, part.origin_id)
        self._plan.bodies.append(
            {
                "kind": "evidence",
                "id": id_,
                "evidenceKind": part.kind,
                "summary": part.summary,
                "command": part.command,
                "exitCode": part.exit_code,
                "content": part.content,
                "detail": part.content,
                "sha256": part.content_digest,
                "taskId": self._plan.task_id,
                "importedFrom": self._from(part.origin_id),
            }
        )
        return id_

    def _source(self, part: Any) -> None:
        """Plan a source, when the file is here as it was there and nothing is known of it."""
        id_ = id_of(self._scope.owner or "", part.path)
        held = self._selection.by_id(id_, retracted=True)
        file = {"path": part.path, "sha256": part.hash, "size": part.size}
        state = self._where.state(file)
        if held is not None:
            self._say(
                "reuse", "source", id_, part.path, "the conclusion that is here stays"
            )
        elif state != "fresh":
            why = (
                "there is no such file here"
                if state == "missing"
                else "the file is another"
            )
            self._say("skip", "source", id_, part.path, why)
        else:
            self._say("create", "source", id_, part.path)
            self._plan.bodies.append(
                {
                    "kind": "source",
                    "id": id_,
                    **self._where.measure(part.path).as_json(),
                    "summary": part.summary,
                    "conclusion": part.summary,
                    "snippet": part.snippet,
                    "taskId": self._plan.task_id,
                    "importedFrom": self._from(part.path),
                }
            )

    def _checkpoint(self) -> None:
        part = self._bundle.checkpoint
        if part is None:
            return
        taken = self._selection.by_id(part.id, retracted=True) is not None
        id_ = _free(self._selection, _renamed(part.id, self._bundle)) if taken else part.id
        self._say("remap" if taken else "create", "checkpoint", id_, part.id)
        self._plan.bodies.append(
            {
                "kind": "evidence",
                "id": id_,
                "evidenceKind": "checkpoint",
                "summary": part.summary,
                "status": "",
                "nextActions": [],
                "detail": "",
                "git": part.git,
                "taskId": self._plan.task_id,
                "createdAt": part.created_at,
                "importedFrom": self._from(part.id),
            }
        )


def _decision(part: BundledDecision) -> Body:
    """Return a decision in full; its confidence begins anew from what was claimed."""
    warnings: list[str] = []
    options = [
        AlternativeIn(
            label=one.label,
            reason_rejected=one.reason_rejected,
            reopen_when=one.reopen_when,
        )
        for one in part.alternatives
    ]
    return {
        "title": part.title,
        "goal": part.goal,
        "chosen": part.chosen,
        "confidence": initial(part.confidence),
        "status": part.status if part.status in STATES else INITIAL,
        "assumptions": part.assumptions,
        "evidence": [],
        "alternatives": [alternative_item(one, warnings) for one in options],
        "failedAttempts": [],
        "outcome": None,
        "reviewAfter": None,
        **_carried(part),
    }


def _dead_end(part: Any) -> Body:
    return {
        "solution": part.solution,
        "result": part.result,
        "resultClass": "failed",
        "reason": part.reason,
        "environment": part.environment,
        "causalClaim": causal_claim(part.reason),
        "reusableWhen": part.reusable_when,
        "relatedTo": [],
        **_carried(part),
    }


def _carried(part: Any) -> Body:
    files = [
        one.model_dump(by_alias=True, mode="json", exclude_none=True) for one in part.files
    ]
    return {"createdAt": part.created_at, **({"files": files} if files else {})}
