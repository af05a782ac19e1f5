"""Recording a text and asking for it again, as short as the tests of this folder need it."""

from collections.abc import Callable
from typing import Any

from shadowgraph import ShadowgraphError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def note(ask: Ask, text: str, **more: Any) -> str:
    """Record an attempt with *text* as its solution; return its id."""
    wanted = {"result": "It crashed.", **more}
    return str(ask("record_attempt", solution=text, **wanted)["id"])


def hits(ask: Ask, query: str, **more: Any) -> list[str]:
    """Return the ids that a search finds, best first."""
    found = ask("search", query=query, detail="ids", **more)
    return [item["record"]["id"] for item in found["items"]]
