"""Resources, prompts, completion and progress, in conversations with the SDK's client."""

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from shadowgraph.server.offer import INSTRUCTIONS

Mode = Literal["auto", "legacy"]
T = TypeVar("T")
HIDDEN = "\u202e"


def _talk(home: Path, mode: Mode, say: Callable[[Client], Awaitable[T]]) -> T:
    """Hold one conversation with a server of all tools."""

    async def converse() -> T:
        """Hold it."""
        words = ["-m", "shadowgraph", "--home", str(home), "--project", "acme/wire"]
        server = StdioServerParameters(
            command=sys.executable, args=[*words, "serve", "--tools", "all"], cwd=home
        )
        async with Client(server, mode=mode) as client:
            return await say(client)

    return anyio.run(converse)


async def _record(client: Client, solution: str, **more: Any) -> str:
    """Record a failed attempt and return its id."""
    given = {"solution": solution, "result": "it crashed", **more}
    made = await client.call_tool("shadowgraph_record_attempt", given)
    assert made.structured_content is not None, made
    return str(made.structured_content["id"])


def _text(read: types.ReadResourceResult) -> str:
    """Return the text of the only content."""
    (content,) = read.contents
    assert isinstance(content, types.TextResourceContents)
    return content.text


async def _refused(asked: Awaitable[object]) -> int:
    """Return the code of the error that answers."""
    with pytest.raises(MCPError) as raised:
        await asked
    return raised.value.code


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_record_and_a_context_are_read_as_resources(tmp_path: Path, mode: Mode) -> None:
    """With the same escapes as in replies, and the listed address works as it stands."""

    async def say(client: Client) -> tuple[str, str, str]:
        """Say what the test is about."""
        made = await _record(client, f"raise the{HIDDEN} pool size")
        record = await client.read_resource(f"shadowgraph://record/{made}")
        first = (await client.list_resources()).resources[0]
        return made, _text(record), _text(await client.read_resource(first.uri))

    made, record, context = _talk(tmp_path, mode, say)

    assert made == json.loads(record)["id"]
    assert HIDDEN not in record
    assert "\\u202e" in record
    assert "acme/wire" == json.loads(context)["project"]
    assert "pool size" in context


def test_a_secret_is_masked_in_a_resource_too(tmp_path: Path) -> None:
    """What was masked on its way in is nowhere to be read."""
    secret = "ghp_" + "a1B2" * 9

    async def say(client: Client) -> str:
        """Say what the test is about."""
        made = await _record(client, f"log in with {secret}")
        return _text(await client.read_resource(f"shadowgraph://record/{made}"))

    text = _talk(tmp_path, "legacy", say)

    assert secret not in text
    assert "[secret:" in text


@pytest.mark.parametrize(("mode", "code"), [("auto", -32602), ("legacy", -32002)])
def test_an_unknown_resource_is_an_error_of_the_protocol(
    tmp_path: Path, mode: Mode, code: int
) -> None:
    """A record of another project reads exactly like one that does not exist."""

    async def say(client: Client) -> list[int]:
        """Say what the test is about."""
        foreign = await _record(client, "elsewhere", project="acme/other")
        uris = [
            f"shadowgraph://record/{foreign}",
            "shadowgraph://record/attempt_none",
            "shadowgraph://nothing",
            "https://example.org/",
        ]
        return [await _refused(client.read_resource(uri)) for uri in uris]

    assert [code] * 4 == _talk(tmp_path, mode, say)


def test_both_forms_of_resources_are_told(tmp_path: Path) -> None:
    """As templates, whose variables can be completed."""

    async def say(client: Client) -> list[str]:
        """Say what the test is about."""
        told = await client.list_resource_templates()
        return [one.uri_template for one in told.resource_templates]

    assert ["shadowgraph://record/{id}", "shadowgraph://context/{project}"] == _talk(
        tmp_path, "auto", say
    )


def test_the_prompt_for_the_start_brings_failed_attempts_along(tmp_path: Path) -> None:
    """Of the project it names; the one for the end names the record it was about."""

    async def say(client: Client) -> list[str]:
        """Say what the test is about."""
        made = await _record(client, "raise the pool size")
        start = {"task": "tune the pool size"}
        end = {"task": "tune the pool", "record": made}
        got = [
            await client.get_prompt("start_task", start),
            await client.get_prompt("start_task", {**start, "project": "acme/other"}),
            await client.get_prompt("end_task", end),
        ]
        return [made, *(one.messages[0].content.model_dump()["text"] for one in got)]

    made, start, other, end = _talk(tmp_path, "auto", say)

    assert "tune the pool size" in start
    assert made in start
    assert made not in other
    assert made in end
    assert "shadowgraph_record_attempt" in end


