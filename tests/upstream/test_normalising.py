"""Older shapes become those of schema 7, and the newest comes out as it went in."""

from typing import Any

import pytest
from tests.upstream.conftest import Held, Take
from tests.upstream.stores import (
    AT,
    LATER,
    PROJECT,
    attempt,
    confidence,
    decision,
    fact,
    memory,
    store,
)

from shadowgraph.model.records import RECORD_MODELS
from shadowgraph.upstream.normalise import normalise


def normal(body: dict[str, Any], schema: int) -> dict[str, Any]:
    """Return a body in the shape of schema 7."""
    return normalise(body, schema, lambda *_: None)


def of(schema: int, *records: dict[str, Any], **collections: Any) -> dict[str, Any]:
    """Return a store of a schema."""
    return {"schemaVersion": schema, "records": list(records), **collections}


@pytest.mark.parametrize("body", [decision(7), attempt(7), fact(7), memory(7)])
def test_a_body_of_schema_7_comes_out_as_it_went_in(body: dict[str, Any]) -> None:
    """That makes export and import inverse."""
    assert body == normal(body, 7)


@pytest.mark.parametrize("schema", range(1, 8))
def test_what_is_normal_stays_normal(schema: int) -> None:
    """Applying the rules of the oldest schema twice is applying them once."""
    for body in (decision(schema), attempt(schema), fact(schema), memory(schema)):
        once = normal({"id": "x", **body}, schema)

        assert once == normal(once, schema)
        if once["kind"] in RECORD_MODELS:
            RECORD_MODELS[once["kind"]].model_validate(once)


@pytest.mark.parametrize(("was", "becomes"), [("active", "proposed"), ("aging", "stale")])
@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_the_states_of_the_old_lifecycle_are_mapped_and_remembered(
    schema: int, was: str, becomes: str
) -> None:
    """The old word stands in migration."""
    made = normal(decision(schema, status=was), schema)

    assert (becomes, was) == (made["status"], made["migration"]["legacyDecisionStatus"])


@pytest.mark.parametrize("schema", [5, 6, 7])
def test_later_the_old_words_are_only_unknown(take: Take, held: Held, schema: int) -> None:
    """They were no states any more, so nobody can say what was meant."""
    report = take(of(schema, decision(schema, status="active")))

    assert ["active"] == [body["status"] for body in held().values()]
    assert any(sort == "odd" and "'active'" in what for sort, what in report.notes)


def test_a_decision_without_a_status_is_proposed() -> None:
    """The oldest files have none."""
    body = decision(1)
    del body["status"]

    assert "proposed" == normal(body, 1)["status"]


@pytest.mark.parametrize("given", [0.7, {"current": 0.7}, {"initial": 0.7, "current": 0.7}])
def test_a_bare_confidence_becomes_an_auditable_one(given: Any) -> None:
    """With a basis that counts the evidence, and a mark that says it was made."""
    made = normal(decision(3, confidence=given), 3)["confidence"]

    expected = confidence(0.7)
    expected["basis"]["declaredEvidence"] = 1
    assert {**expected, "migratedFromLegacyCurrent": True} == made


@pytest.mark.parametrize(
    ("given", "becomes"), [(7, 1.0), (-1, 0.0), ("high", 0.5), (True, 0.5), ([], 0.5)]
)
def test_a_confidence_that_is_none_is_brought_into_the_range_and_remembered(
    given: Any, becomes: float
) -> None:
    """The decision is worth more than its number."""
    made = normal(decision(3, confidence=given), 3)

    assert becomes == made["confidence"]["current"]
    assert given == made["migration"]["confidence"]


