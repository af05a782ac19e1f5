"""Record rows: the body as JSON, and beside it the columns that SQL filters on.

The body is the truth of a row; every column is computed from it here, so the two cannot
drift. Times are milliseconds since 1970 in columns and ISO text in bodies.

A retracted record answers no filter: its filter columns are empty and its conditions watch
nothing, so a question that looks for a state, a key or a date cannot find it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shadowgraph.model.scope import owner_of
from shadowgraph.rules.facets import (
    confidence_of,
    created_of,
    expiry_of,
    millis_of,
    text_of,
    updated_of,
)
from shadowgraph.rules.tree import named

COLUMNS = (
    "id",
    "kind",
    "owner",
    "status",
    "result_class",
    "confidence",
    "fact_key",
    "outcome",
    "created",
    "updated",
    "review_after",
    "expires",
    "retracted",
    "body",
)
"Columns of `record` after its row number, in the order of `values_of`."


class StoredRecord(NamedTuple):
    """One stored entity: its row number and its body in wire shape."""

    row: int
    body: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The record's identifier."""
        return str(self.body["id"])

    @property
    def kind(self) -> str:
        """The record's kind."""
        return str(self.body["kind"])

    @property
    def owner(self) -> str:
        """The owner key of the record."""
        return owner_of(dict(self.body))


def stored(row: int, body: str) -> StoredRecord:
    """Return a record of the columns `row` and `body`."""
    return StoredRecord(row, json.loads(body))


def _outcome_status(body: Mapping[str, Any]) -> str | None:
    outcome = body.get("outcome")
    return text_of(outcome.get("status")) if isinstance(outcome, Mapping) else None


def values_of(body: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the column values of a body, in the order of `COLUMNS`."""
    is_fact = body["kind"] == "fact"
    asked: Mapping[str, Any] = {} if is_retracted(body) else body
    return (
        body["id"],
        body["kind"],
        owner_of(dict(body)),
        text_of(asked.get("status")),
        text_of(asked.get("resultClass")),
        confidence_of(asked),
        text_of(asked.get("key")) if is_fact else None,
        _outcome_status(asked),
        created_of(body),
        updated_of(body),
        millis_of(asked.get("reviewAfter")),
        expiry_of(asked) if is_fact else None,
        _retracted(body),
        dump(body),
    )


def is_retracted(body: Mapping[str, Any]) -> bool:
    """Say whether a record was taken out of every read.

    >>> is_retracted({"retractedAt": "2026-03-04T00:00:00Z"}), is_retracted({})
    (True, False)
    """
    return body.get("retractedAt") is not None


def _retracted(body: Mapping[str, Any]) -> int | None:
    # An imported record may say it in a form that is no instant; it is out all the same.
    return (millis_of(body.get("retractedAt")) or 0) if is_retracted(body) else None


def dump(body: Mapping[str, Any]) -> str:
    """Return a body as the JSON text that is stored."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def watched_keys(body: Mapping[str, Any]) -> set[str]:
    """Return the fact keys and tokens that the record's conditions name."""
    if is_retracted(body):
        return set()
    return {key for rule in _rules(body) for key in named(rule)}


def alternative_ids(body: Mapping[str, Any]) -> set[str]:
    """Return the ids of the alternatives inside a record."""
    return {
        alternative["id"]
        for alternative in _list(body.get("alternatives"))
        if isinstance(alternative, Mapping) and isinstance(alternative.get("id"), str)
    }


def _rules(body: Mapping[str, Any]) -> Iterator[object]:
    for alternative in _list(body.get("alternatives")):
        if isinstance(alternative, Mapping):
            yield from _list(alternative.get("reopenWhen"))
    yield from _list(body.get("reusableWhen"))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
