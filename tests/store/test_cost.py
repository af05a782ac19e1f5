"""What a write or a read costs, counted by SQLite itself: statements, steps and scans.

Counts do not depend on the machine. A write must cost the same whatever the store holds,
and no question may walk a table.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import apsw
import pytest
from tests.store.bodies import NOBODY, PROJECT, attempt, decision, fact

from shadowgraph import Library

OWNER = f"project:{PROJECT}"
MOST_STATEMENTS = 8
"BEGIN, head, record, one condition, journal, key, revision, COMMIT."


@dataclass(frozen=True)
class Cost:
    """What SQLite did."""

    statements: int
    steps: int
    "Instructions of its virtual machine."
    scanned: int
    "Rows it walked over without an index."


@contextmanager
def counted(library: Library) -> Iterator[list[dict[str, Any]]]:
    """Collect what this thread's connection runs inside the block."""
    connection = library.store._connection()
    seen: list[dict[str, Any]] = []
    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, seen.append)
    try:
        yield seen
    finally:
        connection.trace_v2(0)


def cost(seen: list[dict[str, Any]]) -> Cost:
    """Add up what was collected."""
    status = [one["stmt_status"] for one in seen]
    return Cost(
        len(seen),
        sum(one["SQLITE_STMTSTATUS_VM_STEP"] for one in status),
        sum(one["SQLITE_STMTSTATUS_FULLSCAN_STEP"] for one in status),
    )


def fill(library: Library, name: str, count: int) -> None:
    """Store many records in one transaction."""
    with library.write() as transaction:
        for number in range(count):
            body = attempt(f"attempt_{name}-{number}", reusableWhen=[f"token-{number}"])
            transaction.insert(body, "attempt.recorded", NOBODY)
            choice = decision(f"decision_{name}-{number}", confidence=0.9)
            transaction.insert(choice, "decision.recorded", NOBODY)
            transaction.insert(
                fact(f"fact_{name}-{number}", key=f"{name}.{number}"),
                "fact.recorded",
                NOBODY,
            )


def cost_of_a_write(library: Library, name: str) -> Cost:
    """Return what recording one attempt with a condition and a retry key costs."""
    with counted(library) as seen, library.write() as transaction:
        assert transaction.remembered(name) is None
        body = attempt(f"attempt_{name}", reusableWhen=["postgres.version"])
        record = transaction.insert(body, "attempt.recorded", NOBODY)
        transaction.remember(name, record.id, b"")
    return cost(seen)


def test_a_write_runs_a_handful_of_statements(library: Library) -> None:
    """Nothing is read twice and nothing is prepared for others."""
    with counted(library) as seen, library.write() as transaction:
        body = attempt("attempt_1", reusableWhen=["postgres.version"])
        record = transaction.insert(body, "attempt.recorded", NOBODY)
        transaction.remember("key", record.id, b"")

    assert MOST_STATEMENTS == len(seen)


def test_a_write_costs_the_same_whatever_the_store_holds(library: Library) -> None:
    """The same statements and the same instructions after 3,000 records as after 3."""
    fill(library, "few", 1)
    before = cost_of_a_write(library, "before")
    fill(library, "many", 1000)

    after = cost_of_a_write(library, "after")

    assert before == after
    assert 0 == after.scanned


def ask(library: Library, name: str) -> None:
    """Ask one of the questions that a read consists of."""
    millis = library.now()
    with library.store.read() as selection:
        match name:
            case "head":
                selection.head()
            case "by_id":
                selection.by_id("attempt_few-0", OWNER)
            case "by_rows":
                selection.by_rows([1, 2, 3])
            case "active_fact":
                selection.active_fact(OWNER, "few.0")
            case "facts_of":
                selection.facts_of(OWNER, ["few.0"])
            case "facts_then":
                selection.facts_of(OWNER, ["few.0"], millis)
            case "of_kind":
                selection.of_kind(OWNER, "review")
            case "overdue":
                selection.overdue(OWNER, millis, ["proposed"])
            case "expired":
                selection.expired(OWNER, millis)
            case "watching":
                selection.watching(OWNER, ["token-0"], 10)
            case "review_due":
                selection.review_due(OWNER, millis, 10)
            case "low_confidence":
                selection.low_confidence(OWNER, 0.5, 10)
            case "stale_facts":
                selection.stale_facts(OWNER, millis, 10)
            case "changes":
                selection.changes(selection.head().seq - 1, 10)
            case "newest":
                selection.newest()


@pytest.mark.parametrize(
    "question",
    [
        "head",
        "by_id",
        "by_rows",
        "active_fact",
        "facts_of",
        "facts_then",
        "of_kind",
        "overdue",
        "expired",
        "watching",
        "review_due",
        "low_confidence",
        "stale_facts",
        "changes",
        "newest",
    ],
)
def test_a_question_is_answered_by_an_index(library: Library, question: str) -> None:
    """A hundred times the records do not make it run longer, and nothing is scanned."""
    fill(library, "few", 2)
    with counted(library) as seen:
        ask(library, question)
    before = cost(seen)
    fill(library, "other", 200)

    with counted(library) as seen:
        ask(library, question)
    after = cost(seen)

    assert 0 == after.scanned
    assert before.statements == after.statements
    # A token may be watched by a few more records; never in step with the store.
    assert after.steps <= before.steps + 60


def test_opening_a_store_does_not_read_its_records(library: Library) -> None:
    """The second connection of a large store looks at the ledger and little else."""
    fill(library, "many", 300)
    library.close()

    with Library(library.home) as again, counted(again) as seen:
        again.store.revision()

    assert 1 == len(seen)
