"""Older shapes of a record, brought to those of schema 7.

Pure functions from a body to a body. What a rule changes it reports, and what it replaces
it leaves in `migration`, so that nothing of the original is lost. A body of schema 7 that
is in order comes out as it went in: that makes an export and its import inverse.

Rules of two sorts stand here. Those that complete a shape (evidence, confidence, validity
of facts, ids of alternatives) apply to files below schema 7 alone, since schema 7 writes
whole shapes. Those that keep a value out which the store could not work with (a status or
class that is none, trust that nobody checked) apply to every file.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from shadowgraph.errors import InvalidInputError
from shadowgraph.model.records import SCHEMA_VERSION, ResultClass
from shadowgraph.rules.confidence import WEIGHTS, initial, normalize_source_class
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.lifecycle import INITIAL, LEGACY_STATES, STATES
from shadowgraph.rules.operands import is_number
from shadowgraph.rules.proof import NOTE, unproven

Body = dict[str, Any]
Tell = Callable[[Literal["mapped", "odd"], str], None]
"Takes what a rule did."
Trusted = Callable[[Mapping[str, Any]], bool]
"Says whether the signature of a verified fact was checked and holds."

LIFECYCLE_SCHEMA = 5
"The schema that brought the eleven states and the validity policy of facts."

FACT_STATES = ("active", "superseded", "expired")
VERIFICATION = ("unverified", "contradicted", "expired", "verified")
RESULTS: tuple[str, ...] = get_args(ResultClass)


def nobody(fact: Mapping[str, Any]) -> bool:
    """Trust no signature: there is no verifier."""
    del fact
    return False


def normalise(body: Body, schema: int, tell: Tell, trusted: Trusted = nobody) -> Body:
    """Return a record of a file at *schema* in the shape of schema 7.

    >>> seen = []
    >>> old = {"kind": "decision", "status": "aging"}
    >>> normalise(old, 4, lambda _, what: seen.append(what))["status"]
    'stale'
    """
    version = body.get("schemaVersion")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        tell(
            "odd", f"schemaVersion {version} is newer than {SCHEMA_VERSION}; kept as it is"
        )
        return body
    made = dict(body)
    if schema < SCHEMA_VERSION:
        _stamp(made, tell)
        _source_class(made, tell)
    rules = {"decision": _decision, "attempt": _attempt, "fact": _fact}
    rule = rules.get(str(made.get("kind")))
    if rule is not None:
        rule(made, schema, tell)
    if made.get("kind") == "fact":
        _verification(made, tell, trusted)
    return made


def remember(body: Body, name: str, was: Any) -> None:
    """Keep in `migration` what a member was before a rule replaced it."""
    held = body.get("migration")
    body["migration"] = {**(held if isinstance(held, Mapping) else {}), name: was}


def _stamp(body: Body, tell: Tell) -> None:
    was = body.get("schemaVersion")
    if was != SCHEMA_VERSION:
        body["schemaVersion"] = SCHEMA_VERSION
        tell("mapped", f"schemaVersion {'none' if was is None else was} -> 7")


def _source_class(body: Body, tell: Tell) -> None:
    if body.get("kind") not in ("decision", "attempt", "memory", "fact"):
        return
    label = body.get("sourceClass")
    if label in tuple(WEIGHTS):
        return
    given = label if label is not None else body.get("source")
    resolved, raw = normalize_source_class(given if isinstance(given, str) else None)
    body["sourceClass"] = resolved
    if raw is not None:
        body.setdefault("sourceRaw", raw)
    if body["kind"] == "fact":
        body["source"] = resolved
    said = "no sourceClass" if given is None else "sourceClass from its label"
    tell("mapped", f"{said} -> {resolved}")


def _decision(body: Body, schema: int, tell: Tell) -> None:
    _status(body, schema, tell)
    _confidence(body, schema, tell)
    if schema >= SCHEMA_VERSION:
        return
    alternatives = body.get("alternatives")
    if isinstance(alternatives, list):
        body["alternatives"] = [
            _alternative(body, at, one, tell) for at, one in enumerate(alternatives)
        ]
    evidence = body.get("evidence")
    if isinstance(evidence, list):
        body["evidence"] = [_evidence(body, one, tell) for one in evidence]


def _status(body: Body, schema: int, tell: Tell) -> None:
    status = body.get("status")
    if status is None:
        body["status"] = INITIAL
        tell("mapped", f"status none -> {INITIAL}")
    elif schema < LIFECYCLE_SCHEMA and status in tuple(LEGACY_STATES):
        body["status"] = LEGACY_STATES[status]
        remember(body, "legacyDecisionStatus", status)
        tell("mapped", f"status {status} -> {body['status']}")
    elif status not in STATES:
        tell("odd", f"the status {status!r} is not known; kept as it is")


def _confidence(body: Body, schema: int, tell: Tell) -> None:
    held = body.get("confidence")
    if isinstance(held, Mapping):
        if "basis" in held or schema >= SCHEMA_VERSION:
            return
        number = held.get("current", held.get("initial"))
    else:
        number = held
    evidence = body.get("evidence")
    declared = len(evidence) if isinstance(evidence, list) else 0
    try:
        made = initial(0.5 if number is None else number, declared)
    except InvalidInputError:
        made = initial(_between(number), declared)
        remember(body, "confidence", held)
        tell("odd", "the confidence is no number from 0 to 1; brought into the range")
    else:
        tell("mapped", "confidence without a basis -> an auditable one")
    body["confidence"] = {**made, "migratedFromLegacyCurrent": True}


def _between(number: Any) -> float:
    """Return the nearest confidence there is; 0.5 for what is no number."""
    if not isinstance(number, int | float) or not is_number(number):
        return 0.5
    return min(1.0, max(0.0, float(number)))


def _alternative(body: Body, at: int, one: Any, tell: Tell) -> Any:
    if not isinstance(one, Mapping) or one.get("id"):
        return one
    tell("mapped", "alternative without an id -> one from its decision and position")
    return {**one, "id": f"alternative_{body.get('id')}_{at}"}


def _evidence(body: Body, one: Any, tell: Tell) -> Any:
    """Return an evidence item in full; a plain text is its detail.

    An unknown time becomes the decision's, never the present: a second import of the same
    file has to find the same content.
    """
    item: Mapping[str, Any] = one if isinstance(one, Mapping) else {"detail": str(one)}
    label = item.get("sourceClass") or item.get("type") or item.get("source")
    resolved, raw = normalize_source_class(label if isinstance(label, str) else None)
    confidence = item.get("confidence", 0.5)
    sure = isinstance(confidence, int | float) and is_number(confidence)
    full = {
        "source": "unknown",
        "type": "unknown",
        "detail": "",
        "observedAt": str(body.get("createdAt") or ""),
        **{name: value for name, value in item.items() if value is not None},
        "sourceClass": resolved,
        "confidence": _between(confidence) if sure else 0.5,
    }
    if raw is not None:
        full.setdefault("sourceRaw", raw)
    if full != one:
        tell("mapped", "evidence -> its full shape")
    return full


def _attempt(body: Body, schema: int, tell: Tell) -> None:
    del schema
    declared = body.get("resultClass")
    if declared is None or declared in RESULTS:
        return
    folded = str(declared).strip().lower()
    remember(body, "resultClass", declared)
    if folded in RESULTS:
        body["resultClass"] = folded
        tell("mapped", f"resultClass {declared} -> {folded}")
    else:
        del body["resultClass"]
        tell("odd", f"the resultClass {declared!r} is not known; the wording decides")


def _fact(body: Body, schema: int, tell: Tell) -> None:
    status = body.get("status")
    if status not in FACT_STATES:
        body["status"] = "active" if status is None else "superseded"
        if status is not None:
            remember(body, "status", status)
        tell("mapped", f"status of a fact {status or 'none'} -> {body['status']}")
    if schema < LIFECYCLE_SCHEMA and not isinstance(body.get("validityPolicy"), Mapping):
        body["validityPolicy"] = _policy(body)
        tell("mapped", "fact without a validityPolicy -> one from its ends")


def _policy(body: Body) -> Body:
    temporal = body.get("temporal")
    valid_to = temporal.get("validTo") if isinstance(temporal, Mapping) else None
    declared = (body.get("expiresAt"), valid_to or body.get("validTo"))
    ends = [(when, end) for end in declared if (when := instant_or_none(end)) is not None]
    return {
        "declaredExpiresAt": declared[0],
        "declaredValidTo": declared[1],
        "effectiveExpirationBoundary": min(ends)[1] if ends else None,
    }


def _verification(body: Body, tell: Tell, trusted: Trusted) -> None:
    status = body.get("verificationStatus")
    if status is None or (status in VERIFICATION and status != "verified"):
        return
    if status == "verified" and trusted(body):
        return
    if status == "verified" and body.get("verification"):
        body |= unproven(body)
        tell("odd", NOTE)
        return
    body |= {"verificationStatus": "unverified", "legacyVerificationStatus": status}
    tell("odd", f"verificationStatus {status} without proof -> unverified")
