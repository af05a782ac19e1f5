"""Several servers on one home, and servers that are killed."""

import threading
from collections.abc import Callable
from typing import Any

from tests.server.conftest import Wire

Serve = Callable[..., Wire]
EACH = 500


def _record_and_search(wire: Wire, name: str, faults: list[object]) -> None:
    """Record, and now and then look for what was recorded just before."""
    for number in range(EACH):
        made = wire.call(
            "record_attempt", solution=f"{name}{number} variant", result="it crashed"
        )
        if made.get("isError"):
            faults.append(made)
        if number % 50 == 49:
            found = wire.call("search", query=f"{name}{number}", limit=1)
            if found.get("isError"):
                faults.append(found)


def test_two_servers_record_a_thousand_attempts_at_once_and_lose_none(
    serve: Serve,
) -> None:
    """Both write and search at the same time; no call fails and all are found."""
    wires = [serve("--project", "acme/shared") for _ in range(2)]
    faults: list[object] = []
    for one in wires:
        one.hello()
    threads = [
        threading.Thread(target=_record_and_search, args=(one, name, faults))
        for one, name in zip(wires, ("left", "right"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == faults
    found: set[str] = set()
    for offset in range(0, 2 * EACH, 100):
        page = wires[0].reply(
            "search", query="variant", limit=100, offset=offset, detail="ids"
        )
        assert 2 * EACH == page["page"]["total"]
        found |= {item["record"]["id"] for item in page["items"]}
    assert 2 * EACH == len(found)
    for name in ("left", "right"):
        for number in (0, 250, 499):
            assert 1 == wires[1].reply("search", query=f"{name}{number}")["page"]["total"]


def test_an_acknowledged_write_outlives_a_killed_server(serve: Serve) -> None:
    """SQLite has it before the reply; the next server's index follows."""
    kept: list[dict[str, Any]] = []
    for number in range(3):
        wire = serve("--project", "acme/killed")
        wire.hello()
        kept.append(
            wire.reply("record_attempt", solution=f"killed{number} once", result="hung")
        )
        wire.process.kill()
        wire.process.wait(timeout=30)

    last = serve("--project", "acme/killed")
    last.hello()
    for number, made in enumerate(kept):
        found = last.reply("search", query=f"killed{number}")
        assert [made["id"]] == [item["record"]["id"] for item in found["items"]]


def test_one_server_finds_what_another_has_just_written(serve: Serve) -> None:
    """Every read follows the journal, whoever wrote it."""
    writer, reader = (serve("--project", "acme/both") for _ in range(2))
    writer.hello()
    reader.hello()
    reader.reply("search", query="anything")
    made = writer.reply("record_attempt", solution="freshly written", result="hung")

    found = reader.reply("search", query="freshly")
    assert [made["id"]] == [item["record"]["id"] for item in found["items"]]
