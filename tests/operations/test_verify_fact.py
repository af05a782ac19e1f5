"""A fact becomes verified by signed evidence for exactly what it claims, and by nothing else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.operations.signing import configure, evidence_for, write

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, NotConfiguredError, UnknownRecordError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture
def fact(ask: Ask) -> dict[str, Any]:
    """Record a fact."""
    reply = ask("record_fact", key="postgres.version", value={"major": 16})
    return dict(reply)


@pytest.fixture
def directory(library: Library) -> Path:
    """Configure a verifier; return the directory of evidence."""
    return configure(library.home)


def verify(ask: Callable[..., Any], fact: dict[str, Any], path: str = "e.json") -> Any:
    """Ask for the verification of a fact."""
    return ask("verify_fact", factId=fact["id"], evidencePath=path)


def test_signed_evidence_verifies_a_fact(
    ask: Ask, fact: dict[str, Any], directory: Path
) -> None:
    """The record carries who signed, over what, and when."""
    write(directory, "e.json", evidence_for(fact))
    reply = verify(ask, fact)

    kept = reply["fact"]["verification"]
    assert ("VERIFIED", "verified") == (
        reply["operation"],
        reply["fact"]["verificationStatus"],
    )
    assert ("release-gate", "ed25519-local-evidence-v1", "2026-11-15T11:00:00Z") == tuple(
        kept[name] for name in ("verifierIdentity", "verificationMethod", "verifiedAt")
    )
    assert kept["factDigest"].startswith("sha256:")


def test_the_same_evidence_again_changes_nothing(
    ask: Ask, fact: dict[str, Any], directory: Path, library: Library
) -> None:
    """One journal entry."""
    write(directory, "e.json", evidence_for(fact))
    verify(ask, fact)

    assert "NOOP" == verify(ask, fact)["operation"]
    rows = library.store._connection().execute(
        "SELECT count(*) FROM journal WHERE type = 'fact.verified'"
    )
    assert 1 == rows.get


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"factId": "fact_other"}, "factId"),
        ({"factDigest": "sha256:0"}, "factDigest"),
        ({"verifierIdentity": "somebody"}, "verifierIdentity"),
        ({"verificationMethod": "trust-me"}, "verificationMethod"),
        ({"schemaVersion": 1}, "schemaVersion"),
        ({"verifiedAt": "2030-01-01T00:00:00Z"}, "later than now"),
        ({"verifiedAt": "yesterday"}, "instant"),
        ({"note": "x"}, "no other"),
    ],
)
def test_evidence_for_something_else_is_refused(
    changed: dict[str, Any],
    message: str,
    refused: Refused,
    fact: dict[str, Any],
    directory: Path,
) -> None:
    """Even though it is signed."""
    write(directory, "e.json", evidence_for(fact, **changed))
    error = verify(refused, fact)

    assert isinstance(error, InvalidInputError)
    assert message in error.message


@pytest.mark.parametrize("signature", ["", "AAAA", "not base64", 5, None])
def test_evidence_without_a_sound_signature_is_refused(
    signature: Any, refused: Refused, fact: dict[str, Any], directory: Path
) -> None:
    """Whatever stands in its place."""
    write(directory, "e.json", {**evidence_for(fact), "signature": signature})

    assert "signature" in verify(refused, fact).message


def test_evidence_that_was_changed_or_signed_by_another_is_refused(
    refused: Refused, fact: dict[str, Any], directory: Path
) -> None:
    """A signature is over the whole."""
    write(directory, "changed.json", {**evidence_for(fact), "evidenceReference": "x"})
    write(directory, "other.json", evidence_for(fact, OTHER_KEY))

    for name in ("changed.json", "other.json"):
        assert "not one of release-gate" in verify(refused, fact, name).message


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("../outside.json", "outside"),
        ("link.json", "outside"),
        ("none.json", "no evidence file"),
        (".", "no evidence file"),
        ("large.json", "larger"),
        ("text.json", "not JSON"),
        ("list.json", "not an evidence file"),
    ],
)
def test_only_a_small_json_file_inside_the_directory_is_read(
    path: str, message: str, refused: Refused, fact: dict[str, Any], directory: Path
) -> None:
    """Links are followed before it is decided."""
    outside = directory.parent / "outside.json"
    outside.write_text(json.dumps(evidence_for(fact)), encoding="utf-8")
    (directory / "link.json").symlink_to(outside)
    (directory / "large.json").write_bytes(b" " * 70_000)
    (directory / "text.json").write_bytes(b"{\xff")
    write(directory, "list.json", [1])

    assert message in verify(refused, fact, path).message


def test_evidence_for_an_older_value_does_not_verify_the_new_one(
    ask: Ask, refused: Refused, fact: dict[str, Any], directory: Path
) -> None:
    """Nor the old one, which no longer holds."""
    write(directory, "e.json", evidence_for(fact))
    newer = ask("record_fact", key="postgres.version", value={"major": 17})

    assert "factId" in verify(refused, newer).message
    assert "superseded" in verify(refused, fact).message
    assert "unverified" == newer["verificationStatus"]


def test_an_expired_fact_cannot_be_verified(
    ask: Ask, refused: Refused, directory: Path, clock: Any
) -> None:
    """It would come alive again."""
    short = ask("record_fact", key="k", value=1, expiresAt="2026-11-15T13:00:00Z")
    write(directory, "e.json", evidence_for(short))
    clock.advance(hours=1)

    assert "does not hold now" in verify(refused, short).message


@pytest.mark.parametrize(
    "config",
    [
        None,
        "evidence = 'e'",
        "evidence = 'e'\nidentity = 'i'\npublic_key = 'AAAA'",
        "not toml",
        "evidence = 5\nidentity = 'i'\npublic_key = 'AAAA'",
    ],
)
def test_a_home_without_a_verifier_says_how_to_set_one_up(
    config: str | None, refused: Refused, fact: dict[str, Any], library: Library
) -> None:
    """The operator has to do it, not the agent."""
    if config is not None:
        (library.home / "verifier.toml").write_text(config, encoding="utf-8")
    error = verify(refused, fact)

    assert isinstance(error, NotConfiguredError)
    assert "public_key" in error.hint


@pytest.mark.usefixtures("directory")
def test_a_foreign_fact_reads_like_an_unknown_one(
    ask: Ask, refused: Refused, fact: dict[str, Any]
) -> None:
    """And another kind says what it is."""
    attempt = ask("record_attempt", solution="s", result="r")["id"]
    foreign = refused(
        "verify_fact", factId=fact["id"], evidencePath="e.json", project="acme/other"
    )

    assert isinstance(foreign, UnknownRecordError)
    assert "is a attempt" in verify(refused, {"id": attempt}).message
