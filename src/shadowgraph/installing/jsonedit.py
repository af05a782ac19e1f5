"""Edits of a JSON text that leave every other byte as it is.

Three verbs on a path of keys: `put` sets a member, `append` adds an element to an array,
`drop` takes one of either out. New text is written as the text around it is: its
indentation, its line ends, on one line where the object stands on one line.

Invariant: outside of what is put or dropped, and the one comma beside it, no character
changes; the value of the result is the old one with that one change. Where values stand is
the work of `jsontext`.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph.errors import HostFileError
from shadowgraph.installing.jsontext import Item, Node, content_end, read

Path = Sequence[str | int]
"Keys of objects and numbers of elements, from the outermost inwards."

EMPTY = "{}\n"
"What an empty file is taken for."


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is written."""

    newline: str
    unit: str
    "What one level is indented by."
    relaxed: bool

    def written(self, value: Any, indent: str, *, inline: str | None) -> str:
        """Return a value as JSON: on lines below *indent*, or *inline* on one line."""
        if inline is not None:
            colon = ":" if inline == "" else ": "
            comma = "," if inline == "" else ", "
            return json.dumps(value, ensure_ascii=False, separators=(comma, colon))
        text = json.dumps(value, ensure_ascii=False, indent=self.unit)
        return text.replace("\n", f"{self.newline}{indent}")


def style_of(text: str, root: Node, *, relaxed: bool) -> Style:
    """Return how *text* is written: its line ends and the indentation of its members."""
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    first = root.items[0].start if root.items else None
    indent = None if first is None else _indent_at(text, first)
    unit = (indent or "").removeprefix(_line_indent(text, root.start))
    return Style(newline, unit or "  ", relaxed)


def at(root: Node, path: Path) -> Node | None:
    """Return the node at *path*; None when the text has none.

    Raises:
        HostFileError: something on the way is neither an object nor an array.
    """
    node = root
    for step in path:
        found = _child(node, step)
        if found is None:
            return None
        node = found.node
    return node


def put(text: str, path: Path, value: Any, *, relaxed: bool) -> str:
    """Return *text* with the value at *path* set, and the objects around it made."""
    text = text if text.strip() else EMPTY
    root = _object(read(text, relaxed=relaxed, within=str(path[0])), "the file")
    style = style_of(text, root, relaxed=relaxed)
    known = at(root, path)
    if known is not None:
        return text if known.value == value else _replaced(text, known, value, style)
    parent, missing = root, [str(step) for step in path]
    while len(missing) > 1 and (step := parent.member(missing[0])) is not None:
        parent = _object(step.node, missing.pop(0))
    for key in reversed(missing[1:]):
        value = {key: value}
    return _added(text, parent, missing[0], value, style)


def append(text: str, path: Sequence[str], value: Any, *, relaxed: bool) -> str:
    """Return *text* with an element at the end of the array at *path*."""
    if text.strip():
        root = read(text, relaxed=relaxed, within=str(path[0]))
        node = at(_object(root, "the file"), path)
        if node is not None:
            if not isinstance(node.value, list):
                raise HostFileError(f"{'.'.join(path)} is no array.")
            style = style_of(text, root, relaxed=relaxed)
            return _added(text, node, None, value, style)
    return put(text, path, [value], relaxed=relaxed)


def drop(text: str, path: Path, *, relaxed: bool) -> str:
    """Return *text* without the member or element at *path*; unchanged when it has none."""
    root = read(text, relaxed=relaxed, within=str(path[0]))
    parent = at(root, path[:-1])
    item = None if parent is None else _child(parent, path[-1])
    if parent is None or item is None:
        return text
    items = parent.items or []
    place = items.index(item)
    before = items[place - 1] if place else None
    return _dropped(text, parent, before, item, last=place == len(items) - 1)


