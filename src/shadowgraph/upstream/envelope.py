"""The envelope: one JSON object that is a whole store, and what every form is brought to.

Four JSON forms are told apart by their content, never by a file's name: the envelope of
schemas 1 to 7, the bare array of the time before (schema 1), and two exports, public and
redacted, that hold full records without being stores. JSON Lines, our own form, begins
with an object that is one record.

An `Envelope` is a list of items in the order of the file, each with the collection it
stood in and the place to name in a message. Nothing is judged here but the outer shape.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeGuard

from shadowgraph.errors import ImportFileError, StoreTooNewError
from shadowgraph.model.records import SCHEMA_VERSION
from shadowgraph.model.text import load_json

COLLECTIONS = (
    "records", "facts", "relations", "reviewSignals", "idempotency", "events", "journal",
)  # fmt: skip
"The arrays of an envelope, in the order in which their items are imported."

HEAD = ("schemaVersion", "revision", "journalSeq", "journalEpoch")
"Members of an envelope that count what is in it."

EXPORTS = {"public_scoped": "public export", "scoped_redaction": "redacted export"}
"Kinds of export that are no stores, with what they are called in a report."

BESIDE = "beside"
"""The one member that only our own export has; upstream carries it along.

Its `records` are of kinds that upstream does not have, its `items` are
`{collection, value, whole, reason}` and have no place in the envelope as it is, and its
`owners` says by id whose an item is that does not say it.
"""

OTHER_RECORDS = f"{BESIDE}.records"
"The collection of records that upstream has no place for."

ACCEPTED = (
    "Accepted are: our JSON Lines (one record a line), an envelope"
    f" {{schemaVersion: 1 to {SCHEMA_VERSION}, records, facts, ...}}, its SQLite file, an"
    " export with exportKind, and an array of records."
)
"The last sentence of a refusal."

RESERVED = frozenset({*COLLECTIONS, *HEAD, BESIDE, "completeness", "exportKind"})
"Members with a meaning of their own; every other one is carried along."

_HINT = f"Nothing was imported. {ACCEPTED}"

LONGEST_LINE = 4 * 1024 * 1024
"Bytes up to which a first line is read to tell a record from a store in one line."

_FIRST_KEY = re.compile(r'\s*\{\s*"([^"]*)"\s*:')


class Item(NamedTuple):
    """One element of a collection."""

    collection: str
    place: str
    "Where it stands, for a message."
    value: Any
    whole: bool = False
    "True for the value of an unknown member that is no list of items."
    kept: bool = False
    "True when an export of ours says that it was kept before, and so it is again."
    reason: str | None = None
    "Why, if there was a reason."


@dataclass(frozen=True, slots=True)
class Envelope:
    """A store, whatever it was read from."""

    form: str
    "What it was recognised as, in words."
    schema: int
    items: tuple[Item, ...]
    owners: Mapping[str, Any] = field(default_factory=dict)
    "Owner by id of an item that does not say it; only our own export has these."
    oddities: tuple[str, ...] = ()
    "What is to be said of the file as a whole."


def is_lines(data: bytes) -> bool:
    """Say whether *data* is to be read as JSON Lines, one record a line.

    >>> is_lines(b'{"kind": "fact"}'), is_lines(b'{"schemaVersion": 7, "records": []}')
    (True, False)
    """
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"{"):
        return not text
    line = text.split(b"\n", 1)[0]
    if len(line) <= LONGEST_LINE:
        with suppress(ValueError):
            return not _looks_like_store(load_json(line.decode("utf-8", "replace").strip()))
    return not _begins_store(text[:4096].decode("utf-8", "replace"))


def _looks_like_store(first: Mapping[str, Any]) -> bool:
    return "kind" not in first and any(
        name in first for name in (*COLLECTIONS, "schemaVersion", "exportKind")
    )


def _begins_store(head: str) -> bool:
    """Say whether a text whose first line is no whole object begins like a store."""
    if head.split("\n", 1)[0].strip() == "{":
        return True
    first = _FIRST_KEY.match(head)
    known = (*HEAD, *COLLECTIONS, "exportKind")
    return first is not None and first.group(1) in known


def read_json(data: bytes) -> Envelope:
    """Return the store that *data* writes as JSON.

    Raises:
        ImportFileError: it is no JSON, or none of the forms.
        StoreTooNewError: its schema is newer than this version knows.
    """
    value = _parsed(data)
    if isinstance(value, list):
        items = (Item("records", f"[{at}]", one) for at, one in enumerate(value))
        return Envelope("array of records", 1, tuple(items))
    if not isinstance(value, dict):
        raise ImportFileError(f"The file holds {_named(value)}. {ACCEPTED}")
    return from_object(value)


def _parsed(data: bytes) -> Any:
    try:
        return load_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ImportFileError(
            f"The file is not UTF-8 (byte {error.start:,} of {len(data):,}).", hint=_HINT
        ) from error
    except json.JSONDecodeError as error:
        raise ImportFileError(
            f"The file is not whole JSON: {error.msg}, line {error.lineno:,},"
            f" column {error.colno:,}.",
            hint=_HINT,
        ) from error
    except ValueError as error:
        raise ImportFileError(f"The file is not JSON: {error}", hint=_HINT) from error


def _named(value: Any) -> str:
    """Return what a JSON value is, in words."""
    if isinstance(value, dict):
        names = ", ".join(list(value)[:8]) or "nothing"
        return f"an object with {names}"
    kinds = ((bool, "a truth value"), (str, "a text"), (int, "a number"))
    return next((word for kind, word in kinds if isinstance(value, kind)), "null")


def from_object(value: Mapping[str, Any]) -> Envelope:
    """Return the store in an object; see `read_json`."""
    if "kind" in value and "records" not in value:
        raise ImportFileError(
            f"The file holds one record over several lines ({value['kind']!r})."
            " JSON Lines has one record a line."
        )
    form = _form(value)
    schema = schema_of(value.get("schemaVersion"), _named(value))
    items = [item for name in COLLECTIONS for item in _collection(name, value)]
    beside = value.get(BESIDE)
    if not is_beside(beside):
        beside = {}
    else:
        items += _items_beside(beside)
    items += [
        item
        for name, held in value.items()
        if name not in RESERVED or (name == BESIDE and not beside)
        for item in members(name, held)
    ]
    owners = beside.get("owners", {})
    return Envelope(form, schema, tuple(items), owners, tuple(_oddities(value)))


def is_beside(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Say whether this is the member that our export writes."""
    kinds = {"records": list, "items": list, "owners": dict}
    return (
        isinstance(value, dict)
        and bool(value)
        and all(n in kinds and isinstance(v, kinds[n]) for n, v in value.items())
        and all(isinstance(i, dict) and "collection" in i for i in value.get("items", ()))
    )


