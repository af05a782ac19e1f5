"""The SQLite form of a store: tables of payloads, or one row that is a whole envelope.

Every payload column holds an entity as JSON, so the tables are brought to the items of an
envelope and everything behind that is shared with the JSON form. The columns beside a
payload only repeat it; where they differ the payload wins and the report says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shadowgraph.errors import ImportFileError
from shadowgraph.model.text import load_json
from shadowgraph.store.foreign import ForeignTables, read_tables
from shadowgraph.upstream.envelope import (
    ACCEPTED,
    Envelope,
    Item,
    from_object,
    members,
    schema_of,
)

META, ENTITIES, EXTRA = "shadowgraph_meta", "shadowgraph_entities", "shadowgraph_extra"
STATE = "shadowgraph_state"
"The only table of the oldest files: a row that is a whole envelope."

WANTED: Mapping[str, tuple[str, ...]] = {
    META: ("key", "value"),
    ENTITIES: ("payload", "id", "kind"),
    "shadowgraph_relations": ("payload", "id"),
    "shadowgraph_reviews": ("payload", "id"),
    "shadowgraph_idempotency": ("payload", "key"),
    "shadowgraph_events": ("payload", "id"),
    "shadowgraph_journal": ("payload", "id"),
    EXTRA: ("payload", "collection"),
    STATE: ("payload",),
}
"Every table that is read, with the columns that are looked at."

COLLECTION_OF = {
    "shadowgraph_relations": "relations",
    "shadowgraph_reviews": "reviewSignals",
    "shadowgraph_idempotency": "idempotency",
    "shadowgraph_events": "events",
    "shadowgraph_journal": "journal",
}


def read_sqlite(path: Path) -> Envelope:
    """Return the store in a SQLite file.

    Raises:
        StoreDamagedError: the file is damaged.
        ImportFileError: it is sound and holds no store, or a payload is not JSON.
        StoreTooNewError: its schema is newer than this version knows.
    """
    found = read_tables(path, WANTED)
    if META in found.rows and ENTITIES in found.rows:
        return _relational(found)
    if found.rows.get(STATE):
        return _whole(found)
    raise _no_store(path, found)


def _no_store(path: Path, found: ForeignTables) -> ImportFileError:
    if found.is_home:
        return ImportFileError(
            f"{path} is the store of a home, not a file to import.",
            hint="Run `shadowgraph --home DIRECTORY export FILE`, and import that file.",
        )
    absent = [table for table in (META, ENTITIES) if table not in found.rows]
    held = ", ".join(found.names[:12]) or "no table"
    return ImportFileError(
        f"The SQLite file lacks {' and '.join(absent)}; it holds {held}. {ACCEPTED}"
    )


def _whole(found: ForeignTables) -> Envelope:
    value = _payload(found.rows[STATE][0][0], f"{STATE} row 1")
    if not isinstance(value, dict):
        raise ImportFileError(f"{STATE} holds no envelope. {ACCEPTED}")
    read = from_object(value)
    return replace(read, form=f"SQLite, {read.form} in one row")


def _relational(found: ForeignTables) -> Envelope:
    meta = {_text(key): _number(value) for key, value in found.rows[META]}
    schema = schema_of(
        meta.get("schemaVersion"), f"the tables {', '.join(found.names[:12])}"
    )
    oddities = [
        f"the table {table} is missing"
        for table in COLLECTION_OF
        if table not in found.rows
    ]
    oddities += [
        f"the table {name} is not known and was not read"
        for name in found.names
        if name not in WANTED
    ]
    if found.rows.get(STATE):
        oddities.append(f"the table {STATE} repeats an older state and was not read")
    items = list(_items(found, oddities))
    return Envelope("SQLite tables", schema, tuple(items), oddities=tuple(oddities))


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


def _number(value: bytes | None) -> int | str:
    """Return a value of the meta table, whose numbers may be texts."""
    text = _text(value)
    return int(text) if text.strip().isdecimal() and text.isascii() else text


def _items(found: ForeignTables, oddities: list[str]) -> Iterator[Item]:
    for number, (text, held_id, kind) in enumerate(found.rows[ENTITIES], start=1):
        place = f"{ENTITIES} row {number}"
        value = _payload(text, place)
        _compare(value, {"id": _text(held_id), "kind": _text(kind)}, place, oddities)
        said = value.get("kind") if isinstance(value, dict) else None
        is_fact = (said or _text(kind)) == "fact"
        yield Item("facts" if is_fact else "records", place, value)
    for table, collection in COLLECTION_OF.items():
        for number, (text, _) in enumerate(found.rows.get(table, ()), start=1):
            place = f"{table} row {number}"
            yield Item(collection, place, _payload(text, place))
    for number, (text, name) in enumerate(found.rows.get(EXTRA, ()), start=1):
        yield from members(_text(name), _payload(text, f"{EXTRA} row {number}"))


def _payload(held: bytes | None, place: str) -> Any:
    try:
        return load_json((held or b"").decode("utf-8"))
    except ValueError as error:
        raise ImportFileError(f"The payload of {place} is not JSON: {error}") from error


def _compare(
    value: Any, columns: Mapping[str, Any], place: str, oddities: list[str]
) -> None:
    if not isinstance(value, dict):
        return
    for name, held in columns.items():
        if isinstance(value.get(name), str) and value[name] != held:
            oddities.append(f"{place}: the column {name} says otherwise than the payload")
