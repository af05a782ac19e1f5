"""What one committed write consists of, and what is found again of it."""

from contextlib import suppress

import pytest
from tests.conftest import StoppedClock
from tests.store.bodies import NOBODY, PROJECT, attempt, decision, fact, put

from shadowgraph import Library
from shadowgraph.errors import ConflictError

OWNER = f"project:{PROJECT}"


def test_every_committed_write_advances_the_revision(library: Library) -> None:
    """One write, one step, however many records it stores."""
    put(library, attempt("attempt_1"))
    with library.write() as transaction:
        for number in (2, 3, 4):
            transaction.insert(attempt(f"attempt_{number}"), "attempt.recorded", NOBODY)

    assert 2 == library.store.revision()


def test_a_write_that_changes_nothing_advances_the_revision(library: Library) -> None:
    """Setting the current state again is a committed write with no journal entry."""
    with library.write():
        pass

    with library.store.read() as selection:
        assert (1, 0) == (library.store.revision(), selection.head().seq)


def test_a_write_that_fails_changes_nothing(library: Library) -> None:
    """Record, journal, condition, key and revision go together."""
    put(library, attempt("attempt_1"))
    with suppress(RuntimeError), library.write() as transaction:
        transaction.insert(
            attempt("attempt_2", reusableWhen=["x"]), "attempt.recorded", NOBODY
        )
        transaction.remember("key", "attempt_2", b"")
        raise RuntimeError

    with library.write() as transaction:
        held = transaction.remembered("key")
        watching = transaction.watching(OWNER, ["x"], 10)
        record = transaction.by_id("attempt_2")
    assert (None, [], None, 2) == (held, watching, record, library.store.revision())


def test_the_revision_survives_reopening(library: Library) -> None:
    """It counts the store's whole life."""
    put(library, attempt("attempt_1"))
    library.close()

    with Library(library.home) as again:
        assert 1 == again.store.revision()


def test_the_identity_of_a_store_never_changes(library: Library) -> None:
    """The index uses it to notice that it belongs to another store."""
    with Library(library.home) as again, Library(library.home / "other") as other:
        assert library.store.identity == again.store.identity
        assert library.store.identity != other.store.identity


def test_a_retry_key_is_remembered_with_its_request(library: Library) -> None:
    """The record it made and the fingerprint of the request that first used it."""
    with library.write() as transaction:
        transaction.remember("key-1", "attempt_1", b"\x01\x02")

    with library.write() as transaction:
        held = transaction.remembered("key-1")
        unknown = transaction.remembered("key-2")
    assert held is not None
    assert ("attempt_1", b"\x01\x02") == (held.record_id, held.fingerprint)
    assert unknown is None


def test_a_retry_key_stands_for_one_request_only(library: Library) -> None:
    """Binding it twice is refused by the schema, not by code that could be forgotten."""
    with library.write() as transaction:
        transaction.remember("key-1", "attempt_1", b"")

    with pytest.raises(ConflictError), library.write() as transaction:
        transaction.remember("key-1", "attempt_2", b"")


def test_an_id_is_taken_once_over_all_kinds_and_projects(library: Library) -> None:
    """All entities share one namespace."""
    put(library, attempt("shared_1"))

    with pytest.raises(ConflictError, match="'shared_1' is taken already"):
        put(library, decision("shared_1", project="acme/web-shop"))


def test_a_key_has_one_active_fact_in_its_project(library: Library) -> None:
    """The refusal names the key, and nothing was stored."""
    put(library, fact("fact_1"))

    with pytest.raises(ConflictError, match=r"'postgres\.version' has an active fact"):
        put(library, fact("fact_2", value="17.0"))

    assert {"fact": 1} == library.store.counts()


def test_a_key_may_have_one_active_fact_in_each_project(library: Library) -> None:
    """The rule is per owner."""
    put(library, fact("fact_1"), fact("fact_2", project="acme/web-shop"))

    with library.store.read() as selection:
        active = selection.active_fact("project:acme/web-shop", "postgres.version")
    assert active is not None
    assert "fact_2" == active.id


def test_superseded_facts_of_a_key_are_kept_beside_the_active_one(
    library: Library,
) -> None:
    """History is never overwritten."""
    (first,) = put(library, fact("fact_1"))
    with library.write() as transaction:
        old = {**first.body, "status": "superseded"}
        transaction.replace(first, old, "fact.superseded", NOBODY)
        transaction.insert(fact("fact_2", value="17.0"), "fact.recorded", NOBODY)

    with library.store.read() as selection:
        found = selection.facts_of(OWNER, ["postgres.version"])
    assert {"fact_1", "fact_2"} == {record.id for record in found}


