"""The index is derived: whatever happens to it, answers are right and the user is told.

The home is closed, something is done to it as a disk, a sync tool or a person would, and
it is opened again.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock
from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.errors import IndexDamagedError, StoreDamagedError
from shadowgraph.exchange import import_lines

CAROUSEL = {"attempt_carousel-preload", "decision_avif-only"}


@pytest.fixture
def home(tiny_library: Library) -> Path:
    """Return a closed home with the twelve records, all of them indexed."""
    tiny_library.search("ledger")
    tiny_library.close()
    return tiny_library.home


def root(home: Path) -> Path:
    """Return the directory that holds the generations."""
    (only,) = (home / "index").iterdir()
    return only


def generation(home: Path) -> Path:
    """Return the index directory in use."""
    return root(home) / (root(home) / "CURRENT").read_text(encoding="ascii").strip()


def searched(home: Path) -> tuple[set[str], bool]:
    """Open a home anew; return what is found in it and whether its user was told."""
    with Library(home) as library:
        answer = library.search("carousel")
        again = library.search("carousel")
        assert () == again.notices, "told twice"
        return {hit.record.id for hit in answer.hits}, bool(answer.notices)


def empty(path: Path) -> None:
    """Cut a file to nothing."""
    path.write_bytes(b"")


def halve(path: Path) -> None:
    """Cut a file in half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribble(path: Path) -> None:
    """Write something else over a file."""
    path.write_bytes(b"\x5a" * path.stat().st_size)


@pytest.mark.parametrize("damage", [Path.unlink, empty, halve, scribble])
@pytest.mark.parametrize(
    "suffix", [".json", ".term", ".idx", ".pos", ".fast", ".fieldnorm", ".store"]
)
def test_a_damaged_file_of_the_index_is_built_again(
    home: Path, suffix: str, damage: Callable[[Path], None]
) -> None:
    """The answer is complete, and a notice says what happened, once."""
    names = ["meta.json"] if suffix == ".json" else [f"*{suffix}"]
    for path in generation(home).glob(names[0]):
        damage(path)

    answers, told = searched(home)

    assert CAROUSEL == answers
    # Without its list of segments a directory is an empty index: nothing is damaged.
    assert told or (suffix == ".json" and damage is Path.unlink)


@pytest.mark.parametrize("content", [b"", b"g-\n", b"../..\n", b"\xff\xfe", b"g-nowhere\n"])
def test_a_name_file_with_garbage_is_made_anew(home: Path, content: bytes) -> None:
    """It is never followed out of the directory."""
    (root(home) / "CURRENT").write_bytes(content)

    assert (CAROUSEL, True) == searched(home)


def test_a_removed_index_is_built_again(home: Path) -> None:
    """A home that was copied without it is complete: that is no damage."""
    shutil.rmtree(home / "index")

    assert (CAROUSEL, False) == searched(home)


def test_a_removed_name_file_is_made_anew(home: Path) -> None:
    """Without a name no directory is in use."""
    (root(home) / "CURRENT").unlink()

    assert (CAROUSEL, False) == searched(home)


def test_a_removed_generation_is_built_again(home: Path) -> None:
    """The name file points at nothing."""
    shutil.rmtree(generation(home))

    assert (CAROUSEL, True) == searched(home)


def test_an_index_removed_under_an_open_library_is_built_again(
    tiny_library: Library,
) -> None:
    """A server goes on and says what happened."""
    tiny_library.search("ledger")
    shutil.rmtree(tiny_library.home / "index")

    answer = tiny_library.search("carousel")

    assert CAROUSEL == {hit.record.id for hit in answer.hits}
    assert "removed" in answer.notices[0]


def test_an_older_copy_of_the_index_is_caught_up(home: Path, tmp_path: Path) -> None:
    """A sync tool put back yesterday's files: the mark went back with them."""
    shutil.copytree(home / "index", tmp_path / "yesterday")
    with Library(home) as library:
        put(library, attempt("attempt_new", solution="quicksilver"))
        library.search("anything")
    shutil.rmtree(home / "index")
    shutil.copytree(tmp_path / "yesterday", home / "index")

    with Library(home) as library:
        answer = library.search("quicksilver")

        assert ["attempt_new"] == [hit.record.id for hit in answer.hits]
        assert (13, ()) == (answer.searched, answer.notices)


