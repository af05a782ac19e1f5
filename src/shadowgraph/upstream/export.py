"""Writing a store as an envelope of schema 7.

Records go out as they are stored, since their shapes are those of schema 7. What an import
kept goes back to where it came from. What has no place in the envelope stands in the member
`beside`: records of kinds that upstream does not have, items of which two stores brought
one each, retracted records (upstream would read them as if they stood), journal entries that do not lead to these records, and whose an item is that does
not say it. Upstream carries unknown members along, and our import reads this one.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from shadowgraph.library import Library
from shadowgraph.model.kinds import KEPT
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.rules.instants import format_instant
from shadowgraph.store.rows import is_retracted
from shadowgraph.upstream.envelope import BESIDE, COLLECTIONS, RESERVED
from shadowgraph.upstream.placing import owner_in
from shadowgraph.upstream.replay import journals_of

COLLECTION_OF = {
    "decision": "records",
    "attempt": "records",
    "memory": "records",
    "fact": "facts",
    "relation": "relations",
    "review": "reviewSignals",
}
"Where records of a kind stand; other kinds are no part of upstream's shape."


def export_envelope(library: Library, owner: str | None = None) -> tuple[str, int]:
    """Return every record of *owner* (all when None) as a file, and how many there are."""
    bodies = [
        record.body
        for page in library.store.pages(retracted=True)
        for record in page
        if owner is None or record.owner == owner
    ]
    made = envelope_of(bodies, library.store.revision(), format_instant(library.clock()))
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n", len(bodies)


def envelope_of(
    bodies: Iterable[Mapping[str, Any]], revision: int, at: str
) -> dict[str, Any]:
    """Return the envelope of *bodies*."""
    written = _Written()
    for body in bodies:
        written.add(body)
    journals = journals_of(written.collections["journal"], written.records, at)
    written.beside["items"] += [
        {"collection": "journal", "value": entry} for entry in journals.beside
    ]
    beside = {name: held for name, held in written.beside.items() if held}
    return {
        "schemaVersion": SCHEMA_VERSION,
        "revision": revision,
        **written.collections,
        "journal": journals.journal,
        "journalSeq": journals.seq,
        "journalEpoch": journals.epoch,
        **written.extras,
        **({BESIDE: beside} if beside else {}),
    }


class _Written:
    """The members of an envelope while they are filled."""

    def __init__(self) -> None:
        self.collections: dict[str, list[Any]] = {name: [] for name in COLLECTIONS}
        self.extras: dict[str, Any] = {}
        self.beside: dict[str, Any] = {"records": [], "items": [], "owners": {}}
        self.records: list[Mapping[str, Any]] = []
        self._wholes: set[str] = set()

    def add(self, body: Mapping[str, Any]) -> None:
        """Put one record where it belongs."""
        if body["kind"] == KEPT:
            self._give_back(body)
            return
        if is_retracted(body):
            self.beside["records"].append(body)
            return
        self.records.append(body)
        where = COLLECTION_OF.get(body["kind"])
        (self.beside["records"] if where is None else self.collections[where]).append(body)

    def _give_back(self, body: Mapping[str, Any]) -> None:
        name, value = str(body["collection"]), body["value"]
        if owner_in(value) is None:
            self.beside["owners"][body["id"]] = owner_in(body)
        if self._has_no_place(body, name):
            kept = ("collection", "value", "whole", "reason")
            self.beside["items"].append({n: body[n] for n in kept if n in body})
        elif body.get("whole"):
            self.extras[name] = value
            self._wholes.add(name)
        else:
            place = self.collections if name in self.collections else self.extras
            place.setdefault(name, []).append(value)

    def _has_no_place(self, body: Mapping[str, Any], name: str) -> bool:
        """Say whether an item cannot stand where it came from.

        What was unfit there would make the file unfit for upstream. And two stores may have
        brought a value each of one member.
        """
        if body.get("reason") is not None:
            return True
        if body.get("whole"):
            return name in RESERVED or name in self.extras
        if name in self.collections:
            return False
        return name in RESERVED or name in self._wholes