def test_an_alternative_without_an_id_gets_one_of_its_place() -> None:
    """Relations may name it; the same file gives the same id."""
    made = normal(decision(1, id="decision_9"), 1)

    assert ["alternative_decision_9_0"] == [one["id"] for one in made["alternatives"]]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("seen", {"detail": "seen", "sourceClass": "agent_claimed", "confidence": 0.5}),
        (
            {"source": "ci", "type": "tool-observed", "extra": 1},
            {"source": "ci", "type": "tool-observed", "sourceClass": "tool_observed"},
        ),
        ({"sourceClass": "gossip"}, {"sourceRaw": "gossip", "type": "unknown"}),
        ({"confidence": 3}, {"confidence": 1.0}),
        ({"confidence": "x", "observedAt": LATER}, {"observedAt": LATER}),
        ({"detail": None}, {"detail": "", "source": "unknown", "observedAt": AT}),
    ],
)
def test_evidence_gets_its_full_shape(given: Any, expected: dict[str, Any]) -> None:
    """A text is its detail, a label its class, an unknown time the decision's."""
    (made,) = normal(decision(4, evidence=[given]), 4)["evidence"]

    assert expected == {name: made[name] for name in expected}


def test_the_class_of_an_old_fact_comes_from_its_source() -> None:
    """The label itself stays readable."""
    made = normal(fact(2), 2)

    assert ("tool_observed", "Tool-Observed", "tool_observed") == (
        made["sourceClass"], made["sourceRaw"], made["source"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "boundary"),
    [
        ({}, None),
        ({"expiresAt": LATER}, LATER),
        ({"expiresAt": LATER, "temporal": {"validFrom": AT, "validTo": AT}}, AT),
        ({"expiresAt": AT, "temporal": {"validFrom": AT, "validTo": LATER}}, AT),
        ({"expiresAt": "soon"}, None),
    ],
)
def test_an_old_fact_gets_a_policy_with_its_earliest_end(
    fields: dict[str, Any], boundary: str | None
) -> None:
    """Before schema 5 there was none."""
    policy = normal(fact(4, **fields), 4)["validityPolicy"]

    assert boundary == policy["effectiveExpirationBoundary"]
    assert fields.get("expiresAt") == policy["declaredExpiresAt"]


@pytest.mark.parametrize("schema", [4, 7])
@pytest.mark.parametrize("given", ["trusted", "VERIFIED", 5])
def test_a_verification_of_no_known_sort_counts_for_nothing(
    given: Any, schema: int
) -> None:
    """What it said is kept beside."""
    made = normal(fact(schema, verificationStatus=given), schema)

    assert "unverified" == made["verificationStatus"]
    assert given == made["legacyVerificationStatus"]


@pytest.mark.parametrize("schema", [4, 7])
def test_verified_without_a_checked_signature_is_not_believed(schema: int) -> None:
    """A file could say it of anything."""
    bare = normal(fact(schema, verificationStatus="verified"), schema)
    signed = {"signature": "c2ln", "verifierIdentity": "harbour office"}
    proof = normal(fact(schema, verificationStatus="verified", verification=signed), schema)

    assert ("unverified", "verified") == (
        bare["verificationStatus"], bare["legacyVerificationStatus"],
    )  # fmt: skip
    assert "unverified" == proof["verificationStatus"]
    assert signed == proof["verification"]
    assert proof["verificationUntrustedReason"]


def test_a_signature_that_was_checked_is_believed() -> None:
    """Who can check one passes that on."""
    body = fact(7, verificationStatus="verified", verification={"signature": "c2ln"})

    assert body == normalise(body, 7, lambda *_: None, lambda _: True)


@pytest.mark.parametrize(
    ("given", "becomes"), [("FAILED", "failed"), ("broken", None), (5, None)]
)
def test_a_result_class_of_no_known_sort_is_remembered_and_left_to_the_wording(
    take: Take, held: Held, given: Any, becomes: str | None
) -> None:
    """The attempt is worth keeping; a class that is none would make it unusable."""
    take(of(7, attempt(7, resultClass=given)))

    (body,) = held().values()
    assert (becomes, given) == (body.get("resultClass"), body["migration"]["resultClass"])


def test_a_state_of_a_fact_of_no_known_sort_does_not_make_it_active(
    take: Take, held: Held
) -> None:
    """An active one decides conditions."""
    take(of(7, facts=[fact(7, status="retired")]))

    (body,) = held().values()
    assert ("superseded", "retired") == (body["status"], body["migration"]["status"])


def test_a_record_of_a_newer_shape_is_kept_to_the_letter(take: Take, held: Held) -> None:
    """Only it is newer, not the file; the report says so."""
    newer = attempt(7, schemaVersion=9, mood={"of": ["the", None]})
    report = take(of(4, newer))

    assert [newer] == list(held().values())
    assert any("schemaVersion 9 is newer" in what for _, what in report.notes)


