"""Verifying a fact: the one way by which it becomes `verified`.

Only an active fact can be verified, and only by evidence that the configured verifier signed
for exactly this claim; how evidence is checked is in `verifier`. The same evidence again
changes nothing.
"""

from typing import Any, Literal

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.scope import Scope
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import Writing
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.validity import holds_at
from shadowgraph.store import StoredRecord
from shadowgraph.store.selection import Selection
from shadowgraph.verifier import configured


class VerifyFact(Writing):
    """Verify a fact."""

    fact_id: NonBlank
    """Id of the fact."""
    evidence_path: NonBlank
    """Path of the signed evidence, below the configured directory."""


class VerifyReply(StoredWire):
    """The fact after the call."""

    operation: Literal["VERIFIED", "NOOP"]
    """NOOP when this evidence had verified it before."""
    fact: dict[str, Any]
    """The fact, with its verification."""


@operation(
    "shadowgraph_verify_fact",
    title="Verify a fact",
    toolset="graph",
    description="""Mark an active fact as verified by a file of evidence that the verifier
        configured in the home's verifier.toml has signed for it. Call it when such evidence
        was made. What an agent claims is recorded by shadowgraph_record_fact and stays
        unverified. Refused when no verifier is configured.""",
    request=VerifyFact,
    reply=VerifyReply,
    idempotent=True,
    example={
        "factId": "fact_postgres-version",
        "evidencePath": "postgres-version.json",
        "project": "acme/billing-api",
    },
)
def verify_fact(library: Library, request: VerifyFact, caller: Caller) -> Reply:
    """Check the evidence and mark the fact."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    verifier = configured(library.home)
    with library.write() as transaction:
        fact = _active(transaction, request.fact_id, scope, library)
        verification = verifier.verification(
            fact.body, request.evidence_path, library.clock()
        )
        if fact.body.get("verification") == verification:
            return {"operation": "NOOP", "fact": dict(fact.body)}
        body = {
            **fact.body,
            "verificationStatus": "verified",
            "verification": verification,
            "updatedAt": transaction.at,
        }
        origin = caller.origin(None, None, None)
        fact = transaction.replace(fact, body, "fact.verified", origin)
    return {"operation": "VERIFIED", "fact": dict(fact.body)}


def _active(
    selection: Selection, record_id: str, scope: Scope, library: Library
) -> StoredRecord:
    fact = selection.by_id(record_id, scope.owner)
    if fact is None:
        raise unknown(selection, record_id, scope)
    if fact.kind != "fact":
        raise InvalidInputError(
            f"{record_id} is a {fact.kind}; this operation takes a fact."
        )
    status = fact.body.get("status", "active")
    if status != "active" or not holds_at(fact.body, library.clock()):
        raise InvalidInputError(
            f"{record_id} does not hold now (it is {status}), so it cannot be verified.",
            hint="Verify the active fact of its key; shadowgraph_search finds it.",
        )
    return fact