def _items_beside(beside: Mapping[str, Any]) -> Iterator[Item]:
    for at, one in enumerate(beside.get("records", ())):
        yield Item(OTHER_RECORDS, f"{OTHER_RECORDS}[{at}]", one)
    for at, one in enumerate(beside.get("items", ())):
        reason = one.get("reason")
        yield Item(
            str(one["collection"]),
            f"{BESIDE}.items[{at}]",
            one.get("value"),
            whole=bool(one.get("whole")),
            kept=True,
            reason=reason if isinstance(reason, str) else None,
        )


def _form(value: Mapping[str, Any]) -> str:
    kind = value.get("exportKind")
    if kind is None:
        if not _looks_like_store(value):
            raise ImportFileError(f"The file holds {_named(value)}. {ACCEPTED}")
        return "envelope"
    if not isinstance(kind, str) or kind not in EXPORTS:
        shown = repr(kind)[:60]
        raise ImportFileError(f"The exportKind {shown} is not known. {ACCEPTED}")
    return EXPORTS[kind]


def schema_of(version: object, seen: str) -> int:
    """Return a schema version that can be read.

    Raises:
        ImportFileError: it is no schema version.
        StoreTooNewError: it is newer than this version knows.
    """
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ImportFileError(
            f"The schemaVersion is {version!r}; it must be 1 to {SCHEMA_VERSION}."
            f" The file holds {seen}. {ACCEPTED}"
        )
    if version > SCHEMA_VERSION:
        raise StoreTooNewError(
            f"The file has schemaVersion {version}; this version reads 1 to"
            f" {SCHEMA_VERSION} (unsupported_schema_version).",
            hint="Nothing was imported. Upgrade shadowgraph, or write the file again at"
            f" schema {SCHEMA_VERSION}.",
        )
    return version


def _collection(name: str, value: Mapping[str, Any]) -> Iterator[Item]:
    held = value.get(name)
    if held is None:
        return
    if not isinstance(held, list):
        raise ImportFileError(f"{name} must be an array; it is {_named(held)}.")
    for at, one in enumerate(held):
        yield Item(name, f"{name}[{at}]", one)


def members(name: str, held: Any) -> Iterator[Item]:
    """Yield the items of a member that is not one of the known collections."""
    if isinstance(held, list) and held:
        for at, one in enumerate(held):
            yield Item(name, f"{name}[{at}]", one)
    else:
        yield Item(name, name, held, whole=True)


def _oddities(value: Mapping[str, Any]) -> Iterator[str]:
    completeness = value.get("completeness")
    if isinstance(completeness, Mapping) and completeness.get("complete") is False:
        yield "the export says itself that it is not complete"
    if value.get("exportKind") == "scoped_redaction":
        yield "values that were masked in the file stay masked"
