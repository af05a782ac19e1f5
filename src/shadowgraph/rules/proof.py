"""Whether an imported fact may call itself verified.

A file can say anything, so a fact is verified here only when this store checked the
signature itself: it already holds the very claim, verified with the very signature. Any
other fact that calls itself verified becomes unverified, with the reason; its signature
stays, for shadowgraph_verify_fact to check. Checking a signature is in `verifier`.
"""

from collections.abc import Mapping
from typing import Any

VERIFIED = "verified"
UNCHECKED = "the signature was not checked"
NOTE = "verified by a signature that was not checked -> unverified"
"What a report says of such a fact."
_CLAIM = ("project", "originId", "key", "value", "verification")


def is_proven(body: Mapping[str, Any], held: Mapping[str, Any] | None) -> bool:
    """Say whether the record *held* under the same id proves the claim of *body*.

    >>> is_proven({"key": "k"}, None)
    False
    """
    return (
        held is not None
        and held.get("verificationStatus") == VERIFIED
        and all(held.get(name) == body.get(name) for name in _CLAIM)
    )


def believed(body: Mapping[str, Any], held: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a record as an import may store it.

    >>> believed({"kind": "fact", "verificationStatus": "verified"}, None)[
    ...     "verificationStatus"
    ... ]
    'unverified'
    """
    claims = body.get("kind") == "fact" and body.get("verificationStatus") == VERIFIED
    if not claims or is_proven(body, held):
        return dict(body)
    return unproven(body)


def unproven(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a verified fact as an unverified one."""
    if body.get("verification"):
        reason = {"verificationUntrustedReason": UNCHECKED}
    else:
        reason = {"legacyVerificationStatus": VERIFIED}
    return {**body, "verificationStatus": "unverified", **reason}
