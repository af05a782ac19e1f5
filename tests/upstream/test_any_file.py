"""Whatever a file holds: it is imported whole, or refused by an error of ours."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.upstream.conftest import everything
from tests.upstream.stores import SCHEMAS, data_of, public, redacted, store

from shadowgraph import Library, ShadowgraphError
from shadowgraph.upstream import export_envelope, import_file

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=32) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
).filter(lambda value: "Infinity" not in json.dumps(value))
NAMES = st.sampled_from(
    [
        "records", "facts", "relations", "reviewSignals", "idempotency", "events",
        "journal", "beside", "exportKind", "kind", "schemaVersion", "other",
    ]
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside *value*."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [
        place for key, one in inner for place in [(*path, key), *_places(one, (*path, key))]
    ]


def _put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    """Replace what stands at *path*."""
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = new


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """Return a store in which some values, at any depth, were replaced by others."""
    make = draw(st.sampled_from([store, store, public, redacted]))
    made = copy.deepcopy(make(draw(st.sampled_from(SCHEMAS))))
    for _ in range(draw(st.integers(1, 4))):
        _put(made, draw(st.sampled_from(_places(made))), draw(JSON))
    return made


@given(made=spoilt() | st.dictionaries(NAMES, JSON, max_size=4) | st.lists(JSON))
@settings(max_examples=100)
def test_any_file_is_imported_whole_or_refused(
    tmp_path_factory: pytest.TempPathFactory, made: Any
) -> None:
    """No traceback, nothing half, nothing lost, and twice is once."""
    with Library(tmp_path_factory.mktemp("any")) as library:
        data = data_of(made)
        try:
            report = import_file(library, data, None)
        except ShadowgraphError as error:
            assert error.message  # noqa: PT017 - either answer is right
            assert {} == everything(library)
            return
        again = import_file(library, data, None)

        aside = sum(
            n.count for n in report.notes.values() if "twice" in n.what or "left" in n.what
        )
        assert report.read - aside == report.imported == len(everything(library))
        assert (0, 0) == (again.imported, again.replaced)
        assert library.search("").pending == 0


@given(made=spoilt())
@settings(max_examples=60)
def test_what_any_file_brought_survives_export_and_import(
    tmp_path_factory: pytest.TempPathFactory, made: Any
) -> None:
    """However strange: what could be stored can leave and come back."""
    home = tmp_path_factory.mktemp("any")
    with Library(home / "one") as library, Library(home / "other") as other:
        try:
            import_file(library, data_of(made), None)
        except ShadowgraphError:
            return
        import_file(other, export_envelope(library)[0].encode(), None)

        assert everything(library) == everything(other)


@given(data=st.binary(max_size=200))
@settings(max_examples=100)
def test_any_bytes_are_refused_or_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """A picture, a piece of a file, noise."""
    with Library(tmp_path_factory.mktemp("any")) as library:
        try:
            report = import_file(library, data, None)
        except ShadowgraphError as error:
            assert error.hint  # noqa: PT017 - either answer is right
        else:
            assert report.imported == len(everything(library))
