"""A real server process, spoken to line by line.

`Wire` sees the raw lines, so tests can tell what stands on stdout; the SDK's own client is
used in `test_protocol`. Every server is ended by the fixture, whatever a test did to it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "wire", "version": "1"},
}


class Wire:
    """One server, and the lines that go to and fro."""

    def __init__(
        self,
        arguments: list[str],
        cwd: Path,
        environment: dict[str, str],
        log: Path,
        tools: str = "core",
    ) -> None:
        """Start a server with *arguments* before the command; its stderr goes to *log*."""
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "shadowgraph",
                    *arguments,
                    "serve",
                    "--tools",
                    tools,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                encoding="utf-8",
                cwd=cwd,
                env=environment,
            )
        self.log = log
        self.lines: list[str] = []
        self._number = 0

    def send(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return the message that answers it."""
        self._number += 1
        self._write(
            {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        )
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == self._number:
                return message
        raise AssertionError("the server ended before it answered")

    def hello(self) -> dict[str, Any]:
        """Shake hands; return the server's part."""
        answer: dict[str, Any] = self.ask("initialize", **HELLO)["result"]
        self.send("notifications/initialized")
        return answer

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        result: dict[str, Any] = self.ask(
            "tools/call", name=f"shadowgraph_{name}", arguments=arguments
        )["result"]
        return result

    def reply(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed and return its structured reply."""
        result = self.call(name, **arguments)
        assert not result.get("isError"), result
        reply: dict[str, Any] = result["structuredContent"]
        return reply

    def end(self) -> int:
        """Close the server's input and return its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=30)

    def _write(self, message: dict[str, Any]) -> None:
        """Write one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Wire]]:
    """Return a function that starts a server; all of them end with the test."""
    started: list[Wire] = []

    def start(
        *arguments: str, cwd: Path = tmp_path, tools: str = "core", **environment: str
    ) -> Wire:
        log = tmp_path / f"stderr-{len(started)}.txt"
        wire = Wire(list(arguments), cwd, {**os.environ, **environment}, log, tools)
        started.append(wire)
        return wire

    yield start
    for wire in started:
        wire.process.kill()
        wire.process.wait()
        for pipe in (wire.process.stdin, wire.process.stdout):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def wire(serve: Callable[..., Wire]) -> Wire:
    """Return a server on the home of the test, after the handshake."""
    started = serve("--project", "acme/wire")
    started.hello()
    return started
