"""Group M: what clients send, what they refuse, what they can read."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.peer_faults.asking import Ask, Refused, hits, note
from tests.server.conftest import Wire

from shadowgraph.operations import REGISTRY
from shadowgraph.operations.schemas import advertised, input_schema, output_schema

every_operation = pytest.mark.parametrize("name", sorted(REGISTRY))
PLAIN = {"string", "number", "integer", "boolean", "array", "object"}


def _input(name: str) -> dict[str, Any]:
    """Return the schema of an operation's arguments as a client sees it."""
    return advertised(input_schema(REGISTRY[name]))


def _properties(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every property of a schema, at any depth."""
    for node in schema.get("properties", {}).values():
        yield node
        yield from _properties(node)
        yield from _properties(node.get("items", {}))


@every_operation
def test_m01_no_argument_is_described_by_a_choice_of_schemas(name: str) -> None:
    """Nor by a reference or a constant."""
    text = json.dumps(_input(name))

    assert [] == [
        w for w in ("anyOf", "oneOf", "allOf", "const", "$ref") if f'"{w}"' in text
    ]


@every_operation
def test_m02_every_argument_has_a_type(name: str) -> None:
    """At any depth."""
    assert set() == {str(p.get("type")) for p in _properties(_input(name))} - PLAIN


@every_operation
def test_m03_no_argument_has_several_types(name: str) -> None:
    """A list of types is what clients read differently."""
    assert [] == [p for p in _properties(_input(name)) if isinstance(p["type"], list)]


@every_operation
def test_m04_required_is_a_list(name: str) -> None:
    """Of an operation without required arguments, too."""
    assert isinstance(_input(name)["required"], list)


def test_m06_a_client_that_dropped_all_arguments_is_told_what_is_missing(
    refused: Refused,
) -> None:
    """By name."""
    message = refused("record_attempt").message

    assert "solution" in message
    assert "result" in message


@pytest.mark.parametrize("query", [12345, "12345", '{"a": 12345}', "[12345]"])
def test_m07_a_number_or_json_in_place_of_a_text_is_that_text(
    query: object, ask: Ask
) -> None:
    """It is neither turned into something else nor refused."""
    made = note(ask, "order 12345 is paid")

    assert [made] == hits(ask, query)  # type: ignore[arg-type]


def test_m08_arguments_that_are_null_or_missing_are_none(wire: Wire) -> None:
    """Over the protocol itself."""
    for given in ({"arguments": None}, {}):
        answer = wire.ask("tools/call", name="shadowgraph_search", **given)["result"]
        assert 0 == answer["structuredContent"]["page"]["total"]


@pytest.mark.parametrize(
    "arguments",
    [{"limit": None}, {"kind": ""}, {"kind": "Attempt"}, {"status": None}, {"since": ""}],
)
def test_m09_null_and_empty_are_absent_and_enums_ignore_case(
    arguments: dict[str, Any], ask: Ask
) -> None:
    """The answer is the same as without."""
    made = note(ask, "quicksilver")

    assert [made] == hits(ask, "quicksilver", **arguments)


def test_m09_a_refusal_names_no_library(refused: Refused) -> None:
    """It says what was wrong, in words of ours."""
    text = refused("search", limit="many").text()

    assert "limit" in text
    assert "pydantic" not in text
    assert "http" not in text


@pytest.mark.parametrize(
    ("name", "arguments", "missing"),
    [
        ("check", {}, "action"),
        ("record_fact", {"key": "k"}, "value"),
        ("record_decision", {"title": "t"}, "chosen"),
        ("record_attempt", {"solution": ["x"], "result": None}, "result"),
    ],
)
def test_m11_what_is_missing_is_refused_and_no_empty_record_made(
    name: str, arguments: dict[str, Any], missing: str, ask: Ask, refused: Refused
) -> None:
    """There is no default for content."""
    assert missing in refused(name, **arguments).message
    assert 0 == ask("stats")["records"]


@every_operation
def test_m12_a_reply_is_an_object(name: str) -> None:
    """Its lists stand under names."""
    assert "object" == advertised(output_schema(REGISTRY[name]))["type"]


def test_m13_structured_content_comes_with_every_advertised_schema(wire: Wire) -> None:
    """And no schema names an older draft."""
    tools = wire.ask("tools/list")["result"]["tools"]
    assert all("outputSchema" in tool for tool in tools)
    assert "draft-07" not in json.dumps(tools)

    assert wire.call("projects")["structuredContent"]["current"]


@every_operation
def test_m14_a_name_is_short_enough_for_a_prefix(name: str) -> None:
    """Clients put the server's name before it and stop at 64 characters."""
    assert len(f"mcp__shadowgraph__{name}") <= 64


def test_m14_a_result_has_one_text(wire: Wire) -> None:
    """Some clients show only the first."""
    for result in (wire.call("projects"), wire.call("search", qeury="x")):
        assert ["text"] == [block["type"] for block in result["content"]]


def test_m15_a_number_may_come_as_text(ask: Ask) -> None:
    """As some clients send all of them."""
    for number in range(5):
        note(ask, f"quicksilver {number}")

    assert 2 == len(hits(ask, "quicksilver", limit="2"))
    made = ask("record_decision", title="t", chosen="c", confidence="0.7")
    assert 0.7 == made["confidence"]["current"]
