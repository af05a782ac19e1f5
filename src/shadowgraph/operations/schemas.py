"""The JSON Schemas of requests and replies, in the form every client can read.

Some clients refuse a whole list of tools for one `anyOf`, `$ref`, `const` or a list of
types in an input, so an input property has exactly one plain type here: references are
written out, "or null" is dropped (absent means the same), titles go. A value that may be
any JSON is advertised as a text and marked for our own reader, which takes JSON as it is.
Markers begin with `x-` and are taken out of what is sent. So is what every session would
read for nothing: a default that an absent argument means anyway, and an argument marked
`x-unlisted`, which is accepted all the same (`inputs.Unlisted` says which).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from shadowgraph.model.records import GRAPH_MODELS, RECORD_MODELS, Owned
from shadowgraph.model.text import KEY_CHARACTERS
from shadowgraph.model.wire import Wire, descriptions
from shadowgraph.operations.registry import Operation

_KEPT = (
    "type", "enum", "items", "properties", "required", "description", "default",
    "minimum", "maximum", "maxLength", "additionalProperties", "x-unlisted",
)  # fmt: skip


_IMPLIED: Mapping[str, Any] = {"required": [], "additionalProperties": True}
"What the schema of a reply means without saying so. Some clients insist on it in inputs."
_SILENT: Mapping[str, tuple[Any, ...]] = {
    "default": (False, 0),
    "additionalProperties": (True,),
    "maxLength": (KEY_CHARACTERS,),
}
"What nobody has to read: it goes without saying, or no caller comes near it."


class _WithDescriptions(GenerateJsonSchema):
    """Adds the strings below the fields, of nested models too."""

    def model_schema(self, schema: Any) -> Any:
        """Return the schema of one model with its descriptions."""
        made = super().model_schema(schema)
        model = schema["cls"]
        told = descriptions(model)
        for name, field in model.model_fields.items():
            at = made.get("properties", {}).get(field.alias or name)
            if at is not None and name in told:
                at.setdefault("description", told[name])
        return made


@lru_cache(maxsize=256)
def _of(model: type[Wire], *, nullable: bool) -> dict[str, Any]:
    mode: Any = "serialization" if nullable else "validation"
    raw = model.model_json_schema(
        by_alias=True, mode=mode, schema_generator=_WithDescriptions
    )
    return _plain(raw, raw.get("$defs", {}), nullable=nullable)


def input_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of the arguments, with our markers."""
    schema = dict(_of(operation.request, nullable=False))
    schema.setdefault("properties", {})
    schema.setdefault("required", [])
    schema["additionalProperties"] = False
    schema.pop("description", None)
    schema["properties"] = {
        name: {**value, "x-required": True} if name in schema["required"] else value
        for name, value in _own_first(operation.request, schema["properties"])
    }
    return schema


