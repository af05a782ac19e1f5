"""Validation, the plan of repairs, and the copy without secrets."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.store.bodies import NOBODY, attempt, decision, fact, put

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def relation(name: str, start: str, end: str) -> dict[str, Any]:
    """Return a relation of the project."""
    return attempt(name, kind="relation", relation="supports", **{"from": start, "to": end})


def codes(reply: dict[str, Any]) -> list[tuple[str, str]]:
    """Return code and record of every issue."""
    return [
        (issue["code"], issue.get("recordId") or issue["relationId"])
        for issue in reply["issues"]
    ]


@pytest.mark.usefixtures("tiny_library")
def test_a_sound_project_is_valid(ask: Ask) -> None:
    """Every record is examined."""
    reply = ask("validate", allProjects=True)

    assert reply["valid"] is True
    assert {"error": 0, "unsupported": 0} == {
        name: reply["counts"][name] for name in ("error", "unsupported")
    }
    assert 12 == reply["completeness"]["examined"]


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ([decision("d", status="mulling")], ("unknown_decision_status", "d")),
        ([decision("d", status="active")], ("legacy_missing_decision_status", "d")),
        ([decision("d", supersededBy="d")], ("self_supersession", "d")),
        ([decision("d", supersededBy="gone")], ("missing_reference", "d")),
        ([decision("d", confidence=0.4)], ("legacy_confidence_without_basis", "d")),
        ([decision("d", confidence={"current": 3})], ("invalid_confidence", "d")),
        (
            [decision("d", confidence={"current": 0.5, "policy": "other"})],
            ("unsupported_confidence_policy", "d"),
        ),
        (
            [decision("d", confidence={"initial": 0.5, "current": 0.9, "basis": {}})],
            ("confidence_policy_mismatch", "d"),
        ),
        ([fact("f", verificationStatus="sworn")], ("unknown_verification_status", "f")),
        ([fact("f", sourceClass=None)], ("legacy_fact_source_class", "f")),
        (
            [fact("f", validTo="2026-01-01", observedAt="2026-02-01T00:00:00Z")],
            ("contradictory_fact_interval", "f"),
        ),
        ([fact("f", schemaVersion=8)], ("unsupported_fact_schema_version", "f")),
        ([attempt("a", schemaVersion=8)], ("unsupported_record_schema_version", "a")),
        ([attempt("a", attribution="found")], ("invalid_attribution", "a")),
        ([relation("r", "gone", "r")], ("missing_relation_source", "r")),
        ([relation("r", "r", "gone")], ("missing_relation_target", "r")),
    ],
)
def test_an_issue_has_its_code_and_its_record(
    bodies: list[dict[str, Any]], expected: tuple[str, str], ask: Ask, library: Library
) -> None:
    """Beside whatever else a short record lacks."""
    put(library, *bodies)

    assert expected in codes(ask("validate"))


def test_the_verdict_follows_errors_and_not_old_shapes(ask: Ask, library: Library) -> None:
    """A legacy record is valid."""
    put(library, decision("d", status="active", confidence=0.4))
    assert ask("validate")["valid"] is True
    put(library, decision("e", status="mulling"))
    reply = ask("validate")

    assert reply["valid"] is False
    assert "unknown_decision_status" == reply["issues"][0]["code"]


def test_two_active_memories_of_one_key_are_an_error(ask: Ask, library: Library) -> None:
    """The later one is named, with the one that was first."""
    shape = {"kind": "memory", "memoryType": "note", "key": "k", "status": "active"}
    put(library, attempt("m1", **shape), attempt("m2", **shape))
    reply = ask("validate")

    assert [("duplicate_active_memory_scope", "m2")] == codes(reply)
    assert "m1" in reply["issues"][0]["detail"]


def test_a_relation_may_end_at_an_alternative(ask: Ask, library: Library) -> None:
    """Alternatives are named like records."""
    made = ask("record_decision", title="t", chosen="c", alternatives=["other"])
    put(library, relation("r", made["id"], made["alternatives"][0]["id"]))

    assert [] == ask("validate")["issues"]


def test_an_end_that_was_retracted_is_worth_knowing_and_no_error(
    ask: Ask, library: Library
) -> None:
    """Undoing the retraction brings it back."""
    put(library, attempt("a"), relation("r", "a", "a"))
    ask("retract", id="a", reason="x")
    reply = ask("validate")

    assert reply["valid"] is True
    assert {("retracted_relation_endpoint", "r")} == set(codes(reply))


def test_only_the_scope_is_examined(ask: Ask, library: Library) -> None:
    """Another project's faults are its own affair."""
    put(library, decision("d", status="mulling", project="acme/web-shop"))

    assert ask("validate")["valid"] is True
    assert ask("validate", allProjects=True)["valid"] is False


