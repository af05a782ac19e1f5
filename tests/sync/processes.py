"""Small programs that run beside a test, in a process of their own.

A program gets the home as its first argument and finds `library`, `attempt` and `record`
ready. It says that it has come to a point by printing a line, and goes on when it is sent
one, so that no test waits for the clock.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_BEGIN = """
import os, signal, sys
from pathlib import Path
from shadowgraph import Library
from shadowgraph.search import engine
from shadowgraph.store import Origin

def attempt(name, words):
    return {"kind": "attempt", "id": f"attempt_{name}", "project": "acme/billing-api",
            "solution": words, "result": "It stayed as it was.",
            "createdAt": "2026-03-04T09:15:00Z"}

def record(library, name, words):
    with library.write() as transaction:
        transaction.insert(attempt(name, words), "attempt.recorded", Origin())

def say(word):
    print(word, flush=True)

def die():
    os.kill(os.getpid(), signal.SIGKILL)

library = Library(Path(sys.argv[1]))
"""


def _command(program: str, home: Path) -> list[str]:
    """Return the command line that runs a program on a home."""
    return [sys.executable, "-c", _BEGIN + program, str(home)]


def run(program: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, whichever that is."""
    return subprocess.run(
        _command(program, home), capture_output=True, text=True, timeout=60, check=False
    )


@contextmanager
def beside(program: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a program beside the block; end it with the block."""
    process = subprocess.Popen(
        _command(program, home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def heard(process: subprocess.Popen[str]) -> str:
    """Return the next line that the program prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str]) -> None:
    """Let the program go on."""
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()
