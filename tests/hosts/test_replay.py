"""A transcript replayed: what would be recorded, and why not the rest; nothing is stored."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shadowgraph.cli.main import main


def _message(*blocks: dict[str, Any]) -> str:
    """Return one line of a session file."""
    return json.dumps({"type": "user", "cwd": "/srv", "message": {"content": list(blocks)}})


def _call(number: int, command: str) -> dict[str, Any]:
    """Return the block of a call."""
    return {
        "type": "tool_use",
        "id": f"t{number}",
        "name": "Bash",
        "input": {"command": command},
    }


def _result(number: int, text: str, *, failed: bool) -> dict[str, Any]:
    """Return the block of its result."""
    content = [{"type": "text", "text": text}]
    return {
        "type": "tool_result",
        "tool_use_id": f"t{number}",
        "content": content,
        "is_error": failed,
    }


SESSION = [
    json.dumps({"type": "summary", "summary": "x"}),
    _message(_call(1, "npm ci")),
    _message(_result(1, "Exit code 1\nnpm ERR! code EACCES", failed=True)),
    _message(_call(2, "npm ci"), _call(3, "ls")),
    _message(_result(2, "Exit code 1\nnpm ERR! code EACCES", failed=True)),
    _message(_result(3, "a.py", failed=False)),
    _message(_call(4, "npm ci")),
    _message(_result(4, "added 12 packages", failed=False)),
    _message(_call(5, "grep -rn x .")),
    _message(_result(5, "Exit code 1", failed=True)),
    "not json",
]


@pytest.fixture
def replay(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that replays lines and returns the reply."""

    def run(lines: list[str], *words: str) -> Any:
        file = tmp_path / "session.jsonl"
        file.write_text("\n".join(lines), encoding="utf-8")
        done = CliRunner().invoke(main, [*words, str(file)])
        assert 0 == done.exit_code, done.output
        return done.output

    return run


def test_a_session_shows_what_it_would_leave_behind(
    replay: Callable[..., Any], home: Path
) -> None:
    """Recorded, counted, resolved, or nothing with its ground."""
    told = json.loads(replay(SESSION, "captures", "--json"))

    assert [
        ("npm ci", "recorded", "trap"),
        ("npm ci", "counted", "trap"),
        ("ls", "nothing", "answer"),
        ("npm ci", "resolved", "success"),
        ("grep -rn x .", "nothing", "answer"),
    ] == [(one["command"], one["what"], one["ground"]) for one in told["events"]]
    assert {"recorded": 1, "counted": 1, "resolved": 1, "nothing": 2} == told["counts"]
    assert not (home / "graph.db").exists()


def test_the_dry_run_of_hook_is_the_same(replay: Callable[..., Any]) -> None:
    """For whoever looks there."""
    assert replay(SESSION, "captures") == replay(SESSION, "hook", "--dry-run")
    assert "5 commands: 1 counted, 2 nothing, 1 recorded, 1 resolved." in replay(
        SESSION, "captures"
    )


def test_payloads_of_hooks_are_a_transcript_as_well(replay: Callable[..., Any]) -> None:
    """One a line, as a host sent them."""
    payload = {
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {"command": "npm ci --token=ghp_" + "a1B2c3D4e5" * 4},
        "error": "Exit code 1\nEACCES",
    }
    told = replay([json.dumps(payload)], "captures")

    assert told.startswith("recorded")
    assert "a1B2c3D4e5" not in told
