"""Whose records a call may see and write.

A record belongs to exactly one owner: a project, or a capture origin when no project was
known. The owner is one string (`project:<name>` or `origin:<id>`), which the store keeps in
a column and the index in a field, so that both filter alike and neither can forget half.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from shadowgraph.model.text import KEY_CHARACTERS

FALLBACK_PROJECT = "default"
"Where new records go when nothing names a project."


class Scope(NamedTuple):
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


def is_name(project: object) -> bool:
    """Say whether a call could name this project.

    >>> is_name("acme/shop"), is_name(""), is_name(None)
    (True, False, False)
    """
    return (
        isinstance(project, str)
        and bool(project)
        and project == project.strip()
        and len(project) <= KEY_CHARACTERS
        and all(ord(character) >= 32 for character in project)
    )


_WITHIN = "\x1f"
"Stands between an owner and a memory's scope; no project name holds it."

MEMORY_SCOPE = ("userId", "agentId", "runId")
"Whose a memory is within its owner; a missing one is null."


def memory_scope(scope: object) -> tuple[str | None, ...]:
    """Return the three parts of a memory's scope.

    >>> memory_scope({"userId": "ada"})
    ('ada', None, None)
    """
    held = scope if isinstance(scope, Mapping) else {}
    return tuple(
        part if isinstance(part := held.get(name), str) else None for name in MEMORY_SCOPE
    )


def is_private(body: Mapping[str, Any]) -> bool:
    """Say whether a record is a memory that only its own user, agent or run may find."""
    return body.get("kind") == "memory" and any(memory_scope(body.get("scope")))


def audience_of(body: Mapping[str, Any]) -> str:
    """Return the key by which a record may be found: its owner, for most.

    A memory with a scope has a key of its own, so that a search within the owner cannot
    find it.

    >>> audience_of({"kind": "fact", "project": "acme/shop"})
    'project:acme/shop'
    """
    owner = owner_of(dict(body))
    return audience(owner, memory_scope(body.get("scope"))) if is_private(body) else owner


def audience(owner: str, scope: tuple[str | None, ...]) -> str:
    """Return the key of memories with *scope* within *owner*."""
    return f"{owner}{_WITHIN}{json.dumps(scope)}" if any(scope) else owner


def is_audience(owner: str | None) -> bool:
    """Say whether an owner key is one of memories with a scope."""
    return owner is not None and _WITHIN in owner
