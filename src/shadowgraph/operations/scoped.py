"""What a list about one project says of itself: its scope, and what it left out."""

from collections.abc import Sequence
from typing import Any, TypeVar

from shadowgraph.model.scope import Scope
from shadowgraph.operations.inputs import Page

DEFAULT_LIMIT = 50
"Items of a page when the caller names no limit."

T = TypeVar("T")


def page_of(items: Sequence[T], page: Page) -> Sequence[T]:
    """Return the items that the caller asked for."""
    return items[page.offset : page.offset + (page.limit or DEFAULT_LIMIT)]


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
