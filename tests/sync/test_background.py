"""A server indexes in the background after writes, so that reads find nothing to do."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.store.bodies import attempt, put
from tests.sync.finding import found, marked

from shadowgraph import Library
from shadowgraph.errors import LockedError
from shadowgraph.search.snapshot import Snapshot
from shadowgraph.sync import Indexer, following


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Library]:
    """Yield a library as a server opens it."""
    with Library(tmp_path / "home", background=True) as opened:
        yield opened


def done(library: Library, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return an event that is set whenever the background thread has caught up."""
    event = threading.Event()
    original = library.sync.catch_up

    def noting(*args: Any) -> tuple[Snapshot, int]:
        answer = original(*args)
        if threading.current_thread() is library.sync.background:
            event.set()
        return answer

    monkeypatch.setattr(library.sync, "catch_up", noting)
    return event


def test_a_write_is_indexed_without_a_read(
    served: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark moves on by itself."""
    event = done(served, monkeypatch)
    put(served, attempt("attempt_1"))

    assert event.wait(30)
    assert (1, 1) == marked(served)


def test_a_read_does_not_wait_for_the_background(served: Library) -> None:
    """A few missing records are applied by the reader itself."""
    put(served, *(attempt(f"attempt_{n}", solution="quicksilver") for n in range(5)))

    assert 5 == len(found(served, "quicksilver"))


def test_a_large_backlog_is_left_to_the_background_and_counted(
    served: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer comes at once and says how many records it could not see."""
    monkeypatch.setattr(following, "INLINE", 2)
    monkeypatch.setattr(Indexer, "DEBOUNCE", 3600)
    served.search("anything")
    put(served, *(attempt(f"attempt_{n}", solution="quicksilver") for n in range(3)))

    answer = served.search("quicksilver")

    assert (0, 3) == (answer.total, answer.pending)


def test_closing_ends_the_background_thread(served: Library) -> None:
    """Nothing of a closed library goes on."""
    background = served.sync.background
    assert background is not None

    served.close()

    assert not background.is_alive()


def test_an_error_in_the_background_is_left_to_the_next_read(
    served: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, the thread lives on, and the write stays acknowledged."""
    failed = threading.Event()
    original = served.sync.catch_up

    def failing(*args: Any) -> tuple[Snapshot, int]:
        if threading.current_thread() is not served.sync.background or failed.is_set():
            return original(*args)
        failed.set()
        raise LockedError("Another process is building the index.")

    monkeypatch.setattr(served.sync, "catch_up", failing)
    put(served, attempt("attempt_1", solution="quicksilver"))

    assert failed.wait(30)
    assert {"attempt_1"} == found(served, "quicksilver")
    event = done(served, monkeypatch)
    put(served, attempt("attempt_2"))
    assert event.wait(30)
    assert "indexing in the background" in caplog.text
