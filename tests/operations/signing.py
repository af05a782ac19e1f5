"""A verifier for tests: a key pair, its configuration in a home, and signed evidence."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from shadowgraph.verifier import METHOD, claim_digest, signed_bytes

# Any 32 bytes are a private key; these sign nothing but what tests make up.
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
IDENTITY = "release-gate"


def configure(home: Path, key: Ed25519PrivateKey = KEY) -> Path:
    """Write the configuration into *home*; return the directory of evidence."""
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    directory = home / "evidence"
    directory.mkdir(parents=True, exist_ok=True)
    (home / "verifier.toml").write_text(
        f'evidence = "evidence"\nidentity = "{IDENTITY}"\n'
        f'public_key = "{base64.b64encode(public).decode()}"\n',
        encoding="utf-8",
    )
    return directory


def evidence_for(
    fact: Mapping[str, Any], key: Ed25519PrivateKey = KEY, **changed: Any
) -> dict[str, Any]:
    """Return evidence for *fact*, signed after members were *changed*."""
    said = {
        "schemaVersion": 2,
        "factId": fact["id"],
        "factDigest": claim_digest(fact),
        "verifierIdentity": IDENTITY,
        "evidenceReference": "build 4711",
        "verificationMethod": METHOD,
        "verifiedAt": "2026-11-15T11:00:00Z",
        **changed,
    }
    signature = base64.b64encode(key.sign(signed_bytes(said))).decode()
    return {**said, "signature": signature}


def write(directory: Path, name: str, evidence: object) -> None:
    """Write evidence as a file."""
    (directory / name).write_text(json.dumps(evidence), encoding="utf-8")
