"""What building a record takes: first fields, the retry key, rules, instants."""

import hashlib
from collections.abc import Iterable
from typing import Any

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire, Wire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Provenance
from shadowgraph.rules.conditions import unanswerable
from shadowgraph.rules.confidence import normalize_source_class
from shadowgraph.rules.grammar import parse_rule
from shadowgraph.rules.instants import format_instant, parse_instant
from shadowgraph.store import StoredRecord, Transaction
from shadowgraph.store.journal import canonical


class Written(StoredWire):
    """What a recording reply carries beside the record."""

    replayed: bool | None = None
    """True when the retry key had been used and the first record is returned."""
    warnings: list[str] | None = None
    """What was understood otherwise than written."""


def new_body(
    kind: str, scope: Scope, request: Provenance, caller: Caller
) -> dict[str, Any]:
    """Return the fields that every new record begins with."""
    source_class, source_raw = normalize_source_class(request.source_class)
    origin = caller.origin(request.actor, request.client, request.session_id)
    return {
        "id": new_id(kind),
        "kind": kind,
        "schemaVersion": SCHEMA_VERSION,
        "project": scope.project,
        "attribution": scope.attribution,
        **({"originId": scope.origin_id} if scope.origin_id else {}),
        "sourceClass": source_class,
        **({"sourceRaw": source_raw} if source_raw is not None else {}),
        **origin.as_json(),
    }


def retried(
    transaction: Transaction, kind: str, scope: Scope, request: Any
) -> StoredRecord | None:
    """Return what the request's retry key stored before; None for a first call.

    Raises:
        ConflictError: the key was used for another content.
    """
    if not request.idempotency_key:
        return None
    known = transaction.remembered(retry_key(kind, scope, request))
    if known is None:
        return None
    # A key that came with an import is bound without a fingerprint: the first request is
    # not known, so there is nothing to compare with.
    if known.fingerprint and known.fingerprint != fingerprint(request):
        raise ConflictError(
            f"idempotencyKey {request.idempotency_key!r} was used for"
            f" {known.record_id}, with other content.",
            hint="Use a new key for a new record; repeat the first call for a retry.",
            details={"id": known.record_id},
        )
    first = transaction.by_id(known.record_id)
    if first is None:
        raise ConflictError(
            f"The record of idempotencyKey {request.idempotency_key!r} was removed."
        )
    return first


def remember(
    transaction: Transaction, record: StoredRecord, scope: Scope, request: Any
) -> None:
    """Bind the request's retry key, when it has one, to the record it made."""
    if request.idempotency_key:
        key = retry_key(record.kind, scope, request)
        transaction.remember(key, record.id, fingerprint(request))


def retry_key(kind: str, scope: Scope, request: Any) -> str:
    """Return the stored form of a retry key: it counts within a kind and an owner."""
    return f"{kind}:{scope.owner}:{request.idempotency_key}"


def store_once(
    library: Library,
    body: dict[str, Any],
    type_: str,
    scope: Scope,
    request: Any,
    caller: Caller,
) -> tuple[StoredRecord, bool]:
    """Store *body*, or return what the request's retry key stored before, and which."""
    origin = caller.origin(request.actor, request.client, request.session_id)
    with library.write() as transaction:
        first = retried(transaction, body["kind"], scope, request)
        if first is not None:
            return first, True
        record = transaction.insert(body, type_, origin)
        remember(transaction, record, scope, request)
        return record, False


def fingerprint(request: Wire) -> bytes:
    """Return the digest of what a request says, its retry key and provenance aside."""
    said = request.model_dump(
        mode="json",
        exclude={"idempotency_key", "actor", "client", "session_id"},
    )
    return hashlib.sha256(canonical(said).encode()).digest()


def extras(replayed: bool, warnings: Iterable[str]) -> dict[str, Any]:
    """Return the optional members of a recording reply."""
    told = list(warnings)
    return ({"replayed": True} if replayed else {}) | ({"warnings": told} if told else {})


def check_rules(rules: Iterable[Any], name: str) -> list[str]:
    """Refuse malformed rules; return warnings for those no fact can ever answer."""
    warnings = []
    for position, raw in enumerate(rules):
        try:
            problem = unanswerable(parse_rule(raw))
        except InvalidInputError as error:
            raise InvalidInputError(
                f"{name}[{position}]: {error.message}", hint=error.hint
            ) from error
        if problem:
            warnings.append(f"{name}[{position}] can never be decided: {problem}.")
    return warnings


def now_text(library: Library) -> str:
    """Return the present as it is written into records."""
    return format_instant(library.clock())


def instant(text: Any, name: str) -> str | None:
    """Return *text* when it is an instant; it is stored as it was written."""
    if text is None:
        return None
    try:
        parse_instant(str(text))
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error.message}", hint=error.hint) from error
    return str(text)
