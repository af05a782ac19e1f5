"""shadowgraph_import: a file that the server can read, with a report for the caller."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


def test_a_store_is_imported_and_reported(
    ask: Ask, library: Library, fixtures: Path
) -> None:
    """The form is read from the content."""
    path = fixtures / "stores" / "upstream-v5" / "data.sqlite"
    reply = ask("import", path=str(path))

    assert ("SQLite tables", 5, 13) == (
        reply["form"], reply["fileSchema"], reply["imported"],
    )  # fmt: skip
    assert 13 == sum(library.store.counts().values())


def test_json_lines_are_imported_too(ask: Ask, fixtures: Path) -> None:
    """One verb for every file."""
    reply = ask("import", path=str(fixtures / "tiny" / "records.jsonl"))

    assert ("JSON Lines", 12) == (reply["form"], reply["imported"])
    assert {"acme/billing-api": 10, "acme/web-shop": 2} == reply["projects"]


def test_a_dry_run_stores_nothing(ask: Ask, library: Library, fixtures: Path) -> None:
    """It is the call to make first."""
    path = str(fixtures / "stores" / "upstream-v7" / "data.json")
    dry = ask("import", path=path, dryRun=True)

    assert {} == library.store.counts()
    assert {**ask("import", path=path), "dryRun": True} == dry


def test_records_without_a_project_go_to_the_session(ask: Ask, tmp_path: Path) -> None:
    """Or to the one that is named."""
    made = {"solution": "s", "result": "r", "kind": "attempt"}
    path = tmp_path / "old.json"
    path.write_text(json.dumps([{**made, "id": "a"}]), encoding="utf-8")
    session = ask("import", path=str(path))
    path.write_text(json.dumps([{**made, "id": "b"}]), encoding="utf-8")
    named = ask("import", path=str(path), project="acme/old")

    assert "acme/billing-api" == session["withoutProject"]
    assert {"acme/old": 1} == named["projects"]


def test_keep_and_replace_decide_about_known_ids(
    ask: Ask, refused: Refused, tmp_path: Path
) -> None:
    """Without one of them a difference is a conflict."""
    made = {"id": "a", "kind": "attempt", "solution": "s", "result": "r", "project": "p"}
    path = tmp_path / "store.json"
    path.write_text(json.dumps([made]), encoding="utf-8")
    ask("import", path=str(path))
    path.write_text(json.dumps([{**made, "result": "other"}]), encoding="utf-8")

    assert "conflict" == refused("import", path=str(path)).code
    assert 1 == ask("import", path=str(path), keep=True)["left"]
    assert 1 == ask("import", path=str(path), replace=True)["replaced"]


def test_what_is_no_file_is_refused(refused: Refused, tmp_path: Path) -> None:
    """A directory, a name of nothing, a pipe that would never end."""
    pipe = tmp_path / "pipe"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)

    for path in (tmp_path, tmp_path / "none", pipe, Path("~/no-such-file")):
        assert "invalid-input" == refused("import", path=str(path)).code


@pytest.mark.parametrize("text", ["secret-word {", '{\n"secret-word": 1}'])
def test_a_refusal_repeats_no_text_of_a_file_that_is_no_store(
    refused: Refused, tmp_path: Path, text: str
) -> None:
    """The path may have been a mistake; member names of an object are shown."""
    path = tmp_path / "other"
    path.write_text(text.replace("1", '"hidden-value"'), encoding="utf-8")

    assert "hidden-value" not in refused("import", path=str(path)).text()
