"""Group O: UTF-8 everywhere, whatever the system's code page is."""

import json
import subprocess
from collections.abc import Callable

import pytest
from tests.server.conftest import Wire

TEXT = "naïve — 漢字 Привет 🙂 ✓"
CODE_PAGES = ["cp1252", "cp932", "cp950", "ascii"]


@pytest.mark.parametrize("page", CODE_PAGES)
def test_o01_text_goes_through_a_server_unchanged(
    page: str, serve: Callable[..., Wire]
) -> None:
    """Under a code page that cannot hold it."""
    wire = serve(
        "--project", "acme/wire", PYTHONIOENCODING=page, PYTHONUTF8="0", LC_ALL="C"
    )
    wire.hello()
    made = wire.reply("record_attempt", solution=TEXT, result="x")

    assert TEXT == wire.reply("get", ids=[made["id"]])["items"][0]["solution"]


@pytest.mark.parametrize("page", CODE_PAGES)
def test_o01_text_goes_through_the_command_line_unchanged(
    page: str, shell: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """From standard input to standard output."""
    surroundings = {"PYTHONIOENCODING": page, "PYTHONUTF8": "0", "LC_ALL": "C"}
    line = json.dumps(
        {"kind": "attempt", "id": "attempt_1", "project": "a/b", "solution": TEXT,
         "result": "x"},
        ensure_ascii=False,
    )  # fmt: skip
    done = shell("import", "-", stdin=line, **surroundings)
    assert 0 == done.returncode, done.stderr

    out = shell("export", "--all-projects", **surroundings).stdout
    assert TEXT == json.loads(out)["solution"]


@pytest.mark.parametrize("page", CODE_PAGES)
def test_o02_the_handshake_and_the_help_need_no_wide_code_page(
    page: str,
    serve: Callable[..., Wire],
    shell: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """Instructions are plain ASCII, and the help prints."""
    surroundings = {"PYTHONIOENCODING": page, "PYTHONUTF8": "0", "LC_ALL": "C"}
    wire = serve("--project", "acme/wire", **surroundings)

    assert wire.hello()["instructions"].isascii()
    done = shell("--help", **surroundings)
    assert 0 == done.returncode, done.stderr
