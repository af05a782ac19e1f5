"""Whose records a call may see and write.

A record belongs to exactly one owner: a project, or a capture origin when no project was
known. The owner is one string (`project:<name>` or `origin:<id>`), which the store keeps in
a column and the index in a field, so that both filter alike and neither can forget half.
"""

from dataclasses import dataclass

FALLBACK_PROJECT = "default"
"Where new records go when nothing names a project."


@dataclass(frozen=True, slots=True)
class Scope:
    """One owner, or all of them."""

    project: str | None = None
    "Project name; None for an origin or for all."
    origin_id: str | None = None
    "Capture origin of the call, kept on what it writes."
    resolved: bool = True
    "False when the project is only the fallback: a write by id is then refused."
    source: str = "argument"
    "What named it: argument, server, config, git, fallback, origin or all."
    every: bool = False
    "True reads across all owners."

    @property
    def owner(self) -> str | None:
        """The owner key records of this scope carry; None reads all owners."""
        if self.every:
            return None
        if self.project is not None:
            return f"project:{self.project}"
        return f"origin:{self.origin_id}"

    @property
    def attribution(self) -> str:
        """How a new record says that it came to its owner."""
        return "project" if self.project is not None else "unattributed"


ALL_PROJECTS = Scope(source="all", every=True)
"The explicit scope of a read across projects."


def owner_of(body: dict[str, object]) -> str:
    """Return the owner key of a stored record.

    >>> owner_of({"project": "acme/shop"})
    'project:acme/shop'
    """
    project = body.get("project")
    if isinstance(project, str):
        return f"project:{project}"
    origin = body.get("originId")
    return f"origin:{origin}" if isinstance(origin, str) else f"project:{FALLBACK_PROJECT}"
