"""A store as it is after a year of wordy agents: 3,000 records of every kind.

Most texts have some hundred characters, every eighth has up to 4,000. One decision, one
attempt, one task and one memory are long in every field, and many relations touch them.
"""

from collections.abc import Iterator
from typing import Any

PROJECT = "acme/billing-api"
WORDS = [
    "the",
    "nightly",
    "job",
    "fails",
    "when",
    "two",
    "workers",
    "write",
    "the",
    "same",
    "ledger",
    "row",
    "within",
    "a",
    "second",
    "because",
    "the",
    "lock",
    "of",
    "postgres",
    "is",
    "taken",
    "late",
    "and",
    "the",
    "pool",
    "of",
    "connections",
    "is",
    "empty",
    "after",
    "a",
    "deploy",
    "so",
    "the",
    "retry",
    "raised",
    "a",
    "timeout",
    "and",
    "the",
    "queue",
    "grew",
    "until",
    "memory",
    "ran",
    "out",
]
FIRST = "0000"
"Number of the records that are long in every field."


def lines() -> Iterator[dict[str, Any]]:
    """Yield all records, in wire shape."""
    for number, line in enumerate(_undated()):
        day, hour = divmod(number, 24)
        month, day = divmod(day, 28)
        yield {**line, "createdAt": f"2026-{month + 1:02}-{day + 1:02}T{hour:02}:00:00Z"}


def _undated() -> Iterator[dict[str, Any]]:
    """Yield them without the time of each."""
    for number in range(1_200):
        yield _attempt(number)
    for number in range(300):
        yield _decision(number)
    for number in range(600):
        yield _fact(number)
    for number in range(400):
        yield _memory(number)
    for number in range(60):
        yield _task(number)
    for number in range(40):
        yield _evidence(number)
    for number in range(400):
        yield _relation(number)


def text(number: int, salt: int) -> str:
    """Return a text of its own, of 150 to 4,000 characters."""
    size = 4_000 if number == 0 else 150 + (number * 37 + salt * 11) % 250
    if number % 8 == 1:
        size = 1_000 + (number * 97 + salt * 13) % 3_000
    start = (number * 7 + salt * 5) % len(WORDS)
    turned = WORDS[start:] + WORDS[:start]
    said = f"n{number}s{salt} " + " ".join(turned) * (1 + size // 200)
    return said[:size]


def named(kind: str, number: int) -> str:
    """Return the id of a record."""
    return f"{kind}_{number:04}"


def _attempt(number: int) -> dict[str, Any]:
    """Return one attempt."""
    result = ("failed: ", "it worked: ", "")[number % 3]
    rule = {"key": "workers", "operator": "gte", "value": 1}
    return {
        "kind": "attempt",
        "id": named("attempt", number),
        "solution": text(number, 1),
        "result": result + text(number, 2),
        "reason": text(number, 3),
        "environment": text(number, 4),
        "reusableWhen": [rule, {**rule, "key": f"unknown{number}"}][: 1 + number % 2],
    }


def _decision(number: int) -> dict[str, Any]:
    """Return one decision."""
    rule = {"key": "workers", "operator": "gte", "value": 1}
    return {
        "kind": "decision",
        "id": named("decision", number),
        "title": text(number, 5),
        "chosen": text(number, 6),
        "goal": text(number, 7),
        "status": ("proposed", "executed", "validated")[number % 3],
        "confidence": 0.2 if number % 2 else 0.7,
        "assumptions": [text(number, 8), text(number, 9)],
        "evidence": [{"source": "log", "detail": text(number, salt)} for salt in range(3)],
        "alternatives": [
            {
                "label": text(number, salt),
                "reasonRejected": text(number, salt + 1),
                "reopenWhen": [rule, {**rule, "key": f"unknown{number}"}],
            }
            for salt in range(10, 13)
        ],
        "failedAttempts": [text(number, 14)],
    }


def _fact(number: int) -> dict[str, Any]:
    """Return one fact."""
    key = "workers" if number == 0 else f"limit.{number % 400}"
    value = 5 if number == 0 else text(number, 15)
    return {
        "kind": "fact",
        "id": named("fact", number),
        "key": key,
        "value": value,
        "status": "active" if number < 400 else "superseded",
    }


def _memory(number: int) -> dict[str, Any]:
    """Return one memory."""
    return {
        "kind": "memory",
        "id": named("memory", number),
        "memoryType": "observation",
        "key": f"note.{number}",
        "text": text(number, 16),
    }


def _task(number: int) -> dict[str, Any]:
    """Return one task."""
    return {
        "kind": "task",
        "id": named("task", number),
        "title": text(number, 17),
        "objective": text(number, 18),
        "constraints": [text(number, salt) for salt in range(19, 22)],
        "nextActions": [text(number, salt) for salt in range(22, 25)],
        "status": "parked",
    }


def _evidence(number: int) -> dict[str, Any]:
    """Return one piece of evidence."""
    return {
        "kind": "evidence",
        "id": named("evidence", number),
        "summary": text(number, 25),
        "detail": text(number, 26),
        "taskId": named("task", number % 60),
    }


def _relation(number: int) -> dict[str, Any]:
    """Return one relation; the first hundred touch the longest attempt."""
    return {
        "kind": "relation",
        "id": named("relation", number),
        "from": named("attempt", number if number >= 100 else 0),
        "relation": "led_to",
        "to": named("decision", number % 300),
    }
