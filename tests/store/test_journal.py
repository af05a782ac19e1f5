"""The journal: a hash chain that shows every edit, and survives dropped payloads.

The golden hashes were worked out from the rule in words (SHA-256 over the previous hash,
the canonical header and the payload's digest), not by running the code: a change of the
form would break every chain on disk, so it has to fail here.
"""

import hashlib
import json
from contextlib import suppress

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.store import Origin
from shadowgraph.store.journal import (
    GENESIS,
    ChainFault,
    Head,
    canonical,
    digest,
    entry_hash,
)

PAYLOAD = '{"kind":"fact","id":"fact_1","value":"é"}'
HEADER = [1, "2026-11-15T12:00:00.000Z", "fact.recorded", "fact", "fact_1", 1, "project:p"]


@pytest.fixture
def chained(library: Library) -> Library:
    """Return a library with five journal entries."""
    put(library, *(attempt(f"attempt_{number}") for number in range(5)))
    return library


def edit(library: Library, statement: str) -> None:
    """Change the journal of an open store as another program would."""
    connection = apsw.Connection(str(library.store.path))
    connection.execute(statement)
    connection.close()


def test_the_first_entry_has_the_golden_hash() -> None:
    """A vector that never changes, with a character beyond ASCII in it."""
    link = entry_hash(GENESIS, [*HEADER, "{}"], digest(PAYLOAD))

    text = (
        '[1,"2026-11-15T12:00:00.000Z","fact.recorded","fact","fact_1",1,"project:p","{}"]'
    )
    by_hand = hashlib.sha256(b"\0" * 32 + text.encode() + digest(PAYLOAD))
    assert by_hand.digest() == link
    assert "837f458150ca9305b012188c7c9ddf05137b05dba8db48257a63714f18ec5525" == link.hex()


def test_the_second_entry_has_the_golden_hash() -> None:
    """The previous hash goes in as 32 raw bytes."""
    first = bytes.fromhex(
        "837f458150ca9305b012188c7c9ddf05137b05dba8db48257a63714f18ec5525"
    )

    link = entry_hash(first, [2, *HEADER[1:], "{}"], digest("{}"))

    assert "6fc6bc28c62e1c05f223b304c9ad2a6b2b5645f4aa7ee690683c7efefb65dfed" == link.hex()


def test_the_digest_of_a_payload_is_golden() -> None:
    """SHA-256 over the text in UTF-8, unescaped."""
    assert (
        "0db7e51753ddf89c29fd39da734d7581494953225e039333bd152191b38d8b37"
        == digest(PAYLOAD).hex()
    )


def test_canonical_json_has_sorted_keys_and_no_space() -> None:
    """One value, one text."""
    assert '{"a":[1,null,true],"b":"ä ☃"}' == canonical({"b": "ä ☃", "a": [1, None, True]})


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_the_canonical_text_does_not_depend_on_the_order_of_keys(
    value: dict[str, object],
) -> None:
    """Two programs that build the same value hash the same text."""
    backwards = dict(reversed(value.items()))

    assert canonical(value) == canonical(backwards)


def test_an_entry_holds_the_whole_state_after_the_write(library: Library) -> None:
    """Any replica can be filled from the journal alone."""
    origin = Origin(actor="tester", client="cli", session_id="s1")
    with library.write() as transaction:
        transaction.insert(attempt("attempt_1"), "attempt.recorded", origin)

    connection = apsw.Connection(str(library.store.path))
    found = connection.execute(
        "SELECT seq, at, type, kind, entity, row, owner, provenance, payload FROM journal"
    ).get
    assert (
        1,
        "2026-11-15T12:00:00.000Z",
        "attempt.recorded",
        "attempt",
        "attempt_1",
        1,
        "project:acme/billing-api",
        '{"actor":"tester","client":"cli","sessionId":"s1"}',
    ) == found[:-1]
    assert attempt("attempt_1") == json.loads(found[-1])


def test_a_chain_as_written_has_no_fault(chained: Library) -> None:
    """Five entries, numbered from 1 without a gap."""
    with chained.store.read() as selection:
        head = selection.head()

    assert 5 == head.seq
    assert chained.store.first_fault() is None


def test_an_empty_journal_has_no_fault_and_the_genesis_head(library: Library) -> None:
    """Nothing written, nothing wrong."""
    with library.store.read() as selection:
        assert Head(0, GENESIS) == selection.head()

    assert library.store.first_fault() is None


@pytest.mark.parametrize(
    ("statement", "seq", "reason"),
    [
        (
            "UPDATE journal SET payload = '{}' WHERE seq = 3",
            3,
            "payload was changed",
        ),
        ("UPDATE journal SET digest = zeroblob(32) WHERE seq = 2", 2, "payload"),
        ("UPDATE journal SET at = '2020-01-01' WHERE seq = 4", 4, "header"),
        ("UPDATE journal SET type = 'fact.recorded' WHERE seq = 1", 1, "header"),
        ("UPDATE journal SET kind = 'fact' WHERE seq = 1", 1, "header"),
        ("UPDATE journal SET entity = 'attempt_9' WHERE seq = 5", 5, "header"),
        ("UPDATE journal SET row = 9 WHERE seq = 5", 5, "header"),
        ("UPDATE journal SET owner = 'project:x' WHERE seq = 2", 2, "header"),
        ("UPDATE journal SET provenance = '{}' WHERE seq = 2", 2, "header"),
        ("UPDATE journal SET hash = zeroblob(32) WHERE seq = 3", 3, "header"),
        ("DELETE FROM journal WHERE seq = 3", 4, "entry 3 is missing"),
        ("DELETE FROM journal WHERE seq = 1", 2, "entry 1 is missing"),
    ],
)
def test_an_edited_entry_is_found(
    chained: Library, statement: str, seq: int, reason: str
) -> None:
    """Whatever column was touched, the fault names the entry and what is wrong."""
    edit(chained, statement)

    fault = chained.store.first_fault()

    assert fault is not None
    assert seq == fault.seq
    assert reason in fault.reason


def test_two_entries_that_changed_places_are_found(chained: Library) -> None:
    """Order is part of the chain."""
    edit(
        chained,
        "UPDATE journal SET seq = -2 WHERE seq = 2;"
        "UPDATE journal SET seq = 2 WHERE seq = 3;"
        "UPDATE journal SET seq = 3 WHERE seq = -2",
    )

    fault = chained.store.first_fault()

    assert ChainFault(2, "its header or its place in the chain was changed") == fault


def test_a_payload_dropped_by_hand_is_found(chained: Library) -> None:
    """Only what a purge lists may be missing; tests/store/test_purge.py has those."""
    edit(chained, "UPDATE journal SET payload = NULL WHERE seq IN (2, 4)")

    fault = chained.store.first_fault()

    assert ChainFault(2, "its payload is missing and no other entry says why") == fault


def test_a_payload_dropped_with_its_digest_does_not_verify(chained: Library) -> None:
    """The digest stays, or the chain is broken."""
    edit(chained, "UPDATE journal SET payload = NULL, digest = x'' WHERE seq = 2")

    fault = chained.store.first_fault()

    assert fault is not None
    assert 2 == fault.seq


def test_a_write_that_fails_leaves_no_entry(chained: Library) -> None:
    """The next entry continues the chain without a gap."""
    with suppress(RuntimeError), chained.write() as transaction:
        transaction.insert(attempt("attempt_lost"), "attempt.recorded", Origin())
        raise RuntimeError

    put(chained, attempt("attempt_kept"))
    with chained.store.read() as selection:
        assert 6 == selection.head().seq
    assert chained.store.first_fault() is None
