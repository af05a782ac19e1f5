"""Every command of a page that serves over HTTP is started, answers, and ends when told to.

It runs until somebody ends it, so no shell runs it with the others. The port is any free one.
"""

import http.client
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pages.blocks import OURS, Command, shell_commands
from tests.pages.reader import surroundings

SERVING = [one for page in OURS for one in shell_commands(page) if one.serves]


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """Return a list for processes; those in it end with the test."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal of Unix")
@pytest.mark.parametrize("command", SERVING, ids=lambda command: str(command.block))
def test_a_server_of_a_page_answers_and_ends(
    command: Command, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    """With the very options of the page."""
    words = shlex.split(re.sub(r":\d{4}\b", ":0", command.text), comments=True)[1:]
    process = subprocess.Popen(
        [sys.executable, "-m", "shadowgraph", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=tmp_path,
        env=surroundings(tmp_path),
    )
    started.append(process)
    assert process.stderr is not None
    told = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", told)
    assert found, told

    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
    connection.request("GET", "/health")
    answer = connection.getresponse()
    assert (200, b'{"status": "ok"}') == (answer.status, answer.read())
    connection.close()
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert (0, "") == (process.returncode, out)


def test_pages_show_how_to_serve() -> None:
    """Or nothing above is tested."""
    assert SERVING
