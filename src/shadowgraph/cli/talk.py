"""A minimal MCP client over stdio, for the demo: four messages of newline-delimited JSON.

The SDK's client would cost every command line a second of imports; the tests use the SDK's
client, and another that nobody here wrote.
"""

import json
import subprocess
from typing import Any, Self

from shadowgraph.errors import OperatorError
from shadowgraph.version import __version__

PROTOCOL = "2025-06-18"


class Conversation:
    """A running server and the requests sent to it."""

    def __init__(self, command: list[str]) -> None:
        """Start *command* and shake hands with it."""
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self._number = 0
        self._request(
            "initialize",
            {
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "shadowgraph-demo", "version": __version__},
            },
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        """Return the conversation."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the server by closing its input."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait(timeout=20)
        if self._process.stdout:
            self._process.stdout.close()

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its structured reply.

        Raises:
            OperatorError: the server refused the call or ended.
        """
        result = self._request("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise OperatorError(result["content"][0]["text"])
        reply: dict[str, Any] = result["structuredContent"]
        return reply

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send(
            {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        )
        while True:
            line = self._process.stdout.readline() if self._process.stdout else ""
            if not line:
                raise OperatorError("The server ended before it answered.")
            message = json.loads(line)
            if message.get("id") == self._number:
                if "error" in message:
                    raise OperatorError(f"The server refused: {message['error']}.")
                result: dict[str, Any] = message["result"]
                return result

    def _send(self, message: dict[str, Any]) -> None:
        if self._process.stdin:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
