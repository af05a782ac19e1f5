"""Every declaration against the table of what clients rely on."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from shadowgraph.operations import REGISTRY
from shadowgraph.operations.schemas import advertised, input_schema, output_schema

CONTRACT: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("contract.toml").read_text(encoding="utf-8")
)
every_operation = pytest.mark.parametrize("name", CONTRACT)


def _properties(name: str) -> dict[str, dict[str, Any]]:
    """Return the arguments of an operation."""
    found: dict[str, dict[str, Any]] = input_schema(REGISTRY[name])["properties"]
    return found


def test_the_table_and_the_registry_name_the_same_operations() -> None:
    """An operation without a row is not promised to anybody."""
    assert set(CONTRACT) == set(REGISTRY)


@every_operation
def test_the_required_arguments_are_the_promised_ones(name: str) -> None:
    """What is required and what is optional is part of the promise."""
    schema = input_schema(REGISTRY[name])

    assert set(CONTRACT[name]["required"]) == set(schema["required"])
    assert {*CONTRACT[name]["required"], *CONTRACT[name]["optional"]} == set(
        schema["properties"]
    )


@every_operation
def test_the_enums_are_the_promised_ones(name: str) -> None:
    """A value may be added to an enum only on purpose."""
    found = {
        key: sorted(value["enum"])
        for key, value in _properties(name).items()
        if "enum" in value
    }

    assert {k: sorted(v) for k, v in CONTRACT[name].get("enums", {}).items()} == found


@every_operation
def test_the_defaults_are_the_promised_ones(name: str) -> None:
    """A default that changes changes every call that leaves the argument out."""
    found = {k: v["default"] for k, v in _properties(name).items() if "default" in v}

    assert CONTRACT[name].get("defaults", {}) == found


@every_operation
def test_toolset_and_hints_are_the_promised_ones(name: str) -> None:
    """A read that is not declared read-only makes cautious clients ask each time."""
    operation = REGISTRY[name]

    assert CONTRACT[name]["toolset"] == operation.toolset
    assert CONTRACT[name]["hints"] == [
        operation.read_only,
        operation.destructive,
        operation.idempotent,
    ]


@every_operation
def test_the_reply_schema_has_the_promised_members(name: str) -> None:
    """Members of a reply are named in its schema, the optional ones too."""
    schema = output_schema(REGISTRY[name])
    promised = {*CONTRACT[name]["reply"], *CONTRACT[name]["sometimes"]}

    assert promised == set(schema["properties"])


@every_operation
def test_the_reply_schema_requires_only_promised_members(name: str) -> None:
    """A client that checks replies must not meet a missing required member."""
    required = set(output_schema(REGISTRY[name])["required"])

    assert required <= set(CONTRACT[name]["reply"])


@every_operation
def test_a_description_says_when_to_call_it_and_names_its_neighbours(name: str) -> None:
    """A model chooses between tools by their descriptions alone."""
    description = REGISTRY[name].description

    assert 60 < len(description) <= 500
    assert "Call it" in description
    others = [other for other in REGISTRY if other != name]
    assert any(other in description for other in others)


@every_operation
def test_every_argument_has_a_description(name: str) -> None:
    """An argument without a description is a guess."""
    bare = [
        key
        for key, value in advertised(input_schema(REGISTRY[name]))["properties"].items()
        if not value.get("description")
    ]

    assert [] == bare
