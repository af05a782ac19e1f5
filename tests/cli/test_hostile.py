"""What the command line prints of hostile records acts on no terminal."""

import json
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]
NASTY = "a\x1b[2J\u202eb\u200bc\x9bd"
ALL = ("--project", "acme/platform")


def _hidden(text: str) -> list[str]:
    """Return the characters of *text* that act or hide."""
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\t\n"]


@pytest.fixture
def hostile(cli: Cli, fixtures: Path, tmp_path: Path) -> Cli:
    """Import the hostile records and one that escapes a terminal; return the runner."""
    assert cli("import", str(fixtures / "hostile" / "records.jsonl")).exit_code == 0
    file = tmp_path / "nasty.jsonl"
    nasty = {"kind": "attempt", "id": "attempt_nasty", "project": "acme/platform"}
    file.write_text(
        json.dumps({**nasty, "solution": f"zymurgy {NASTY}", "result": NASTY}),
        encoding="utf-8",
    )
    assert cli("import", str(file)).exit_code == 0
    return cli


@pytest.mark.parametrize(
    "command",
    [
        ("search", "zymurgy"),
        ("search", "--limit", "1000"),
        ("search", "--limit", "1000", "--json", "--detail", "full"),
        ("context", "zymurgy"),
        ("show", "attempt_nasty"),
        ("journal",),
        ("projects", "--json"),
    ],
)
def test_no_command_prints_a_hidden_character(
    hostile: Cli, command: tuple[str, ...]
) -> None:
    """Hits, records, journal; ids and names as well as texts."""
    result = hostile(*ALL, *command)

    assert 0 == result.exit_code
    assert [] == _hidden(result.output)


def test_json_on_the_command_line_reads_as_what_is_stored(hostile: Cli) -> None:
    """The escapes are JSON's own."""
    reply = json.loads(hostile(*ALL, "show", "attempt_nasty", "--json").output)

    assert [NASTY] == [item["result"] for item in reply["items"]]


@pytest.mark.parametrize(
    "command",
    [
        ("show", f"attempt_{NASTY}x"),
        ("show", f"attempt_{NASTY}x", "--json"),
        ("call", "search", f"{NASTY}=1"),
    ],
)
def test_no_error_prints_a_hidden_character(shell: Shell, command: tuple[str, ...]) -> None:
    """It quotes what somebody else may have written."""
    done = shell(*ALL, *command)

    assert 2 == done.returncode
    assert [] == _hidden(done.stdout + done.stderr)
