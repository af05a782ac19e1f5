"""What was asked before a client closed its end is answered, and nothing is waited for in vain."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage
from tests.server.conftest import HELLO, Wire

from shadowgraph.server.draining import Incoming, Outgoing, Pending

FOREVER = 3_600.0
"Seconds that no test waits: one that did would be stopped as hanging."


def _request(name: int, method: str = "tools/call") -> SessionMessage:
    """Return a request."""
    return SessionMessage(types.JSONRPCRequest(jsonrpc="2.0", id=name, method=method))


def _cancelled(name: object) -> SessionMessage:
    """Return the notification that a client no longer wants an answer."""
    return SessionMessage(
        types.JSONRPCNotification(
            jsonrpc="2.0", method="notifications/cancelled", params={"requestId": name}
        )
    )


def _answer(name: int) -> SessionMessage:
    """Return an answer."""
    return SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=name, result={}))


async def _read(messages: Iterable[SessionMessage], pending: Pending) -> list[Any]:
    """Return what comes in when these messages and then the end do."""
    send, receive = anyio.create_memory_object_stream[Any](100)
    async with send:
        for one in messages:
            await send.send(one)
    async with Incoming(receive, pending) as incoming:
        return [one async for one in incoming]


@pytest.mark.parametrize("calls", [0, 1, 12])
def test_a_client_that_closes_its_end_at_once_loses_no_answer(
    calls: int, tmp_path: Path
) -> None:
    """A real process, with everything written and closed before it has begun."""
    messages: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
    ]
    for number in range(1, calls + 1):
        arguments = {"solution": f"try {number}", "result": "it crashed"}
        params = {"name": "shadowgraph_record_attempt", "arguments": arguments}
        messages.append({"id": number, "method": "tools/call", "params": params})
    text = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages)
    words = ["-m", "shadowgraph", "--home", str(tmp_path / "h"), "--project", "p", "serve"]

    done = subprocess.run(
        [sys.executable, *words],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
    )

    answers = {one["id"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert set(range(calls + 1)) == set(answers)
    assert all("result" in one for one in answers.values())
    assert "" == done.stderr


def test_a_client_that_reads_no_more_ends_the_server_quietly(
    serve: Callable[..., Wire],
) -> None:
    """One line in the log, no traceback, and nobody waits for answers it cannot have."""
    wire = serve("--project", "p")
    assert wire.process.stdout is not None
    wire.hello()
    wire.process.stdout.close()
    assert wire.process.stdin is not None
    message = {"jsonrpc": "2.0", "id": 9, "method": "tools/list"}
    wire.process.stdin.write(json.dumps(message) + "\n")

    assert 0 == wire.end()
    log = wire.log.read_text(encoding="utf-8")
    assert "reads no more" in log
    assert "Traceback" not in log


def test_the_end_is_passed_on_after_the_last_answer() -> None:
    """Not before: the server would cancel the call."""
    seen: list[str] = []

    async def converse() -> None:
        """Read to the end in one task, answer in another."""
        pending = Pending(FOREVER)
        out, answers = anyio.create_memory_object_stream[Any](10)

        async def reading() -> None:
            """Note that the end has come."""
            await _read([_request(1), _request(2)], pending)
            seen.append("end")

        async with (
            answers,
            Outgoing(out, pending) as outgoing,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(reading)
            for name in (1, 2):
                await anyio.wait_all_tasks_blocked()
                seen.append(f"answer {name}")
                await outgoing.send(_answer(name))

    anyio.run(converse)

    assert ["answer 1", "answer 2", "end"] == seen


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [_request(1), _cancelled(1)],
        [_request(1, "subscriptions/listen")],
        [_cancelled(["no", "id"])],
    ],
)
def test_what_is_never_answered_is_not_waited_for(messages: list[SessionMessage]) -> None:
    """Nothing asked, a cancelled call, a stream of events, a malformed message."""
    assert messages == anyio.run(_read, messages, Pending(FOREVER))


def test_a_call_that_hangs_has_its_time_and_no_more() -> None:
    """Here no time at all."""
    assert 1 == len(anyio.run(_read, [_request(1)], Pending(0)))
