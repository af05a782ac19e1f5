"""How records are shown in small answers: previews, clipped at word ends."""

from collections.abc import Mapping
from typing import Any

PREVIEW_FIELDS: dict[str, tuple[tuple[str, int], ...]] = {
    "attempt": (
        ("solution", 160),
        ("result", 200),
        ("reason", 200),
        ("environment", 100),
    ),
    "decision": (("title", 120), ("chosen", 160), ("goal", 120), ("status", 20)),
    "fact": (("key", 100), ("value", 160), ("status", 20)),
    "memory": (("key", 100), ("text", 200), ("status", 20)),
    "task": (
        ("title", 120),
        ("objective", 200),
        ("status", 20),
        ("nextActions", 160),
        ("blockedReason", 160),
        ("verification", 20),
    ),
    "evidence": (("summary", 200), ("exitCode", 20), ("detail", 200), ("taskId", 60)),
}
"Fields of a preview and how many characters of each, by kind."

BEGINNING = 50
"Characters of a field that a snippet shows as well."
SHARES = (1.0, 0.7, 0.5)
"Shares of a preview's characters that are tried until the items of a reply fit."

_SPARE = 20
"Characters looked at beyond those that are kept: white space is drawn together."

_OTHER = (("title", 120), ("summary", 160), ("detail", 160))


def clip(text: str, most: int) -> str:
    """Return *text* on one line of at most *most* characters, cut at a word.

    >>> clip("one two three", 9)
    'one two …'
    """
    # As much as is needed: a beginning of mostly white space was not enough.
    for looked in (most + _SPARE, 4 * most, len(text)):
        line = " ".join(text[:looked].split())
        if len(line) > most or looked >= len(text):
            break
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    space = cut.rfind(" ")
    return (cut[: space + 1] if space > most // 2 else cut) + "…"


def preview(
    body: Mapping[str, Any],
    result_class: str | None,
    share: float = 1.0,
    beside: str = "",
) -> dict[str, Any]:
    """Return the short form of a record: enough to judge it, its id for the rest.

    In a reply with little room every field has a *share* of its characters, and the field
    that a snippet shows *beside* only its beginning.
    """
    short: dict[str, Any] = {"id": body["id"], "kind": body["kind"]}
    if body.get("project") is not None:
        short["project"] = body["project"]
    for name, usual in PREVIEW_FIELDS.get(str(body["kind"]), _OTHER):
        most = BEGINNING if name == beside else max(20, int(usual * share))
        value = _flat(name, body.get(name))
        if isinstance(value, str) and value:
            short[name] = clip(value, most)
        elif value is not None and not isinstance(value, str):
            short[name] = value if _small(value, most) else clip(str(value), most)
    if result_class:
        short["resultClass"] = result_class
    for name in ("createdAt", "supersededBy", "resolvedBy"):
        if body.get(name):
            short[name] = body[name]
    return short


def _flat(name: str, value: Any) -> Any:
    """Return what a preview shows of a task's plan and verdict; another value as it is."""
    if name == "nextActions" and isinstance(value, list):
        return "; ".join(map(str, value))
    if name == "verification" and isinstance(value, Mapping):
        return value.get("status")
    return value


def _small(value: Any, most: int) -> bool:
    return len(str(value)) <= most
