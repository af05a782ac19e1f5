"""Running commands as somebody who may not write: root gives up the right to ignore modes."""

import ctypes
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_DROP = 24
"PR_CAPBSET_DROP of Linux."
_OVERRIDES = (1, 2, 3)
"CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER: what lets root pass by modes."


def give_up() -> None:
    """Give up what lets root ignore modes, for the program that is run next."""
    if os.geteuid() == 0:
        for one in _OVERRIDES:
            ctypes.CDLL(None).prctl(_DROP, one, 0, 0, 0)


@contextmanager
def denied(home: Path) -> Iterator[None]:
    """Let nobody write in a home, and let its owner again afterwards."""
    kept = {one: stat.S_IMODE(one.stat().st_mode) for one in [home, *home.rglob("*")]}
    for one, mode in kept.items():
        one.chmod(mode & 0o555)
    try:
        yield
    finally:
        for one, mode in kept.items():
            one.chmod(mode)


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a home that it may not write."""
    return subprocess.run(
        [sys.executable, "-m", "shadowgraph", "--home", str(home), *words],
        capture_output=True,
        encoding="utf-8",
        cwd=home.parent,
        preexec_fn=give_up,
        check=False,
    )


def can_be_denied(place: Path) -> bool:
    """Say whether a program can be kept from writing by a mode here."""
    if sys.platform != "linux":
        return False
    place.chmod(0o500)
    program = "import os, sys; sys.exit(os.access(sys.argv[1], os.W_OK))"
    ended = subprocess.run(
        [sys.executable, "-c", program, str(place)], preexec_fn=give_up, check=False
    )
    place.chmod(0o700)
    return ended.returncode == 0
