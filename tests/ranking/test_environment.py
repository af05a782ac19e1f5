"""Environment: what happened where the caller is comes above what happened elsewhere.

1. The environment that the caller names lifts the records from there.
2. It takes nothing out.
3. It is read like any text: case and version notation do not matter.
4. A version in it decides between two versions.
5. The more of it is the same, the higher.
6. It lifts between equals: a much better match elsewhere stays above.
7. An environment that no record names changes nothing.
8. It finds nothing by itself.
9. As a filter it is a demand.
"""

from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library
from shadowgraph.model.filters import Filter

LEDGER = "Moved the ledger"

RECORDS = [
    attempt("attempt_mac", solution=LEDGER, environment="macOS 14, SQLite 3.45"),
    attempt("attempt_linux", solution=LEDGER, environment="Linux 6.8, SQLite 3.45"),
    attempt("attempt_nowhere", solution=LEDGER),
    attempt("attempt_311", solution="Froze the wheel", environment="Python 3.11, Linux"),
    attempt("attempt_312", solution="Froze the wheel", environment="Python 3.12, Linux"),
    attempt(
        "attempt_there",
        solution="Oiled the gearbox of the northern turbine",
        environment="Windows 11",
    ),
    attempt("attempt_here", solution="Oiled the door", environment="FreeBSD 14"),
]


def test_1_the_environment_of_the_caller_lifts_its_records(corpus: Library) -> None:
    """The same attempt may end otherwise elsewhere."""
    assert ("mac", LEDGER) == shown(corpus, "ledger", environment="macOS")[0]
    assert ("linux", LEDGER) == shown(corpus, "ledger", environment="Linux")[0]


def test_2_it_takes_nothing_out(corpus: Library) -> None:
    """Records from elsewhere, and from nowhere, follow."""
    assert [
        ("mac", "Moved the ledger"),
        ("linux", "Moved the ledger"),
        ("nowhere", "Moved the ledger"),
    ] == shown(corpus, "ledger", environment="macOS with SQLite")


def test_3_it_is_read_like_any_text(corpus: Library) -> None:
    """Nobody writes it twice in the same way."""
    for environment in ("MACOS", "macos-14", "macOS 14.2 (arm64)"):
        assert "mac" == order(corpus, "ledger", environment=environment)[0]


def test_4_a_version_decides(corpus: Library) -> None:
    """Between records that are else the same."""
    assert [("311", "Froze the wheel"), ("312", "Froze the wheel")] == shown(
        corpus, "freeze wheel froze", environment="python 3.11"
    )
    assert ["312", "311"] == order(corpus, "froze wheel", environment="python 3.12")


def test_5_the_more_is_the_same_the_higher(corpus: Library) -> None:
    """The name and the version above the name alone."""
    assert [("311", "Froze the wheel"), ("312", "Froze the wheel")] == shown(
        corpus, "froze wheel", environment="Linux with Python 3.11"
    )


def test_6_a_much_better_match_elsewhere_stays_above(corpus: Library) -> None:
    """Where one is says less than what one asks."""
    assert [
        ("there", "Oiled the gearbox of the northern turbine"),
        ("here", "Oiled the door"),
    ] == shown(corpus, "oil gearbox northern turbine", environment="FreeBSD")


def test_7_an_unknown_environment_changes_nothing(corpus: Library) -> None:
    """Not even a place."""
    assert order(corpus, "ledger") == order(corpus, "ledger", environment="Plan9 ppc")
    assert [
        ("nowhere", "Moved the ledger"),
        ("linux", "Moved the ledger"),
        ("mac", "Moved the ledger"),
    ] == shown(corpus, "ledger", environment="Plan9 ppc")


def test_8_it_finds_nothing_by_itself(corpus: Library) -> None:
    """Words find, the environment only orders."""
    assert [] == shown(corpus, "xylophone", environment="Linux")


def test_9_as_a_filter_it_is_a_demand(corpus: Library) -> None:
    """Then records from elsewhere are left out."""
    assert [("linux", "Moved the ledger")] == shown(
        corpus, "ledger", Filter(environment="linux")
    )
