"""A copy of a project's records to hand on, with what looks like a secret masked.

The copy has upstream's shape of a scoped redaction. The stored records stay as they are:
erasing a secret from the store is a purge. What is masked, and why, is in
`rules.redaction`.
"""

from typing import Annotated, Any

from pydantic import Field

from shadowgraph.library import Library
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.model.wire import StoredWire
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.cutting import within
from shadowgraph.operations.inputs import Reading
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.operations.scoped import MOST_CHARACTERS
from shadowgraph.rules.redaction import DEFAULT_PATTERNS, REPLACEMENT, compiled, masked
from shadowgraph.store import Store


class RedactReply(StoredWire):
    """The masked copy."""

    export_kind: str
    """scoped_redaction."""
    schema_version: int
    """Shape of the records."""
    records: list[dict[str, Any]]
    """Records of every kind but those below."""
    facts: list[dict[str, Any]]
    """Facts."""
    relations: list[dict[str, Any]]
    """Relations."""
    review_signals: list[dict[str, Any]]
    """Reviews."""
    completeness: dict[str, Any]
    """Scope, returned, total, hasMore and the offset to go on with."""


class Redact(Reading):
    """Read a masked copy."""

    patterns: list[str] | None = None
    """Regular expressions of key names to mask, in place of password, secret, token, api[-_]?key, authorization and private[-_]?key."""
    replacement: str = REPLACEMENT
    """What stands in place of a secret."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Records to skip."""


@operation(
    "shadowgraph_redact",
    title="Copy without secrets",
    toolset="admin",
    description="""Read a copy of a project's records in which passwords, tokens, keys, bearer
        values and addresses that carry one are masked. Call it before records are shown to
        somebody else. Changes nothing: to erase a secret from the store use
        shadowgraph_purge, to correct a field shadowgraph_amend.""",
    request=Redact,
    reply=RedactReply,
    read_only=True,
    idempotent=True,
    example={"project": "acme/web-shop"},
)
def redact(library: Library, request: Redact, caller: Caller) -> Reply:
    """Return the records of a scope with secrets masked."""
    scope = caller.scope(request.project, request.origin_id)
    patterns = compiled(request.patterns or DEFAULT_PATTERNS)
    held = _bodies(library.store, scope.owner or "")
    copies = (
        masked(body, patterns, request.replacement) for body in held[request.offset :]
    )
    shown = within(copies, MOST_CHARACTERS)
    end = request.offset + len(shown)
    kinds = {"fact": "facts", "relation": "relations", "review": "reviewSignals"}
    lists: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("records", *kinds.values())
    }
    for copy in shown:
        lists[kinds.get(str(copy.get("kind")), "records")].append(copy)
    return {
        "exportKind": "scoped_redaction",
        "schemaVersion": SCHEMA_VERSION,
        **lists,
        "completeness": {
            "scope": {"project": scope.project, "projectSource": scope.source},
            "returned": len(shown),
            "total": len(held),
            "hasMore": end < len(held),
            **({"nextOffset": end} if end < len(held) else {}),
            "complete": end >= len(held),
        },
    }


def _bodies(store: Store, owner: str) -> list[dict[str, Any]]:
    return [
        dict(record.body)
        for page in store.pages()
        for record in page
        if record.owner == owner
    ]
