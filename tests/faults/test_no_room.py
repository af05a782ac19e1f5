"""A disk with no room, and a home that cannot be written: clear errors, and nothing lost.

The limit is that of a child process on the size of a file it may write (RLIMIT_FSIZE), with
its signal ignored: a write beyond it fails as on a full disk.
"""

import json
import sys
from pathlib import Path

import pytest
from tests.store.bodies import attempt, put
from tests.sync.finding import found
from tests.sync.processes import run

from shadowgraph import Library
from shadowgraph.doctor import examine

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there are no limits of that kind"
)

FULL = """
import json, resource
from shadowgraph.errors import ShadowgraphError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

def limited(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

written, code, hint = [], None, None
limited({limit})
for number in range(400):
    try:
        record(library, f"full{{number}}", f"filler{{number}}z " + "long text " * 400)
        written.append(f"attempt_full{{number}}")
    except ShadowgraphError as error:
        code, hint = error.code, error.hint
        break
searched = library.search("quicksilver").total
limited(hard)
record(library, "after", "roomagain")
print(json.dumps([written, code, hint, searched, library.search("roomagain").total]))
"""


@pytest.mark.parametrize("limit", [150_000, 400_000])
def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path, limit: int) -> None:
    """What was acknowledged stays, what is there answers, and it goes on with room again."""
    with Library(tmp_path) as library:
        put(library, attempt("attempt_first", reason="quicksilver"))
        library.search("anything")

    ended = run(FULL.format(limit=limit), tmp_path)

    assert not ended.returncode, ended.stderr
    written, code, hint, searched, again = json.loads(ended.stdout.splitlines()[-1])
    assert ("disk-full", 1, 1) == (code, searched, again)
    assert "Nothing was written" in hint
    with Library(tmp_path) as library:
        expected = {"attempt_first", "attempt_after", *written}
        with library.store.read() as selection:
            assert expected == {one.id for one in selection.every(0, 1000)}
        assert [] == [one for one in examine(library) if not one.ok]
        for name in written:
            word = f"filler{name.removeprefix('attempt_full')}z"
            assert {name} == found(library, word)
