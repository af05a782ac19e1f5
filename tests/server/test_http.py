"""A real server over HTTP: who may come in, many clients at once, and how it ends."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.server.conftest import HELLO

from shadowgraph import Library
from shadowgraph.server.http import LIMITS

TOKEN = "a-token-of-this-test-alone"
SESSIONS = 10
CALLS_EACH = 8


class Served:
    """One server process at a port of its own."""

    def __init__(
        self, home: Path, *options: str, host: str = "127.0.0.1", token: str = TOKEN
    ) -> None:
        """Start it and read from stderr where it listens."""
        words = ["-m", "shadowgraph", "--home", str(home), "--project", "acme/http"]
        self.process = subprocess.Popen(
            [sys.executable, *words, "serve", "--http", f"{host}:0", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=home,
            env={**os.environ, "SHADOWGRAPH_TOKEN": token},
        )
        assert self.process.stderr is not None
        self.told = self.process.stderr.readline()
        self.url = self.told.split()[3]
        self.port = int(self.url.rpartition(":")[2].partition("/")[0])
        self.host = host.strip("[]")

    def ask(
        self,
        method: str = "POST",
        path: str = "/mcp",
        body: str = "",
        **headers: str,
    ) -> tuple[int, dict[str, str], str]:
        """Send one request and return status, headers and body of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        named = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal; return exit status and the rest of stdout and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


Serve = Callable[..., Served]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a server; all of them end with the test."""
    started: list[Served] = []

    def start(*options: str, **given: Any) -> Served:
        started.append(Served(tmp_path, *options, **given))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()


def _hello() -> str:
    """Return the first message of a client."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    return json.dumps(message)


def _known() -> dict[str, str]:
    """Return the headers of a client with the token."""
    return {"Authorization": f"Bearer {TOKEN}"}


async def _converse(
    url: str, mode: Literal["auto", "legacy"], calls: list[tuple[str, dict[str, Any]]]
) -> list[types.CallToolResult]:
    """Make calls as one client of the SDK."""
    timeout = httpx2.Timeout(120.0)
    async with httpx2.AsyncClient(headers=_known(), timeout=timeout) as web:
        transport = streamable_http_client(url, http_client=web)
        async with Client(transport, mode=mode) as client:
            return [await client.call_tool(name, given) for name, given in calls]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_one_client_records_another_finds(
    served: Serve, mode: Literal["auto", "legacy"]
) -> None:
    """By the newest protocol and by the one with a handshake, in the server's project."""
    server = served()
    attempt = {"solution": "raise the pool size", "result": "it timed out"}
    search = {"query": "pool size"}

    anyio.run(_converse, server.url, mode, [("shadowgraph_record_attempt", attempt)])
    (found,) = anyio.run(_converse, server.url, mode, [("shadowgraph_search", search)])

    assert found.structured_content is not None
    assert 1 == found.structured_content["page"]["total"]
    assert "acme/http" in json.dumps(found.structured_content)


def test_many_sessions_at_once_lose_no_call(served: Serve) -> None:
    """Every one records and searches; all that was recorded is found afterwards."""
    server = served()
    answers: list[types.CallToolResult] = []

    async def one(number: int) -> None:
        """Be one client."""
        calls: list[tuple[str, dict[str, Any]]] = []
        for turn in range(CALLS_EACH):
            attempt = {"solution": f"crowd {number}x{turn}", "result": "it crashed"}
            calls.append(("shadowgraph_record_attempt", attempt))
            calls.append(("shadowgraph_search", {"query": "crowd", "limit": 1}))
        answers.extend(await _converse(server.url, "legacy", calls))

    async def crowd() -> None:
        """Be all of them."""
        async with anyio.create_task_group() as tasks:
            for number in range(SESSIONS):
                tasks.start_soon(one, number)

    anyio.run(crowd)
    search = {"query": "crowd", "limit": 1}
    (found,) = anyio.run(_converse, server.url, "legacy", [("shadowgraph_search", search)])

    faults = [answer for answer in answers if answer.is_error]
    assert [] == faults, server.end()[2]
    assert 2 * SESSIONS * CALLS_EACH == len(answers)
    assert found.structured_content is not None
    assert SESSIONS * CALLS_EACH == found.structured_content["page"]["total"]


@pytest.mark.parametrize(
    "given", ["", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, f"Basic {TOKEN}"]
)
def test_a_client_without_the_token_is_refused(served: Serve, given: str) -> None:
    """The answer says what is needed and nothing of the store."""
    server = served()

    status, headers, text = server.ask(body=_hello(), Authorization=given)

    assert 401 == status
    assert headers["www-authenticate"].startswith("Bearer")
    assert TOKEN not in text


