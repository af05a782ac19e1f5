"""Whether what a record says of files still speaks of the files that are there.

A record may name files: a source names one, any other a list `files` of paths or of files
as they were measured. A file is *fresh* when it is, byte for byte, what was measured;
*changed* or *missing* when it is not; *unknown* when it was never measured. The invariant:
staleness warns and demotes, it never hides a record; and a fresh file proves only that the
file is the same, not that the conclusion was right.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shadowgraph.errors import InvalidInputError
from shadowgraph.files import Files, Measured
from shadowgraph.operations.caller import Caller
from shadowgraph.rules.passport import items
from shadowgraph.rules.paths import relative

STALE = frozenset({"changed", "missing"})
MOST_FILES = 50
"Files of one record that are looked at."
DEMOTION = 0.8
"Factor on the score of a hit whose files are not what they were."


def files_of_session(caller: Caller) -> Files | None:
    """Return the files around where the caller works; None when it works nowhere."""
    here = caller.directory
    if here is None or here == Path(here.anchor) or not here.is_dir():
        return None
    return tree_around(here)


def tree_around(directory: Path) -> Files:
    """Return the files of the checkout around *directory*, or its own without one."""
    roots = (one for one in (directory, *directory.parents) if (one / ".git").exists())
    return Files(next(roots, directory))


def states_here(
    bodies: Iterable[Mapping[str, Any]], caller: Caller
) -> list[list[dict[str, str]]]:
    """Return path and state of the files of each record; none where nothing can be told.

    Records of another project speak of another checkout, so theirs are not looked for here.
    """
    held = list(bodies)
    where = files_of_session(caller) if any(map(files_of, held)) else None
    if where is None:
        return [[] for _ in held]
    project = caller.scope(None).project
    return [states(where, one) if one.get("project") == project else [] for one in held]


def kept(named: Sequence[str], where: Files | None) -> list[dict[str, Any]]:
    """Return files as records keep them, each once; unmeasured without a checkout.

    Raises:
        InvalidInputError: a path leads out of the checkout.
    """
    paths = items(named)
    if where is None:
        return [{"path": path} for path in dict.fromkeys(map(relative, paths))]
    return bound(where, paths)


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


def told(states: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return what a reply says of the files of one record; nothing when it names none.

    >>> told([{"path": "a", "status": "changed"}])["freshness"]
    'changed'
    """
    return {"freshness": worst(states), "fileStates": list(states)} if states else {}


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
