"""What an import did, saw and could not use, in a form for people and for programs.

Every rule that changed an item leaves a note with how often and where first, so that the
report answers "what became of my store" without a comparison by hand.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

Sort = Literal["mapped", "odd", "kept"]
"Changed by a rule; noticed and left; stored aside as a record of kind `kept`."
EXAMPLES = 3
"Ids or places that a note names."
MOST_NOTES = 200
"Different notes; what a hostile file makes up beyond them is counted together."
LONGEST = 160
"Characters of a note: it may quote a value of the file."
OTHERS = "more of other sorts"


@dataclass
class Note:
    """One thing that happened, once or often."""

    sort: Sort
    what: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Report:
    """The whole import."""

    form: str = ""
    "What the file was recognised as."
    schema: int = 0
    "Schema version of the file."
    fallback: str = ""
    "Project of what came without one."
    dry_run: bool = False
    read: int = 0
    "Items in the file."
    imported: int = 0
    unchanged: int = 0
    "Items stored already with the same content."
    left: int = 0
    "Items stored with other content and left, because of keep."
    replaced: int = 0
    "Items that took the place of what was stored, because of replace."
    cleaned: int = 0
    "Characters (NUL, lone surrogates) that were taken out."
    masked: Counter[str] = field(default_factory=Counter)
    "Credentials that were masked, by kind."
    retry_keys: int = 0
    "Idempotency keys that count from now on."
    counts: dict[str, int] = field(default_factory=dict)
    "Stored records by kind."
    owners: dict[str, int] = field(default_factory=dict)
    "Stored records by project, or by origin."
    conflicts: list[str] = field(default_factory=list)
    "What is stored with other content; only a dry run reports these instead of failing."
    notes: dict[tuple[Sort, str], Note] = field(default_factory=dict)

    def note(self, sort: Sort, what: str, where: str) -> None:
        """Count that *what* happened to the item *where*."""
        said = what if len(what) <= LONGEST else f"{what[:LONGEST]}..."
        if (sort, said) not in self.notes and len(self.notes) >= MOST_NOTES:
            said = OTHERS
        note = self.notes.setdefault((sort, said), Note(sort, said))
        note.count += 1
        if len(note.examples) < EXAMPLES:
            note.examples.append(where[:LONGEST])

    def stored(self, kind: str, owner: str) -> None:
        """Count one record that was written."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        name = owner.removeprefix("project:")
        self.owners[name] = self.owners.get(name, 0) + 1

    def as_json(self) -> dict[str, Any]:
        """Return the wire shape."""
        return {
            "form": self.form,
            "fileSchema": self.schema,
            "dryRun": self.dry_run,
            "read": self.read,
            "imported": self.imported,
            "unchanged": self.unchanged,
            "left": self.left,
            "replaced": self.replaced,
            "cleanedCharacters": self.cleaned,
            "masked": dict(sorted(self.masked.items())),
            "retryKeys": self.retry_keys,
            "counts": dict(sorted(self.counts.items())),
            "projects": dict(sorted(self.owners.items())),
            "withoutProject": self.fallback,
            "conflicts": self.conflicts,
            "notes": [
                {
                    "sort": note.sort,
                    "what": note.what,
                    "count": note.count,
                    "examples": note.examples,
                }
                for note in sorted(
                    self.notes.values(), key=lambda n: (n.sort, -n.count, n.what)
                )
            ],
        }
