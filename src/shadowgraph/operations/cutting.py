"""How much a tool says by itself: a model reads all of a reply, wanted or not.

A reply to a call that names no size stays within `REPLY` bytes, however full the store is.
Two parts keep that. An operation that lists things leaves items out and counts them, with
`ITEMS` for its room (`scoped.fitting`, `within`). What a single record says in
full is cut here, by the server and nobody else: the command line and programs get it whole.

The longest texts are cut first, only as far as needed, and the reply says how many and how
to read them whole (`clipped`). Ids, paths and digests are not cut: a part of one is worse
than none. A call that names a size (`SIZES`) gets it; so do the tools of an operator, and
those with a budget, which keep their own.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shadowgraph.operations.registry import Operation, Reply

Items = list[dict[str, Any]]
Maker = Callable[[float], dict[str, Any]]
"Makes one item of a list with a share of its text."
REPLY: Final = 8_000
"Bytes of a reply as compact JSON, for a call that names no size."
ITEMS: Final = 6_800
"The part of them that the items of a list may take."
SIZES: Final = (
    "budget",
    "depth",
    "detail",
    "explain",
    "full",
    "limit",
    "maxExpansions",
    "whole",
)
"Arguments that say how much is wanted."
_TEXTS: Final = (2_000, 1_000, 500, 250, 120)
"Characters that a text keeps; the first of them that is short enough counts."
_LISTS: Final = (20, 10, 5, 2)
"Entries that a list keeps, when short texts are not short enough."
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"As a server sends it."
_WORD: Final = 500
"Characters up to which a text without a space is left whole."
_HINT: Final = (
    "shadowgraph_get with whole=true reads a record whole; elsewhere limit, detail=full"
    " or full=true ask for more."
)


def size(value: Any) -> int:
    """Return the bytes of *value* as it is sent.

    >>> size({"a": "ä"})
    10
    """
    return len(_JSON.encode(value).encode())


def least(value: Any) -> int:
    """Return the bytes of *value* when its texts are cut as short as need be in a list."""
    return size(_Knife(_TEXTS[-2]).cut(value))


def within(items: Iterable[dict[str, Any]], room: int) -> Items:
    """Return as many items as fit into so many bytes; the first always does."""
    kept: Items = []
    for item in items:
        room -= size(item) + 1
        if kept and room < 0:
            break
        kept.append(item)
    return kept


def fitting(makers: Sequence[Maker], room: int, shares: Sequence[float]) -> Items:
    """Return as many items as fit into *room* bytes; the first always does.

    They are made with the largest share of their text with which all fit. *shares* fall;
    where not even the last is small enough, items behind the room are never made.
    """
    short = within((make(shares[-1]) for make in makers), room)
    if len(short) == len(makers):
        for share in shares[:-1]:
            items = [make(share) for make in makers]
            if size(items) <= room:
                return items
    return short


def bounded(operation: Operation, arguments: Mapping[str, Any], reply: Reply) -> Reply:
    """Return a reply that a model can take in, with what was cut said in `clipped`."""
    if not _is_bound(operation, arguments) or size(reply) <= REPLY:
        return reply
    steps = [(text, None) for text in _TEXTS] + [(_TEXTS[-1], most) for most in _LISTS]
    short = reply
    for text, entries in steps:
        knife = _Knife(text, entries)
        short = _told(knife.cut(reply), knife)
        if size(short) <= REPLY:
            break
    return short


def _is_bound(operation: Operation, arguments: Mapping[str, Any]) -> bool:
    """Return whether the size of a reply is ours to choose."""
    if operation.toolset == "admin" or "budget" in operation.request.model_fields:
        return False
    named = (arguments.get(name) for name in SIZES)
    return all(value in (None, False, "", "preview", "ids") for value in named)


def _told(short: Reply, knife: "_Knife") -> Reply:
    """Return a reply that says what was cut from it."""
    counts = {
        "texts": knife.texts,
        "characters": knife.characters,
        "entries": knife.dropped,
    }
    told = {name: count for name, count in counts.items() if count}
    block = short.get("completeness")
    if isinstance(block, Mapping) and block.get("losslessItems"):
        short = {**short, "completeness": {**block, "losslessItems": False}}
    return {**short, "clipped": {**told, "hint": _HINT}} if told else short


@dataclass
class _Knife:
    """Cuts texts, and lists when told so, and counts what it took."""

    text: int
    entries: int | None = None
    texts: int = 0
    characters: int = 0
    dropped: int = 0

    def cut(self, value: Any) -> Any:
        """Return *value* with its long texts shortened, at any depth."""
        if isinstance(value, str):
            return self._shortened(value)
        if isinstance(value, Mapping):
            return {key: self.cut(held) for key, held in value.items()}
        if not isinstance(value, list):
            return value
        kept = value if self.entries is None else value[: self.entries]
        self.dropped += len(value) - len(kept)
        return [self.cut(held) for held in kept]

    def _shortened(self, text: str) -> str:
        if len(text) <= self.text or (len(text) <= _WORD and len(text.split()) == 1):
            return text
        kept = text[: self.text].rstrip()
        self.texts += 1
        self.characters += len(text) - len(kept)
        return f"{kept}… [{len(text) - len(kept):,} characters more]"
