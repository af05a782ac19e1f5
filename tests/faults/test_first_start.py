"""Two processes open a home that does not exist yet, at the same moment."""

from pathlib import Path

import pytest
from tests.sync.finding import found
from tests.sync.processes import beside, heard, tell

from shadowgraph import Library

OPEN_AT_ONCE = """
say("ready")
sys.stdin.readline()
inner = Library(Path(sys.argv[1]) / "inner")
record(inner, {name!r}, "quicksilver")
total = inner.search("quicksilver").total
say(inner.store.identity)
sys.stdin.readline()
say(str(inner.search("quicksilver").total))
"""


@pytest.mark.parametrize("run", range(3))
def test_two_first_starts_at_once_make_one_store(tmp_path: Path, run: int) -> None:
    """One identity, one index, both records found by both."""
    home = tmp_path / str(run)
    with (
        beside(OPEN_AT_ONCE.format(name="1"), home) as one,
        beside(OPEN_AT_ONCE.format(name="2"), home) as two,
    ):
        assert ["ready", "ready"] == [heard(one), heard(two)]
        tell(one)
        tell(two)
        first, second = heard(one), heard(two)
        tell(one)
        tell(two)
        totals = [heard(one), heard(two)]

    assert first.startswith("store_")
    assert first == second
    assert ["2", "2"] == totals
    with Library(home / "inner") as library:
        assert {"attempt_1", "attempt_2"} == found(library, "quicksilver")
        assert library.store.first_fault() is None
