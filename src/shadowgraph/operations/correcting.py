"""Correcting a record in place: its descriptive fields, and how an attempt ended.

A correction keeps the record's id, so whatever names it goes on naming it; the state before
stays in the journal, where shadowgraph_journal shows it. What was said when a record was
made goes through the same checks again. Correcting nothing writes nothing.

Taking a record out altogether is in `retracting`; which fields may be corrected is in
`rules.amending`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, JsonValue, ValidationError

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.findings import sentence
from shadowgraph.model.records import RECORD_MODELS, NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.building import check_rules, instant
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import files_of_session, kept
from shadowgraph.operations.inputs import ResultClassIn, Writing
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.recording import (
    AlternativeIn,
    alternative_item,
    causal_claim,
    evidence_item,
)
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.amending import check_amendable
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection

Body = dict[str, Any]


class CorrectedReply(StoredWire):
    """The record as it stands after the call."""

    id: str
    """Record id, the same as before."""
    kind: str
    """Kind of the record."""
    changed: list[str]
    """Fields that the call changed; empty when nothing was written."""
    warnings: list[str] | None = None
    """What was understood otherwise than written."""


class Amend(Writing):
    """Correct a record."""

    id: NonBlank
    """Id of the record."""
    changes: Annotated[dict[str, JsonValue], Field(min_length=1)]
    """New values by field name, such as {"reason": "..."}; a list replaces the whole list."""
    reason: str = ""
    """Why it is corrected."""


@operation(
    "shadowgraph_amend",
    title="Correct a record",
    toolset="graph",
    description="""Correct descriptive fields of one record: a wrong reason, a missing
        environment, a rule to retry by. Call it when what was recorded is not what
        happened. The id stays; the state before stays in shadowgraph_journal. States,
        outcomes and classes have tools of their own, which the refusal names. A record that
        should not exist goes to shadowgraph_retract.""",
    request=Amend,
    reply=CorrectedReply,
    destructive=True,
    idempotent=True,
    example={
        "id": "attempt_ledger-on-nfs",
        "changes": {"environment": "SQLite 3.45, NFSv4.1, Linux 6.8"},
        "reason": "the protocol version was missing",
        "project": "acme/billing-api",
    },
)
def amend(library: Library, request: Amend, caller: Caller) -> Reply:
    """Correct descriptive fields of a record."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    note = {"reason": request.reason, "actor": caller.origin(None, None, None).actor}

    changes = _measured(request.changes, caller)

    def corrected(record: StoredRecord, at: str) -> tuple[Body, list[str]]:
        body, warnings = _amended(record, changes, at)
        changed = changed_fields(record.body, body)
        return body | {"amended": {"at": at, "fields": changed, **note}}, warnings

    return _correct(library, request.id, scope, "amended", corrected, caller)


def _measured(changes: Mapping[str, JsonValue], caller: Caller) -> dict[str, Any]:
    """Return the changes with files measured anew: what was said holds for them as they are.

    Raises:
        InvalidInputError: files is no list of paths inside the checkout.
    """
    named = changes.get("files")
    if named is None:
        return dict(changes)
    paths = named if isinstance(named, list) else [named]
    if not all(isinstance(path, str) for path in paths):
        raise InvalidInputError(
            "files takes a list of paths.",
            hint="Name them relative to the checkout; they are measured anew.",
        )
    measured = kept([str(path) for path in paths], files_of_session(caller))
    return {**changes, "files": measured}


class Reclassify(Writing):
    """Correct how an attempt ended."""

    id: NonBlank
    """Id of the attempt."""
    result_class: ResultClassIn
    """How it really ended."""
    reason: NonBlank
    """Why it is classified anew."""


@operation(
    "shadowgraph_reclassify",
    title="Classify an attempt anew",
    toolset="graph",
    description="""Correct how one attempt ended: failed, succeeded or inconclusive, with the
        reason. Call it when an attempt counts as failed and did not fail, or worked at first
        and turned out not to. What happened is corrected by shadowgraph_amend, a new try is
        recorded by shadowgraph_record_attempt. The class before stays in the journal.""",
    request=Reclassify,
    reply=CorrectedReply,
    destructive=True,
    idempotent=True,
    example={
        "id": "attempt_ledger-on-nfs",
        "resultClass": "failed",
        "reason": "the corruption showed after a day",
        "project": "acme/billing-api",
    },
)
def reclassify(library: Library, request: Reclassify, caller: Caller) -> Reply:
    """Declare the class of an attempt's result anew."""
    scope = caller.scope_by_id(request.project, request.origin_id)

    def corrected(record: StoredRecord, at: str) -> tuple[Body, list[str]]:
        if record.kind != "attempt":
            raise InvalidInputError(
                f"{record.id} is a {record.kind}; only an attempt has a result class."
            )
        before = record.body.get("resultClass") or library.result_class(record.body)
        note = {"at": at, "from": before, "to": request.result_class}
        return {
            **record.body,
            "resultClass": request.result_class,
            "reclassified": {**note, "reason": request.reason},
        }, []

    return _correct(library, request.id, scope, "reclassified", corrected, caller)