def test_an_older_store_under_a_newer_index_is_noticed(home: Path, tmp_path: Path) -> None:
    """The index knows entries that the store does not have: it is built again."""
    shutil.copy(home / "graph.db", tmp_path / "yesterday.db")
    with Library(home) as library:
        put(library, attempt("attempt_lost", solution="quicksilver"))
        library.search("anything")
    shutil.copy(tmp_path / "yesterday.db", home / "graph.db")

    with Library(home) as library:
        answer = library.search("carousel")

        assert CAROUSEL == {hit.record.id for hit in answer.hits}
        assert "another state of the store" in answer.notices[0]
        assert (12, set()) == (answer.searched, found(library, "quicksilver"))


def test_an_older_store_that_went_another_way_is_noticed(
    home: Path, tmp_path: Path
) -> None:
    """The number of the entry is the same and its hash is not."""
    shutil.copy(home / "graph.db", tmp_path / "yesterday.db")
    with Library(home) as library:
        put(library, attempt("attempt_lost", solution="quicksilver"))
        library.search("anything")
    shutil.copy(tmp_path / "yesterday.db", home / "graph.db")
    with Library(home) as library:
        put(library, attempt("attempt_other", solution="brimstone"))

        answer = library.search("brimstone")

        assert ["attempt_other"] == [hit.record.id for hit in answer.hits]
        assert "another state of the store" in answer.notices[0]
        assert set() == found(library, "quicksilver")


def test_an_index_of_another_store_is_noticed(home: Path, tmp_path: Path) -> None:
    """Somebody copied the index of one home into another one."""
    with Library(tmp_path / "other") as other:
        put(other, attempt("attempt_theirs", solution="quicksilver"))
        other.search("anything")
    shutil.rmtree(tmp_path / "other" / "index")
    shutil.copytree(home / "index", tmp_path / "other" / "index")

    with Library(tmp_path / "other") as other:
        answer = other.search("quicksilver")

        assert ["attempt_theirs"] == [hit.record.id for hit in answer.hits]
        assert "another state of the store" in answer.notices[0]
        assert set() == found(other, "carousel")


def test_an_index_of_a_store_with_the_same_history_is_noticed(tmp_path: Path) -> None:
    """Entry and hash are equal, as after the same import at the same instant."""
    for name in ("one", "two"):
        with Library(tmp_path / name, clock=StoppedClock()) as library:
            put(library, attempt("attempt_1", solution="quicksilver"))
            library.search("anything")
    shutil.rmtree(tmp_path / "two" / "index")
    shutil.copytree(tmp_path / "one" / "index", tmp_path / "two" / "index")

    with Library(tmp_path / "two") as library:
        answer = library.search("quicksilver")

        assert 1 == answer.total
        assert "another state of the store" in answer.notices[0]


def test_damage_that_shows_while_searching_is_built_again(
    tiny_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question is asked once more of the new index."""
    tiny_library.search("ledger")
    broken = tiny_library.sync.as_it_stands()
    real = type(broken).matches

    def fail_on_the_broken_one(snapshot: Any, *args: Any, **named: Any) -> Any:
        if snapshot.path == broken.path:
            (broken.path / "meta.json").write_bytes(b"")
            raise IndexDamagedError("a block cannot be read.")
        return real(snapshot, *args, **named)

    monkeypatch.setattr(type(broken), "matches", fail_on_the_broken_one)

    answer = tiny_library.search("carousel")

    assert CAROUSEL == {hit.record.id for hit in answer.hits}
    assert "damaged" in answer.notices[0]


def test_a_damaged_store_is_not_hidden_by_a_sound_index(home: Path) -> None:
    """The index never stands in for the truth."""
    (home / "graph.db").write_bytes(b"not a database at all\n" * 500)

    with pytest.raises(StoreDamagedError):
        Library(home)


def test_an_import_into_a_home_with_a_damaged_index_succeeds(
    home: Path, tiny: list[dict[str, Any]]
) -> None:
    """A write needs the store alone."""
    for path in generation(home).glob("*.term"):
        path.unlink()

    with Library(home) as library:
        report = import_lines(
            library, ['{"kind":"fact","key":"a.b","value":"quicksilver"}']
        )

        assert 1 == report.imported
        assert len(tiny) + 1 == library.reindex()
        assert 1 == library.search("quicksilver").total
