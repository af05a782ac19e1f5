"""Whose every item is, so that none lands where nobody looks.

A record says its project or its origin. A relation, a review or a journal entry often does
not and belongs where what it names belongs. What nothing places goes to one visible
project, the fallback, which the report names. A project name that no call could write is
replaced the same way and kept in `migration`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shadowgraph.model.scope import is_name
from shadowgraph.upstream.normalise import Body, Tell, remember

Owner = dict[str, str]
"`project` or `originId`, as a body carries it."
Lookup = Callable[[str], Mapping[str, Any] | None]
"Finds a record that is stored already."

LINKS = (
    "from", "to", "decisionId", "entityId", "recordId", "factId", "relationId", "attemptId",
)  # fmt: skip
"Members that name another record, in the order in which they are asked."


def owner_in(value: object) -> Owner | None:
    """Return the owner that *value* itself names."""
    if not isinstance(value, Mapping):
        return None
    if is_name(value.get("project")):
        return {"project": value["project"]}
    origin = value.get("originId")
    return {"originId": origin} if isinstance(origin, str) and origin else None


class Places:
    """Owners by id, of the records of a file and, through *lookup*, of those stored."""

    def __init__(self, fallback: str, lookup: Lookup) -> None:
        """Know no record of the file yet."""
        self.fallback = fallback
        self._lookup = lookup
        self._owners: dict[str, Owner] = {}

    def learn(self, body: Mapping[str, Any]) -> None:
        """Note whose a record is; the alternatives inside it are endpoints as well."""
        owner = owner_in(body)
        if owner is None:
            return
        self._owners.setdefault(str(body["id"]), owner)
        alternatives = body.get("alternatives")
        for one in alternatives if isinstance(alternatives, list) else ():
            if isinstance(one, Mapping) and isinstance(one.get("id"), str):
                self._owners.setdefault(one["id"], owner)

    def of(self, record_id: object) -> Owner | None:
        """Return whose a record is; None when nobody knows it."""
        if not isinstance(record_id, str):
            return None
        return self._owners.get(record_id) or owner_in(self._lookup(record_id))

    def through_links(self, value: object) -> Owner | None:
        """Return whose the first known record is that *value* names."""
        return next((o for i in _named(value) if (o := self.of(i)) is not None), None)

    def place(self, body: Body, tell: Tell) -> Body:
        """Return a record with an owner."""
        own, raw = owner_in(body), body.get("project")
        if own is not None and (raw is None or "project" in own):
            return body
        made = {**body, "project": None}
        if raw is not None:
            remember(made, "project", raw)
            tell("odd", "a project name that no call can write")
        if own is not None:
            return made
        found = self.through_links(made) if made["kind"] in ("relation", "review") else None
        if found is not None:
            tell("mapped", f"{made['kind']} without a project -> that of what it names")
            return made | found
        if raw is None and made["kind"] not in ("relation", "review"):
            # Upstream's word for it; a value that came along stays.
            made.setdefault("attribution", "legacy_unattributed")
        tell("mapped", f"without a project -> {self.fallback}")
        return made | {"project": self.fallback}

    def place_kept(self, value: Any, given: object) -> Owner:
        """Return whose an item is that becomes no record; *given* is what a file says."""
        inner = value.get("value") if isinstance(value, Mapping) else None
        return (
            owner_in(given)
            or owner_in(value)
            or owner_in(inner)
            or self.of(value)
            or self.through_links(value)
            or self.through_links({"recordId": _id(inner)})
            or {"project": self.fallback}
        )

    def dangling(self, body: Mapping[str, Any]) -> Iterator[str]:
        """Yield what a relation or a review names that nobody knows."""
        for record_id in _named(body):
            if self.of(record_id) is None:
                yield record_id


def _named(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name in LINKS:
            if isinstance(value.get(name), str):
                yield value[name]


def _id(value: object) -> object:
    return value.get("id") if isinstance(value, Mapping) else None
