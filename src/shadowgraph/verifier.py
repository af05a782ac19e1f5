"""Verification of facts: signed evidence in a file, checked with a configured public key.

Nothing that a caller says can make a fact verified; a signature can. The operator names, in
`verifier.toml` in the home, the directory that evidence lies in, who signs, and the Ed25519
public key. An evidence file names the fact and the digest of its claim and is signed as a
whole, so it stands for one value of one fact and for no other.

The invariant: a verification is only returned when the file lies inside the configured
directory, after links are followed, and every member and the signature are right. The
`cryptography` package is loaded when a signature is checked, and only then. What is written
to the record, the operation decides.
"""

import base64
import binascii
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from shadowgraph.errors import InvalidInputError, NotConfiguredError
from shadowgraph.rules.instants import format_instant, parse_instant
from shadowgraph.store.journal import canonical

CONFIG_NAME = "verifier.toml"
"The file in the home that names directory, identity and key."
EVIDENCE_BYTES = 64 * 1024
"Most bytes of an evidence file."
EVIDENCE_VERSION = 2
"The shape of evidence files that is read."
METHOD = "ed25519-local-evidence-v1"
"How it is verified, as it stands in the record."
CLAIM = ("id", "project", "originId", "key", "value", "observedAt", "validityPolicy")
"Members of a fact that its digest covers, with the start of its validity."
MEMBERS = (
    "schemaVersion",
    "factId",
    "factDigest",
    "verifierIdentity",
    "evidenceReference",
    "verificationMethod",
    "verifiedAt",
    "signature",
)
"Members of an evidence file, all of them required."

_EXAMPLE = (
    'Write evidence = "/directory/of/evidence", identity = "who signs" and'
    ' public_key = "base64 of the 32 bytes of an Ed25519 public key" into it.'
)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Who is believed, and where evidence lies."""

    evidence: Path
    "Directory that evidence files must lie in."
    identity: str
    "Who signs."
    public_key: bytes
    "The 32 bytes of the Ed25519 key."

    def verification(
        self, fact: Mapping[str, Any], path: str, now: datetime
    ) -> dict[str, Any]:
        """Return the verification of *fact* by the evidence file at *path*.

        Raises:
            InvalidInputError: the file is not there, not for this fact, or not signed.
        """
        evidence = self._read(path)
        self._check_members(evidence, fact, now)
        self._check_signature(evidence)
        kept = (name for name in MEMBERS if name != "schemaVersion")
        return {name: evidence[name] for name in kept}

    def _read(self, path: str) -> dict[str, Any]:
        file = self._inside(path)
        try:
            with file.open("rb") as opened:
                data = opened.read(EVIDENCE_BYTES + 1)
        except OSError as error:
            raise InvalidInputError(
                f"{path!r} cannot be read: {error.strerror}."
            ) from error
        if len(data) > EVIDENCE_BYTES:
            raise InvalidInputError(
                f"{path!r} is larger than {EVIDENCE_BYTES:,} bytes; evidence is small."
            )
        try:
            held = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"{path!r} is not JSON.") from error
        if not isinstance(held, dict) or set(held) != set(MEMBERS):
            raise InvalidInputError(
                f"{path!r} is not an evidence file; it has the members"
                f" {', '.join(MEMBERS)}, and no other."
            )
        return held

    def _inside(self, path: str) -> Path:
        """Return the real file that *path* names, which must lie in the directory."""
        root = self.evidence.resolve()
        try:
            file = (root / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise InvalidInputError(f"{path!r} is not a usable path.") from error
        if not file.is_relative_to(root):
            raise InvalidInputError(
                f"{path!r} is outside of the directory of evidence.",
                hint="Give a path below the directory that verifier.toml names.",
            )
        if not file.is_file():
            raise InvalidInputError(f"There is no evidence file {path!r}.")
        return file

    def _check_members(
        self, evidence: Mapping[str, Any], fact: Mapping[str, Any], now: datetime
    ) -> None:
        expected = {
            "schemaVersion": EVIDENCE_VERSION,
            "factId": fact["id"],
            "verifierIdentity": self.identity,
            "verificationMethod": METHOD,
            "factDigest": claim_digest(fact),
        }
        for name, value in expected.items():
            if evidence[name] != value:
                raise InvalidInputError(
                    f"The evidence has {name} {evidence[name]!r}, not {value!r}.",
                    hint="The evidence must be made for this fact as it stands now.",
                )
        if parse_instant(str(evidence["verifiedAt"])) > now:
            raise InvalidInputError(
                f"The evidence was verified at {evidence['verifiedAt']}, which is later"
                f" than now, {format_instant(now)}."
            )

    def _check_signature(self, evidence: Mapping[str, Any]) -> None:
        # Imported here: an optional package that most homes never need.
        try:
            from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
            from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
                Ed25519PublicKey,
            )
        except ImportError as error:
            raise NotConfiguredError(
                "Checking a signature needs the package cryptography.",
                hint="Run: pip install 'shadowgraph[verify]'",
            ) from error
        key = Ed25519PublicKey.from_public_bytes(self.public_key)
        try:
            key.verify(_decoded(evidence["signature"]), signed_bytes(evidence))
        except InvalidSignature as error:
            raise InvalidInputError(
                f"The signature of the evidence is not one of {self.identity}."
            ) from error


def configured(home: Path) -> Verifier:
    """Return the verifier of a *home*.

    Raises:
        NotConfiguredError: the home names none, or not completely.
    """
    file = home / CONFIG_NAME
    try:
        held = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotConfiguredError(
            f"This home has no {CONFIG_NAME}, so no fact can be verified.", hint=_EXAMPLE
        ) from error
    except (OSError, ValueError) as error:
        raise NotConfiguredError(
            f"{CONFIG_NAME} cannot be read: {error}.", hint=_EXAMPLE
        ) from error
    texts = [held.get(name) for name in ("evidence", "identity", "public_key")]
    if not all(isinstance(text, str) and text for text in texts):
        raise NotConfiguredError(f"{CONFIG_NAME} is not complete.", hint=_EXAMPLE)
    evidence, identity, key = map(str, texts)
    raw = _decoded(key)
    if len(raw) != 32:
        raise NotConfiguredError(
            f"public_key in {CONFIG_NAME} is not an Ed25519 key.", hint=_EXAMPLE
        )
    return Verifier(home / Path(evidence).expanduser(), identity, raw)


def claim_digest(fact: Mapping[str, Any]) -> str:
    """Return the digest of what a fact claims, whatever its status.

    >>> claim_digest({"id": "fact_1", "key": "a", "value": 1})[:15]
    'sha256:2ce72e9b'
    """
    temporal = fact.get("temporal")
    begins = temporal.get("validFrom") if isinstance(temporal, Mapping) else None
    claim = {name: fact[name] for name in CLAIM if name in fact} | {"validFrom": begins}
    return f"sha256:{hashlib.sha256(canonical(claim).encode()).hexdigest()}"


def signed_bytes(evidence: Mapping[str, Any]) -> bytes:
    """Return the bytes that the signature of an evidence file is over."""
    said = {name: value for name, value in evidence.items() if name != "signature"}
    return canonical(said).encode()


def _decoded(text: object) -> bytes:
    """Return the bytes of base64 text; none when it is no base64, which nothing matches."""
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError):
        return b""
