"""The memory file of the MCP reference server: entities with observations, and relations.

The file has one JSON object a line, of type entity or relation; what the server's
read_graph answers, one object with both lists, is read as well. An entity becomes a memory
under its name, its observations the lines of the text; a relation links two memories. A
relation to an entity that the file does not hold, and every line that is neither, is kept.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from shadowgraph.foreign.reading import Reading, Text
from shadowgraph.model.text import load_json

FORM = "memory-json"
_HEAD = 4096
"Characters in which an object over several lines has to name its entities."
_OWN = {"type", "name", "entityType", "observations"}


def is_graph(text: str) -> bool:
    """Say whether a text is such a file.

    >>> is_graph('{"type": "entity", "name": "Ada", "entityType": "person"}')
    True
    >>> is_graph('{"kind": "fact", "key": "a", "value": 1}')
    False
    """
    head = text.lstrip("\ufeff \t\r\n")
    end = head.find("\n")
    first = _object(head if end < 0 else head[:end])
    if first is None and '"entities"' in head[:_HEAD]:
        first = _object(head)
    if first is None or "kind" in first:
        return False
    if isinstance(first.get("entities"), list) and "records" not in first:
        return True
    return first.get("type") in ("entity", "relation") and (
        "entityType" in first or "relationType" in first
    )


def read_graph(text: Text, project: str) -> Reading:
    """Read the entities and relations of one file."""
    reading = Reading(FORM, project)
    ids: dict[str, str] = {}
    relations = []
    for place, item in _items(text, reading):
        if _is_entity(item):
            _entity(reading, place, item, ids)
        elif _is_relation(item):
            relations.append((place, item))
        else:
            reading.keep(place, item, "neither an entity nor a relation")
    for place, item in relations:
        _relation(reading, place, item, ids)
    return reading


def _object(line: str) -> dict[str, Any] | None:
    with suppress(ValueError):
        value = load_json(line)
        return value if isinstance(value, dict) else None
    return None


def _items(text: Text, reading: Reading) -> Iterator[tuple[str, Any]]:
    """Yield every object of a file with its place."""
    content = text.content.lstrip("\ufeff")
    whole = _object(content)
    if whole is not None and "type" not in whole:
        for name in ("entities", "relations"):
            listed = whole.pop(name, [])
            found = listed if isinstance(listed, list) else [listed]
            for number, item in enumerate(found, start=1):
                yield f"{text.name} {name}[{number}]", item
        for name, value in whole.items():
            reading.keep(f"{text.name} {name}", {name: value}, "an unknown member")
        return
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            place = f"{text.name} line {number}"
            try:
                yield place, load_json(line)
            except ValueError:
                reading.keep(place, line.strip(), "a line that is not JSON")


def _is_entity(item: Any) -> bool:
    return (
        isinstance(item, Mapping)
        and item.get("type", "entity") == "entity"
        and isinstance(item.get("name"), str)
        and bool(item["name"].strip())
        and isinstance(item.get("observations", []), list)
    )


def _is_relation(item: Any) -> bool:
    return (
        isinstance(item, Mapping)
        and item.get("type", "relation") == "relation"
        and all(
            isinstance(item.get(name), str) and item[name].strip()
            for name in ("from", "to", "relationType")
        )
    )


def _entity(
    reading: Reading, place: str, item: Mapping[str, Any], ids: dict[str, str]
) -> None:
    name = str(item["name"])
    if name in ids:
        reading.keep(place, item, "a second entity of the same name")
        return
    observed = [_line(one) for one in item.get("observations", [])]
    type_ = str(item.get("entityType") or "")
    if not observed:
        reading.say(
            "mapped", "an entity without observations -> its name is the text", name
        )
    ids[name] = reading.add(
        place,
        "memory",
        (name,),
        {
            "memoryType": "note",
            "key": name,
            "text": "\n".join(observed) or name,
            "tags": [type_] if type_ else [],
            "metadata": {
                "entityType": type_,
                **{key: value for key, value in item.items() if key not in _OWN},
            },
            "status": "active",
        },
    )


def _line(observation: Any) -> str:
    """Return an observation as a line of text."""
    if isinstance(observation, str):
        return observation
    return json.dumps(observation, ensure_ascii=False)


def _relation(
    reading: Reading, place: str, item: Mapping[str, Any], ids: Mapping[str, str]
) -> None:
    source, target = ids.get(item["from"]), ids.get(item["to"])
    if source is None or target is None:
        reading.keep(place, item, "a relation with an end that the file does not hold")
    elif source == target:
        reading.keep(place, item, "a relation of an entity with itself")
    else:
        own = {"type", "from", "to", "relationType"}
        more = {key: value for key, value in item.items() if key not in own}
        metadata = {"metadata": more} if more else {}
        name = str(item["relationType"]).strip()
        if not reading.relate(place, source, name, target, **metadata) and more:
            reading.keep(place, item, "a relation that the file holds twice")
