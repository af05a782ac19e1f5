"""Tasks over the protocol: each connection has a current task of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.conftest import Wire


def _ask(wire: Wire, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool by its whole name."""
    result = wire.ask("tools/call", name=name, arguments=arguments)["result"]
    assert not result.get("isError"), result
    reply: dict[str, Any] = result["structuredContent"]
    return reply


def test_two_clients_in_one_checkout_have_a_task_each(
    serve: Callable[..., Wire], tmp_path: Path
) -> None:
    """Though neither says which session it is."""
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "init", "-q", str(checkout)], check=True)
    wires = [serve("--project", "p", tools="core,tasks", cwd=checkout) for _ in range(2)]
    made = []
    for number, wire in enumerate(wires):
        wire.hello()
        made.append(_ask(wire, "task_start", title=f"t{number}")["task"]["id"])
    seen = [_ask(wire, "task_status", full=True) for wire in wires]

    assert made == [reply["task"]["id"] for reply in seen]
    assert 2 == len({reply["passport"]["sessionId"] for reply in seen})
    assert {str(checkout.resolve())} == {r["passport"]["worktree"] for r in seen}
