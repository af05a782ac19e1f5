"""What one server over HTTP bears: idle sessions, many sessions, large requests, slow calls.

The protocol and its guard run in this process, on an event loop whose clock is turned on by
hand; what a signal does is tried on a real one.
"""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from tests.server.conftest import HELLO

from shadowgraph import Library
from shadowgraph.operations import Caller, toolset
from shadowgraph.server.guard import Guard
from shadowgraph.server.http import LIMITS, Ending, Limits, guarded
from shadowgraph.server.session import Session

HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


class TurnedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock shows what it is turned to, beside what passes."""

    ahead = 0.0

    def time(self) -> float:
        """Return the time that counts for every deadline, in seconds."""
        return super().time() + self.ahead

    async def turn(self, seconds: float) -> None:
        """Let so much time have passed, and let everybody notice."""
        self.ahead += seconds
        for _ in range(50):
            await anyio.lowlevel.checkpoint()


class Web:
    """One client of one guarded protocol."""

    def __init__(self, client: httpx2.AsyncClient, guard: Guard) -> None:
        """Speak through *client*."""
        self._client = client
        self.guard = guard

    async def begin(self) -> tuple[int, str]:
        """Ask for a session; return the status and the session's name."""
        answer = await self.post(_message("initialize", HELLO))
        return answer.status_code, answer.headers.get("mcp-session-id", "")

    async def list_tools(self, session: str) -> int:
        """Ask for the tools in a session; return the status."""
        given = {"Mcp-Session-Id": session}
        return (await self.post(_message("tools/list", {}), **given)).status_code

    async def end(self, session: str) -> int:
        """End a session."""
        given = {**HEADERS, "Mcp-Session-Id": session}
        return (await self._client.delete("/mcp", headers=given)).status_code

    async def post(self, content: Any, **headers: str) -> httpx2.Response:
        """Send one request."""
        return await self._client.post(
            "/mcp", content=content, headers={**HEADERS, **headers}
        )


def _message(method: str, params: dict[str, Any]) -> bytes:
    """Return a request of the protocol."""
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    ).encode()


@asynccontextmanager
async def _web(home: Path, limits: Limits) -> AsyncIterator[Web]:
    """Serve a home under *limits*."""
    session = Session(lambda: Library(home), toolset("core"), Caller("p", "server"))
    manager, guard = guarded(session, (), None, limits)
    transport = httpx2.ASGITransport(app=guard)
    try:
        async with (
            manager.run(),
            httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            yield Web(client, guard)
    finally:
        session.close()


def _run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test on a loop whose clock can be turned."""
    anyio.run(test, backend_options={"loop_factory": TurnedLoop})


def _loop() -> TurnedLoop:
    """Return the loop of the running test."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TurnedLoop)
    return loop


def test_a_session_that_nobody_uses_is_forgotten(tmp_path: Path) -> None:
    """Each request gives it its whole time again; then its client must begin another."""

    async def test() -> None:
        """Wait almost too long twice, and then too long."""
        async with _web(tmp_path, LIMITS) as web:
            _, session = await web.begin()
            for _ in range(2):
                await _loop().turn(LIMITS.idle - 60)
                assert 200 == await web.list_tools(session)
            await _loop().turn(LIMITS.idle + 1)
            assert 404 == await web.list_tools(session)
            assert 200 == (await web.begin())[0]

    _run(test)


def test_no_more_sessions_are_opened_than_there_may_be(tmp_path: Path) -> None:
    """Those that are open go on, and one that ends or is forgotten makes room."""

    async def test() -> None:
        """Open one too many, end one, open it, and let all be forgotten."""
        async with _web(tmp_path, Limits(sessions=2)) as web:
            sessions = [(await web.begin())[1] for _ in range(2)]
            assert (503, "") == await web.begin()
            assert [200, 200] == [await web.list_tools(one) for one in sessions]
            assert 200 == await web.end(sessions[0])
            assert 200 == (await web.begin())[0]
            assert 503 == (await web.begin())[0]
            await _loop().turn(LIMITS.idle + 1)
            assert [200, 200, 503] == [(await web.begin())[0] for _ in range(3)]

    _run(test)


@pytest.mark.parametrize("declared", [True, False])
def test_a_request_may_be_so_large_and_no_larger(declared: bool, tmp_path: Path) -> None:
    """By its declared length, or by what has come when none is declared."""
    body = _message("initialize", HELLO)

    async def sent(web: Web, content: bytes) -> int:
        """Send a body whole or in parts; return the status."""

        async def parts() -> AsyncIterator[bytes]:
            """Yield the body in small parts."""
            for start in range(0, len(content), 50):
                yield content[start : start + 50]

        return (await web.post(content if declared else parts())).status_code

    async def test() -> None:
        """Send a request of the limit and one beyond it."""
        async with _web(tmp_path, Limits(request=len(body))) as web:
            assert [200, 413] == [await sent(web, body), await sent(web, body + b" ")]
            assert 0 == web.guard.busy

    _run(test)


class Hands:
    """A clock that is turned by hand."""

    now = 100.0

    def __call__(self) -> float:
        """Return the seconds it shows."""
        return self.now


@pytest.fixture
def hands() -> Hands:
    """Return a clock that stands."""
    return Hands()


@pytest.fixture
def ending(hands: Hands) -> Ending:
    """Return a server that was told to end while one call runs."""
    guard = Guard(_nobody, (), None)
    guard.busy = 1
    server = Ending(uvicorn.Config(guard), guard, patience=20.0, clock=hands)
    server.handle_exit(signal.SIGTERM, None)
    return server


async def _nobody(scope: Any, receive: Any, send: Any) -> None:
    """Answer nothing."""
    del scope, receive, send


def _ticks(server: Ending) -> bool:
    """Return whether a server ends at its next tick."""

    async def tick() -> bool:
        """Let the server look at the clock."""
        return await server.on_tick(1)

    return anyio.run(tick)


def test_a_call_in_flight_has_its_time_when_the_server_ends(
    ending: Ending, hands: Hands
) -> None:
    """And not more."""
    hands.now += 19.0
    assert not _ticks(ending)

    hands.now += 2.0
    assert _ticks(ending)
    assert not ending.force_exit


def test_the_server_ends_with_the_last_call(ending: Ending) -> None:
    """Before the time is over."""
    assert not _ticks(ending)
    ending._guard.busy = 0

    assert _ticks(ending)


def test_a_second_signal_ends_at_once(ending: Ending) -> None:
    """Whoever asks twice does not want to wait."""
    ending.handle_exit(signal.SIGTERM, None)

    assert ending.force_exit
    assert _ticks(ending)
