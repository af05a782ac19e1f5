"""Edits of a TOML text that leave every other byte as it is.

One table is put at the end of the text, replaced, or dropped, with the tables below it.
The tables of a text are found by their header lines; lines inside of texts and arrays that
go over several lines are none. Whatever was done is read again with `tomllib` and compared,
so that a form this module does not know ends in a refusal and never in a changed meaning.

Invariant: the value of the result is the old one with that one table set or gone.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph.errors import HostFileError

_HEADER = re.compile(r"[ \t]*\[(?P<name>[^\[\]\r\n]+)\][ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)")
_ANY_HEADER = re.compile(r"[ \t]*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONG = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}', re.DOTALL)
_SHORT = re.compile(r'"(?:\\.|[^"\\\r\n])*"|\'[^\'\r\n]*\'')
_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of one table: from its header to the end of its last line."""

    name: tuple[str, ...]
    start: int
    end: int


def values(text: str) -> dict[str, Any]:
    """Return what a TOML text says.

    Raises:
        HostFileError: it is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise HostFileError(f"it is no TOML: {error}.") from error


def at(read: dict[str, Any], path: Sequence[str]) -> Any:
    """Return what stands at *path*; None when nothing does."""
    value: Any = read
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def put(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
    """Return *text* with the table at *path* set; a known one keeps its place.

    Raises:
        HostFileError: it is not TOML, or the table is written in another form.
    """
    before = values(text)
    if at(before, path) == value:
        return text
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    written = newline.join(_lines(path, value))
    known = _tables(text, path)
    if known:
        made = text
        for table in reversed(known[1:]):
            made = _without(made, table)
        made = made[: known[0].start] + written + made[known[0].end :]
    else:
        made = text + _gap(text, newline) + written + newline
    return _checked(before, made, path, value)


def drop(text: str, path: Sequence[str]) -> str:
    """Return *text* without the table at *path* and what is below it.

    Raises:
        HostFileError: it is not TOML, or the table is written in another form.
    """
    before = values(text)
    if at(before, path) is None:
        return text
    made = text
    for table in reversed(_tables(text, path)):
        made = _without(made, table)
    return _checked(before, made, path, None)


def _checked(
    before: dict[str, Any], made: str, path: Sequence[str], value: dict[str, Any] | None
) -> str:
    """Return *made* when it says what is meant and all that was said before.

    Raises:
        HostFileError: it says something else.
    """
    try:
        after = tomllib.loads(made)
    except tomllib.TOMLDecodeError:
        after = None
    # As texts: a number that is none (`nan`) is unequal to itself.
    if (
        after is None
        or at(after, path) != value
        or repr(_with(before, path, value)) != repr(_with(after, path, value))
    ):
        raise HostFileError(f"{'.'.join(path)} stands there in a form only you can edit.")
    return made


def _with(read: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return a copy with *value* at *path*, and without it when it is None."""
    key, *rest = path
    below = read.get(key)
    inner: Any = value
    if rest:
        inner = _with(below if isinstance(below, dict) else {}, rest, value) or None
    others = {name: one for name, one in read.items() if name != key}
    return others if inner is None else {**others, key: inner}


def _lines(path: Sequence[str], value: dict[str, Any]) -> Iterator[str]:
    """Yield a table line by line; tables in it follow as tables of their own."""
    yield f"[{'.'.join(map(_key, path))}]"
    for key, one in value.items():
        if not isinstance(one, dict):
            yield f"{_key(key)} = {_plain(one)}"
    for key, one in value.items():
        if isinstance(one, dict):
            yield ""
            yield from _lines([*path, key], one)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, str):
        # The escapes of JSON are TOML's, but for DEL, which only TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _gap(text: str, newline: str) -> str:
    """Return what parts a new table from the text before it: one empty line."""
    if not text.strip():
        return ""
    ended = "" if text.endswith("\n") else newline
    return ended if re.search(r"\n[ \t]*\r?\n\Z", text) else ended + newline


def _without(text: str, table: Table) -> str:
    """Take a table out, with the empty line before it."""
    start, end = table.start, table.end
    found = re.match(r"\r?\n", text[end:])
    end += found.end() if found else 0
    empty = re.search(r"(?:(?<=\n)|\A)[ \t]*\r?\n\Z", text[:start])
    if empty is not None:
        start = empty.start()
    return text[:start] + text[end:]


def _tables(text: str, path: Sequence[str]) -> list[Table]:
    """Return the tables at *path* and below it, in order."""
    wanted = tuple(path)
    return [one for one in _all_tables(text) if one.name[: len(wanted)] == wanted]


def _all_tables(text: str) -> Iterator[Table]:
    """Yield every table, its end behind its last line that is neither empty nor a comment."""
    name: tuple[str, ...] | None = None
    start = end = 0
    for place, line_end, header in _logical_lines(text):
        if header is not None:
            if name is not None:
                yield Table(name, start, end)
            name, start, end = header, place, line_end
        elif text[place:line_end].strip() and not text[place:line_end].lstrip().startswith(
            "#"
        ):
            end = line_end
    if name is not None:
        yield Table(name, start, end)


def _logical_lines(text: str) -> Iterator[tuple[int, int, tuple[str, ...] | None]]:
    """Yield every line with its end; one whose value goes over several lines is one."""
    place = 0
    while place < len(text):
        found = _HEADER.match(text, place)
        if found is not None:
            end, header = found.end(), _name(found["name"])
        elif _ANY_HEADER.match(text, place):
            # An array of tables: a table of another kind, which ends the one before.
            end, header = _line_end(text, place), ("",)
        else:
            end, header = _line_end(text, place), None
        yield place, end, header
        rest = re.match(r"\r?\n", text[end:])
        place = end + (rest.end() if rest else 1)


def _line_end(text: str, place: int) -> int:
    """Return where a line ends, with texts and brackets closed."""
    depth = 0
    while place < len(text):
        for pattern in (_LONG, _SHORT, _COMMENT):
            found = pattern.match(text, place)
            if found is not None:
                place = found.end()
                break
        else:
            sign = text[place]
            depth += (sign in "[{") - (sign in "]}")
            if sign == "\n" and depth <= 0:
                return place - (text[place - 1 : place] == "\r")
            place += 1
    return place


def _name(written: str) -> tuple[str, ...]:
    """Return the keys of a header, quotes taken off."""
    read: Any = tomllib.loads(f"[{written}]")
    keys = []
    while isinstance(read, dict) and read:
        key = next(iter(read))
        keys.append(key)
        read = read[key]
    return tuple(keys)
