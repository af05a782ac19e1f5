"""The argument `root`: which directory tree a call about files means.

A call may name the root of a checkout; else it is the one around the directory its session
works in, and without git that directory itself.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from shadowgraph.errors import InvalidInputError
from shadowgraph.files import Files
from shadowgraph.model.scope import Scope
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.freshness import tree_around
from shadowgraph.operations.tasking import Standing, stand

Root = Annotated[
    str | None,
    Field(description="Checkout, absolute; else the session's."),
]


def stand_in(
    caller: Caller, scope: Scope, root: str | None, session_id: str | None
) -> Standing:
    """Return where a call comes from: the checkout that *root* names, else the session's."""
    origin = caller.origin(None, None, session_id)
    return stand(scope, Path(root).expanduser() if root else caller.directory, origin)


def files_at(root: str | None, caller: Caller) -> Files:
    """Return the checkout that *root* names, or the one around where the caller works.

    Raises:
        InvalidInputError: the root is not absolute, or no directory; or nothing names one.
    """
    if root is not None:
        path = Path(root).expanduser()
        if not path.is_absolute() or not path.is_dir():
            raise InvalidInputError(
                f"root {root!r} must be the absolute path of a directory that is there."
            )
        return Files(path)
    here = caller.directory or _working_directory()
    if here == Path(here.anchor):
        raise InvalidInputError(
            "This session works in the root of the file system, which is no checkout.",
            hint="Give root, the absolute path of the checkout.",
        )
    return tree_around(here)


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise InvalidInputError(
            "The directory this session works in is gone.",
            hint="Give root, the absolute path of the checkout.",
        ) from error
