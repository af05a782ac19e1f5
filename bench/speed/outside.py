"""From outside: the command line as a fresh process, and the server over its pipes.

A server is driven by lines of JSON-RPC, without the SDK's client, whose own work would be
counted. A call lasts from the write of its line to the arrival of the answering line.
"""

import compileall
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

import shadowgraph
from bench.machine import Times, timed
from bench.speed.corpus import PROJECT
from bench.speed.home import Home
from bench.speed.inside import attempts
from shadowgraph.sync import Indexer

COMMAND = str(Path(sys.executable).parent / "shadowgraph")
BARE = "from mcp.server import MCPServer; MCPServer('bare').run()"
"The least that a server with the SDK can be."
PROTOCOL = "2025-06-18"


def compiled() -> None:
    """Compile the package's bytecode, which an installed package has."""
    compileall.compile_dir(str(Path(shadowgraph.__file__).parent), quiet=2)


def surroundings() -> dict[str, str]:
    """Return the environment of a child: this one's, without what would slow or steer it."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and not name.startswith("SHADOWGRAPH_")
    }


class Server:
    """An MCP server as a child process."""

    def __init__(self, command: list[str]) -> None:
        """Spawn *command*."""
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=surroundings(),
        )
        self._last = 0

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(self, *_: object) -> None:
        """End its input and wait for it."""
        if self._child.stdin:
            self._child.stdin.close()
        self._child.wait(timeout=30)

    @property
    def process(self) -> int:
        """The number of its process."""
        return self._child.pid

    def request(self, method: str, parameters: dict[str, Any]) -> bytes:
        """Send a request and return the line that answers it."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": parameters})
        assert self._child.stdout is not None
        return self._child.stdout.readline()

    def initialize(self) -> bytes:
        """Open the session."""
        client = {"name": "bench", "version": "1"}
        return self.request(
            "initialize",
            {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client},
        )

    def ready(self) -> None:
        """Open the session and say so."""
        self.initialize()
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its result."""
        line = self.request("tools/call", {"name": tool, "arguments": arguments})
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply or reply["result"].get("isError"):
            raise RuntimeError(f"{tool}: {line[:500]!r}")
        found: dict[str, Any] = reply["result"]
        return found

    def memory(self) -> float:
        """Return the resident memory in MB."""
        shown = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self._child.pid)],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(shown.stdout) / 1024

    def _send(self, message: dict[str, Any]) -> None:
        assert self._child.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        self._child.stdin.write(line.encode())
        self._child.stdin.flush()


@dataclass(frozen=True, slots=True)
class Outside:
    """Times of other processes at one size."""

    command: Times
    "`shadowgraph search` as a fresh process."
    search: Times
    record: Times
    memory: float
    "Resident MB after 100 searches, before any write."
    rested: float
    "The same a minute later, when the server rests."


@contextmanager
def serving(home: Home) -> Iterator[Server]:
    """Run the real server on *home*."""
    command = [COMMAND, "--home", str(home.path), "--project", PROJECT, "serve"]
    with Server(command) as server:
        server.ready()
        yield server


def measure(home: Home, rounds: int) -> Outside:
    """Measure the command line and the server at the home's present size."""
    compiled()
    with serving(home) as server:
        memory = _memory_after_searches(home, server)
        # It counts from its last look, which may be as long ago as it waits.
        time.sleep(2 * Indexer.REST + 2)  # noqa: TID251 - rest is told by nothing
        rested = server.memory()
        queries = home.corpus.queries(rounds, seed=4)
        found = timed(lambda q: server.call("shadowgraph_search", {"query": q}), queries)
        given = list(islice(attempts(home, seed=99), rounds))
        record = timed(lambda one: server.call("shadowgraph_record_attempt", one), given)
    return Outside(_fresh_processes(home), found, record, memory, rested)


def _memory_after_searches(home: Home, server: Server) -> float:
    for query in home.corpus.queries(100, seed=5):
        server.call("shadowgraph_search", {"query": query})
    return server.memory()


def _fresh_processes(home: Home) -> Times:
    """Time the command line; the first run, which meets a cold cache, is left out."""
    _search_command(home, "warm up")
    queries = [q for q in home.corpus.queries(20, seed=6) if not q.startswith("-")]
    return timed(lambda query: _search_command(home, query), queries)


def _search_command(home: Home, query: str) -> None:
    subprocess.run(
        [COMMAND, "--home", str(home.path), "--project", PROJECT, "search", "--", query],
        capture_output=True,
        check=True,
        env=surroundings(),
    )


def starts(home: Home, rounds: int = 15) -> tuple[Times, Times]:
    """Time spawn to the answer of initialize: ours and a bare server, by turns."""
    compiled()
    ours = [COMMAND, "--home", str(home.path), "--project", PROJECT, "serve"]
    bare = [sys.executable, "-c", BARE]
    pairs = [(_start(ours), _start(bare)) for _ in range(rounds + 1)][1:]
    return Times(tuple(a for a, _ in pairs)), Times(tuple(b for _, b in pairs))


def _start(command: list[str]) -> float:
    before = time.perf_counter()
    with Server(command) as server:
        line = server.initialize()
        took = (time.perf_counter() - before) * 1000
    if b"serverInfo" not in line:
        raise RuntimeError(f"{command[0]} did not answer: {line[:200]!r}")
    return took