def _correct(
    library: Library,
    record_id: str,
    scope: Scope,
    verb: str,
    corrected: Any,
    caller: Caller,
) -> Reply:
    """Store what *corrected* makes of a record, unless that says the same."""
    with library.store.read() as selection:
        held = found(selection, record_id, scope)
    body, warnings = corrected(held, "")
    if not changed_fields(held.body, body):
        return _reply(held, [], warnings)
    with library.write() as transaction:
        held = found(transaction, record_id, scope)
        body, warnings = corrected(held, transaction.at)
        changed = changed_fields(held.body, body)
        if not changed:
            return _reply(held, [], warnings)
        body["updatedAt"] = transaction.at
        type_ = f"{held.kind}.{verb}"
        origin = caller.origin(None, None, None)
        record = transaction.replace(held, body, type_, origin)
    return _reply(record, changed, warnings)


def _reply(record: StoredRecord, changed: list[str], warnings: list[str]) -> Reply:
    told = {"warnings": warnings} if warnings else {}
    return {**record.body, "changed": changed, **told}


_NOTES = ("amended", "reclassified", "updatedAt")
"Fields that only tell of a correction."


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that differ, notes on the correction aside."""
    names = {*before, *after} - set(_NOTES)
    absent = object()
    return sorted(n for n in names if before.get(n, absent) != after.get(n, absent))


def found(
    selection: Selection, record_id: str, scope: Scope, *, retracted: bool = False
) -> StoredRecord:
    """Return a record of the scope, whatever its kind.

    Raises:
        UnknownRecordError: unknown, foreign, or retracted when that is not asked for.
    """
    record = selection.by_id(record_id, scope.owner, retracted=retracted)
    if record is None:
        raise unknown(selection, record_id, scope)
    return record


def _amended(
    record: StoredRecord, changes: Mapping[str, Any], at: str
) -> tuple[Body, list[str]]:
    """Return the record's body with *changes*, each in the shape it is stored in."""
    held = record.body
    warnings: list[str] = []
    body = dict(held)
    for field, value in changes.items():
        check_amendable(record.kind, field, held)
        body[field] = _in_full(field, value, held, at, warnings)
    if record.kind == "attempt" and body.get("reason") != held.get("reason"):
        body["causalClaim"] = causal_claim(str(body["reason"]))
    _check_shape(record.kind, body, changes)
    return body, warnings


def _in_full(
    field: str, value: Any, held: Mapping[str, Any], at: str, warnings: list[str]
) -> Any:
    """Return *value* as it is stored; what is held already stays as it is."""
    before = held.get(field)
    kept = before if isinstance(before, list) else []
    if field == "reusableWhen" and isinstance(value, list):
        warnings += check_rules(value, field)
    elif field == "evidence" and isinstance(value, list):
        return [item if item in kept else evidence_item(item, at) for item in value]
    elif field == "alternatives" and isinstance(value, list):
        return [item if item in kept else _option(item, kept, warnings) for item in value]
    elif field == "reviewAfter":
        return instant(value, field)
    return value


def _option(item: Any, kept: list[Any], warnings: list[str]) -> Body:
    """Return a rejected option; one of a known id or label keeps its id."""
    given = {"label": item} if isinstance(item, str) else item
    if not isinstance(given, Mapping):
        raise InvalidInputError("alternatives: an option is an object with a label.")
    said = {k: v for k, v in given.items() if k not in ("id", "status")}
    try:
        option = alternative_item(AlternativeIn.model_validate(said), warnings)
    except ValidationError as error:
        findings = map(sentence, error.errors(include_url=False)[:3])
        raise InvalidInputError(f"alternatives: {' '.join(findings)}") from error
    by_id = [k for k in kept if given.get("id") is not None and k["id"] == given["id"]]
    same = by_id or [k for k in kept if k.get("label") == option["label"]]
    if same:
        option |= {k: same[0][k] for k in ("id", "status") if k in same[0]}
    return option


def _check_shape(kind: str, body: Body, changes: Mapping[str, Any]) -> None:
    """Refuse a value that the kind's model does not take.

    What was wrong before, in a field that is not corrected, is not held against the call.
    """
    model = RECORD_MODELS.get(kind)
    if model is None:
        return
    try:
        model.model_validate(body)
    except ValidationError as error:
        findings = [
            found for found in error.errors(include_url=False) if found["loc"][0] in changes
        ]
        if findings:
            told = " ".join(map(sentence, findings[:3]))
            raise InvalidInputError(told) from error