def test_a_broken_chain_is_an_error(ask: Ask, library: Library) -> None:
    """The entry is named by its number."""
    put(library, attempt("a"), attempt("b"))
    library.store._connection().execute("DELETE FROM journal WHERE seq = 1")
    reply = ask("validate")

    assert ("invalid_journal_chain", "seq 2") in codes(reply)
    assert ("journal_gap", "seq 1") in codes(reply)


def test_the_plan_names_what_to_remove_and_what_to_look_at(
    ask: Ask, library: Library
) -> None:
    """Each with the next call, and nothing is applied."""
    put(library, relation("r", "gone", "r"), decision("d", status="mulling"))
    before = library.store.revision()
    reply = ask("repair_plan")

    removing = [one for one in reply["actions"] if one["action"] == "remove_relation"]
    looking = [one for one in reply["actions"] if one["action"] == "manual_review"]
    assert reply["apply"] is False
    assert ["r"] == [one["relationId"] for one in removing]
    assert "gone does not exist" in removing[0]["reason"]
    assert ("unknown_decision_status", "d", "shadowgraph_update_status") in [
        (one["code"], one["recordId"], one["next"]) for one in looking
    ]
    assert before == library.store.revision()


def test_following_the_plan_makes_a_relation_without_an_end_go(
    ask: Ask, library: Library
) -> None:
    """What the plan says to call works."""
    put(library, attempt("a"), relation("r", "gone", "a"))
    action = ask("repair_plan")["actions"][0]
    ask(
        action["next"].removeprefix("shadowgraph_"),
        relationId=action["relationId"],
        reason="x",
    )

    assert [] == ask("repair_plan")["actions"]


def test_a_copy_without_secrets_masks_them_wherever_they_are(
    ask: Ask, library: Library
) -> None:
    """By key, by the name of a fact, by the look of a value; the store keeps them."""
    put(
        library,
        attempt(
            "a",
            result="sent Authorization: Bearer abcdef123456",
            reason="see https://host.example/x?token=abc123 and https://host.example/y",
            extra={"apiKey": "k-1", "deep": [{"db_password": {"a": "p-1"}}], "plain": 1},
        ),
        fact("f", key="billing.api_key", value={"v": "v-1"}),
    )
    reply = ask("redact")
    held, known = reply["records"][0], reply["facts"][0]

    text = json.dumps(reply)
    assert [] == [s for s in ("abcdef123456", "abc123", "k-1", "p-1", "v-1") if s in text]
    assert {
        "apiKey": "[REDACTED]",
        "deep": [{"db_password": "[REDACTED]"}],
        "plain": 1,
    } == (held["extra"])
    assert "https://host.example/y" in held["reason"]
    assert ("billing.api_key", "[REDACTED]") == (known["key"], known["value"])
    assert "scoped_redaction" == reply["exportKind"]
    assert "k-1" in json.dumps(ask("get", ids=["a"]))


def test_patterns_replace_the_default_ones(ask: Ask, library: Library) -> None:
    """Case does not matter, and neither does where in the key it stands."""
    put(library, attempt("a", extra={"Codename": "x", "password": "y"}))
    held = ask("redact", patterns=["^code"], replacement="***")["records"][0]

    assert {"Codename": "***", "password": "y"} == held["extra"]


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(", "a*b*c*d*e*", "x" * 201, "(?:ab)*", "[z-a]"]
)
def test_a_pattern_that_is_bad_or_could_take_too_long_is_refused(
    pattern: str, refused: Refused
) -> None:
    """Before anything is read."""
    assert isinstance(refused("redact", patterns=[pattern]), InvalidInputError)


def test_a_long_copy_comes_in_parts(ask: Ask, library: Library) -> None:
    """Each says where to go on."""
    with library.write() as transaction:
        for number in range(8):
            body = attempt(f"a{number}", result="x" * 15_000)
            transaction.insert(body, "attempt.recorded", NOBODY)
    first = ask("redact")
    offset = first["completeness"]["nextOffset"]
    ids = [one["id"] for one in first["records"]]
    while True:
        part = ask("redact", offset=offset)
        ids += [one["id"] for one in part["records"]]
        if part["completeness"]["complete"]:
            break
        offset = part["completeness"]["nextOffset"]

    assert [f"a{number}" for number in range(8)] == ids
