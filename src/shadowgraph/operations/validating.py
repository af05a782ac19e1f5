"""Examining the records themselves, and a copy of them without secrets.

`shadowgraph_doctor` examines files; here it is what the records say: states nobody knows,
links that lead nowhere, confidences that do not add up. The rules are in `rules.validation`;
a plan of repairs is derived from the same list and applies nothing.
"""

from collections.abc import Iterator
from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Reading
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.validation import SEVERITIES, Issue, issues_among, issues_of
from shadowgraph.store import StoredRecord

MOST_ISSUES = 200
"Issues that a reply lists."
JOURNAL = "journal"


class ValidateReply(StoredWire):
    """The verdict."""

    valid: bool
    """True when there is no error and nothing unsupported."""
    issues: list[dict[str, Any]]
    """code, severity, recordId or relationId, type, detail; errors first, at most 200."""
    counts: dict[str, int]
    """Issues by severity: error, legacy, unsupported, info."""
    completeness: dict[str, Any]
    """Scope, records examined, and issues left out."""


class Validate(Reading):
    """Validate the records."""

    all_projects: bool = False
    """True for every project."""


@operation(
    "shadowgraph_validate",
    title="Validate the records",
    toolset="admin",
    description="""Examine the content of a project's records: unknown states, links that lead
        nowhere, intervals that contradict themselves, confidences that do not add up, a
        journal that tells something else. Call it after an import or when answers
        contradict each other. Files and index are examined by shadowgraph_doctor. Changes
        nothing.""",
    request=Validate,
    reply=ValidateReply,
    read_only=True,
    idempotent=True,
    example={"project": "acme/billing-api"},
)
def validate(library: Library, request: Validate, caller: Caller) -> Reply:
    """Return what is wrong with the records of a scope."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    issues, examined = _examined(library, scope)
    counts = dict.fromkeys(SEVERITIES, 0)
    for issue in issues:
        counts[issue.severity] += 1
    return {
        "valid": not counts["error"] and not counts["unsupported"],
        "issues": [issue.to_wire() for issue in issues[:MOST_ISSUES]],
        "counts": counts,
        "completeness": _completeness(scope, examined, len(issues)),
    }


def _completeness(scope: Scope, examined: int, found: int) -> dict[str, Any]:
    state = "project_selected" if scope.resolved else "project_unresolved"
    return {
        "scope": {"project": scope.project, "requestState": state},
        "examined": examined,
        "omitted": max(0, found - MOST_ISSUES),
        "complete": found <= MOST_ISSUES,
    }


def _examined(library: Library, scope: Scope) -> tuple[list[Issue], int]:
    """Return the issues of a scope, the worst first, and how many records it has."""
    by_owner: dict[str, list[StoredRecord]] = {}
    for page in library.store.pages(retracted=True):
        for record in page:
            if scope.owner in (None, record.owner):
                by_owner.setdefault(record.owner, []).append(record)
    issues = [*_of_journal(library)]
    for records in by_owner.values():
        issues += _of_owner(records)
    issues.sort(key=lambda issue: (SEVERITIES.index(issue.severity), issue.code))
    return issues, sum(map(len, by_owner.values()))


def _of_owner(records: list[StoredRecord]) -> Iterator[Issue]:
    living = [one for one in records if one.body.get("retractedAt") is None]
    out = {one.id for one in records} - {one.id for one in living}
    for record in living:
        yield from issues_of(record.body, SCHEMA_VERSION)
    yield from issues_among([record.body for record in living], out)


def _of_journal(library: Library) -> Iterator[Issue]:
    """Yield faults of the journal; they concern every project and name none."""
    fault = library.store.first_fault()
    if fault is not None:
        detail = f"entry {fault.seq}: {fault.reason}"
        yield Issue("invalid_journal_chain", "error", f"seq {fault.seq}", JOURNAL, detail)
    with library.store.read() as selection:
        gaps = selection.gaps()
    for first, last in gaps:
        detail = f"entries {first} to {last} are missing"
        yield Issue("journal_gap", "info", f"seq {first}", JOURNAL, detail)


class RepairPlanReply(StoredWire):
    """What could be repaired."""

    apply: bool
    """Always false: nothing is repaired by this call."""
    actions: list[dict[str, Any]]
    """remove_relation with relationId and reason, or manual_review with code, severity, recordId and detail; next says what to call."""
    completeness: dict[str, Any]
    """Scope, records examined, and actions left out."""


@operation(
    "shadowgraph_repair_plan",
    title="Plan repairs",
    toolset="admin",
    description="""List what could be done about the findings of shadowgraph_validate: which
        relations to remove and which records a person has to look at, each with the next
        call. Call it after a validation that was not valid. Changes nothing and repairs
        nothing.""",
    request=Validate,
    reply=RepairPlanReply,
    read_only=True,
    idempotent=True,
    example={"project": "acme/billing-api"},
)
def repair_plan(library: Library, request: Validate, caller: Caller) -> Reply:
    """Return what could be done about the issues of a scope."""
    scope = caller.scope(request.project, request.origin_id, every=request.all_projects)
    issues, examined = _examined(library, scope)
    needed = [issue for issue in issues if issue.severity != "info"]
    return {
        "apply": False,
        "actions": [_action(issue) for issue in needed[:MOST_ISSUES]],
        "completeness": _completeness(scope, examined, len(needed)),
    }


_NEXT = {
    "unknown_decision_status": "shadowgraph_update_status",
    "legacy_missing_decision_status": "shadowgraph_update_status",
    "contradictory_fact_interval": "shadowgraph_retract, then shadowgraph_record_fact",
    "duplicate_active_fact_scope": "shadowgraph_retract",
    "duplicate_active_memory_scope": "shadowgraph_retract",
    "invalid_journal_chain": "shadowgraph_restore",
}


def _action(issue: Issue) -> dict[str, Any]:
    told = issue.to_wire()
    if issue.code.startswith("missing_relation"):
        return {
            "action": "remove_relation",
            "relationId": issue.record_id,
            "reason": issue.detail,
            "next": "shadowgraph_unlink",
        }
    following = _NEXT.get(issue.code, "shadowgraph_get")
    return {"action": "manual_review", **told, "next": following}
