"""Record rows: the body as JSON, and beside it the columns that SQL filters on.

The body is the truth of a row; every column is computed from it here, so the two cannot
drift. Times are milliseconds since 1970 in columns and ISO text in bodies.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

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
    "body",
)
"Columns of `record` after its row number, in the order of `values_of`."


@dataclass(frozen=True, slots=True)
class StoredRecord:
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


def _outcome_status(body: Mapping[str, Any]) -> str | None:
    outcome = body.get("outcome")
    return text_of(outcome.get("status")) if isinstance(outcome, Mapping) else None


def values_of(body: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the column values of a body, in the order of `COLUMNS`."""
    is_fact = body["kind"] == "fact"
    return (
        body["id"],
        body["kind"],
        owner_of(dict(body)),
        text_of(body.get("status")),
        text_of(body.get("resultClass")),
        confidence_of(body),
        text_of(body.get("key")) if is_fact else None,
        _outcome_status(body),
        created_of(body),
        updated_of(body),
        millis_of(body.get("reviewAfter")),
        expiry_of(body) if is_fact else None,
        dump(body),
    )


def dump(body: Mapping[str, Any]) -> str:
    """Return a body as the JSON text that is stored."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def watched_keys(body: Mapping[str, Any]) -> set[str]:
    """Return the fact keys and tokens that the record's conditions name."""
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
