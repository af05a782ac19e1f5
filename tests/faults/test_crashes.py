"""A process is killed at the worst moment; the next one finds everything acknowledged.

The process kills itself with SIGKILL at an exact point, so each run dies at the same place.
"""

import signal
import sys
from pathlib import Path

import pytest
from tests.sync.finding import found, marked
from tests.sync.processes import run

from shadowgraph import Library

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot kill itself with SIGKILL there"
)

BETWEEN_THE_COMMITS = """
record(library, "1", "quicksilver")
library.search("anything")
record(library, "2", "quicksilver")
die()
"""

BEFORE_THE_INDEX_COMMITS = """
record(library, "1", "quicksilver")
library.search("anything")
record(library, "2", "quicksilver")
engine.mark_document = lambda mark: die()
library.search("quicksilver")
"""

AFTER_THE_INDEX_COMMITS = """
record(library, "1", "quicksilver")
library.search("anything")
record(library, "2", "quicksilver")
commit = engine.Writing.commit
def commit_and_die(*args, **named):
    commit(*args, **named)
    die()
engine.Writing.commit = commit_and_die
library.search("quicksilver")
"""

IN_THE_FIRST_COMMIT_OF_A_NEW_INDEX = """
record(library, "1", "quicksilver")
record(library, "2", "quicksilver")
engine.Writing.commit = lambda *args, **named: die()
library.search("quicksilver")
"""

BEFORE_A_NEW_INDEX_IS_NAMED = """
from shadowgraph.search.generations import Generations
record(library, "1", "quicksilver")
record(library, "2", "quicksilver")
library.search("anything")
Generations.switch = lambda *args: die()
library.reindex()
"""

INSIDE_A_REBUILD = """
record(library, "1", "quicksilver")
record(library, "2", "quicksilver")
library.search("anything")
library.reindex(lambda done, total: die())
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(BETWEEN_THE_COMMITS, id="between the commits"),
        pytest.param(BEFORE_THE_INDEX_COMMITS, id="before the index commits"),
        pytest.param(AFTER_THE_INDEX_COMMITS, id="after the index commits"),
        pytest.param(IN_THE_FIRST_COMMIT_OF_A_NEW_INDEX, id="in a new index"),
        pytest.param(BEFORE_A_NEW_INDEX_IS_NAMED, id="before a new index is named"),
        pytest.param(INSIDE_A_REBUILD, id="inside a rebuild"),
    ],
)
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, program: str) -> None:
    """The next search finds both records, once each, and the journal verifies."""
    ended = run(program, tmp_path)
    assert -signal.SIGKILL == ended.returncode, ended.stderr

    with Library(tmp_path) as library:
        answer = library.search("quicksilver")

        assert {"attempt_1", "attempt_2"} == {hit.record.id for hit in answer.hits}
        assert (2, 2, 0) == (answer.total, answer.searched, answer.pending)
        assert (2, 2) == marked(library)
        assert library.store.first_fault() is None


def test_a_kill_before_the_index_commits_leaves_the_mark_behind(tmp_path: Path) -> None:
    """A mark never claims more than the index holds."""
    run(BEFORE_THE_INDEX_COMMITS, tmp_path)

    with Library(tmp_path) as library:
        assert (1, 2) == marked(library)


def test_a_kill_after_the_index_commits_leaves_the_mark_with_the_documents(
    tmp_path: Path,
) -> None:
    """Mark and documents are one commit, so nothing is done twice."""
    run(AFTER_THE_INDEX_COMMITS, tmp_path)

    with Library(tmp_path) as library:
        assert (2, 2) == marked(library)
        assert 2 == library.sync.as_it_stands().documents


def test_a_kill_inside_a_transaction_leaves_no_trace_of_it(tmp_path: Path) -> None:
    """What was not acknowledged is not there, and the store takes the next write."""
    ended = run(
        """
record(library, "1", "quicksilver")
with library.write() as transaction:
    transaction.insert(attempt("2", "quicksilver"), "attempt.recorded", Origin())
    die()
""",
        tmp_path,
    )
    assert -signal.SIGKILL == ended.returncode, ended.stderr

    with Library(tmp_path) as library:
        assert {"attempt_1"} == found(library, "quicksilver")
        assert 1 == library.store.revision()
        assert library.store.first_fault() is None


def test_a_kill_while_the_store_is_made_leaves_a_home_that_opens(tmp_path: Path) -> None:
    """The schema is one transaction: all of it or none."""
    ended = run(
        """
from shadowgraph.store import migrations
import shadowgraph.store.store
def half(connection):
    connection.execute("CREATE TABLE half (x)")
    die()
migrations.MIGRATIONS = (half,)
Library(Path(sys.argv[1]) / "inner")
""",
        tmp_path,
    )
    assert -signal.SIGKILL == ended.returncode, ended.stderr

    with Library(tmp_path / "inner") as library:
        assert 0 == library.store.revision()
