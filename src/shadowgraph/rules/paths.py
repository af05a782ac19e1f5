"""Paths inside a checkout, as records and bundles write them.

A path is relative, with `/` between its parts, and cannot lead out: no `..`, no drive, no
root, no control character. Whether it exists, and what a link makes of it, is the affair of
who opens it. The invariant: two spellings of one path are one text.
"""

import re
from typing import Final

from shadowgraph.errors import InvalidInputError

MOST_CHARACTERS: Final = 1_000
_ROOTED: Final = re.compile(r"/|[A-Za-z]:")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def relative(text: str, name: str = "path") -> str:
    """Return *text* as a path inside a checkout.

    >>> relative("./src//app.py"), relative(".")
    ('src/app.py', '.')

    Raises:
        InvalidInputError: it leads out of the checkout, or is no path.
    """
    parts = [part for part in text.strip().split("/") if part not in ("", ".")]
    problem = _problem(text, parts)
    if problem:
        raise InvalidInputError(
            f"{name} {text[:80]!r} {problem}.",
            hint="Write it relative to the checkout, such as src/app.py.",
        )
    return "/".join(parts) or "."


def _problem(text: str, parts: list[str]) -> str:
    """Say what keeps *text* from being a path inside a checkout; empty when nothing."""
    bare = text.strip()
    faults = (
        (not bare, "is empty"),
        (len(text) > MOST_CHARACTERS, f"has more than {MOST_CHARACTERS} characters"),
        (_CONTROL.search(text), "holds a control character"),
        (_ROOTED.match(bare) or "\\" in text, "is not relative, with / between its parts"),
        (".." in parts, "leads out of the checkout"),
        ([part.lower() for part in parts[:1]] == [".git"], "is git's own"),
    )
    return next((problem for is_fault, problem in faults if is_fault), "")
