"""Schemas that every client can read, and small ones."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from shadowgraph.operations import REGISTRY, toolset
from shadowgraph.operations.schemas import advertised, input_schema, output_schema
from shadowgraph.server.offer import tool

every_operation = pytest.mark.parametrize("name", sorted(REGISTRY))
PLAIN = {"string", "number", "integer", "boolean", "array", "object"}
FORBIDDEN = {"anyOf", "oneOf", "allOf", "not", "const", "$ref", "$defs", "definitions"}


def _nodes(schema: object) -> Iterator[Mapping[str, Any]]:
    """Yield every schema in *schema*, itself included."""
    if isinstance(schema, Mapping):
        yield schema
        for inner in schema.get("properties", {}).values():
            yield from _nodes(inner)
        for key in ("items", "additionalProperties"):
            yield from _nodes(schema.get(key))


@every_operation
def test_an_input_property_has_exactly_one_plain_type(name: str) -> None:
    """Some clients refuse a whole list of tools for one list of types."""
    properties = advertised(input_schema(REGISTRY[name]))["properties"]

    assert {} == {k: v for k, v in properties.items() if v.get("type") not in PLAIN}


@every_operation
def test_an_input_schema_holds_no_construct_that_clients_refuse(name: str) -> None:
    """Nothing is joined, referred to or constant, at any depth."""
    nodes = list(_nodes(advertised(input_schema(REGISTRY[name]))))

    assert set() == {key for node in nodes for key in node} & FORBIDDEN


@every_operation
def test_an_output_schema_refers_to_nothing(name: str) -> None:
    """A schema that is read alone must say everything itself."""
    text = json.dumps(advertised(output_schema(REGISTRY[name])))

    assert [] == [word for word in ("$ref", "$defs", "x-") if f'"{word}' in text]


@every_operation
def test_required_is_a_list_and_additional_arguments_are_refused(name: str) -> None:
    """Both hold for operations without any argument, too."""
    schema = advertised(input_schema(REGISTRY[name]))

    assert isinstance(schema["required"], list)
    assert schema["additionalProperties"] is False
    assert "object" == schema["type"]


@every_operation
def test_the_schemas_are_themselves_valid(name: str) -> None:
    """Both are JSON Schema of draft 2020-12."""
    for schema in (input_schema(REGISTRY[name]), output_schema(REGISTRY[name])):
        jsonschema.Draft202012Validator.check_schema(advertised(schema))


@every_operation
def test_an_example_fulfils_its_own_input_schema(name: str) -> None:
    """What the reference page shows is what the schema wants."""
    schema = advertised(input_schema(REGISTRY[name]))
    example = json.loads(json.dumps(REGISTRY[name].example), object_hook=_values_as_text)

    jsonschema.Draft202012Validator(schema).validate(example)


def _values_as_text(held: dict[str, Any]) -> dict[str, Any]:
    """Write every `value` as text: any JSON is advertised so, and read as it comes."""
    return {k: str(v) if k == "value" else v for k, v in held.items()}


@pytest.mark.parametrize(("offered", "most"), [("core", 30_000), ("core,tasks", 60_000)])
def test_the_list_of_tools_stays_small(offered: str, most: int) -> None:
    """It is read by a model at the start of every session."""
    listed = [
        tool(operation).model_dump(by_alias=True, exclude_none=True, mode="json")
        for operation in toolset(offered)
    ]

    assert len(json.dumps({"tools": listed}, separators=(",", ":")).encode()) <= most
