"""What happened to the index is told by whichever read meets it."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"query": "ledger"}),
        ("context", {"query": "ledger"}),
        ("context", {}),
        ("check", {"action": "move the ledger"}),
    ],
)
def test_a_rebuilt_index_is_told(
    name: str,
    arguments: dict[str, Any],
    tiny_library: Library,
    ask: Callable[..., dict[str, Any]],
) -> None:
    """A notice is handed out once, so no reply may drop it."""
    tiny_library.sync.view()
    (current,) = tiny_library.home.glob("index/*/CURRENT")
    current.write_text("no generation", encoding="ascii")

    reply = ask(name, **arguments)

    assert "built again" in str(
        reply.get("notices", reply.get("completeness", {}).get("notices"))
    )
