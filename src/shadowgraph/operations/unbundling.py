"""Importing a bundle: planned first, then written as one transaction.

The plan (`arrivals`) is made again inside the transaction that writes, so what is written is
what was planned then. The task arrives parked, its verification unknown: a verdict of
elsewhere is kept as provenance and counts for nothing. No pointer moves. A bundle in which
something looks like a secret of ours is refused, because storing it would mean changing it.
"""

from typing import Any, Literal

from shadowgraph import checkout
from shadowgraph.checkout import GitState
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.files import Files
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.masking import mask_json
from shadowgraph.model.bundles import Bundle
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.arrivals import Arrival, Body, arrival
from shadowgraph.operations.building import check_rules, instant, new_body
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance
from shadowgraph.operations.inspecting import TRUST, contents
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.rooted import Root, files_at
from shadowgraph.operations.tasking import InProject, InSession
from shadowgraph.rules.bundles import read
from shadowgraph.store import Transaction

NEXT = {
    "create": "Call bundle_import with write true to do it.",
    "idempotent": "Nothing is to be done.",
    "conflict": "The task is here already, otherwise; pass asNew to have it beside it.",
}


class BundleImportPlanReply(StoredWire):
    """What an import would do, or did."""

    project: str | None = None
    """Project that takes the task."""
    bundle_id: str
    """Digest of the bundle."""
    outcome: Literal["create", "idempotent", "conflict"]
    """create; idempotent: it was imported before; conflict: the task is here otherwise."""
    destination: str
    """task-missing, task-present, already-imported or import-conflict."""
    task_id: str
    """Id of the task here."""
    actions: list[dict[str, Any]]
    """By record: action (create, reuse, remap, skip), kind, id, originId, reason."""
    written: list[str]
    """Ids that were written; empty for a plan."""
    next: str
    """What to do now."""
    trust: str
    """What the digest proves."""


class BundleImportPlan(InProject):
    """Plan an import."""

    path: NonBlank
    """Bundle file, from the checkout or absolute."""
    as_new: bool = False
    """True: under a new id, beside one that is here."""
    root: Root = None


@operation(
    "bundle_import_plan",
    title="Plan the import of a bundle",
    toolset="tasks",
    description="""Say what importing a bundle would do: create, idempotent or conflict, and
        for every record whether it is created, reused, renamed or left out, and why. Call
        it before bundle_import. For a file of records use shadowgraph_import. Changes
        nothing.""",
    request=BundleImportPlan,
    reply=BundleImportPlanReply,
    read_only=True,
    idempotent=True,
    example={"path": "fixtures/continuity/handover.bundle.json"},
)
def bundle_import_plan(
    library: Library, request: BundleImportPlan, caller: Caller
) -> Reply:
    """Return the plan of an import."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    bundle = _readable(where, request.path)
    with library.store.read() as selection:
        plan = arrival(selection, scope, bundle, where, as_new=request.as_new)
    return _reply(scope, bundle, plan, [])


class BundleImport(InSession):
    """Import a bundle."""

    path: NonBlank
    """Bundle file, from the checkout or absolute."""
    write: bool = False
    """True to write; else the reply is a plan."""
    as_new: bool = False
    """True: under a new id, beside one that is here."""
    root: Root = None


@operation(
    "bundle_import",
    title="Import a bundle",
    toolset="tasks",
    description="""Import a task bundle: the task arrives parked and unverified, with its
        decisions, dead ends, evidence and the sources whose files are the same here. Call
        it after bundle_import_plan, with write true. What is known here stays. For a file
        of records use shadowgraph_import.""",
    request=BundleImport,
    reply=BundleImportPlanReply,
    idempotent=True,
    example={"path": "fixtures/continuity/handover.bundle.json", "write": True},
)
def bundle_import(library: Library, request: BundleImport, caller: Caller) -> Reply:
    """Import a bundle, or plan it."""
    scope = caller.scope(request.project)
    where = files_at(request.root, caller)
    bundle = _readable(where, request.path)
    git = checkout.state(where.root)
    with library.store.read() as selection:
        plan = arrival(selection, scope, bundle, where, as_new=request.as_new)
    if not request.write or plan.outcome == "idempotent":
        return _reply(scope, bundle, plan, [])
    with library.write() as transaction:
        plan = arrival(transaction, scope, bundle, where, as_new=request.as_new)
        if plan.outcome == "conflict":
            raise ConflictError(
                f"{plan.task_id} is here already, and not from this bundle.",
                hint="Pass asNew to import it beside that one.",
                details={"id": plan.task_id, "destination": plan.destination},
            )
        place = _Place(transaction, scope, where, git, request, caller)
        written = [place.store(body) for body in plan.bodies]
    return _reply(scope, bundle, plan, written)


def _readable(where: Files, path: str) -> Bundle:
    """Return the bundle of a file, when all of it can be stored as it is."""
    bundle = read(contents(where, path))
    for record in bundle.dead_ends:
        check_rules(record.reusable_when, f"{record.origin_id}: reusableWhen")
    parts = (
        *bundle.decisions,
        *bundle.dead_ends,
        *((bundle.checkpoint,) if bundle.checkpoint else ()),
    )
    for part in parts:
        instant(part.created_at, "createdAt")
    held = bundle.model_dump(by_alias=True, mode="json")
    found = mask_json(held)[1]
    if found:
        raise InvalidInputError(
            f"The bundle holds what looks like a secret ({', '.join(found)}), so it is not"
            " stored.",
            hint="Have it exported again; an export masks secrets.",
        )
    return bundle


class _Place:
    """Where the records of one import go."""

    def __init__(
        self,
        transaction: Transaction,
        scope: Scope,
        where: Files,
        git: GitState,
        request: BundleImport,
        caller: Caller,
    ) -> None:
        self._transaction = transaction
        self._scope = scope
        self._local = {
            "branch": git.branch,
            "head": git.head,
            "worktree": str(where.root),
        }
        self._request = request
        self._caller = caller

    def store(self, body: Body) -> str:
        """Store one record of the plan under this owner; return its id."""
        kind = body["kind"]
        now = self._transaction.at
        by = Provenance(session_id=self._request.session_id)
        made = new_body(kind, self._scope, by, self._caller)
        made |= {"createdAt": now, "updatedAt": now} | body
        if kind == "task":
            made |= self._local
        if kind == "relation":
            made |= {"id": new_id(kind), "temporal": _from_now(now)}
        request = self._request
        origin = self._caller.origin(None, None, request.session_id)
        return self._transaction.insert(made, f"{kind}.imported", origin).id


def _from_now(now: str) -> Body:
    return {"validFrom": now, "validTo": None, "recordedAt": now, "invalidatedAt": None}


def _reply(scope: Scope, bundle: Bundle, plan: Arrival, written: list[str]) -> Reply:
    return {
        "project": scope.project,
        "bundleId": bundle.bundle_id,
        "outcome": plan.outcome,
        "destination": plan.destination,
        "taskId": plan.task_id,
        "actions": plan.actions,
        "written": written,
        "next": "The task is parked; go on with it by task_switch."
        if written
        else NEXT[plan.outcome],
        "trust": TRUST,
    }
