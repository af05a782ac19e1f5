"""Faults of servers over HTTP, held at the guard that stands before the protocol."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.operations import Caller, toolset
from shadowgraph.server.address import parse
from shadowgraph.server.http import LIMITS, guarded
from shadowgraph.server.session import Session

TOKEN = "a-token-of-this-test-alone"
KNOWN = {"host": "127.0.0.1", "authorization": f"Bearer {TOKEN}"}


def _status(
    home: Path, headers: dict[str, str], *, hosts: tuple[str, ...] = (), path: str = "/mcp"
) -> int:
    """Return the status with which one request is answered."""
    session = Session(lambda: Library(home), toolset("core"), Caller())
    _, guard = guarded(session, hosts, TOKEN)
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "headers": pairs}
    sent: list[Any] = []

    async def receive() -> Any:
        """Refuse to be read."""
        raise AssertionError("a request that is refused is not read")

    async def send(message: Any) -> None:
        """Keep what is sent."""
        sent.append(message)

    anyio.run(guard, scope, receive, send)
    return int(sent[0]["status"])


def test_h11_a_large_request_is_refused_unread(tmp_path: Path) -> None:
    """By the length it declares."""
    assert 413 == _status(tmp_path, {**KNOWN, "content-length": str(LIMITS.request + 1)})


def test_n01_a_local_port_answers_nobody_without_the_token(tmp_path: Path) -> None:
    """Nor with another one."""
    assert 401 == _status(tmp_path, {"host": "127.0.0.1"})
    assert 401 == _status(tmp_path, {**KNOWN, "authorization": f"Bearer {TOKEN}x"})


def test_n02_a_web_page_is_refused(tmp_path: Path) -> None:
    """Whatever it knows, and when its host only begins like ours."""
    assert 403 == _status(tmp_path, {**KNOWN, "origin": "https://evil.example"})
    assert 403 == _status(tmp_path, {**KNOWN, "origin": "http://localhost.evil.example"})


def test_n03_a_rebound_name_is_refused(tmp_path: Path) -> None:
    """The name under which a browser reached us is not one of ours, for any path."""
    assert 421 == _status(tmp_path, {**KNOWN, "host": "evil.example:8787"})
    assert 421 == _status(tmp_path, {**KNOWN, "host": "evil.example"}, path="/health")


def test_n04_another_host_can_be_allowed_and_others_stay_refused(tmp_path: Path) -> None:
    """So nobody has to turn the check off; the request goes on to its size and path."""
    large = {**KNOWN, "content-length": str(LIMITS.request + 1)}
    hosts = ("memory.example",)

    assert 413 == _status(tmp_path, {**large, "host": "memory.example"}, hosts=hosts)
    assert 421 == _status(tmp_path, {**large, "host": "other.example"}, hosts=hosts)


@pytest.mark.parametrize("text", ["8787", ":8787"])
def test_n05_a_port_alone_binds_nothing(text: str) -> None:
    """All interfaces are served only when somebody names them."""
    with pytest.raises(InvalidInputError, match="no address"):
        parse(text)
