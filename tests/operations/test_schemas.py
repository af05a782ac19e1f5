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


@pytest.mark.parametrize(
    ("offered", "most", "without_replies"),
    [
        ("core", 30_000, 14_000),
        ("core,tasks", 60_000, 43_000),
        ("core,graph", 63_000, 45_000),
    ],
)
def test_the_list_of_tools_stays_small(
    offered: str, most: int, without_replies: int
) -> None:
    """It is read by a model at the start of every session, by most without the replies."""
    whole = [_listed(operation.name) for operation in toolset(offered)]
    asked = [
        {key: value for key, value in one.items() if key != "outputSchema"} for one in whole
    ]

    assert _bytes_of(whole) <= most
    assert _bytes_of(asked) <= without_replies


def _bytes_of(tools: list[dict[str, Any]]) -> int:
    """Return the size of a list of tools as it is sent."""
    sent = json.dumps({"tools": tools}, separators=(",", ":"), ensure_ascii=False)
    return len(sent.encode())


def _listed(name: str) -> dict[str, Any]:
    """Return a tool as the protocol lists it."""
    listed = tool(REGISTRY[name])
    return listed.model_dump(by_alias=True, exclude_none=True, mode="json")


@every_operation
def test_a_tool_shows_one_call_on_one_line(name: str) -> None:
    """A call with what is required, taken from the example of the reference page."""
    described, _, example = _listed(name)["description"].partition(" Example: ")
    operation = REGISTRY[name]

    assert operation.description == described
    assert "\n" not in example
    shown = json.loads(example or "{}")
    assert shown == {key: operation.example[key] for key in shown}
    assert set(_listed(name)["inputSchema"]["required"]) <= set(shown)


def test_what_is_not_listed_is_taken_and_documented_all_the_same() -> None:
    """A server knows client and session better than a model; another name stays a name."""
    listed = _listed("shadowgraph_record_fact")["inputSchema"]["properties"]
    taken = input_schema(REGISTRY["shadowgraph_record_fact"])["properties"]

    assert {"originId", "client", "sessionId", "source"} == set(taken) - set(listed)
    assert all(taken[name]["description"] for name in taken)


def test_of_a_description_the_first_paragraph_is_listed() -> None:
    """What else there is to say stands in the reference page."""
    schema = input_schema(REGISTRY["shadowgraph_record_fact"])
    name = "idempotencyKey"
    whole = schema["properties"][name]["description"]
    sent = advertised(schema)["properties"][name]["description"]

    assert ("Makes a retry safe.", True) == (sent, whole.startswith(f"{sent}\n\n"))


def test_a_default_that_absence_means_anyway_is_not_listed() -> None:
    """A flag that is left out is off; any other default is told."""
    properties = _listed("shadowgraph_search")["inputSchema"]["properties"]

    assert "default" not in properties["allProjects"]
    assert "preview" == properties["detail"]["default"]
