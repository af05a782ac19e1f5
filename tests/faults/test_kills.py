"""A process is killed somewhere on every path; a share of what `make test-faults` runs.

The driver is a process of its own, because it forks and this one has threads.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there is neither fork nor SIGKILL"
)


@pytest.mark.parametrize(
    ("manner", "paths", "kills"),
    [("calls", ("write", "catch-up", "hard purge"), 2), ("lines", ("import", "backup"), 3)],
)
def test_a_kill_anywhere_leaves_a_home_that_is_right(
    manner: str, paths: tuple[str, ...], kills: int
) -> None:
    """Lines and system calls as steps; the verdict is in `verdict`."""
    command = [sys.executable, "-m", "tests.faults", "--json", "--manner", manner]
    for path in paths:
        command += ["--path", path]
    ended = subprocess.run(
        [*command, "--kills", str(kills)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert ended.stdout, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    if not told["manners"]:
        pytest.skip("ptrace does not work here, so system calls were no steps")
    assert [] == told["faults"]
    assert kills * len(paths) == told["kills"]