def _own_first(request: type[Wire], properties: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return what an operation is about before what all of them take."""
    own = {request.model_fields[name].alias for name in request.__annotations__}
    return sorted(properties.items(), key=lambda item: item[0] not in own)


def output_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of the reply."""
    schema = dict(_of(operation.reply, nullable=True))
    schema.setdefault("required", [])
    schema.pop("description", None)
    stored = _record_fields(operation.reply)
    if stored:
        # An imported record may lack whatever its maker did not write.
        schema["required"] = ["id", "kind"]
    schema["properties"] = {
        name: _brief(value) if name in stored else value
        for name, value in schema["properties"].items()
    }
    return schema


def _record_fields(reply: type[Wire]) -> frozenset[str]:
    """Return the wire names in *reply* that are fields of a stored record."""
    if not issubclass(reply, Owned):
        return frozenset()
    models = (*RECORD_MODELS.values(), *GRAPH_MODELS.values())
    model = next(m for m in models if issubclass(reply, m))
    return frozenset(field.alias or "" for field in model.model_fields.values())


def _brief(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a record's field as tools carry it: its type alone.

    Every reply that holds a record would repeat the same pages of text; they stand once in
    the reference page of the fields.
    """
    return {key: value[key] for key in ("type", "enum", "anyOf") if key in value}


def advertised(schema: Mapping[str, Any], *, told: bool = True) -> dict[str, Any]:
    """Return a schema as it is sent: without our markers, described when *told*.

    Of a description the first paragraph is sent; a second one is for the reference page.
    What a member of a reply means stands there, too. In the list of tools, which
    every session reads whole, the texts of replies would take a tenth.
    """
    sent: dict[str, Any] = {}
    for key, value in schema.items():
        if key.startswith("x-") or _unlisted(key, value):
            continue
        if not (told or _says(key, value)):
            continue
        if isinstance(value, Mapping):
            sent[key] = advertised(value, told=told)
        else:
            sent[key] = value.split("\n\n")[0] if key == "description" else value
    return sent if told else _shorter(sent)


def _unlisted(key: str, value: Any) -> bool:
    """Return whether a member is left out of every list of tools."""
    if isinstance(value, Mapping):
        return bool(value.get("x-unlisted"))
    return key in _SILENT and value in _SILENT[key]


def _shorter(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a text, number or null in fewer words; any other as it is."""
    options = sent.get("anyOf", [])
    if len(options) == 2 and all(set(option) == {"type"} for option in options):
        return {"type": [option["type"] for option in options]}
    return sent


def _says(key: str, value: Any) -> bool:
    """Return whether a member says more than types; one that is a schema always does."""
    if key == "description":
        return not isinstance(value, str)
    return isinstance(value, Mapping) or _IMPLIED.get(key, ...) != value


def _plain(node: Any, defs: Mapping[str, Any], *, nullable: bool) -> dict[str, Any]:
    """Return one schema node in plain form."""
    node = _resolved(node, defs)
    options = node.get("anyOf") or node.get("oneOf")
    if options:
        return _one_of_many(node, options, defs, nullable=nullable)
    if "const" in node:
        node = {**node, "type": "string", "enum": [node["const"]]}
    plain: dict[str, Any] = {key: node[key] for key in _KEPT if key in node}
    if "type" not in plain:
        plain |= {} if nullable else {"type": "string", "x-json": True}
    if plain.get("default") in (None, "", [], {}):
        plain.pop("default", None)
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(value, defs, nullable=nullable)
            for name, value in plain["properties"].items()
        }
        plain.pop("additionalProperties", None)
    if "items" in plain:
        plain["items"] = _plain(plain["items"], defs, nullable=nullable)
    if isinstance(plain.get("additionalProperties"), Mapping):
        plain["additionalProperties"] = True
    return plain


def _resolved(node: Any, defs: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        target = defs[node["$ref"].rsplit("/", 1)[1]]
        return {**target, **{k: v for k, v in node.items() if k != "$ref"}}
    if len(node.get("allOf", [])) == 1:
        return {**_resolved(node["allOf"][0], defs), **node}
    return dict(node)


def _one_of_many(
    node: dict[str, Any], options: list[Any], defs: Mapping[str, Any], *, nullable: bool
) -> dict[str, Any]:
    """Return the one type that stands for several."""
    outside = ("description", "default", "x-unlisted")
    kept = {k: node[k] for k in outside if node.get(k) is not None}
    real = [_resolved(option, defs) for option in options]
    solid = [option for option in real if option.get("type") != "null"]
    # An object says most about what is wanted; a text is accepted in its place.
    chosen = next((o for o in solid if o.get("type") == "object"), solid[0])
    plain = _plain(chosen, defs, nullable=nullable) | kept
    if nullable and node.get("x-null"):
        branch = {key: plain[key] for key in ("type", "enum") if key in plain}
        return {"anyOf": [branch, {"type": "null"}], **kept}
    if nullable and len(solid) > 1:
        plain = dict(kept)
    if len(solid) > 1 and not nullable:
        plain["x-several"] = True
    return plain
