"""Masking the credentials of a record, or of the arguments of a write, before it is stored.

It walks a JSON value and masks every text in it, keys of objects excepted. A member whose
name is that of a credential (`{"password": ...}`), and the value of a pair that names one
(`{"key": "db.password", "value": ...}`), is masked whole. What identifies is left as it is:
ids, retry keys, projects and paths, because two records must not become one.

The invariant: the same value gives the same masked value, and a masked value is not changed
again, so that a retry and a second import find what the first one stored. What a secret is,
`rules.secrets` says with the shapes of `secrets.toml`, which are read once, at the first
write.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from shadowgraph.rules.secrets import Counts, Shapes

SHAPES_FILE: Final = Path(__file__).with_name("secrets.toml")
IDENTIFYING: Final = frozenset(
    {
        "id", "ids", "kind", "status", "from", "to", "project", "originId", "path",
        "destination", "source", "evidencePath", "idempotencyKey", "collection", "digest",
        "supersededBy", "supersedes", "sourceClass", "resultClass", "schemaVersion",
        "erasureToken",
    }
)  # fmt: skip
"Members, of a record and of a call, whose texts are never changed."
_PAIRS: Final = (("key", "value"), ("name", "value"), ("key", "text"))
"Members of an object of which the first may name a credential and the second be it."


@lru_cache(maxsize=1)
def packaged() -> Shapes:
    """Return the shapes that the package brings."""
    return Shapes.read(tomllib.loads(SHAPES_FILE.read_text(encoding="utf-8")))


def mask_json(value: Any, shapes: Shapes | None = None) -> tuple[Any, Counts]:
    """Return *value* with every secret masked, and how many there were by kind.

    >>> mask_json({"id": "a", "result": "DB_PASSWORD=tr0ub4dor was refused"})
    ({'id': 'a', 'result': 'DB_PASSWORD=[secret:password] was refused'}, {'password': 1})
    """
    known = shapes or packaged()
    texts: list[str] = []
    _gather(value, texts)
    # One search for markers serves all texts; nearly every record ends here.
    if not known.may_hold("\n".join(texts)):
        return value, {}
    walk = _Walk(known)
    made = walk.of(value)
    return made, dict(sorted(walk.counts.items()))


def masked(text: str) -> str:
    """Return a text with every secret masked.

    >>> masked("DB_PASSWORD=tr0ub4dor was refused")
    'DB_PASSWORD=[secret:password] was refused'
    """
    return str(mask_json(text)[0])


def _gather(value: Any, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            texts.append(name)
            _gather(item, texts)
    elif isinstance(value, list | tuple):
        for item in value:
            _gather(item, texts)


class _Walk:
    """Walks one JSON value and counts what it masks."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self.counts: Counter[str] = Counter()

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            text, counts = self._shapes.mask(value)
            self.counts.update(counts)
            return text
        if isinstance(value, Mapping):
            return self._object(value)
        if isinstance(value, list | tuple):
            return [self.of(item) for item in value]
        return value

    def _object(self, value: Mapping[str, Any]) -> dict[str, Any]:
        named = {
            second: value[first]
            for first, second in _PAIRS
            if isinstance(value.get(first), str)
        }
        return {
            name: item
            if name in IDENTIFYING
            else self._member(str(named.get(name, name)), item)
            for name, item in value.items()
        }

    def _member(self, name: str, item: Any) -> Any:
        """Return a member called *name*, masked whole when that names a credential."""
        if isinstance(item, str):
            text = self.of(item)
            kind = self._shapes.is_secret(name, item)
            if kind is None or text != item:
                return text
            self.counts[kind] += 1
            return f"[secret:{kind}]"
        return self.of(item)
