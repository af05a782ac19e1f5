"""Importing made-up stores, and looking at what became of them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.upstream.stores import data_of

from shadowgraph import Library
from shadowgraph.exchange import export_lines
from shadowgraph.upstream import Report, import_file

Take = Callable[..., Report]
Held = Callable[[], dict[str, dict[str, Any]]]


@pytest.fixture
def take(library: Library) -> Take:
    """Return a function that imports a JSON value as a file."""

    def run(value: Any, **options: Any) -> Report:
        data = value if isinstance(value, bytes) else data_of(value)
        return import_file(library, data, None, **options)

    return run


@pytest.fixture
def held(library: Library) -> Held:
    """Return a function that gives every stored body by id."""

    def bodies() -> dict[str, dict[str, Any]]:
        return everything(library)

    return bodies


def everything(library: Library) -> dict[str, dict[str, Any]]:
    """Return every stored body by id."""
    return {body["id"]: body for body in map(json.loads, export_lines(library))}