def test_a_prompt_that_cannot_be_made_is_an_error_of_the_protocol(tmp_path: Path) -> None:
    """An unknown name, a missing argument, an unknown argument."""
    asked: list[tuple[str, dict[str, str]]] = [
        ("start_tusk", {"task": "t"}),
        ("start_task", {}),
        ("end_task", {"task": "t", "tusk": "t"}),
    ]

    async def say(client: Client) -> list[int]:
        """Say what the test is about."""
        return [await _refused(client.get_prompt(*one)) for one in asked]

    assert [types.INVALID_PARAMS] * 3 == _talk(tmp_path, "auto", say)


def test_projects_and_ids_are_completed(tmp_path: Path) -> None:
    """For prompts and templates; ids of the project that was typed before."""
    record = types.ResourceTemplateReference(
        type="ref/resource", uri="shadowgraph://record/{id}"
    )
    context = types.ResourceTemplateReference(
        type="ref/resource", uri="shadowgraph://context/{project}"
    )
    end = types.PromptReference(type="ref/prompt", name="end_task")

    async def say(client: Client) -> list[list[str]]:
        """Say what the test is about."""
        ours = await _record(client, "here")
        other = await _record(client, "there", project="beta/other")
        ids = {"name": "record", "value": "attempt_"}
        there = {"project": "beta/other"}
        got = [
            await client.complete(record, {"name": "id", "value": "att"}),
            await client.complete(end, ids, there),
            await client.complete(context, {"name": "project", "value": "BETA"}),
            await client.complete(end, {"name": "project", "value": "other"}),
            await client.complete(end, {"name": "task", "value": "x"}),
        ]
        assert -32602 == await _refused(client.complete(end, {"name": "x", "value": ""}))
        return [[ours], [other], *(one.completion.values for one in got)]

    ours, other, *found = _talk(tmp_path, "auto", say)

    assert [ours, other, ["beta/other"], ["beta/other"], []] == found


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_long_work_tells_how_far_it_is(tmp_path: Path, mode: Mode) -> None:
    """An import and a reindex, to a client that asks; never backwards."""
    lines = tmp_path / "records.jsonl"
    lines.write_text(
        "".join(
            json.dumps(
                {
                    "kind": "attempt",
                    "id": f"attempt_{number:05}",
                    "solution": f"s{number}",
                    "result": "it crashed",
                    "createdAt": "2026-01-01T00:00:00Z",
                }
            )
            + "\n"
            for number in range(1500)
        )
    )
    heard: list[float] = []

    async def heed(
        progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Note how far it is."""
        del total, message
        heard.append(progress)

    async def say(client: Client) -> list[list[float]]:
        """Say what the test is about."""
        steps = []
        for name, given in (("import", {"path": str(lines)}), ("reindex", {})):
            heard.clear()
            result = await client.call_tool(
                f"shadowgraph_{name}", given, progress_callback=heed
            )
            assert not result.is_error, result
            steps.append(list(heard))
        return steps

    imported, indexed = _talk(tmp_path, mode, say)

    assert 1000 in imported
    assert 1500 == indexed[-1]
    assert imported == sorted(imported)
    assert indexed == sorted(indexed)


def test_the_instructions_are_short_and_say_when_to_do_what() -> None:
    """Plain ASCII: one other character has ended a handshake elsewhere."""
    assert INSTRUCTIONS.isascii()
    assert len(INSTRUCTIONS) <= 1200
    for name in ("search", "check", "record_attempt", "record_decision", "record_fact"):
        assert f"shadowgraph_{name}" in INSTRUCTIONS


def test_only_what_is_there_is_declared(tmp_path: Path) -> None:
    """Tools, resources, prompts and completion; nothing that changes by itself, no log."""

    async def say(client: Client) -> dict[str, Any]:
        """Say what the test is about."""
        declared = client.server_capabilities
        assert declared is not None
        return declared.model_dump(exclude_none=True)

    declared = _talk(tmp_path, "legacy", say)

    assert {"tools", "resources", "prompts", "completions"} <= set(declared)
    assert "logging" not in declared
    assert not declared["resources"].get("subscribe")
