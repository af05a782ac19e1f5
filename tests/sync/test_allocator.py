"""What the engine used for writing goes back to the system."""

import subprocess
import sys
from pathlib import Path

import pytest

from shadowgraph.search import allocator

PROGRAM = """
import sys
from pathlib import Path
from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

def private():
    text = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(one.split()[1]) for one in text.splitlines() if one.startswith("Private_D"))

with Library(Path(sys.argv[1])) as library:
    caller = Caller("a/b", "server")
    for number in range(40):
        said = {"solution": f"word{number}z", "result": "failed"}
        invoke(library, "shadowgraph_record_attempt", said, caller)
        assert library.search(f"word{number}z").total == 1
    library.sync.rebuild()
    before = private()
    for _ in range(12):
        library.sync.rebuild()
    print(private() - before)
"""


@pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists() or not allocator.give_back(),
    reason="only a Linux with glibc tells and gives back",
)
def test_rebuilding_again_and_again_takes_no_more_memory(tmp_path: Path) -> None:
    """Twelve rebuilds in a process of its own; without giving back they take some 50 MB."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "home")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert "" == ended.stderr
    assert int(ended.stdout) < 16 * 1024


def test_memory_is_given_back_after_a_large_writer_and_after_some_small_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not after each of them."""
    asked: list[int] = []
    monkeypatch.setattr(allocator, "_since", 0)
    monkeypatch.setattr(allocator, "give_back", lambda: asked.append(1))
    for _ in range(allocator.EVERY - 1):
        allocator.writer_ended(large=False)
    assert [] == asked
    allocator.writer_ended(large=False)
    allocator.writer_ended(large=True)
    allocator.writer_ended(large=False)

    assert [1, 1] == asked


def test_a_system_that_cannot_be_asked_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another C library has no such function."""
    monkeypatch.setattr(allocator, "_asked", lambda _: None)

    assert allocator.give_back() is False
    assert allocator.share_arena() is False
