"""What `import shadowgraph` offers, written down.

A change here is a change for every program that uses the package: make it on purpose.
"""

import inspect
from pathlib import Path
from typing import Any

import pytest

import shadowgraph
from shadowgraph import Answer, Filter, Hit, Library

MODULES = {
    "checkout", "cli", "clock", "doctor", "errors", "exchange", "files", "foreign",
    "hooklog", "hosts", "ids", "installing", "intake", "library", "masking", "model",
    "operations", "rules", "search", "server", "settings", "store", "sync", "upstream",
    "verifier", "version",
}  # fmt: skip
SIGNATURES: dict[str, str] = {
    "__init__": "(self, home, *, clock=system_clock, background=False, definition=None,"
    " keep_secrets=False)",
    "close": "(self)",
    "nearby": "(self, action, owner, environment='', *, patience=2.0)",
    "now": "(self)",
    "reindex": "(self, progress=None)",
    "result_class": "(self, body)",
    "search": "(self, text, wanted=Filter(), *, limit=10, offset=0, environment='',"
    " patience=2.0)",
    "similar": "(self, text, owner, *, but=None)",
    "take_apart": "(self, answer)",
    "write": "(self)",
}
FIELDS: dict[type[Any], list[str]] = {
    Answer: [
        "hits", "total", "searched", "pending", "notices", "found", "snapshot", "suggestions",
    ],
    Filter: [
        "owner", "kinds", "statuses", "result_classes", "source_classes", "environment",
        "min_confidence", "since", "until",
    ],
    Hit: ["record", "rank", "explainer"],
}  # fmt: skip


def _signature(function: Any) -> str:
    """Return names and defaults, without types."""
    found = inspect.signature(function)
    bare = [
        p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()
    ]
    text = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    for name, value in found.parameters.items():
        if inspect.isfunction(value.default):
            text = text.replace(
                f"{name}={value.default!r}", f"{name}={value.default.__name__}"
            )
        elif isinstance(value.default, Filter):
            text = text.replace(repr(value.default), "Filter()")
    return text


def test_the_public_names_are_sorted_and_exist() -> None:
    """`__all__` is the list of the package."""
    assert sorted(shadowgraph.__all__) == shadowgraph.__all__
    assert [] == [name for name in shadowgraph.__all__ if not hasattr(shadowgraph, name)]


def test_nothing_but_the_public_names_is_visible() -> None:
    """Submodules aside, which Python puts there when they are imported."""
    visible = {name for name in dir(shadowgraph) if not name.startswith("_")}

    assert {n for n in shadowgraph.__all__ if not n.startswith("_")} == visible - MODULES


def test_the_public_names_are_these() -> None:
    """A snapshot."""
    assert [
        "Answer",
        "CallerError",
        "DamageError",
        "Filter",
        "Hit",
        "Library",
        "OperatorError",
        "ShadowgraphError",
        "__version__",
    ] == shadowgraph.__all__


def test_the_methods_of_a_library_are_these() -> None:
    """Names, order and defaults of their parameters."""
    found = {
        name: _signature(function)
        for name, function in inspect.getmembers(Library, inspect.isfunction)
        if not name.startswith("_") or name == "__init__"
    }

    assert SIGNATURES == found


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: str(cls.__name__))
def test_the_fields_of_a_value_are_these(cls: type[Any]) -> None:
    """Frozen, with slots, in this order."""
    assert FIELDS[cls] == list(cls.__dataclass_fields__)
    assert cls.__dataclass_params__.frozen


def test_every_public_object_is_documented() -> None:
    """`help(...)` says something."""
    objects = [vars(shadowgraph)[name] for name in shadowgraph.__all__ if name[0] != "_"]

    assert [] == [one.__name__ for one in objects if not inspect.getdoc(one)]


def test_the_package_says_that_it_is_typed() -> None:
    """Without the marker, type checkers ignore the annotations."""
    assert (Path(shadowgraph.__file__).parent / "py.typed").is_file()
