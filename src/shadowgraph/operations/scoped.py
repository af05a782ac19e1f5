"""What a list about one project says of itself: its scope, and what it left out."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from shadowgraph.model.scope import Scope
from shadowgraph.operations.cutting import ITEMS, least
from shadowgraph.operations.inputs import Page

DEFAULT_LIMIT = 50
"Items of a page when the caller names no limit."

MOST_CHARACTERS = 25_000
"Cap of the items of a reply; the rest are counted as omitted, and offset reads on."

T = TypeVar("T")


def page_of(items: Sequence[T], page: Page) -> Sequence[T]:
    """Return the items that the caller asked for."""
    return items[page.offset : page.offset + (page.limit or DEFAULT_LIMIT)]


def fitting(
    items: Iterable[dict[str, Any]],
    limit: int | None = None,
    room: int = MOST_CHARACTERS,
) -> list[dict[str, Any]]:
    """Return as many items as fit into a reply as JSON; the first always does.

    They fit as they are, and into what a model is told when their texts are cut. A *limit*
    that the caller named is the caller's own judgement, and all of them go out.

    >>> fitting([{"a": "long"}, {"a": "long"}], room=15)
    [{'a': 'long'}]
    """
    kept: list[dict[str, Any]] = []
    told = room * ITEMS // MOST_CHARACTERS
    for item in items:
        if limit is None:
            room -= len(json.dumps(item, ensure_ascii=False).encode())
            told -= least(item)
        if kept and min(room, told) < 0:
            break
        kept.append(item)
    return kept


def completeness(
    scope: Scope, returned: int, total: int, page: Page | None = None
) -> dict[str, Any]:
    """Return the block that says what a list is of and what is missing from it."""
    omitted = total - returned
    block: dict[str, Any] = {
        "scope": {
            "project": scope.project,
            "projectSource": scope.source,
            "requestState": "project_selected" if scope.resolved else "project_unresolved",
            "originPresented": scope.origin_id is not None,
        },
        "returned": returned,
        "total": total,
        "omitted": omitted,
        "complete": omitted == 0,
        "losslessItems": True,
    }
    if page is not None:
        block["limitSource"] = "caller" if page.limit else "default"
    return block
