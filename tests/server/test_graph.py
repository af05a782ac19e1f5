"""The graph over MCP: written in one session, read in another."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters

Replies = dict[str, dict[str, Any]]
Call = tuple[str, Callable[[Replies], dict[str, Any]]]
"A tool, and its arguments as they follow from the replies so far."

WRITING: list[Call] = [
    ("record_attempt", lambda _: {"solution": "ledger on a share", "result": "it crashed"}),
    ("record_decision", lambda _: {"title": "Ledger on local disk", "chosen": "NVMe"}),
    (
        "remember",
        lambda _: {"memoryType": "note", "key": "owner", "text": "Team green owns it"},
    ),
    (
        "link",
        lambda so_far: {
            "from": so_far["record_attempt"]["id"],
            "to": so_far["record_decision"]["id"],
            "relation": "led_to",
        },
    ),
    ("recall", lambda _: {"query": "team green"}),
]


async def _session(home: Path, calls: list[Call]) -> Replies:
    """Start a server, make calls with the SDK's client, and return the replies."""
    serve = [
        "--home",
        str(home),
        "--project",
        "acme/wire",
        "serve",
        "--tools",
        "core,graph",
    ]
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "shadowgraph", *serve]
    )
    replies: Replies = {}
    async with Client(server) as client:
        schemas = {
            tool.name: tool.output_schema for tool in (await client.list_tools()).tools
        }
        for name, arguments in calls:
            result = await client.call_tool(f"shadowgraph_{name}", arguments(replies))
            assert not result.is_error, result
            reply: Any = result.structured_content
            schema: Any = schemas[f"shadowgraph_{name}"]
            jsonschema.Draft202012Validator(schema).validate(reply)
            replies[name] = reply
    return replies


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Replies, Replies]:
    """Return what a session that wrote and a later one that read were answered."""
    home = tmp_path_factory.mktemp("home")
    made = anyio.run(_session, home, WRITING)
    decision = made["record_decision"]["id"]
    reading: list[Call] = [
        ("traverse", lambda _: {"id": decision}),
        ("retrieve", lambda _: {"query": "crashed"}),
        ("recall", lambda _: {"query": "team green", "focalId": decision}),
        ("expand", lambda _: made["recall"]["items"][0]["boundRevision"]),
    ]
    return made, anyio.run(_session, home, reading)


def test_what_one_session_linked_another_follows(
    sessions: tuple[Replies, Replies],
) -> None:
    """From either end, and beside a hit of a search."""
    made, read = sessions
    attempt, decision = made["record_attempt"]["id"], made["record_decision"]["id"]

    assert {decision: 0, attempt: 1} == read["traverse"]["distances"]
    assert made["link"]["id"] == read["traverse"]["relations"][0]["id"]
    assert [attempt, decision] == [i["record"]["id"] for i in read["retrieve"]["items"]]


def test_what_one_session_remembered_another_recalls(
    sessions: tuple[Replies, Replies],
) -> None:
    """Beside what is linked to the record in focus."""
    made, read = sessions

    assert {made["record_attempt"]["id"], made["remember"]["memory"]["id"]} == {
        item["record"]["id"] for item in read["recall"]["items"]
    }


def test_an_item_of_one_session_is_expanded_in_another(
    sessions: tuple[Replies, Replies],
) -> None:
    """By the digest of what was shown."""
    assert "current" == sessions[1]["expand"]["status"]
