"""States of records as they were known, read from the journal."""

from datetime import datetime, timedelta

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import StoppedClock
from tests.store.bodies import NOBODY, attempt, put

from shadowgraph import Library


def known(library: Library, record_id: str, instant: datetime) -> str | None:
    """Return the reason of an attempt as it was known at an instant."""
    with library.store.read() as selection:
        record = selection.state_at(record_id, instant)
    return None if record is None else str(record.body["reason"])


def change(library: Library, record_id: str, reason: str) -> None:
    """Store another reason."""
    with library.write() as transaction:
        record = transaction.by_id(record_id)
        assert record is not None
        body = {**record.body, "reason": reason}
        transaction.replace(record, body, "attempt.changed", NOBODY)


def test_a_state_is_known_from_the_instant_of_its_change_on(
    library: Library, clock: StoppedClock
) -> None:
    """Before the first there is nothing; at the very instant there is."""
    start = clock.now
    put(library, attempt("attempt_1", reason="first"))
    clock.advance(hours=1)
    change(library, "attempt_1", "second")

    minutes = [(-1, None), (0, "first"), (59, "first"), (60, "second"), (999, "second")]
    assert [reason for _, reason in minutes] == [
        known(library, "attempt_1", start + timedelta(minutes=minute))
        for minute, _ in minutes
    ]


def test_of_changes_at_one_instant_the_last_is_known(library: Library) -> None:
    """The order of the journal decides."""
    put(library, attempt("attempt_1", reason="first"))
    change(library, "attempt_1", "second")

    assert "second" == known(library, "attempt_1", library.clock())


def test_a_state_whose_payload_is_gone_is_not_known(library: Library) -> None:
    """A purge leaves the entry and takes the text."""
    put(library, attempt("attempt_1"))
    apsw.Connection(str(library.store.path)).execute("UPDATE journal SET payload = NULL")

    assert known(library, "attempt_1", library.clock()) is None
    with library.store.read() as selection:
        assert selection.was_purged("attempt_1", "project:acme/billing-api")
        assert not selection.was_purged("attempt_1", "project:acme/web-shop")
        assert not selection.was_purged("attempt_2", "project:acme/billing-api")


def test_states_are_those_of_their_owner_then(
    library: Library, clock: StoppedClock
) -> None:
    """A record that moved to another project was in the first before."""
    record = put(library, attempt("attempt_1"))[0]
    before = clock.now
    clock.advance(hours=1)
    with library.write() as transaction:
        body = {**record.body, "project": "acme/web-shop"}
        transaction.replace(record, body, "attempt.moved", NOBODY)

    with library.store.read() as selection:
        found = [
            [one.owner for one in selection.states_at(["attempt_1"], instant, owner)]
            for instant in (before, clock.now)
            for owner in ("project:acme/billing-api", "project:acme/web-shop")
        ]
    assert [["project:acme/billing-api"], [], [], ["project:acme/web-shop"]] == found


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=12))
def test_any_history_can_be_read_at_any_hour(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[int, int]]
) -> None:
    """A list of every state with its hour is the model."""
    clock = StoppedClock()
    start = clock.now
    model: list[tuple[int, str, str]] = []
    hour = 0
    home = tmp_path_factory.mktemp("past")
    with Library(home, clock=clock) as library:
        for number, (record, hours) in enumerate(history):
            hour += hours
            clock.advance(hours=hours)
            name, reason = f"attempt_{record}", f"reason {number}"
            if any(name == held for _, held, _ in model):
                change(library, name, reason)
            else:
                put(library, attempt(name, reason=reason))
            model.append((hour, name, reason))

        for at in range(hour + 2):
            for name in ("attempt_0", "attempt_1", "attempt_2"):
                states = [r for h, held, r in model if held == name and h <= at]
                expected = states[-1] if states else None
                assert expected == known(library, name, start + timedelta(hours=at))
