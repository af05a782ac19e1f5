"""Whatever a host sends, a hook ends with nothing or one JSON object, and never raises."""

import io
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowgraph.hosts import process
from shadowgraph.hosts.event import EVENTS, HOSTS

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=40)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
TOOLS = st.sampled_from(["Bash", "Edit", "Shell", "run_shell_command", "mcp__a__b", ""])
COMMANDS = st.sampled_from(["npm ci", "pip install x", "ls", "grep a b", "pytest -q"])
TOOL_INPUT = st.one_of(
    VALUES, st.fixed_dictionaries({"command": st.one_of(COMMANDS, VALUES)})
)
PAYLOADS = st.fixed_dictionaries(
    {},
    optional={
        "session_id": VALUES,
        "cwd": VALUES,
        "tool_name": st.one_of(TOOLS, VALUES),
        "tool_input": TOOL_INPUT,
        "tool_response": VALUES,
        "tool_output": VALUES,
        "error": st.one_of(VALUES, st.just("Exit code 1\nnpm ERR! EACCES")),
        "prompt": VALUES,
        "edits": VALUES,
        "workspace_roots": VALUES,
        "is_interrupt": VALUES,
    },
).map(lambda payload: json.dumps(payload).encode())


def _run(arguments: list[str], given_: bytes) -> bytes:
    """Run a hook in this process; return what it would print."""
    printed: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "_end", printed.append)
        # The watchdog would end this process, which is slower than one of a hook.
        patch.setattr(process, "_late", lambda *_: None)
        patch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given_)))
        process.main(arguments)
    (told,) = printed
    return told


def _is_one_object(told: bytes) -> bool:
    """Say whether this is nothing, or JSON for an object."""
    held: Any = json.loads(told) if told else {}
    return isinstance(held, dict)


@settings(max_examples=60)
@given(st.sampled_from(EVENTS), st.sampled_from(HOSTS), st.one_of(PAYLOADS, st.binary()))
def test_any_input_is_answered_with_nothing_or_one_object(
    event: str, host: str, given_: bytes
) -> None:
    """Bytes of any kind, and objects that look like a host's, on a home with a failure."""
    failure = {
        "tool_name": "Bash", "tool_input": {"command": "npm ci"}, "error": "Exit code 1\nEACCES",
    }  # fmt: skip
    with TemporaryDirectory() as directory:
        home = ["--home", str(Path(directory) / "home"), "--project", "acme/shop"]
        _run(["post-tool-use-failure", *home], json.dumps(failure).encode())

        assert _is_one_object(_run([event, "--host", host, *home], given_))


@given(st.lists(st.text(max_size=12), max_size=5))
def test_any_arguments_are_answered_with_nothing(arguments: list[str]) -> None:
    """A call that is not understood is no reason to stop an agent."""
    with TemporaryDirectory() as directory:
        told = _run(["pre-tool-use", "--home", directory, *arguments], b"{}")

    assert b"" == told
