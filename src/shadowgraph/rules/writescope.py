"""Where a task may write: prefix paths within a checkout.

A prefix is a path relative to the root of a checkout, with `/` between its parts; a
directory covers what is below it and `.` the whole checkout. There are no patterns. The
rules are lexical: no file is looked at, no case folded. The invariant: what `prefix`
returns stays inside the checkout.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from shadowgraph.errors import InvalidInputError

WHOLE: Final = "."
"The prefix that covers the whole checkout."
_PATTERN: Final = ("*", "?")


def prefix(path: str, root: str | None = None) -> str:
    """Return *path* as a prefix; an absolute one must lie below *root*.

    >>> prefix("./src//api/"), prefix("/repo/src", "/repo"), prefix(".")
    ('src/api', 'src', '.')

    Raises:
        InvalidInputError: it leaves the checkout, or is a pattern.
    """
    text = path.strip().replace("\\", "/")
    if any(character in text for character in _PATTERN):
        raise InvalidInputError(
            f"{path!r} is a pattern; a write scope holds prefix paths.",
            hint="Name the directory; it includes everything below it.",
        )
    if PureWindowsPath(text).drive or PurePosixPath(text).is_absolute():
        text = _below(path, text, root)
    parts = [part for part in PurePosixPath(text).parts if part != "."]
    if ".." in parts:
        raise _outside(path)
    return "/".join(parts) or WHOLE


def _below(path: str, text: str, root: str | None) -> str:
    """Return an absolute path relative to *root*."""
    held = PurePosixPath(root.replace("\\", "/")) if root else None
    if held is None or not PurePosixPath(text).is_relative_to(held):
        raise _outside(path)
    return str(PurePosixPath(text).relative_to(held))


def _outside(path: str) -> InvalidInputError:
    return InvalidInputError(
        f"{path!r} is outside the checkout.",
        hint="Give a path relative to the root of the checkout.",
    )


def prefixes(paths: Iterable[str], root: str | None = None) -> list[str]:
    """Return several paths as prefixes, blank ones left out."""
    return [prefix(path, root) for path in paths if path.strip()]


def covers(scope: Sequence[str], path: str) -> bool:
    """Say whether a *path* lies in a scope.

    >>> covers(["src/api"], "src/api/v1.py"), covers(["src/api"], "src/apis.py")
    (True, False)
    """
    return any(
        one in (WHOLE, path) or path.startswith(f"{one.rstrip('/')}/") for one in scope
    )


def overlap(one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether two scopes have a path in common.

    >>> overlap(["src"], ["src/api", "docs"]), overlap(["a"], ["b"])
    (True, False)
    """
    return (WHOLE in one and bool(other)) or any(
        covers(one, path) or covers(other, mine) or path == WHOLE
        for path in other
        for mine in one
    )
