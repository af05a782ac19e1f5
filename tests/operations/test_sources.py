"""Sources: bound to the file as it was read, checked when they are read."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


@pytest.fixture
def module() -> Path:
    """Return a file of the checkout."""
    path = Path("app.py")
    path.write_text("limit = 5\n", encoding="utf-8")
    return path


def _status(ask: Ask) -> str:
    """Return the status of the only source."""
    (item,) = ask("source_status")["items"]
    return str(item["status"])


def _changes(library: Library) -> int:
    """Return how many changes the journal has."""
    with library.store.read() as selection:
        return selection.head().seq


def test_a_source_is_fresh_while_its_file_is_the_same(ask: Ask, module: Path) -> None:
    """Its time may be another; then it is read again and found the same."""
    ask("record_source", path="./app.py", summary="the limit is 5")
    os.utime(module, (1, 1))

    assert "fresh" == _status(ask)


def test_a_change_of_the_same_size_is_noticed(ask: Ask, module: Path) -> None:
    """By the digest."""
    ask("record_source", path="app.py", summary="the limit is 5")
    module.write_text("limit = 6\n", encoding="utf-8")
    os.utime(module, (1, 1))

    assert "changed" == _status(ask)


def test_a_source_whose_file_is_gone_is_missing_and_stays(ask: Ask, module: Path) -> None:
    """Staleness warns and hides nothing."""
    ask("record_source", path="app.py", summary="the limit is 5")
    module.unlink()

    assert "missing" == _status(ask)
    assert 1 == len(ask("search", query="limit", kind="source")["items"])


def test_filters_join(ask: Ask, module: Path) -> None:
    """Changed and missing together are either."""
    ask("record_source", path="app.py", summary="a")
    ask("record_source", path="README.md", summary="b")
    module.unlink()

    assert [] == ask("source_status", changed=True)["items"]
    shown = ask("source_status", changed=True, missing=True)
    assert ["app.py"] == [item["path"] for item in shown["items"]]
    assert {"fresh": 1, "missing": 1} == shown["counts"]


def test_the_same_again_writes_nothing(ask: Ask, module: Path, library: Library) -> None:
    """Nor does leaving out what was said of the same file."""
    ask("record_source", path=str(module.absolute()), summary="the limit is 5")
    written = _changes(library)

    again = ask("record_source", path="app.py")

    assert ("unchanged", "the limit is 5") == (again["recorded"], again["summary"])
    assert written == _changes(library)


def test_a_changed_file_needs_a_conclusion_drawn_anew(
    ask: Ask, refused: Refused, module: Path
) -> None:
    """The old one spoke of another text."""
    ask("record_source", path="app.py", summary="the limit is 5")
    module.write_text("limit = 60\n", encoding="utf-8")

    assert "changed" in refused("record_source", path="app.py").message
    assert "again" == ask("record_source", path="app.py", summary="60")["recorded"]
    assert "fresh" == _status(ask)


@pytest.mark.parametrize(
    "path", ["../x", "/etc/passwd", "no.py", ".git/config", "a\\b", "."]
)
def test_only_a_file_of_the_checkout_can_be_a_source(path: str, refused: Refused) -> None:
    """Nothing outside is opened."""
    assert isinstance(refused("record_source", path=path, summary="x"), InvalidInputError)


def test_a_link_that_leads_out_of_the_checkout_is_not_followed(
    refused: Refused, tmp_path: Path
) -> None:
    """It is no file of the checkout."""
    (tmp_path / "outside.txt").write_text("secret", encoding="utf-8")
    Path("inside.txt").symlink_to(tmp_path / "outside.txt")

    assert "no file inside" in refused("record_source", path="inside.txt").message