def test_unknown_fields_of_records_are_kept(take: Take, held: Held) -> None:
    """At any depth, of every kind."""
    strange = {"x-mood": {"of": [1, None, {"a": "b"}]}}
    made = of(4, decision(4, **strange), attempt(4, **strange), memory(4, **strange))
    take(made | {"facts": [fact(4, **strange)]})

    assert 4 == len(held())
    assert all(strange["x-mood"] == body["x-mood"] for body in held().values())


@pytest.mark.parametrize("schema", [1, 3, 5, 7])
def test_records_without_a_project_land_in_the_one_that_is_named(
    take: Take, held: Held, schema: int
) -> None:
    """The report names it, and they say that they came without one."""
    made = of(schema, attempt(schema, project=None), facts=[fact(schema)])
    report = take(made, project="acme/old")

    body = next(b for b in held().values() if b["kind"] == "attempt")
    assert "acme/old" == report.fallback == body["project"]
    assert {"acme/old": 1, PROJECT: 1} == report.owners
    assert ("mapped", "without a project -> acme/old") in report.notes
    if schema < 6:
        assert "legacy_unattributed" == body["attribution"]


def test_records_of_an_origin_keep_it(take: Take, held: Held) -> None:
    """An origin is an owner; the project is not guessed."""
    take(store(7), project="acme/old")

    body = held()["attempt_1770105600006_origin"]
    assert (None, "origin-7") == (body["project"], body["originId"])


def test_what_names_no_project_belongs_where_what_it_names_belongs(
    take: Take, held: Held
) -> None:
    """Relations, signals, journal entries and retry keys."""
    take(store(5), project="acme/elsewhere")

    assert {PROJECT} == {body["project"] for body in held().values()}


def test_a_relation_to_what_is_stored_already_belongs_there(take: Take, held: Held) -> None:
    """The file may be a part of a larger whole."""
    take(of(7, decision(7), attempt(7)))
    alone = store(7)["relations"]
    take(of(7, relations=alone), project="acme/elsewhere")

    assert PROJECT == held()[alone[0]["id"]]["project"]


def test_a_relation_to_an_alternative_belongs_to_its_decision(
    take: Take, held: Held
) -> None:
    """An alternative is an endpoint, though no record."""
    link = {**store(7)["relations"][0], "from": "alternative_1_shore1", "to": "nowhere"}
    take(of(7, decision(7), relations=[link]), project="acme/elsewhere")

    assert PROJECT == held()[link["id"]]["project"]


def test_of_two_active_facts_the_one_observed_last_wins(take: Take, held: Held) -> None:
    """The other is superseded by it and stays readable."""
    old, new = fact(7, id="fact_b"), fact(7, id="fact_a", value=3, observedAt=LATER)
    new["temporal"] = {**new["temporal"], "validFrom": LATER}
    report = take(of(7, facts=[old, new]))

    kept = held()
    assert ("superseded", "fact_a") == (
        kept["fact_b"]["status"], kept["fact_b"]["supersededBy"],
    )  # fmt: skip
    assert LATER == kept["fact_b"]["temporal"]["validTo"]
    assert new == kept["fact_a"]
    assert any("second active one" in what for _, what in report.notes)


def test_of_two_active_facts_of_one_instant_the_higher_id_wins(
    take: Take, held: Held
) -> None:
    """In whatever order the file has them."""
    take(of(7, facts=[fact(7, id="fact_b"), fact(7, id="fact_a")]))

    assert {"fact_a": "superseded", "fact_b": "active"} == {
        key: body["status"] for key, body in held().items()
    }


def test_of_two_active_memories_the_higher_version_wins(take: Take, held: Held) -> None:
    """Of one identity: another user's is another memory."""
    theirs = {"userId": "u-2", "agentId": None, "runId": None}
    take(
        of(
            7,
            memory(7, id="m1", version=2),
            memory(7, id="m2", version=1),
            memory(7, id="m3", scope=theirs),
        )
    )

    assert {"m1": "active", "m2": "superseded", "m3": "active"} == {
        key: body["status"] for key, body in held().items()
    }
