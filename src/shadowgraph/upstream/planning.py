"""From the items of a file to the bodies that are to be stored.

Each item becomes one record: of its own kind when it is one of ours and fit to be used,
else of kind `kept`, verbatim, with the reason. Ids that are missing or cannot be ids are
made from the content, so a second import of the same file makes the same ones. Nothing is
written here, and nothing of the file is left out but exact repetitions and what an export
of ours derived.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shadowgraph.errors import ImportFileError, InvalidInputError
from shadowgraph.exchange import checked
from shadowgraph.ids import is_id
from shadowgraph.masking import mask_json
from shadowgraph.model.kinds import KEPT, KINDS
from shadowgraph.model.text import clean_json
from shadowgraph.store.journal import canonical
from shadowgraph.upstream.envelope import OTHER_RECORDS, Envelope, Item
from shadowgraph.upstream.normalise import Body, Tell, Trusted, nobody, normalise, remember
from shadowgraph.upstream.placing import Lookup, Owner, Places
from shadowgraph.upstream.replay import is_derived
from shadowgraph.upstream.report import Report, Sort
from shadowgraph.upstream.settle import settle

ENTITIES = ("records", "facts", OTHER_RECORDS)
LINKED = {"relations": "relation", "reviewSignals": "review"}
"Collections of records, and of records that name others."

CAPTURE = "capture"
"The one kind of record that upstream has and we have not."

ONE_NAMESPACE_SCHEMA = 4
"The schema from which an id is used once in a whole store."

_NEEDED = {
    "relation": ("from", "to", "relation"),
    "review": ("decisionId",),
    "memory": ("key", "text"),
}
"Members of a kind without a model that must be texts for the record to be of use."


class Planned(NamedTuple):
    """One body to be stored."""

    place: str
    "Where it stood in the file."
    body: Body


@dataclass
class Planner:
    """Plans one file."""

    envelope: Envelope
    fallback: str
    lookup: Lookup
    report: Report
    trusted: Trusted = nobody
    mask: bool = True
    "Whether credentials are masked."
    _places: Places = field(init=False)
    _seen: dict[str, tuple[str, Any]] = field(default_factory=dict)
    "Place and content of each id of the file."
    _occurrences: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Begin with no record known."""
        self._places = Places(self.fallback, self.lookup)

    def plan(self) -> list[Planned]:
        """Return every body, records before what names them."""
        items = [self._cleaned(item) for item in self.envelope.items]
        self.report.read = len(items)
        found = [
            planned
            for collections in (ENTITIES, LINKED)
            for planned in self._records(
                i for i in items if i.collection in collections and not i.kept
            )
        ]
        rest = [i for i in items if i.kept or i.collection not in (*ENTITIES, *LINKED)]
        found += [
            self._kept(item, item.reason) for item in rest if not self._left_out(item)
        ]
        settled = settle(one.body for one in found)
        for record_id in settled:
            self.report.note(
                "odd", "a second active one of its key -> superseded", record_id
            )
        return [
            Planned(one.place, settled.get(str(one.body["id"]), one.body)) for one in found
        ]

    def _cleaned(self, item: Item) -> Item:
        try:
            value, removed = clean_json(item.value)
        except ValueError as error:
            raise ImportFileError(f"{item.place}: {error}.") from error
        self.report.cleaned += sum(removed.values())
        if self.mask:
            value, masked = mask_json(value)
            self.report.masked.update(masked)
        return item._replace(value=value)

    def _left_out(self, item: Item) -> bool:
        derived = item.collection == "journal" and not item.kept and is_derived(item.value)
        if derived:
            self.report.note(
                "mapped", "journal entry derived by an export -> left out", item.place
            )
        return derived

    def _records(self, items: Iterable[Item]) -> list[Planned]:
        found = []
        for item in items:
            planned = self._record(item)
            if planned is not None:
                self._places.learn(planned.body)
                found.append(planned)
        return found

    def _record(self, item: Item) -> Planned | None:
        """Return the body of a record; None for a repetition."""
        kind = self._kind(item)
        if kind is None:
            return self._kept(item, self._why_no_record(item.value))
        body = self._identified({**item.value, "kind": kind}, item)
        if body is None:
            return None
        tell = self._teller(str(body["id"]))
        fault = _unusable(body)
        if fault is None:
            made = normalise(body, self.envelope.schema, tell, self.trusted)
            made = self._places.place(made, tell)
            try:
                made = checked(made, self.fallback)
            except InvalidInputError as error:
                fault = error.message
        if fault is not None:
            return self._kept(item, fault)
        if kind in LINKED.values():
            for _ in self._places.dangling(made):
                tell("odd", f"{kind} names what is not there")
        return Planned(item.place, made)

    def _teller(self, record_id: str) -> Tell:
        def tell(sort: Sort, what: str) -> None:
            self.report.note(sort, what, record_id)

        return tell

    def _kind(self, item: Item) -> str | None:
        """Return the kind of a record; None when it is none of ours."""
        if not isinstance(item.value, Mapping):
            return None
        usual = {**LINKED, "facts": "fact"}.get(item.collection)
        kind = item.value.get("kind", usual)
        if kind is None:
            kind = _guessed(item.value)
            if kind is not None:
                self.report.note("mapped", f"no kind -> {kind}, by its fields", item.place)
        return kind if kind in (*KINDS, *LINKED.values()) else None

    def _why_no_record(self, value: Any) -> str | None:
        if not isinstance(value, Mapping):
            return "It is no object."
        if value.get("kind") == CAPTURE:
            # Upstream's own, and back in its place with the next export.
            return None
        kind = repr(value.get("kind"))
        return f"It is of kind {kind[:60]}, which is none of ours."

    def _identified(self, body: Body, item: Item) -> Body | None:
        """Return a record with a usable id of its own; None for a repetition."""
        raw = body.get("id")
        if not (isinstance(raw, str) and is_id(raw)):
            made = {**body, "id": self._content_id(body["kind"], item.value)}
            if raw is not None:
                remember(made, "id", raw)
            self.report.note("mapped", "no usable id -> one from its content", made["id"])
            body = made
        before = self._seen.get(str(body["id"]))
        if before is None:
            self._seen[str(body["id"])] = (item.place, item.value)
            return body
        if before[1] == item.value:
            self.report.note("mapped", "the same item twice -> once", item.place)
            return None
        return self._renamed(body, item, before[0])

    def _renamed(self, body: Body, item: Item, before: str) -> Body:
        if self.envelope.schema >= ONE_NAMESPACE_SCHEMA:
            raise ImportFileError(
                f"{item.place} and {before} have the same id {body['id']!r} and differ.",
                hint="Nothing was imported. Correct one of the two ids in the file.",
                details={"id": body["id"], "places": [before, item.place]},
            )
        made = {**body, "id": self._content_id(body["kind"], item.value)}
        remember(made, "id", body["id"])
        remember(made, "ambiguousLegacyReferences", [body["id"]])
        self.report.note(
            "odd", "an id of another collection -> a new one; references to it are unclear",
            str(body["id"]),
        )  # fmt: skip
        self._seen[str(made["id"])] = (item.place, item.value)
        return made

    def _content_id(self, kind: str, value: Any) -> str:
        text = f"{kind} {canonical(value)}"
        occurrence = self._occurrences[text]
        self._occurrences[text] += 1
        return f"{kind}_{hashlib.sha256(f'{text} {occurrence}'.encode()).hexdigest()[:20]}"

    def _kept(self, item: Item, reason: str | None = None) -> Planned:
        """Return an item that becomes no record of ours, verbatim."""
        own = _own_id(item)
        named = item.value if own is None else own
        record_id = self._content_id(KEPT, [item.collection, named])
        why = "kept as it came" if reason is None else reason
        self.report.note("kept", f"{item.collection}: {why}", item.place)
        owner: Owner = self._places.place_kept(
            item.value, self.envelope.owners.get(record_id)
        )
        body = {
            "id": record_id,
            "kind": KEPT,
            **owner,
            "collection": item.collection,
            "value": item.value,
            **({"whole": True} if item.whole else {}),
            **({"reason": reason} if reason is not None else {}),
        }
        return Planned(item.place, body)


def _own_id(item: Item) -> str | None:
    """Return what names an item of a collection for good, whatever else changes in it."""
    if not isinstance(item.value, Mapping):
        return None
    own = item.value.get("key" if item.collection == "idempotency" else "id")
    return own if isinstance(own, str) else None


def _guessed(value: Mapping[str, Any]) -> str | None:
    """Return the kind of a record that does not say it: the oldest files have such."""
    if "chosen" in value and "title" in value:
        return "decision"
    if "solution" in value and "result" in value:
        return "attempt"
    return None


def _unusable(body: Mapping[str, Any]) -> str | None:
    for name in _NEEDED.get(str(body["kind"]), ()):
        if not (isinstance(body.get(name), str) and body[name].strip()):
            return f"{name} must be a text that is not empty."
    return None
