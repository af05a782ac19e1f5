"""Backup and restore as a client calls them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import BackupInvalidError, CallerError, InvalidInputError

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]


@pytest.mark.usefixtures("tiny_library")
def test_a_backup_and_its_restore_say_what_they_did(ask: Ask, tmp_path: Path) -> None:
    """Files, counts, and where the replaced store is."""
    file = str(tmp_path / "x.backup")
    made = ask("backup", destination=file)
    ask("record_attempt", solution="afterwards", result="x")
    done = ask("restore", source=file)

    assert file == made["destination"]
    assert {"attempt": 7, "decision": 3, "fact": 2} == made["manifest"]["counts"]
    assert (True, 12, "none", 0) == (
        done["replaced"],
        done["records"],
        done["deletionKnowledge"],
        done["reapplied"],
    )
    with Library(Path(done["retainedArtifacts"][0])) as kept:
        assert 13 == sum(kept.store.counts().values())
    assert 12 == ask("stats")["index"]["documents"]
    assert ask("doctor")["ok"]


@pytest.mark.usefixtures("tiny_library")
def test_a_bare_name_is_a_file_beside_the_home(ask: Ask, library: Library) -> None:
    """Wherever the server was started."""
    made = ask("backup", destination="x.backup")

    assert library.home.parent / "x.backup" == Path(made["destination"])
    assert 12 == ask("restore", source="x.backup", memoryOnly=True)["records"]


@pytest.mark.usefixtures("tiny_library")
def test_a_check_alone_replaces_nothing(ask: Ask, library: Library) -> None:
    """And keeps nothing."""
    ask("backup", destination="x.backup")
    before = library.store.revision()
    done = ask("restore", source="x.backup", memoryOnly=True)

    assert (False, []) == (done["replaced"], done["retainedArtifacts"])
    assert before == library.store.revision()


@pytest.mark.parametrize("path", ["some/where.backup", "../x", "..", "."])
def test_a_relative_path_is_refused(path: str, refused: Refused) -> None:
    """It would mean another file for every server."""
    assert isinstance(refused("backup", destination=path), InvalidInputError)
    assert isinstance(refused("restore", source=path), InvalidInputError)


def test_a_file_of_something_else_is_refused(
    refused: Refused, ask: Ask, tmp_path: Path
) -> None:
    """The store is as it was, and an existing file is not overwritten."""
    file = tmp_path / "notes.txt"
    file.write_text("not a backup")

    assert isinstance(refused("restore", source=str(file)), BackupInvalidError)
    assert isinstance(refused("backup", destination=str(file)), CallerError)
    assert "not a backup" == file.read_text()
    assert 0 == ask("stats")["records"]


@pytest.mark.usefixtures("tiny_library")
def test_a_purge_is_known_after_a_restore(ask: Ask) -> None:
    """The reply says that deletions were applied again."""
    ask("backup", destination="x.backup")
    ask("purge", project="acme/web-shop")
    done = ask("restore", source="x.backup")

    assert ("present", 1, 10) == (
        done["deletionKnowledge"],
        done["reapplied"],
        done["records"],
    )
    assert 0 == ask("search", project="acme/web-shop")["page"]["total"]
