"""Where the values of a JSON text stand: a tree of nodes with their places.

A parser that keeps what `json.loads` throws away: of every value the span in the text, of
every object and array the span of each member. It reads JSON as hosts write it, with
comments and commas before a closing bracket where a file may hold them (`relaxed`).

A file of several megabytes is mostly what does not concern us, so the members of the root
beside the one that is wanted are read by the library, at its speed and without places.

Invariant: `node.value` is what `json.loads` gives for the span of the node, and nothing is
read that the host would refuse. What is done with the places stands in `jsonedit`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from shadowgraph.errors import HostFileError

_SPACE = re.compile(r"[ \t\r\n]*")
_SKIPPED = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_QUICK = json.JSONDecoder(parse_constant=lambda name: json.loads(f"!{name}"))
"The library's own reader, without the numbers that are none."
NOWHERE = "\0"
"As the one member whose places are wanted: no places are."
DEEPEST = 200
"Levels of nesting that are read; no settings file comes near."


@dataclass(slots=True)
class Node:
    """One value: where it begins, where it ends, and what it is."""

    start: int
    end: int
    value: Any
    items: "list[Item] | None" = None
    "Members of an object or an array, in order; None for a plain value or without places."

    def member(self, key: str) -> "Item | None":
        """Return the member *key* of an object; None when it has none.

        Raises:
            HostFileError: the object has the key twice, so either could be meant.
        """
        found = [item for item in self.items or () if item.key == key]
        if len(found) > 1:
            raise HostFileError(f"{key!r} stands twice in one object.")
        return found[0] if found else None


@dataclass(slots=True)
class Item:
    """One member: where its key, or in an array its value, begins, and its value."""

    start: int
    node: Node
    key: str | None = None
    comma: int | None = None
    "Where the comma behind it stands."


@dataclass(slots=True)
class Reader:
    """One pass over a text."""

    text: str
    relaxed: bool
    within: str | None = None
    "The member of the root whose places are wanted; None: all."
    at: int = 0
    _depth: int = field(default=0)

    def document(self) -> Node:
        """Return the one value of the text.

        Raises:
            HostFileError: the text is not JSON of the kind that the host reads.
        """
        self._skip()
        node = self._node()
        self._skip()
        if self.at < len(self.text):
            self._refuse("something follows the value")
        return node

    def _skip(self) -> None:
        pattern = _SKIPPED if self.relaxed else _SPACE
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _refuse(self, told: str) -> None:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        raise HostFileError(f"it is no JSON: line {line}, column {column}: {told}.")

    def _node(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(f"it is nested more than {DEEPEST} levels deep")
        opening = self.text[self.at : self.at + 1]
        node = self._group(opening) if opening in ("{", "[") else self._plain()
        self._depth -= 1
        return node

    def _plain(self) -> Node:
        for pattern in (_STRING, _PLAIN):
            found = pattern.match(self.text, self.at)
            if found is not None:
                return self._read(found.start(), found.end())
        self._refuse("a value is expected")
        raise AssertionError  # never reached: _refuse raises

    def _read(self, start: int, end: int) -> Node:
        try:
            value = json.loads(self.text[start:end])
        except ValueError:
            self._refuse(f"{self.text[start:end]!r} is no value")
        self.at = end
        return Node(start, end, value)

    def _group(self, opening: str) -> Node:
        start = self.at
        items = list(self._items("}" if opening == "{" else "]", keyed=opening == "{"))
        if opening == "{":
            value: Any = {item.key: item.node.value for item in items}
        else:
            value = [item.node.value for item in items]
        return Node(start, self.at, value, items)

    def _items(self, closing: str, *, keyed: bool) -> Iterator[Item]:
        last: Item | None = None
        self.at += 1
        while True:
            self._skip()
            if self._took(closing):
                if last is not None and last.comma is not None and not self.relaxed:
                    self._refuse("a comma stands before the closing bracket")
                return
            if last is not None and last.comma is None:
                self._refuse(f"a comma or {closing!r} is expected")
            last = self._item(keyed=keyed)
            yield last

    def _item(self, *, keyed: bool) -> Item:
        start, key = self.at, None
        if keyed:
            found = _STRING.match(self.text, self.at)
            if found is None:
                self._refuse("a key in double quotes is expected")
            key = str(self._plain().value)
            self._skip()
            if not self._took(":"):
                self._refuse("a colon is expected")
            self._skip()
        beside = self._depth == 1 and self.within not in (None, key)
        item = Item(start, (self._quick() if beside else None) or self._node(), key)
        self._skip()
        at = self.at
        if self._took(","):
            item.comma = at
        return item

    def _quick(self) -> Node | None:
        """Return a value without places; None when it is written as the library reads none."""
        start = self.at
        try:
            value, self.at = _QUICK.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            return None
        return Node(start, self.at, value)

    def _took(self, sign: str) -> bool:
        if self.text.startswith(sign, self.at):
            self.at += 1
            return True
        return False


@lru_cache(maxsize=4)
def read(text: str, *, relaxed: bool, within: str | None = None) -> Node:
    """Return the tree of a JSON text; it is remembered, so nobody may change it.

    Args:
        text: the text.
        relaxed: whether comments and a comma before a closing bracket are read.
        within: the member of the root whose places are wanted, `NOWHERE`, or None for all.

    Raises:
        HostFileError: it is not JSON of the kind that the host reads.
    """
    return Reader(text, relaxed, within).document()


def content_end(text: str, start: int, end: int, *, relaxed: bool) -> int:
    """Return where the last thing before *end* ends, a comment included.

    Nothing but white space and comments may stand between *start* and *end*.
    """
    if not relaxed:
        return start
    last = start
    for found in re.finditer(r"//[^\r\n]*|/\*.*?\*/", text[start:end], re.DOTALL):
        last = start + found.end()
    return last
