"""Which state of a record an answer spoke of.

A record that is shown comes with a digest of the state it was in. Whoever acts on the
answer later can ask whether that state is still the one (`expanding`). The digest covers
the whole body without its vector, and the instant the read stood at.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from shadowgraph.store.journal import canonical

DERIVATION = "record-v1"
"How the digest is made; part of what it covers."


def bound_revision(body: Mapping[str, Any], as_of: str | None = None) -> dict[str, str]:
    """Return the id of a record and the digest of its state.

    >>> bound_revision({"id": "a"}) == bound_revision({"id": "a", "embedding": [1]})
    True
    """
    record = {name: value for name, value in body.items() if name != "embedding"}
    covered = {"derivationVersion": DERIVATION, "asOf": as_of, "record": record}
    digest = hashlib.sha256(canonical(covered).encode()).hexdigest()
    return {"recordId": str(body["id"]), "digest": f"sha256:{digest}"}
