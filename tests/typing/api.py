"""Calls that a type checker must accept, and the types it must see.

Never run: `mypy --strict` reads it as a program that uses the package.
"""

from pathlib import Path
from typing import Any, assert_type

from shadowgraph import (
    Answer,
    CallerError,
    DamageError,
    Filter,
    Hit,
    Library,
    OperatorError,
    ShadowgraphError,
    __version__,
)
from shadowgraph.operations import Caller, invoke


def read(home: Path) -> list[str]:
    """Search, with and without a filter."""
    with Library(home) as library:
        assert_type(library, Library)
        answer = library.search("database is locked")
        assert_type(answer, Answer)
        wanted = Filter(owner="project:acme/shop", kinds=("attempt",), since=0)
        narrow = library.search("", wanted, limit=5, offset=5, environment="SQLite 3.45")
        assert_type(narrow.total, int)
        assert_type(narrow.notices, tuple[str, ...])
        hits: tuple[Hit, ...] = (*answer.hits, *narrow.hits)
        return [describe(hit) for hit in hits]


def describe(hit: Hit) -> str:
    """Read what a hit says about itself."""
    assert_type(hit.rank.score, float)
    assert_type(hit.record.id, str)
    return f"{hit.record.id}: {hit.why.sentence()}"


def write(home: Path) -> dict[str, Any]:
    """Record through an operation, as a client would."""
    library = Library(home, background=True)
    try:
        arguments = {"solution": "s", "result": "r"}
        return invoke(library, "shadowgraph_record_attempt", arguments, Caller("acme/shop"))
    finally:
        library.close()


def react(error: ShadowgraphError) -> str:
    """Branch on the classes."""
    assert_type(error.details, dict[str, object])
    match error:
        case CallerError():
            return error.hint
        case OperatorError() | DamageError():
            return error.text()
        case _:
            return f"{error.code} in {__version__}"
