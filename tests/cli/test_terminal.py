"""Colour, layout and progress: for a person at a terminal, and for nobody else."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.cli import progress, render, terminal
from shadowgraph.cli.terminal import colour, columns_of, cut, wrapped

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")
COLOUR = "\x1b["


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what the machine of the test says about colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard output count as a terminal of 80 columns."""
    monkeypatch.setattr(terminal, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("surroundings", "options", "coloured"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"CLICOLOR_FORCE": "1"}, (), True),
        ({"FORCE_COLOR": "0"}, (), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, (), True),
        ({"FORCE_COLOR": "1"}, ("--no-color",), False),
    ],
)
def test_colour_in_a_pipe_is_what_was_asked_for(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    surroundings: dict[str, str],
    options: tuple[str, ...],
    *,
    coloured: bool,
) -> None:
    """Before the command or after it; a pipe has none of its own."""
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)

    for line in ((*options, "search", "ledger"), ("search", "ledger", *options)):
        assert coloured == (COLOUR in cli(*PROJECT, *line).output)


@given(
    st.dictionaries(
        st.sampled_from(["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"]),
        st.sampled_from(["", "0", "1", "dumb", "xterm"]),
    )
)
def test_no_colour_wins_over_everything(surroundings: dict[str, str]) -> None:
    """A person who cannot use colours says so once."""
    assert colour({**surroundings, "NO_COLOR": "1"}) is False
    assert colour(surroundings, refused=True) is False


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.usefixtures("filled")
def test_a_real_terminal_gets_colour_and_a_bar(tmp_path: Path) -> None:
    """And what the bar drew is cleared from the line."""
    # There is no such module on Windows.
    pty = import_module("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "shadowgraph", *PROJECT]
    for arguments in (["search", "ledger"], ["reindex"]):
        subprocess.run(
            [*command, *arguments], stdout=theirs, stderr=theirs, cwd=tmp_path, check=True
        )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    text = shown.decode()

    assert "\x1b[31m" in text
    assert "✗ FAILED" in text
    assert "100%  12 of 12 records indexed\r\x1b[K" in text


def _read(descriptor: int) -> bytes:
    """Read what is there; a terminal without writers is an error on Linux."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


@pytest.mark.usefixtures("filled", "at_terminal")
def test_a_search_at_a_terminal_says_how_it_ended_how_old_it_is_and_why(cli: Cli) -> None:
    """The why stands first, and no line is wider than the terminal."""
    lines = cli(*PROJECT, "search", "database is locked").output.splitlines()

    assert re.match(r"  1 ✗ FAILED  .*(ago|today)$", lines[0])
    assert lines[1].startswith("      why     ")
    assert [] == [line for line in lines if len(line) > 80]
    assert any("attempt_ledger-on-nfs" in line for line in lines)


@pytest.mark.usefixtures("filled", "at_terminal")
@pytest.mark.parametrize("command", ["context", "stats", "projects", "log", "search"])
def test_what_a_terminal_shows_is_not_wider_than_it(cli: Cli, command: str) -> None:
    """Of every answer that has a layout."""
    result = cli(*PROJECT, command, "--project", "acme/billing-api")

    assert 0 == result.exit_code, result.output
    assert [] == [line for line in result.output.splitlines() if len(line) > 110]
    assert len(result.output.splitlines()) > 3


@pytest.mark.usefixtures("filled", "at_terminal")
def test_a_terminal_is_shown_no_control_characters_of_a_record(cli: Cli) -> None:
    """A record cannot draw on the screen, in no layout."""
    evil = "red \x1b[31m bell \x07 c1 \x9b31m bidi \u202e end"
    line = {
        "kind": "attempt", "id": "a\x9bb", "project": "p", "solution": evil, "result": evil,
        "resultClass": "failed", "reason": evil, "relatedTo": [evil, "a\x9bb"],
    }  # fmt: skip
    assert 0 == cli("import", "-", stdin=json.dumps(line)).exit_code

    for command in ("search", "context", "log", "projects", "stats"):
        output = cli(command, "--project", "p").output
        assert not set(output) & set("\x1b\x07\x9b\u202e"), command
    for command in ("show", "graph"):
        output = cli(command, "a\x9bb", "--project", "p").output
        assert "bell" in output
        assert not set(output) & set("\x1b\x07\x9b\u202e"), command


@pytest.mark.usefixtures("filled")
def test_a_pipe_gets_the_same_with_and_without_colour(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layout does not depend on colour."""
    plain = cli(*PROJECT, "search", "ledger").output
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = cli(*PROJECT, "search", "ledger").output

    assert plain == re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert plain != coloured


@given(st.text(), st.integers(12, 60), st.integers(1, 4))
def test_wrapped_lines_fit(text: str, columns: int, most: int) -> None:
    """In number and in width."""
    lines = wrapped(text, columns, first="a: ", rest="   ", most=most)

    assert 1 <= len(lines) <= most
    assert [] == [line for line in lines if len(line) > columns]


@given(st.text(), st.integers(1, 30))
def test_a_cut_text_is_not_longer_than_allowed(text: str, most: int) -> None:
    """And the same when there was room."""
    assert len(cut(text, most)) <= most
    assert len(text) > most or text == cut(text, most)


@given(
    st.lists(st.tuples(st.text("ab", max_size=5), st.text("12", max_size=5)), min_size=1)
)
def test_columns_begin_below_each_other(rows: list[tuple[str, str]]) -> None:
    """Whatever is in the cells."""
    widest = max(len(first) for first, _ in rows)

    for line, (first, second) in zip(columns_of(rows), rows, strict=True):
        assert f"{first:<{widest}}  {second}".rstrip() == line


class _Screen(io.StringIO):
    """A standard error that counts as a terminal."""

    def isatty(self) -> bool:
        """Say that someone looks."""
        return True


def test_progress_is_drawn_on_a_terminal_and_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the share when the whole is known."""
    screen = _Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.bar("records indexed") as tell:
        tell(500, 1000)

    assert (
        "[############            ]  50%  500 of 1,000 records indexed" in screen.getvalue()
    )
    assert screen.getvalue().endswith("\r\x1b[K")


def test_progress_is_nothing_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even an empty line."""
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with progress.bar("records") as tell, progress.waiting("Writing"):
        tell(1, 2)

    assert "" == pipe.getvalue()


def test_waiting_leaves_a_clean_line_after_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What failed is told below, not behind the seconds."""
    screen = _Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(ValueError, match="no room"), progress.waiting("Writing"):
        raise ValueError("no room")

    assert screen.getvalue().endswith("\r\x1b[K")


def test_words_that_only_ordered_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wants the records that hold nothing else can ask for them alone."""
    render.notes({"commonWords": ["send", "error"]})

    assert "Too common to find by, used for the order: send, error.\n" in (
        capsys.readouterr().out
    )
