"""What every reader gives: records with their places, and notes of what became of the rest.

An id is made from the form, the project and a name within the source, never from a time or
a position. So the same text read twice gives the same records, and the same text read for
two projects gives different ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shadowgraph.ids import content_id
from shadowgraph.model.kinds import KEPT
from shadowgraph.rules.instants import format_instant, instant_or_none

Sort = Literal["mapped", "odd", "kept"]
"Changed by a rule; noticed and left; stored aside, or in the text of the record alone."


@dataclass(frozen=True, slots=True)
class Text:
    """One text to read."""

    name: str
    "Its path, relative to what was named."
    content: str


@dataclass(frozen=True, slots=True)
class Said:
    """Something a reader noticed."""

    sort: Sort
    what: str
    where: str


@dataclass
class Reading:
    """What was read from some texts of one form."""

    form: str
    project: str
    records: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    "Records, each with the place it comes from."
    notes: list[Said] = field(default_factory=list)
    _related: set[str] = field(default_factory=set)

    def id_of(self, kind: str, *names: str) -> str:
        """Return the id of what is called *names* in texts of this form."""
        key = {"form": self.form, "project": self.project, "names": list(names)}
        return content_id(kind, key)

    def add(self, place: str, kind: str, names: Sequence[str], body: dict[str, Any]) -> str:
        """Take a record; return its id."""
        made = {
            "kind": kind,
            "id": self.id_of(kind, *names),
            "project": self.project,
            "sourceRaw": self.form,
            **body,
        }
        self.records.append((place, made))
        return str(made["id"])

    def relate(self, place: str, source: str, name: str, target: str, **more: Any) -> bool:
        """Take a relation; say whether it is the first of these ends and this name."""
        ends = {"from": source, "to": target, "relation": name}
        known = self.id_of("relation", source, name, target)
        if known in self._related:
            return False
        self._related.add(known)
        self.add(place, "relation", (source, name, target), {**ends, **more})
        return True

    def keep(self, place: str, value: Any, reason: str) -> None:
        """Store aside what is no record, verbatim."""
        self.add(
            place,
            KEPT,
            (str(value),),
            {"collection": self.form, "value": value, "reason": reason},
        )
        self.say("kept", reason, place)

    def say(self, sort: Sort, what: str, where: str) -> None:
        """Note that *what* happened at *where*."""
        self.notes.append(Said(sort, what, where))


def stamp(text: object) -> str | None:
    """Return a date or an instant in the form that is stored; None when it is none.

    >>> stamp("2026-03-04"), stamp("soon")
    ('2026-03-04T00:00:00.000Z', None)
    """
    instant = instant_or_none(str(text).strip()) if text else None
    return None if instant is None else format_instant(instant)
