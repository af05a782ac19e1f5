"""Limits of caller text, and the cleaning it gets before it is stored.

A NUL cuts a string short in SQL and a lone surrogate cannot be written as UTF-8, so both
are taken out and the reply says so. Everything else a caller writes is kept as it came:
what is dangerous to *show* is the renderers' affair, not the store's.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

FIELD_BYTES = 256 * 1024
"Most bytes of UTF-8 that one text field may have."
KEY_CHARACTERS = 200
"Most characters of an idempotency key, a project name or an id."
NESTING = 32
"How deep a JSON value may be nested."

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> tuple[str, int]:
    r"""Return *text* without NUL and lone surrogates, and how many went.

    >>> clean("a\x00b")
    ('ab', 1)
    """
    if text.isascii() and "\x00" not in text:
        return text, 0
    return _UNSTORABLE.subn("", text)


def clean_json(value: Any, path: str = "", depth: int = 0) -> tuple[Any, dict[str, int]]:
    """Clean every string in a JSON *value*, keys included.

    Returns the value and, per field path, how many characters were taken out.

    Raises:
        ValueError: the value is nested deeper than `NESTING`.

    >>> clean_json({"a": ["x", "y"]})
    ({'a': ['x', 'y']}, {})
    """
    if depth > NESTING:
        raise ValueError(f"{path or 'the value'} is nested deeper than {NESTING} levels")
    if isinstance(value, str):
        text, removed = clean(value)
        return text, ({path: removed} if removed else {})
    removed_at: dict[str, int] = {}
    if isinstance(value, Mapping):
        cleaned: dict[str, Any] = {}
        for key, item in value.items():
            name = clean(str(key))[0]
            inner = f"{path}.{name}" if path else name
            cleaned[name], gone = clean_json(item, inner, depth + 1)
            removed_at |= gone
        return cleaned, removed_at
    if isinstance(value, list | tuple):
        items = []
        for position, item in enumerate(value):
            fresh, gone = clean_json(item, f"{path}[{position}]", depth + 1)
            items.append(fresh)
            removed_at |= gone
        return items, removed_at
    return value, removed_at


def oversized(value: Any, path: str = "") -> tuple[str, int] | None:
    """Return path and bytes of the first text in *value* above `FIELD_BYTES`.

    >>> oversized({"a": "short"}) is None
    True
    """
    if isinstance(value, str):
        # UTF-8 has at most four bytes a character: only long texts are encoded.
        if len(value) * 4 <= FIELD_BYTES:
            return None
        size = len(value.encode("utf-8", "surrogatepass"))
        return (path, size) if size > FIELD_BYTES else None
    children: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        children = [(f"{path}.{k}" if path else str(k), v) for k, v in value.items()]
    elif isinstance(value, list | tuple):
        children = [(f"{path}[{i}]", v) for i, v in enumerate(value)]
    for inner, item in children:
        found = oversized(item, inner)
        if found:
            return found
    return None


def load_json(text: str) -> Any:
    """Return the value that *text* writes, by the letter of JSON.

    Python reads `NaN` as a number and `1e999` as infinity; neither can be written as JSON
    again, so both are refused here, before they reach a body.

    Raises:
        ValueError: it is not JSON, or nested so deeply that it cannot be read.

    >>> load_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("the value is nested too deeply.") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is larger than any number that can be stored.")
    return number
