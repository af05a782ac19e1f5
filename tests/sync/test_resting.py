"""A server that nobody asks rests: it lets go of its index, and the next read has it again."""

import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.bodies import attempt, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.sync import Indexer


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Library]:
    """Yield a library as a server opens it, with one attempt in it."""
    with Library(tmp_path / "home", background=True) as opened:
        put(opened, attempt("attempt_1", solution="quicksilver"))
        yield opened


@pytest.fixture
def rested(monkeypatch: pytest.MonkeyPatch, served: Library) -> threading.Event:
    """Return an event that is set whenever the library was let rest, which is soon."""
    event = threading.Event()
    original = served.sync.rest

    def noting() -> None:
        original()
        event.set()

    monkeypatch.setattr(served.sync, "rest", noting)
    monkeypatch.setattr(Indexer, "REST", 0.01)
    return event


def _mapped(home: Path) -> bool:
    """Say whether this process maps files of the index of *home*."""
    return str(home) in Path("/proc/self/maps").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="maps are read from /proc")
def test_a_resting_library_maps_no_file_of_its_index(tmp_path: Path) -> None:
    """Without a thread that may just be indexing."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_1", solution="quicksilver"))
        library.search("quicksilver")
        before = _mapped(tmp_path / "index")

        library.sync.rest()

        assert (True, False) == (before, _mapped(tmp_path / "index"))


def test_a_read_after_a_rest_finds_the_same(served: Library) -> None:
    """What was let go of is taken up again, with what was written meanwhile."""
    before = found(served, "quicksilver")
    served.sync.rest()
    put(served, attempt("attempt_2", solution="quicksilver"))

    assert {"attempt_1"} == before
    assert {"attempt_1", "attempt_2"} == found(served, "quicksilver")


def test_a_server_rests_by_itself_after_every_use(
    served: Library, rested: threading.Event
) -> None:
    """Once after the first read, and again after the next."""
    for _ in range(2):
        rested.clear()
        served.search("quicksilver")
        assert rested.wait(30)


def test_an_index_that_is_removed_during_a_rest_is_told_of(tmp_path: Path) -> None:
    """The next reader hears that it was built again."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_1", solution="quicksilver"))
        library.search("quicksilver")
        library.sync.rest()
        shutil.rmtree(tmp_path / "index")

        answer = library.search("quicksilver")

    assert 1 == answer.total
    assert any("removed" in notice for notice in answer.notices)
