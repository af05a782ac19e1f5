"""One conversation with the SDK's own client, looked at from all sides.

Starting a server takes a second, so the conversation is held once; every test reads a part
of what was said.
"""

import json
import sys
from pathlib import Path
from typing import Any, Literal

import anyio
import jsonschema
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from shadowgraph.operations import toolset
from shadowgraph.version import __version__

CALLS: list[tuple[str, dict[str, Any] | None]] = [
    ("shadowgraph_record_attempt", {"solution": "naïve 漢字", "result": "it crashed"}),
    ("shadowgraph_record_decision", {"title": "t", "chosen": "c"}),
    ("shadowgraph_record_fact", {"key": "k", "value": {"a": [1, None]}}),
    ("shadowgraph_search", {"query": "漢字"}),
    ("shadowgraph_context", {"query": "naive"}),
    ("shadowgraph_projects", {}),
    ("shadowgraph_search", None),
]
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("shadowgraph_get", {"ids": ["attempt_none"]}),
    ("shadowgraph_search", {"qeury": "x"}),
    ("shadowgraph_record_attempt", {"solution": "s"}),
    ("shadowgraph_serach", {}),
    ("shadowgraph_stats", {}),
]


class Heard:
    """What one conversation gave."""

    info: types.Implementation
    instructions: str
    tools: list[types.Tool]
    answers: list[types.CallToolResult]
    faults: list[types.CallToolResult]


@pytest.fixture(scope="module", params=["auto", "legacy"])
def heard(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Heard:
    """Hold the conversation, by the newest protocol and by the one with a handshake."""
    home = tmp_path_factory.mktemp("home")

    return anyio.run(_converse, home, request.param)


async def _converse(home: Path, mode: Literal["auto", "legacy"]) -> Heard:
    """Say everything that the tests read."""
    heard = Heard()
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "shadowgraph", "--home", str(home), "--project", "acme/sdk", "serve"],
        cwd=home.parent,
    )
    async with Client(server, mode=mode) as client:
        info = client.server_info
        assert info is not None
        heard.info, heard.instructions = info, client.instructions or ""
        heard.tools = (await client.list_tools()).tools
        heard.answers = [await client.call_tool(name, given) for name, given in CALLS]
        heard.faults = [await client.call_tool(name, given) for name, given in FAULTS]
    return heard


def _text(result: types.CallToolResult) -> str:
    """Return the text of a result's only block."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def test_the_server_says_who_it_is(heard: Heard) -> None:
    """Name and version of the package."""
    assert ("shadowgraph", __version__) == (heard.info.name, heard.info.version)


def test_the_instructions_are_short_and_plain(heard: Heard) -> None:
    """A client puts them into every prompt."""
    assert 200 < len(heard.instructions) <= 1_200
    assert heard.instructions.isascii()
    for name in ("search", "context", "record_attempt", "record_decision", "record_fact"):
        assert f"shadowgraph_{name}" in heard.instructions


def test_the_core_tools_are_listed(heard: Heard) -> None:
    """All of the toolset and nothing of the others."""
    assert [op.name for op in toolset("core")] == [tool.name for tool in heard.tools]


def test_a_tool_carries_both_schemas_and_its_hints(heard: Heard) -> None:
    """As the operation declares them; that a read destroys nothing needs no saying."""
    declared = {op.name: op for op in toolset("core")}
    for tool in heard.tools:
        hints = tool.annotations
        assert hints is not None
        operation = declared[tool.name]
        destroys = None if operation.read_only else operation.destructive
        assert (operation.read_only, destroys) == (
            hints.read_only_hint,
            hints.destructive_hint,
        )
        assert hints.open_world_hint is False
        assert tool.output_schema is not None
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def test_structured_content_fits_the_advertised_schema(heard: Heard) -> None:
    """The client checks it too, and would have raised."""
    schemas = {tool.name: tool.output_schema or {} for tool in heard.tools}

    for (name, _), answer in zip(CALLS, heard.answers, strict=True):
        jsonschema.Draft202012Validator(schemas[name]).validate(answer.structured_content)


def test_one_text_block_says_the_same_as_the_structured_content(heard: Heard) -> None:
    """Compact JSON, not escaped, for clients that show only text."""
    for answer in heard.answers:
        text = _text(answer)
        assert answer.structured_content == json.loads(text)
        assert "\n" not in text
        assert "\\u" not in text


def test_what_was_recorded_is_found_in_the_same_conversation(heard: Heard) -> None:
    """By a search and by a context."""
    made, found, told = (heard.answers[i].structured_content for i in (0, 3, 4))
    assert made is not None
    assert found is not None
    assert told is not None

    assert made["id"] == found["items"][0]["record"]["id"]
    assert made["id"] == told["failedAttempts"][0]["id"]


def test_absent_arguments_are_no_arguments(heard: Heard) -> None:
    """A call without any lists the newest."""
    listed = heard.answers[-1].structured_content
    assert listed is not None

    assert 3 == listed["page"]["total"]


def test_the_client_is_named_in_what_it_writes(heard: Heard) -> None:
    """The journal says which software wrote."""
    made = heard.answers[0].structured_content
    assert made is not None

    assert made["client"]


@pytest.mark.parametrize(
    ("place", "code", "told"),
    [
        (0, "unknown-record", "shadowgraph_search"),
        (1, "unknown-argument", "query"),
        (2, "invalid-input", "result is required"),
        (3, "unknown-operation", "shadowgraph_search"),
        (4, "unknown-operation", "--tools"),
    ],
)
def test_an_error_is_a_result_with_code_sentence_and_next_step(
    place: int, code: str, told: str, heard: Heard
) -> None:
    """A model can read it, which it cannot with a protocol error."""
    result = heard.faults[place]

    assert result.is_error is True
    assert result.structured_content is None
    assert _text(result).startswith(f"{code}: ")
    assert told in _text(result)