def _dropped(
    text: str, parent: Node, before: Item | None, item: Item, *, last: bool
) -> str:
    """Take out an item with the comma behind it, or else the one before it."""
    begin = parent.start + 1
    if before is not None and before.comma is not None:
        begin = before.comma + 1
    # Comments between the member before and this one are somebody's: they stay.
    start = content_end(text, begin, item.start, relaxed=True)
    end = item.node.end if item.comma is None else item.comma + 1
    if (
        last
        and before is None
        and not text[end : parent.end - 1].strip()
        and start == begin
    ):
        # Alone: the space behind goes as well, nothing else stands there.
        end = parent.end - 1
    if start > begin and not re.match(r"[ \t]*\r?\n", text[end:]):
        # A comment up to the end of its line must not swallow what follows.
        start = item.start
    if last and item.comma is None and before is not None and before.comma is not None:
        return text[: before.comma] + text[begin:start] + text[end:]
    return text[:start] + text[end:]


def _child(node: Node, step: str | int) -> Item | None:
    if isinstance(step, str):
        return _object(node, f"what holds {step!r}").member(step)
    items = node.items or []
    return items[step] if step < len(items) else None


def _object(node: Node, name: str) -> Node:
    if not isinstance(node.value, dict):
        raise HostFileError(f"{name} is no JSON object.")
    return node


def _replaced(text: str, known: Node, value: Any, style: Style) -> str:
    there = text[known.start : known.end]
    inline = None if "\n" in there else " " if ": " in there else ""
    indent = _line_indent(text, known.start)
    return (
        text[: known.start]
        + style.written(value, indent, inline=inline)
        + text[known.end :]
    )


def _added(text: str, parent: Node, key: str | None, value: Any, style: Style) -> str:
    """Write one more member behind the last, or into an empty object or array."""
    items = parent.items or []
    inline = _inline(text, parent)
    lead = _line_indent(text, parent.start)
    indent = _indent_at(text, items[0].start) if items else None
    indent = lead + style.unit if indent is None else indent
    written = style.written(value, indent, inline=inline)
    if key is not None:
        written = (
            f"{json.dumps(key, ensure_ascii=False)}:{'' if inline == '' else ' '}{written}"
        )
    gap = inline if inline is not None else style.newline + indent
    if not items:
        return _first(text, parent, gap + written, style, lead)
    return _behind(text, items[-1], parent, gap + written, relaxed=style.relaxed)


def _first(text: str, parent: Node, written: str, style: Style, lead: str) -> str:
    """Write the first member of an empty object or array."""
    start = content_end(text, parent.start + 1, parent.end - 1, relaxed=style.relaxed)
    rest = text[start : parent.end - 1]
    tail = rest if "\n" in rest else style.newline + lead
    return text[:start] + written + tail + text[parent.end - 1 :]


def _behind(text: str, last: Item, parent: Node, written: str, *, relaxed: bool) -> str:
    """Write a member behind the *last* one; its comma stays a comma before the bracket."""
    if last.comma is not None:
        end = content_end(text, last.comma + 1, parent.end - 1, relaxed=relaxed)
        return text[:end] + written + "," + text[end:]
    end = content_end(text, last.node.end, parent.end - 1, relaxed=relaxed)
    kept = text[last.node.end : end]
    return text[: last.node.end] + "," + kept + written + text[end:]


def _inline(text: str, parent: Node) -> str | None:
    """Return what separates members on one line; None when each has a line of its own."""
    items = parent.items or []
    if not items or "\n" in text[parent.start : parent.end]:
        return None
    if len(items) > 1 and (comma := items[0].comma) is not None:
        return re.match(r"\s*", text[comma + 1 : items[1].start]).group()  # type: ignore[union-attr]
    first = items[0]
    return " " if first.key is None or ": " in text[first.start : first.node.end] else ""


def _indent_at(text: str, place: int) -> str | None:
    """Return what stands before *place* on its line when that is space alone."""
    lead = text[text.rfind("\n", 0, place) + 1 : place]
    return lead if "\n" in text[:place] and not lead.strip() else None


def _line_indent(text: str, place: int) -> str:
    """Return the space at the beginning of the line that *place* is on."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]
