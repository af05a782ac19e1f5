"""Who calls, and which project a call means.

The entry point resolves a project once (argument of the server, configuration file, git)
and hands it down; an explicit argument always wins, and nothing a call does changes it for
the next call. New records go to `default` when nothing names a project; a write by id is
refused then, because it could only guess whose record is meant.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from shadowgraph.errors import InvalidInputError, ScopeUnresolvedError
from shadowgraph.model.scope import ALL_PROJECTS, FALLBACK_PROJECT, Scope
from shadowgraph.model.text import KEY_CHARACTERS
from shadowgraph.store import Origin


class Caller(NamedTuple):
    """One caller: the project of its session and who it is."""

    project: str | None = None
    "Project that the session resolved; None when nothing named one."
    source: str = "fallback"
    "What resolved it: server, config, git or fallback."
    actor: str | None = None
    client: str | None = None
    session_id: str | None = None
    directory: Path | None = None
    "Where the caller works; None when it is no place somebody works in."
    progress: Callable[[int, int | None], None] | None = None
    "Takes how much of long work is done, and of how much, when somebody wants to know."

    def scope(
        self,
        project: str | None,
        origin_id: str | None = None,
        *,
        every: bool = False,
    ) -> Scope:
        """Return the scope of a read or of a new record.

        Raises:
            InvalidInputError: the project name is empty or too long.
        """
        if every:
            if project is not None:
                raise InvalidInputError(
                    "project and allProjects were both given; give one of them."
                )
            return ALL_PROJECTS
        if project is not None:
            return Scope(_named(project), origin_id)
        if self.project is not None:
            return Scope(self.project, origin_id, source=self.source)
        if origin_id is not None:
            return Scope(None, origin_id, source="origin")
        return Scope(FALLBACK_PROJECT, resolved=False, source="fallback")

    def scope_by_id(self, project: str | None, origin_id: str | None = None) -> Scope:
        """Return the scope of a write to an existing record.

        Raises:
            ScopeUnresolvedError: nothing names a project or an origin.
        """
        scope = self.scope(project, origin_id)
        if not scope.resolved:
            raise ScopeUnresolvedError(
                "This session names no project, so it is not clear whose record is meant."
            )
        return scope

    def origin(
        self, actor: str | None, client: str | None, session_id: str | None
    ) -> Origin:
        """Return who makes a write: the arguments, else the session."""
        return Origin(
            actor if actor is not None else self.actor,
            client if client is not None else self.client,
            session_id if session_id is not None else self.session_id,
        )


def _named(project: str) -> str:
    name = project.strip()
    if not name:
        raise InvalidInputError(
            "project is empty.",
            hint="Leave it out to use the session's project, or name one.",
        )
    if len(name) > KEY_CHARACTERS or any(ord(character) < 32 for character in name):
        raise InvalidInputError(
            f"project must be one line of at most {KEY_CHARACTERS} characters."
        )
    return name
