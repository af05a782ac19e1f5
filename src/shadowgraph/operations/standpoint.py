"""From which instants a read looks at the graph, and whose memories it may see.

`asOf` asks what held then; `knownAt` asks what the store knew then. They are independent:
what was known in March about January is asOf January, knownAt March. Without either a read
sees the present state. Memories of a user, an agent or a run are seen by a call that names
exactly that scope.

Every record that an operation of the graph shows goes through a standpoint, those that a
walk only passes included.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shadowgraph.errors import InvalidInputError
from shadowgraph.model.scope import Scope, memory_scope
from shadowgraph.model.wire import Wire
from shadowgraph.rules.instants import parse_instant
from shadowgraph.rules.presence import present_at
from shadowgraph.store import StoredRecord
from shadowgraph.store.rows import is_retracted
from shadowgraph.store.selection import Selection


class ScopeIn(Wire):
    """Whose memories: a user, an agent, a run."""

    user_id: str | None = None
    """The user."""
    agent_id: str | None = None
    """The agent."""
    run_id: str | None = None
    """The run."""


class Standpoint(NamedTuple):
    """Where a read stands."""

    scope: Scope
    as_of: datetime | None = None
    "Instant at which a record must hold; None for any."
    known_at: datetime | None = None
    "Instant of which the states are read from the journal; None for the present ones."
    memory: tuple[str | None, ...] = (None, None, None)
    "Scope of the memories that are seen."
    retracted: bool = False
    "Whether what was retracted is seen too."

    @property
    def owner(self) -> str:
        """The owner of what is seen; a walk is always of one."""
        return self.scope.owner or ""

    def records(self, selection: Selection, ids: Sequence[str]) -> list[StoredRecord]:
        """Return those of the records that are seen from here, in the order of *ids*."""
        if self.known_at is None:
            found = selection.by_ids(ids, self.scope.owner, retracted=self.retracted)
        else:
            found = selection.states_at(ids, self.known_at, self.scope.owner)
        return [record for record in found if self.sees(record.body)]

    def states(
        self, selection: Selection, records: Sequence[StoredRecord]
    ) -> list[StoredRecord]:
        """Return present records as they are seen from here."""
        if self.known_at is not None:
            return self.records(selection, [record.id for record in records])
        return [record for record in records if self.sees(record.body)]

    def sees(self, body: Mapping[str, Any]) -> bool:
        """Say whether a state may be seen and holds."""
        if body.get("kind") == "memory" and memory_scope(body.get("scope")) != self.memory:
            return False
        if is_retracted(body) and not self.retracted:
            return False
        return self.as_of is None or present_at(body, self.as_of)

    def nodes(
        self, selection: Selection, ids: Collection[str]
    ) -> dict[str, dict[str, Any]]:
        """Return what relations lead to by id: records, and alternatives of decisions."""
        ordered = sorted(ids)
        found = {
            record.id: dict(record.body)
            for record in self.records(selection, ordered)
            if record.kind not in ("relation", "review")
        }
        rest = [one for one in ordered if one not in found]
        for decision in self.states(selection, selection.holding(self.owner, rest)):
            for alternative in decision.body.get("alternatives") or ():
                if isinstance(alternative, Mapping) and alternative.get("id") in rest:
                    found[str(alternative["id"])] = _as_node(alternative, decision)
        return found


def _as_node(alternative: Mapping[str, Any], decision: StoredRecord) -> dict[str, Any]:
    """Return an alternative as if it were a record of its own."""
    return {
        **alternative,
        "kind": "alternative",
        "decisionId": decision.id,
        "project": decision.body.get("project"),
    }


def instant_of(text: str | None, name: str) -> datetime | None:
    """Return the instant of an argument.

    Raises:
        InvalidInputError: it is none; the message names the argument.
    """
    if text is None:
        return None
    try:
        return parse_instant(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error.message}", hint=error.hint) from error


def memory_scope_of(scope: ScopeIn | None) -> tuple[str | None, ...]:
    """Return whose memories an argument names; everybody's when it is left out."""
    return memory_scope(scope.model_dump(by_alias=True) if scope else None)
