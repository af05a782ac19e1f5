"""Many clients over HTTP beside one over stdio, in the same run: `python -m bench.http`.

A home is filled, then the same search is called over stdio by one client, over HTTP by one
client, and over HTTP by all clients at once. Any error ends the run with status 1.
"""

# ruff: noqa: A005 - the command is named after what it measures

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from bench.machine import Times, described
from shadowgraph.library import Library
from shadowgraph.operations import Caller, invoke

SESSIONS, CALLS, RECORDS = 50, 2000, 1000
PROJECT = "bench/http"
TOKEN = "a-token-of-this-bench-alone"


def _fill(home: Path) -> None:
    """Record attempts to be found."""
    with Library(home) as library:
        for number in range(RECORDS):
            given = {"solution": f"raise the pool size to {number}", "result": "timed out"}
            invoke(library, "shadowgraph_record_attempt", given, Caller(PROJECT, "server"))
        library.sync.catch_up()


def _words(home: Path, *options: str) -> list[str]:
    first = ["-m", "shadowgraph", "--home", str(home), "--project", PROJECT]
    return [*first, "serve", *options]


@contextmanager
def _served(home: Path) -> Iterator[str]:
    """Serve the home over HTTP; the address is what the block gets."""
    words = [sys.executable, *_words(home, "--http", "127.0.0.1:0")]
    environment = {**os.environ, "SHADOWGRAPH_TOKEN": TOKEN}
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, encoding="utf-8", env=environment
    ) as process:
        assert process.stderr is not None
        yield process.stderr.readline().split()[3]
        process.terminate()


async def _calls(client: Client, count: int, into: list[float]) -> None:
    """Search *count* times, and say how long each took in milliseconds."""
    given = {"query": "pool size timed out", "limit": 5}
    for _ in range(count):
        started = time.perf_counter()
        result = await client.call_tool("shadowgraph_search", given)
        into.append((time.perf_counter() - started) * 1000)
        if result.is_error:
            raise RuntimeError(result)


async def _stdio(home: Path, count: int) -> list[float]:
    taken: list[float] = []
    server = StdioServerParameters(command=sys.executable, args=_words(home))
    async with Client(server) as client:
        await _calls(client, count, taken)
    return taken


async def _http(url: str, sessions: int, count: int) -> list[float]:
    """Call *count* times in all, from as many *sessions* at once."""
    taken: list[float] = []

    async def one() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers, timeout=300.0) as web:
            transport = streamable_http_client(url, http_client=web)
            async with Client(transport, mode="legacy") as client:
                await _calls(client, count // sessions, taken)

    async with anyio.create_task_group() as tasks:
        for _ in range(sessions):
            tasks.start_soon(one)
    return taken


def run() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--calls", type=int, default=CALLS)
    asked = parser.parse_args()
    few = max(1, asked.calls // 10)
    print(described("python -m bench.http"))
    print(f"* records: {RECORDS:,}\n\n| over | sessions | calls | p50 ms | p95 ms |")
    print("|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        _fill(home)
        _row("stdio", 1, anyio.run(_stdio, home, few))
        with _served(home) as url:
            _row("HTTP", 1, anyio.run(_http, url, 1, few))
            crowd = anyio.run(_http, url, asked.sessions, asked.calls)
            _row("HTTP", asked.sessions, crowd)
    return 0


def _row(over: str, sessions: int, taken: list[float]) -> None:
    times = Times(tuple(taken))
    print(f"| {over} | {sessions} | {len(taken):,} | {times.p50:.1f} | {times.p95:.1f} |")


if __name__ == "__main__":
    sys.exit(run())