def test_requests_of_foreign_hosts_and_pages_are_refused_and_named_ones_are_not(
    served: Serve,
) -> None:
    """A rebound name and a web page are kept out even when they know the token."""
    server = served("--allowed-host", "memory.example")
    cases = [
        ({"Host": f"evil.example:{server.port}"}, 421),
        ({"Host": "[::1"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Host": f"memory.example:{server.port}"}, 200),
        ({"Origin": "https://memory.example"}, 200),
        ({"Host": f"localhost:{server.port}"}, 200),
    ]

    statuses = [server.ask(body=_hello(), **_known(), **given)[0] for given, _ in cases]

    assert [status for _, status in cases] == statuses


def test_a_request_that_is_too_large_is_refused_unread(served: Serve) -> None:
    """By its declared length, before the protocol sees it; the server goes on."""
    server = served()
    large = json.dumps({"x": "y" * LIMITS.request})

    try:
        status = server.ask(body=large, **_known())[0]
    except (BrokenPipeError, ConnectionResetError):
        # The answer may come, and the connection end, while the client still writes.
        status = 413

    assert 413 == status
    assert 200 == server.ask(body=_hello(), **_known())[0]


def test_health_is_told_without_a_token_and_tells_nothing_else(served: Serve) -> None:
    """A watcher needs no secret, and a stranger learns none."""
    server = served()

    status, _, text = server.ask("GET", "/health")

    assert (200, {"status": "ok"}) == (status, json.loads(text))
    assert 404 == server.ask("GET", "/other", **_known())[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_stdout_stays_empty(
    served: Serve, number: signal.Signals
) -> None:
    """It ends with status 0, although a client still listens on an open stream."""
    server = served()
    _, headers, _ = server.ask(body=_hello(), **_known())
    listener = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    listener.sendall(
        f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
        f"Authorization: Bearer {TOKEN}\r\n"
        f"Mcp-Session-Id: {headers['mcp-session-id']}\r\n\r\n".encode()
    )
    assert listener.recv(15).startswith(b"HTTP/1.1 200")

    status, out, err = server.end(number)
    listener.close()

    assert (0, "") == (status, out), err
    assert "Traceback" not in err


def test_a_call_in_flight_is_answered_before_the_server_ends(served: Serve) -> None:
    """The body of the call comes after the signal, and its answer all the same."""
    server = served()
    body = _hello().encode()
    half = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    half.sendall(
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Accept: application/json, text/event-stream\r\nConnection: close\r\n"
        + f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body[:10]
    )
    # An answered request says that the server has taken up the one sent before it.
    assert 200 == server.ask("GET", "/health")[0]

    server.process.send_signal(signal.SIGTERM)
    while server.ask("GET", "/health")[0] != 503:
        continue
    # So often that a server which does not wait for the call would be gone by then.
    refused = {server.ask(body=_hello(), **_known())[0] for _ in range(200)}
    with half, half.makefile("rb") as stream:
        half.sendall(body[10:])
        answer = stream.read()
    _, err = server.process.communicate(timeout=60)

    assert {503} == refused
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"serverInfo"' in answer
    assert 0 == server.process.returncode, err


def test_a_call_that_already_runs_is_finished_before_the_server_ends(
    served: Serve, tmp_path: Path
) -> None:
    """Here it waits for another writer, and is stored after the signal all the same."""
    server = served()
    session = server.ask(body=_hello(), **_known())[1]["mcp-session-id"]
    arguments = {"solution": "stored while ending", "result": "it worked"}
    params = {"name": "shadowgraph_record_attempt", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    body = json.dumps(call).encode()
    running = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    with Library(tmp_path) as library:
        with library.store.write():
            running.sendall(
                b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Type: application/json\r\nConnection: close\r\n"
                b"Accept: application/json, text/event-stream\r\n"
                + f"Authorization: Bearer {TOKEN}\r\nMcp-Session-Id: {session}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            # An answered request says that the server has taken up the one before it.
            assert 200 == server.ask("GET", "/health")[0]
            server.process.send_signal(signal.SIGTERM)
            while server.ask("GET", "/health")[0] != 503:
                continue
            refused = {server.ask(body=_hello(), **_known())[0] for _ in range(20)}
        with running, running.makefile("rb") as stream:
            answer = stream.read()
        _, err = server.process.communicate(timeout=60)
        held = library.store.counts("project:acme/http")

    assert {503} == refused
    assert b"stored while ending" in answer
    assert 0 == server.process.returncode, err
    assert {"attempt": 1} == dict(held)


def test_an_address_of_the_newer_kind_is_served(served: Serve) -> None:
    """In brackets, as in a URL."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    server = served(host="[::1]")

    status = server.ask(body=_hello(), **_known())[0]

    assert 200 == status
    assert server.url.startswith("http://[::1]:")


def test_a_loopback_server_without_a_token_says_so(served: Serve) -> None:
    """Anybody on the machine may call it, which its first line tells."""
    server = served(token="")

    status = server.ask(body=_hello())[0]

    assert 200 == status
    assert server.told.endswith("without a token\n")
