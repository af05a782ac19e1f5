"""Sections of a context and the room they share.

A section holds its items in the order of their worth, and an item is made only when there
may be room for it. What one section leaves of its share goes to the next.
"""

import json
from collections.abc import Iterable
from typing import Any

SHARES = {
    "failedAttempts": 0.40,
    "firedConditions": 0.15,
    "activeDecisions": 0.20,
    "reusableAttempts": 0.10,
    "staleAssumptions": 0.08,
    "belowConfidenceThreshold": 0.07,
}
"Share of the budget a section may use; what one leaves over goes to the next."


class Section:
    """One section while it is being made; an item is made when there may be room for it."""

    def __init__(self, name: str, items: Iterable[dict[str, Any]], total: int) -> None:
        """Offer *items*, of *total* in all, under *name*."""
        self.name = name
        self.total = total
        self.kept: list[dict[str, Any]] = []
        self._items = iter(items)
        self._next = next(self._items, None)

    def fill(self, room: int, limit: int) -> int:
        """Go on keeping what fits into *room* characters; return what is left of it."""
        while self._next is not None and len(self.kept) < limit:
            size = size_of(self._next)
            if size > room:
                break
            self.kept.append(self._next)
            self._next = next(self._items, None)
            room -= size
        return room


def size_of(value: Any) -> int:
    """Return how many characters *value* takes in the reply."""
    return len(json.dumps(value, ensure_ascii=False)) + 1


def share_out(sections: list[Section], room: int, limit: int) -> None:
    """Fill the sections in order; what one does not use goes to the next."""
    left = 0
    for section in sections:
        left = section.fill(int(room * SHARES[section.name]) + left, limit)
    for section in sections:
        # A second round for what the later sections left over.
        left = section.fill(left, limit)