def test_a_record_of_another_project_is_not_found_by_id(library: Library) -> None:
    """Foreign and unknown read exactly alike; without an owner both are open."""
    put(library, attempt("attempt_1"))

    with library.store.read() as selection:
        foreign = selection.by_id("attempt_1", "project:acme/web-shop")
        unknown = selection.by_id("attempt_9", OWNER)
        ours = selection.by_id("attempt_1", OWNER)
        anyone = selection.by_id("attempt_1")
    assert (None, None) == (foreign, unknown)
    assert ours is not None
    assert ours == anyone


def test_records_come_in_the_order_of_the_ids_asked_for(library: Library) -> None:
    """An unknown or a foreign id is left out without a gap."""
    put(
        library,
        attempt("attempt_1"),
        attempt("attempt_2"),
        attempt("attempt_3", project="acme/web-shop"),
    )

    with library.store.read() as selection:
        asked = ["attempt_2", "attempt_9", "attempt_3", "attempt_1"]
        found = selection.by_ids(asked, OWNER)
    assert ["attempt_2", "attempt_1"] == [record.id for record in found]


def test_a_thousand_ids_are_read_at_once(library: Library) -> None:
    """More than one statement's worth of values."""
    bodies = [attempt(f"attempt_{number}") for number in range(1100)]
    with library.write() as transaction:
        for body in bodies:
            transaction.insert(body, "attempt.recorded", NOBODY)

    with library.store.read() as selection:
        found = selection.by_ids([body["id"] for body in bodies])
    assert [body["id"] for body in bodies] == [record.id for record in found]


def test_a_suggestion_never_names_a_foreign_id(library: Library) -> None:
    """What another project holds cannot be guessed letter by letter."""
    put(library, attempt("attempt_ours"), attempt("attempt_other", project="acme/web-shop"))

    with library.store.read() as selection:
        assert ["attempt_ours"] == selection.ids_like("attempt_o", OWNER)


def test_a_changed_condition_is_no_longer_watched(library: Library) -> None:
    """The side table follows the body."""
    (record,) = put(library, attempt("attempt_1", reusableWhen=["old.token"]))
    changed = attempt("attempt_1", reusableWhen=[{"key": "new.key", "operator": "gte"}])
    with library.write() as transaction:
        transaction.replace(record, changed, "attempt.changed", NOBODY)

    with library.store.read() as selection:
        assert ["new.key"] == selection.watched(OWNER, 10)


def test_conditions_of_rejected_alternatives_are_watched(library: Library) -> None:
    """A fact that changes finds the decision it may reopen."""
    alternatives = [{"label": "NFS", "reopenWhen": [{"key": "ledger.writers"}]}]
    put(library, decision("decision_1", alternatives=alternatives))

    with library.store.read() as selection:
        found = selection.watching(OWNER, ["ledger.writers"], 10)
    assert ["decision_1"] == [record.id for record in found]


def test_a_record_without_a_project_belongs_to_its_origin(library: Library) -> None:
    """Neither a project's search nor another origin's reaches it."""
    body = attempt("attempt_1", originId="laptop-1")
    del body["project"]
    (record,) = put(library, body)

    with library.store.read() as selection:
        found = selection.by_id("attempt_1", "origin:laptop-1")
        foreign = selection.by_id("attempt_1", OWNER)
    assert "origin:laptop-1" == record.owner
    assert found is not None
    assert foreign is None


def test_a_change_is_told_with_the_state_as_it_stands_now(library: Library) -> None:
    """A replica that is far behind reads the newest state, not every state between."""
    (record,) = put(library, attempt("attempt_1"))
    with library.write() as transaction:
        newer = attempt("attempt_1", result="It broke.")
        transaction.replace(record, newer, "attempt.changed", NOBODY)

    with library.store.read() as selection:
        changes = selection.changes(0, 10)
    assert [(1, newer), (2, newer)] == [(change.seq, change.body) for change in changes]


def test_the_journal_shows_the_instant_of_the_write(
    library: Library, clock: StoppedClock
) -> None:
    """Times are set by the store, never by the caller."""
    clock.advance(days=1, seconds=0.25)
    with library.write() as transaction:
        assert "2026-11-16T12:00:00.250Z" == transaction.at


def test_projects_are_counted_by_kind_last_written_first(library: Library) -> None:
    """The fallback project is there even when it is empty."""
    put(
        library,
        attempt("attempt_1", createdAt="2026-01-01T00:00:00Z"),
        attempt("attempt_2", project="acme/web-shop", createdAt="2026-02-01T00:00:00Z"),
        fact("fact_1", project="acme/web-shop", createdAt="2026-02-01T00:00:00Z"),
    )

    found = [(one.project, one.counts) for one in library.store.projects()]

    expected = [
        ("acme/web-shop", {"attempt": 1, "fact": 1}),
        ("acme/billing-api", {"attempt": 1}),
        ("default", {}),
    ]
    assert expected == found
