"""What can be wrong with the content of stored records.

This module owns the codes, their severities, and the checks of one record and of records
beside each other, all from values. The names are upstream's where it has one. An *error*
contradicts a rule of the graph, *unsupported* was written by something newer, *legacy* is an
older shape that is still read, *info* is worth knowing. Nothing is mended here.

What SQLite and the journal can be checked for is examined by the operations.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from shadowgraph.rules.confidence import POLICY, WEIGHTS, recomputed
from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.lifecycle import LEGACY_STATES, MOVES
from shadowgraph.rules.validity import expiration_boundary, valid_since

Severity = Literal["error", "legacy", "unsupported", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "legacy", "unsupported", "info")

ATTRIBUTIONS: Final = (
    "project",
    "unattributed",
    "legacy_ambiguous",
    "legacy_unattributed",
)
VERIFICATIONS: Final = ("unverified", "contradicted", "expired", "verified")
_TOLERANCE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong with one record."""

    code: str
    severity: Severity
    record_id: str
    kind: str
    detail: str

    def to_wire(self) -> dict[str, str]:
        """Return the wire shape; a relation is named as upstream names it."""
        name = "relationId" if self.kind == "relation" else "recordId"
        told = {"code": self.code, "severity": self.severity, name: self.record_id}
        return {**told, "type": self.kind, "detail": self.detail}


Body = Mapping[str, Any]


def issues_of(body: Body, newest_schema: int) -> Iterator[Issue]:
    """Yield what is wrong with one record by itself."""
    for code, severity, detail in _alone(body, newest_schema):
        yield Issue(code, severity, str(body.get("id")), str(body.get("kind")), detail)


_Finding = tuple[str, Severity, str]


def _alone(body: Body, newest_schema: int) -> Iterator[_Finding]:
    version = body.get("schemaVersion", newest_schema)
    if isinstance(version, int) and version > newest_schema:
        sort = "fact" if body.get("kind") == "fact" else "record"
        code = f"unsupported_{sort}_schema_version"
        yield code, "unsupported", f"it has version {version}; {newest_schema} is known"
    attribution = body.get("attribution", "project")
    if attribution not in ATTRIBUTIONS:
        yield "invalid_attribution", "error", f"attribution is {attribution!r}"
    by_kind = {"decision": _decision, "fact": _fact}.get(str(body.get("kind")))
    if by_kind is not None:
        yield from by_kind(body)


def _decision(body: Body) -> Iterator[_Finding]:
    status = body.get("status")
    if status is None or status in LEGACY_STATES:
        yield "legacy_missing_decision_status", "legacy", f"status is {status!r}"
    elif status not in MOVES:
        yield "unknown_decision_status", "error", f"status is {status!r}"
    if body.get("supersededBy") == body.get("id") or body.get("id") in _texts(
        body.get("supersedes")
    ):
        yield "self_supersession", "error", "it supersedes itself"
    yield from _confidence(body.get("confidence"))


def _confidence(held: object) -> Iterator[_Finding]:
    if not isinstance(held, Mapping):
        yield "legacy_confidence_without_basis", "legacy", f"confidence is {held!r}"
        return
    current = held.get("current")
    if not _is_share(current) or current is None:
        yield "invalid_confidence", "error", f"current is {current!r}"
    elif held.get("policy", POLICY) != POLICY:
        detail = f"policy is {held.get('policy')!r}"
        yield "unsupported_confidence_policy", "unsupported", detail
    elif not isinstance(held.get("basis"), Mapping):
        yield "legacy_confidence_without_basis", "legacy", "it has no basis"
    elif abs(recomputed(held) - float(current)) > _TOLERANCE:
        detail = f"current is {current}, its contributions give {recomputed(held)}"
        yield "confidence_policy_mismatch", "error", detail


def _is_share(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    )


def _fact(body: Body) -> Iterator[_Finding]:
    status = body.get("verificationStatus", "unverified")
    if status not in VERIFICATIONS:
        yield "unknown_verification_status", "error", f"verificationStatus is {status!r}"
    end = expiration_boundary(body)
    # Exactly closed where it began, it was superseded at once: that holds nothing.
    if end is not None and end < valid_since(body):
        yield "contradictory_fact_interval", "error", "it ends before it begins"
    if body.get("sourceClass") not in WEIGHTS:
        detail = f"sourceClass is {body.get('sourceClass')!r}"
        yield "legacy_fact_source_class", "legacy", detail


def issues_among(bodies: Collection[Body], retracted: Collection[str]) -> Iterator[Issue]:
    """Yield what is wrong between the living records of one owner.

    *retracted* are ids that exist and are out of every read.
    """
    ends = {str(body.get("id")) for body in bodies} | set(_alternatives(bodies))
    for body in bodies:
        if body.get("kind") == "relation":
            yield from _relation(body, ends, retracted)
        else:
            yield from _references(body, ends, retracted)
    yield from _twice(bodies, "fact", ("key",))
    yield from _twice(bodies, "memory", ("scope", "memoryType", "key"))


def _alternatives(bodies: Iterable[Body]) -> Iterator[str]:
    for body in bodies:
        options = body.get("alternatives")
        for option in options if isinstance(options, list) else ():
            if isinstance(option, Mapping) and option.get("id"):
                yield str(option["id"])


def _relation(body: Body, ends: set[str], retracted: Collection[str]) -> Iterator[Issue]:
    name = str(body.get("id"))
    for field, code in (("from", "source"), ("to", "target")):
        end = str(body.get(field))
        if end in retracted:
            detail = f"{field} {end} is retracted"
            yield Issue("retracted_relation_endpoint", "info", name, "relation", detail)
        elif end not in ends and _is_over(body):
            detail = f"{field} {end} does not exist, and the relation was taken back"
            yield Issue("closed_relation_endpoint", "info", name, "relation", detail)
        elif end not in ends:
            detail = f"{field} {end} does not exist"
            yield Issue(f"missing_relation_{code}", "error", name, "relation", detail)


def _references(body: Body, ends: set[str], retracted: Collection[str]) -> Iterator[Issue]:
    """Yield names of other records that lead nowhere."""
    named = [("supersededBy", one) for one in _texts(body.get("supersededBy"))]
    named += [("supersedes", one) for one in _texts(body.get("supersedes"))]
    if body.get("kind") == "review":
        named += [("decisionId", one) for one in _texts(body.get("decisionId"))]
    for field, one in named:
        if one not in ends and one not in retracted:
            yield Issue(
                "missing_reference",
                "error",
                str(body.get("id")),
                str(body.get("kind")),
                f"{field} {one} does not exist",
            )


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _twice(bodies: Iterable[Body], kind: str, names: tuple[str, ...]) -> Iterator[Issue]:
    """Yield active records that only one of may be active."""
    first: dict[str, str] = {}
    for body in bodies:
        if body.get("kind") != kind or body.get("status") != "active":
            continue
        if kind == "memory" and _is_over(body):
            continue
        identity = repr([body.get(name) for name in names])
        held = first.setdefault(identity, str(body.get("id")))
        if held != str(body.get("id")):
            yield Issue(
                f"duplicate_active_{kind}_scope",
                "error",
                str(body.get("id")),
                kind,
                f"{held} is active for the same {names[-1]}",
            )


def _is_over(body: Body) -> bool:
    temporal = body.get("temporal")
    return isinstance(temporal, Mapping) and (
        instant_or_none(temporal.get("invalidatedAt")) is not None
    )
