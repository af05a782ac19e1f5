"""The tree of errors: codes, exit statuses, what each says."""

import re
from collections.abc import Iterator

import pytest

from shadowgraph import errors
from shadowgraph.errors import (
    CallerError,
    DamageError,
    ImportLineError,
    OperatorError,
    ShadowgraphError,
    nearest,
)


def _tree(
    root: type[ShadowgraphError] = ShadowgraphError,
) -> Iterator[type[ShadowgraphError]]:
    """Yield every class, each before what is below it."""
    yield root
    for child in root.__subclasses__():
        # One that never leaves its package is no part of the tree.
        if child.__module__ == errors.__name__:
            yield from _tree(child)


ALL = list(_tree())
every_class = pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)


def test_the_drawing_in_the_module_shows_the_tree() -> None:
    """Names and nesting, in the order of the source."""
    drawn = re.findall(r"^([│├└─ ]*)(\w+Error)$", errors.__doc__ or "", re.MULTILINE)
    depths = {name: len(lead) // 3 for lead, name in drawn}

    assert [cls.__name__ for cls in ALL] == [name for _, name in drawn]
    assert {cls.__name__: len(cls.__mro__) - 4 for cls in ALL} == depths


def test_every_code_is_used_once() -> None:
    """Callers branch on it."""
    codes = [cls.code for cls in ALL]

    assert len(codes) == len(set(codes))
    assert [] == [code for code in codes if not re.fullmatch(r"[a-z]+(-[a-z]+)*", code)]


@every_class
def test_the_exit_status_says_who_can_act(cls: type[ShadowgraphError]) -> None:
    """Two for the caller, three for the operator, four for damage."""
    kinds = {CallerError: 2, OperatorError: 3, DamageError: 4}
    expected = next((s for kind, s in kinds.items() if issubclass(cls, kind)), 1)

    assert expected == cls.exit_status


@every_class
def test_every_class_says_in_a_sentence_what_it_means(cls: type[ShadowgraphError]) -> None:
    """The reference page is made of these."""
    assert (cls.__doc__ or "").strip().endswith(".")


def test_a_text_is_code_sentence_and_next_step() -> None:
    """One line for a person or a model."""
    error = CallerError("It was wrong.", hint="Do this.")

    assert "caller-error: It was wrong. Do this." == error.text()
    assert "It was wrong." == str(error)


def test_a_hint_may_be_left_out_or_taken_away() -> None:
    """A class has a usual hint; a place that knows better replaces it."""
    usual = errors.LockedError("Busy.")
    without = errors.LockedError("Busy.", hint="")

    assert errors.LockedError.default_hint == usual.hint
    assert "locked: Busy." == without.text()


def test_details_are_copied() -> None:
    """What was raised cannot be changed afterwards."""
    given = {"id": "x"}
    error = CallerError("No.", details=given)
    given["id"] = "y"

    assert {"id": "x"} == error.details


def test_an_import_error_names_its_line() -> None:
    """In the sentence, in the details, and as an attribute."""
    error = ImportLineError("not JSON.", line=7_000)

    assert (7_000, {"line": 7_000}) == (error.line, error.details)
    assert error.message.startswith("line 7000: ")
    assert "Nothing was imported" in error.hint


def test_bugs_are_not_in_the_tree() -> None:
    """A caller that catches our errors does not hide a mistake of ours."""
    for cls in ALL:
        assert not issubclass(cls, ValueError | KeyError | RuntimeError | OSError)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("serach", ["search"]),
        ("SEARCH", ["search"]),
        ("projekts", ["projects"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_the_nearest_names_are_those_that_look_alike(
    word: str, expected: list[str]
) -> None:
    """Capitals do not count, and nothing is better than a wild guess."""
    assert expected == nearest(word, ["search", "projects", "context"])
