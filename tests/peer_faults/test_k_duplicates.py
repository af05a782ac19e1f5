"""Group K: retries, near duplicates and values that are not known."""

import pytest
from tests.peer_faults.asking import Ask, Refused, hits, note


def test_k02_a_key_makes_a_retry_and_equal_text_does_not(ask: Ask) -> None:
    """The same text twice may be meant."""
    keyed = {note(ask, "quicksilver", idempotencyKey="once") for _ in range(2)}
    plain = {note(ask, "quicksilver") for _ in range(2)}

    assert (1, 2) == (len(keyed), len(plain))
    assert 3 == len(hits(ask, "quicksilver"))


def test_k03_a_near_duplicate_is_stored_and_its_likeness_told(ask: Ask) -> None:
    """It is never refused for it."""
    text = "rebuilt the ledger tables on the network share with a longer timeout"
    first = note(ask, text)

    second = ask("record_attempt", solution=f"{text} again", result="It crashed.")

    assert [first] == [one["id"] for one in second["similar"]]
    assert {first, second["id"]} == set(hits(ask, "ledger tables"))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("record_attempt", {"solution": "a", "result": "b", "resultClass": "exploded"}),
        ("search", {"query": "a", "kind": "observation"}),
        ("search", {"query": "a", "status": "unheard-of"}),
    ],
)
def test_k04_a_value_that_is_not_known_is_refused_with_those_that_are(
    name: str, arguments: dict[str, str], refused: Refused
) -> None:
    """It is not turned into another one in silence."""
    error = refused(name, **arguments)

    assert "invalid-input" == error.code
    assert any(known in error.text() for known in ("failed", "attempt"))


def test_k04_a_source_that_is_not_known_is_told_to_be_another(ask: Ask) -> None:
    """What was sent stays in the record."""
    made = ask("record_attempt", solution="a", result="b", sourceClass="hearsay")

    assert ("agent_claimed", "hearsay") == (made["sourceClass"], made["sourceRaw"])
