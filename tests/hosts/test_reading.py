"""From a host's JSON to an event, for every host and every way to tell an end."""

from pathlib import Path
from typing import Any

import pytest

from shadowgraph.hosts.reading import MOST, read

BASH = {"tool_name": "Bash", "tool_input": {"command": "make"}}
SHELL = {"tool_name": "run_shell_command", "tool_input": {"command": "make"}}


@pytest.mark.parametrize(
    ("host", "name", "payload", "status"),
    [
        ("claude-code", "post-tool-use", {**BASH, "tool_response": {"stdout": "ok"}}, 0),
        ("claude-code", "post-tool-use-failure", {**BASH, "error": "Exit code 2\nno"}, 2),
        (
            "claude-code",
            "post-tool-use-failure",
            {**BASH, "error": "Command exited with non-zero status code 127"},
            127,
        ),
        (
            "claude-code",
            "post-tool-use-failure",
            {**BASH, "error": "The user said no"},
            None,
        ),
        (
            "cursor",
            "post-tool-use-failure",
            {**BASH, "error_message": "no", "failure_type": "permission_denied"},
            None,
        ),
        (
            "codex",
            "post-tool-use",
            {**BASH, "tool_response": "Exit code: 3\nOutput:\nx"},
            3,
        ),
        (
            "codex",
            "post-tool-use",
            {**BASH, "tool_response": "Process exited with code 0\nfine"},
            0,
        ),
        ("codex", "post-tool-use", {**BASH, "tool_response": {"exit_code": 4}}, 4),
        (
            "codex",
            "post-tool-use",
            {**BASH, "tool_response": '{"output": "x", "metadata": {"exit_code": 5}}'},
            5,
        ),
        ("codex", "post-tool-use", {**BASH, "tool_response": "no word of it"}, None),
        ("cursor", "post-tool-use", {**BASH, "tool_output": '{"exitCode": 0}'}, 0),
        ("cursor", "post-tool-use-failure", {**BASH, "error_message": "no"}, 1),
        (
            "cursor",
            "post-tool-use",
            {"command": "make", "output": "x", "duration": 3},
            None,
        ),
        (
            "gemini",
            "post-tool-use",
            {**SHELL, "tool_response": {"llmContent": "Output: x"}},
            0,
        ),
        (
            "gemini",
            "post-tool-use",
            {
                **SHELL,
                "tool_response": {"llmContent": "Output: x\nExit Code: 6\nSignal: (none)"},
            },
            6,
        ),
        (
            "gemini",
            "post-tool-use",
            {**SHELL, "tool_response": {"error": {"message": "no"}}},
            1,
        ),
    ],
)
def test_the_status_is_what_the_host_tells(
    host: str, name: str, payload: dict[str, Any], status: int | None
) -> None:
    """And unknown where it does not."""
    event = read(host, name, payload)

    assert ("make", status) == (event.command, event.status)


def test_a_command_in_the_background_has_no_status_yet() -> None:
    """That it began is no success."""
    tool = {"command": "npm run dev", "run_in_background": True}
    payload = {"tool_name": "Bash", "tool_input": tool, "tool_response": {"stdout": ""}}

    assert read("claude-code", "post-tool-use", payload).status is None


@pytest.mark.parametrize(
    "payload",
    [
        {**BASH, "tool_response": {"interrupted": True}},
        {**BASH, "is_interrupt": True, "error": "x"},
    ],
)
def test_an_interruption_is_heard(payload: dict[str, Any]) -> None:
    """In either place."""
    assert read("claude-code", "post-tool-use", payload).interrupted


@pytest.mark.parametrize(
    ("tool", "given", "path", "text"),
    [
        ("Edit", {"file_path": "a.py", "new_string": "x = 2"}, "a.py", "x = 2"),
        ("Write", {"file_path": "a.py", "content": "all"}, "a.py", "all"),
        ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "c"}, "n.ipynb", "c"),
        ("replace", {"file_path": "a.py", "new_string": "n"}, "a.py", "n"),
        (
            "MultiEdit",
            {"file_path": "a.py", "edits": [{"new_string": "b"}, {"new_string": "c"}]},
            "a.py",
            "b\nc",
        ),
    ],
)
def test_an_edit_is_its_file_and_its_text(
    tool: str, given: dict[str, Any], path: str, text: str
) -> None:
    """Whatever the editor is called."""
    event = read("claude-code", "pre-tool-use", {"tool_name": tool, "tool_input": given})

    assert ("", path, text) == (event.command, event.path, event.text)
    assert f"edit {path}: {text}" == event.action


def test_another_tool_is_no_action() -> None:
    """A read, a search or a tool of another server."""
    for name in ("Read", "Grep", "mcp__db__query", "WebFetch"):
        payload = {"tool_name": name, "tool_input": {"file_path": "a", "query": "b"}}
        assert "" == read("claude-code", "pre-tool-use", payload).action


def test_cursor_tells_commands_at_the_top() -> None:
    """Its own events have no tool."""
    payload = {
        "conversation_id": "c1",
        "hook_event_name": "beforeShellExecution",
        "command": "make",
        "workspace_roots": ["/srv/app"],
    }
    event = read("cursor", "pre-tool-use", payload)

    assert ("make", "c1", Path("/srv/app")) == (
        event.command,
        event.session,
        event.directory,
    )


def test_a_command_in_words_is_one_line() -> None:
    """The shell around it is left out."""
    for given in (["bash", "-lc", "make all"], ["make", "all"]):
        payload = {"tool_name": "shell", "tool_input": {"command": given}}
        assert "make all" == read("codex", "pre-tool-use", payload).command


def test_a_huge_output_is_read_by_its_ends() -> None:
    """The middle of a log says the least."""
    payload = {**BASH, "error": "begin" + "x" * 500_000 + "end"}
    output = read("claude-code", "post-tool-use-failure", payload).output

    assert len(output) <= MOST + 3
    assert output.startswith("begin")
    assert output.endswith("end")
