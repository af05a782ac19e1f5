"""Whether what a record says of files still speaks of the files that are there.

A record may name files: a source names one, any other a list `files` of paths or of files
as they were measured. A file is *fresh* when it is, byte for byte, what was measured;
*changed* or *missing* when it is not; *unknown* when it was never measured. The invariant:
staleness warns and demotes, it never hides a record; and a fresh file proves only that the
file is the same, not that the conclusion was right.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.files import Files, Measured
from shadowgraph.rules.paths import relative

STALE = frozenset({"changed", "missing"})
MOST_FILES = 50
"Files of one record that are looked at."
DEMOTION = 0.8
"Factor on the score of a hit whose files are not what they were."


def bound(where: Files, named: Iterable[str]) -> list[dict[str, Any]]:
    """Return files as records keep them: measured where they are there, else the path.

    Raises:
        InvalidInputError: a path leads out of the checkout.
    """
    kept: dict[str, dict[str, Any]] = {}
    for text in named:
        path = where.named(text)
        try:
            found: Measured | None = where.measure(path)
        except InvalidInputError:
            # A file that is to be written, or was deleted, may be named.
            found = None
        kept[path] = found.as_json() if found else {"path": path}
    return list(kept.values())


def files_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the files that a record names, each with its path at least."""
    if body.get("kind") == "source":
        return [body] if isinstance(body.get("path"), str) else []
    named = body.get("files")
    if not isinstance(named, list):
        return []
    files: list[Mapping[str, Any]] = []
    for one in named[:MOST_FILES]:
        if isinstance(one, str):
            files.append({"path": one})
        elif isinstance(one, Mapping) and isinstance(one.get("path"), str):
            files.append(one)
    return files


def states(where: Files, body: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return path and state of every file that a record names."""
    return [
        {"path": _shown(str(file["path"])), "status": where.state(file)}
        for file in files_of(body)
    ]


def worst(found: Sequence[Mapping[str, str]]) -> str | None:
    """Return the state that a record is shown with; None when it names no file.

    >>> worst([{"status": "fresh"}, {"status": "missing"}]), worst([])
    ('missing', None)
    """
    held = {one["status"] for one in found}
    return next((s for s in ("missing", "changed", "unknown", "fresh") if s in held), None)


def _shown(path: str) -> str:
    try:
        return relative(path)
    except InvalidInputError:
        return path[:200]
