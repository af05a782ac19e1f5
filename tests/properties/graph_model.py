"""A graph in plain Python: what each call should leave behind, restated in a few lines.

Nothing here is taken from the program but the table of moves. A record is known by its word,
a relation by its ends, a signal by its decision and its grounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from shadowgraph.rules.lifecycle import CURRENT, REVIEWED

Ground = tuple[str, str]
"A fact key that a rule asks for, or a cause with its instant."
Ends = tuple[str, str, str]
"Where a relation begins, where it ends, and its name."


@dataclass
class Known:
    """What the model knows of one record."""

    kind: str
    project: str
    word: str = ""
    status: str | None = None
    result_class: str | None = None
    key: str | None = None
    outcome: str | None = None
    retracted: str | None = None
    "Reason of its retraction."
    went_with: str | None = None
    "The decision that a signal was retracted with."
    until: datetime | None = None
    "When a fact ends, or a decision is to be reviewed."
    failed_at: str = ""
    "When a decision's outcome was observed."
    option: str | None = None
    "Id of the option that a decision rejected."
    rules: tuple[str, ...] = ()
    "Fact keys that must exist for that option to be open again."
    counted: tuple[tuple[str, bool], ...] = ()
    "Evidence for or against a decision, by its key."
    successor: str | None = None
    replaced: tuple[str, ...] = ()
    "Decisions that a decision took the place of."
    ends: Ends | None = None
    "Of a relation."
    closed: bool = False
    "Whether a relation was taken back."
    about: str | None = None
    "The decision that a signal speaks of."
    grounds: frozenset[Ground] = frozenset()
    "Why the decision of a signal was due."


@dataclass
class World:
    """The whole model."""

    records: dict[str, Known] = field(default_factory=dict)
    entries: int = 0
    words: set[str] = field(default_factory=set)
    "Every word that ever stood in a record."

    def living(self, project: str, *kinds: str) -> Iterator[tuple[str, Known]]:
        """Yield the records of a project that are not retracted."""
        for name, one in self.records.items():
            if one.project == project and one.kind in kinds and one.retracted is None:
                yield name, one

    def active(self, kind: str, project: str, key: str | None) -> tuple[str, Known] | None:
        """Return the fact or memory that is active for a key."""
        for name, one in self.living(project, kind):
            if (one.key, one.status) == (key, "active"):
                return name, one
        return None

    def live(self, project: str, ends: Ends) -> str | None:
        """Return the relation that links these ends by this name."""
        for name, one in self.living(project, "relation"):
            if one.ends == ends and not one.closed:
                return name
        return None

    def due(self, project: str, now: datetime) -> Iterator[tuple[str, frozenset[Ground]]]:
        """Yield the decisions that are due, each with its grounds."""
        for name, one in self.living(project, "decision"):
            grounds = set()
            for key in one.rules:
                fact = self.active("fact", project, key)
                if fact and (fact[1].until is None or fact[1].until > now):
                    grounds.add(("rule", key))
            if one.until is not None and one.until <= now:
                grounds.add(("review date reached", ""))
            if one.outcome == "failed":
                grounds.add(("decision outcome failed", one.failed_at))
            if grounds and one.status in REVIEWED:
                yield name, frozenset(grounds)

    def unsignalled(
        self, project: str, now: datetime
    ) -> set[tuple[str, frozenset[Ground]]]:
        """Return the breaches without a signal, a retracted one included."""
        held = {
            (one.about, one.grounds)
            for one in self.records.values()
            if one.kind == "review"
        }
        return {due for due in self.due(project, now) if due not in held}

    def age(self, project: str, now: datetime) -> int:
        """Let time take effect; return how many records changed."""
        changed = 0
        for _, one in self.living(project, "decision", "fact"):
            past = one.until is not None and one.until <= now
            if past and one.kind == "decision" and one.status in CURRENT:
                one.status = "stale"
                changed += 1
            elif past and one.kind == "fact" and one.status == "active":
                one.status = "expired"
                changed += 1
        return changed

    def forget(self, project: str, names: list[str] | None) -> list[str]:
        """Take out what a purge takes, signals and relations included; return the ids."""
        mine = {n: one for n, one in self.records.items() if one.project == project}
        gone = set(mine) if names is None else set(names) & set(mine)
        gone |= {n for n in names or () if n in self.records}
        options = {one.option for n, one in mine.items() if n in gone and one.option}
        for name, one in mine.items():
            if one.about in gone or (one.ends and {*one.ends[:2]} & (gone | options)):
                gone.add(name)
        for name in gone:
            del self.records[name]
        for one in self.records.values():
            if one.project == project:
                one.successor = None if one.successor in gone else one.successor
                one.replaced = tuple(n for n in one.replaced if n not in gone)
        return sorted(gone)
