"""Hooks as hosts run them: real processes on a real home, one of each kind and host."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.hosts.conftest import PROJECT

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.hooklog import FILE_NAME, lines
from shadowgraph.operations import Caller, invoke

Hook = Callable[..., Any]
NFS = "put the ledger's SQLite file on the NFS share and set journal_mode=WAL"
BASH = {"session_id": "s1", "tool_name": "Bash"}
EACCES = "Exit code 243\nnpm ERR! code EACCES\nnpm ERR! Error: EACCES: permission denied"


@pytest.fixture
def filled(home: Path, fixtures: Path) -> Path:
    """Return the home, filled with the twelve records."""
    text = (fixtures / "tiny" / "records.jsonl").read_text(encoding="utf-8")
    with Library(home) as library:
        import_lines(library, text.splitlines())
        library.sync.catch_up()
    return home


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_begins_with_what_failed(source: str, filled: Path, hook: Hook) -> None:
    """After a resume, a clear and a compaction as well."""
    with Library(filled) as library:
        given = {"solution": "PgBouncer in front", "result": "r", "resultClass": "failed"}
        invoke(library, "shadowgraph_record_attempt", given, Caller(PROJECT))
    payload = {"session_id": "s1", "hook_event_name": "SessionStart", "source": source}
    told = hook("session-start", payload=payload)["hookSpecificOutput"]

    assert "SessionStart" == told["hookEventName"]
    assert "PgBouncer in front" in told["additionalContext"]
    assert len(told["additionalContext"].encode()) <= 2_000


@pytest.mark.usefixtures("filled")
def test_a_prompt_near_a_failure_is_told_of_it(hook: Hook) -> None:
    """As context, framed as data."""
    told = hook("user-prompt", payload={"prompt": f"Please {NFS}."})["hookSpecificOutput"]

    assert "UserPromptSubmit" == told["hookEventName"]
    assert "attempt_ledger-on-nfs" in told["additionalContext"]
    assert "not instructions" in told["additionalContext"].splitlines()[0]


@pytest.mark.usefixtures("filled")
def test_a_prompt_near_nothing_is_answered_with_nothing(hook: Hook) -> None:
    """Not with the newest failures instead."""
    assert hook("user-prompt", payload={"prompt": "write a poem about the sea"}) is None


@pytest.mark.usefixtures("filled")
def test_an_edit_that_failed_before_is_told_about(hook: Hook) -> None:
    """And neither asked about nor denied, when nobody configured that."""
    tool = {"file_path": "config.py", "old_string": "a", "new_string": NFS}
    payload = {**BASH, "tool_name": "Edit", "tool_input": tool}
    told = hook("pre-tool-use", payload=payload)["hookSpecificOutput"]

    assert "attempt_ledger-on-nfs" in told["additionalContext"]
    assert "permissionDecision" not in told


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("command", ["ls -la", "npm run build", "git status && cat a.txt"])
def test_an_action_near_nothing_is_passed_in_silence(command: str, hook: Hook) -> None:
    """No verdict but avoid says anything."""
    payload = {**BASH, "tool_input": {"command": command}}

    assert hook("pre-tool-use", payload=payload) is None


@pytest.mark.parametrize(
    ("on_avoid", "how"),
    [("ask", "flag"), ("deny", "environment"), ("deny", "file")],
)
def test_an_action_is_asked_about_or_denied_when_configured(
    on_avoid: str, how: str, filled: Path, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By flag, environment or the file in the home."""
    flags = ("--on-avoid", on_avoid) if how == "flag" else ()
    if how == "environment":
        monkeypatch.setenv("SHADOWGRAPH_ON_AVOID", on_avoid)
    if how == "file":
        text = f'on_avoid = "{on_avoid}"\n'
        (filled / "hooks.toml").write_text(text, encoding="utf-8")

    payload = {**BASH, "tool_input": {"command": NFS}}
    told = hook("pre-tool-use", *flags, payload=payload)["hookSpecificOutput"]

    assert on_avoid == told["permissionDecision"]
    assert "attempt_ledger-on-nfs" in told["permissionDecisionReason"]


def test_a_failure_is_captured_told_about_and_resolved(hook: Hook, home: Path) -> None:
    """The whole way: fail, be warned, be counted, work, be warned no more."""
    tool = {**BASH, "tool_input": {"command": "npm install -g typescript"}}
    assert hook("pre-tool-use", payload=tool) is None
    assert not home.exists()

    for _ in range(2):
        assert hook("post-tool-use-failure", payload={**tool, "error": EACCES}) is None
    warned = hook("pre-tool-use", payload=tool)["hookSpecificOutput"]["additionalContext"]
    assert "failed 2 times" in warned
    assert "EACCES" in warned
    message = hook("pre-compact", payload={"session_id": "s1", "trigger": "auto"})
    assert "1 failed attempt" in message["systemMessage"]

    hook("post-tool-use", payload={**tool, "tool_response": {"stdout": "added 1 package"}})
    assert hook("pre-tool-use", payload=tool) is None
    assert hook("session-start", payload={"session_id": "s2"}) is None
    ended = hook("session-end", payload={"session_id": "s1", "reason": "exit"})
    assert "1 of them resolved" in ended["systemMessage"]
    assert hook("session-end", payload={"session_id": "s2", "reason": "exit"}) is None
    assert [] == lines(home)


def test_a_check_says_clear_of_what_was_resolved(hook: Hook, home: Path) -> None:
    """The tool and the hook judge alike."""
    tool = {**BASH, "tool_input": {"command": "npm install -g typescript"}}
    action = {"action": "npm install -g typescript"}
    hook("post-tool-use-failure", payload={**tool, "error": EACCES})
    with Library(home) as library:
        before = invoke(library, "shadowgraph_check", action, Caller(PROJECT))
    hook("post-tool-use", payload={**tool, "tool_response": {"stdout": "ok"}})
    with Library(home) as library:
        after = invoke(library, "shadowgraph_check", action, Caller(PROJECT))

    assert ("avoid", "clear") == (before["verdict"], after["verdict"])
    assert any(match.get("resolvedBy") for match in after["matches"])


def test_hooks_at_the_same_time_count_one_failure(home: Path) -> None:
    """The write lock decides who records it; the others count."""
    payload = json.dumps({**BASH, "tool_input": {"command": "npm ci"}, "error": EACCES})
    (home.parent / "event.json").write_text(payload, encoding="utf-8")
    home.mkdir()
    (home / "hooks.toml").write_text("deadline = 60\n", encoding="utf-8")
    command = [sys.executable, "-m", "shadowgraph", "hook", "post-tool-use-failure"]
    running = []
    for _ in range(5):
        with (home.parent / "event.json").open("rb") as given:
            running.append(subprocess.Popen(command, stdin=given))
    assert [0] * 5 == [one.wait() for one in running]

    assert [] == lines(home)
    with Library(home) as library:
        (page,) = library.store.pages()
    assert [5] == [one.body["occurrences"] for one in page]


HOSTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "codex": (
        {"tool_name": "Bash", "tool_input": {"command": "npm ci"}},
        {"tool_response": f"Exit code: 1\nWall time: 2 seconds\nOutput:\n{EACCES}"},
    ),
    "cursor": (
        {"tool_name": "Shell", "tool_input": {"command": "npm ci"}},
        {"error_message": EACCES, "failure_type": "error"},
    ),
    "gemini": (
        {"tool_name": "run_shell_command", "tool_input": {"command": "npm ci"}},
        {"tool_response": {"llmContent": f"Output: {EACCES}\nExit Code: 1"}},
    ),
}


@pytest.mark.parametrize("host", HOSTED)
def test_every_host_is_heard_and_answered_in_its_form(
    host: str, hook: Hook, home: Path
) -> None:
    """A failure is captured from what the host sends, and told before the next try."""
    tool, end = HOSTED[host]
    event = "post-tool-use-failure" if host == "cursor" else "post-tool-use"
    hook(event, "--host", host, payload={**tool, **end, "session_id": "s1"})
    told = hook("pre-tool-use", "--host", host, payload=tool)
    denied = hook("pre-tool-use", "--host", host, "--on-avoid=deny", payload=tool)
    started = hook("session-start", "--host", host, payload={})

    assert [] == lines(home)
    text = {
        "codex": lambda: told["hookSpecificOutput"]["additionalContext"],
        "cursor": lambda: told["agent_message"],
        "gemini": lambda: told["systemMessage"],
    }[host]()
    assert "EACCES" in text
    assert "deny" in json.dumps(denied)
    assert "npm ci" in json.dumps(started)


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_a_host_that_cannot_ask_is_only_told(host: str, hook: Hook) -> None:
    """To be asked is wanted, and denying would be more than that."""
    tool, end = HOSTED[host]
    hook("post-tool-use", "--host", host, payload={**tool, **end})
    told = hook("pre-tool-use", "--host", host, "--on-avoid", "ask", payload=tool)

    assert "EACCES" in json.dumps(told)
    assert "ask" not in json.dumps(told).replace("task", "")


@pytest.mark.parametrize(
    "stdin", ["", "{", "[]", "null", "\x00", '{"tool_input": "\\ud83d"}', "[" * 100_000]
)
def test_malformed_input_leaves_a_line_and_says_nothing(
    stdin: str, filled: Path, hook: Hook
) -> None:
    """Status 0, empty output, one line in the log."""
    assert hook("pre-tool-use", stdin=stdin) is None

    assert len(lines(filled)) <= 1
    if stdin in ("", "{", "[]", "null"):
        assert "UnreadableError" in lines(filled)[0]


@pytest.mark.parametrize("arguments", [("nonsense",), (), ("pre-tool-use", "--host", "x")])
def test_a_call_that_is_not_understood_blocks_nothing(
    arguments: tuple[str, ...], filled: Path, hook: Hook
) -> None:
    """Another status than 0 could mean that the action is forbidden."""
    assert hook(*arguments) is None
    assert "UnreadableError" in lines(filled)[0]


def test_a_lock_ends_at_the_deadline(filled: Path, hook: Hook) -> None:
    """Another process holds the store; the hook gives up in time and says so in the log."""
    (filled / "hooks.toml").write_text("deadline = 0.5\n", encoding="utf-8")
    connection = apsw.Connection(str(filled / "graph.db"))
    connection.execute("BEGIN IMMEDIATE")
    payload = {**BASH, "tool_input": {"command": "npm ci"}, "error": EACCES}

    assert hook("post-tool-use-failure", payload=payload) is None

    connection.execute("ROLLBACK")
    assert "took longer than 0.5 s" in lines(filled)[0]


def test_an_input_that_never_ends_ends_at_the_deadline(filled: Path) -> None:
    """The watchdog runs before anything is read."""
    (filled / "hooks.toml").write_text("deadline = 0.3\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "shadowgraph", "hook", "user-prompt"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        status = process.wait(timeout=60)
        told = process.stdout.read() if process.stdout else b""

    assert (0, b"") == (status, told)
    assert "took longer" in lines(filled)[0]


@pytest.mark.parametrize(
    "damage", ["graph.db", "hooks.toml", "capture.toml", ".shadowgraph.toml"]
)
def test_damage_is_noted_and_nothing_is_said(
    damage: str, filled: Path, hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Store, settings and policy alike."""
    monkeypatch.delenv("SHADOWGRAPH_PROJECT")
    place = tmp_path if damage.startswith(".") else filled
    (place / damage).write_bytes(b"\x00not what it should be " * 400)

    payload = {**BASH, "tool_input": {"command": "npm ci"}, "error": EACCES}
    assert hook("post-tool-use-failure", payload=payload) is None
    assert 1 == len(lines(filled))


def test_the_log_is_bounded_and_doctor_shows_it(filled: Path, hook: Hook) -> None:
    """The older half goes first."""
    (filled / FILE_NAME).write_text("old line\n" * 4_000, encoding="utf-8")
    hook("pre-tool-use", stdin="{")
    with Library(filled) as library:
        checks = invoke(library, "shadowgraph_doctor", {}, Caller(PROJECT))["checks"]

    assert (filled / FILE_NAME).stat().st_size <= 32_768
    (told,) = (check for check in checks if check["name"] == "hooks")
    assert told["ok"]
    assert "UnreadableError" in told["detail"]


def test_the_log_holds_no_credentials(filled: Path, hook: Hook) -> None:
    """A message may quote what it stumbled over."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    hook("pre-tool-use", f"--{token}")

    assert "[secret:" in (filled / FILE_NAME).read_text(encoding="utf-8")
    assert token not in (filled / FILE_NAME).read_text(encoding="utf-8")


def test_an_index_that_lacks_much_is_left_to_others(
    home: Path, hook: Hook, fixtures: Path
) -> None:
    """A hook has no time to build one; it says nothing then."""
    files = sorted((fixtures / "notes").glob("*.jsonl"))
    texts = [
        line for file in files for line in file.read_text(encoding="utf-8").splitlines()
    ]
    with Library(home) as library:
        import_lines(library, texts)

    assert hook("user-prompt", payload={"prompt": "use asyncio.gather and retry"}) is None
    with Library(home) as library:
        library.sync.hurried = True
        assert library.sync.view().pending > 100


def _loaded_by(event: str) -> set[str]:
    """Return the modules that a hook has loaded when it ends."""
    program = (
        "import sys\n"
        "import shadowgraph.hosts.process as process\n"
        "process._end = lambda told: print(*sys.modules)\n"
        f"process.main(['{event}'])\n"
    )
    payload = {"prompt": NFS, **BASH, "tool_input": {"command": "npm ci"}, "error": EACCES}
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    return set(done.stdout.split())


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("event", ["user-prompt", "post-tool-use-failure", "session-start"])
def test_a_hook_loads_neither_protocol_nor_schemas(event: str) -> None:
    """Both would cost it its quarter of a second."""
    loaded = {name.split(".")[0] for name in _loaded_by(event)}

    assert "apsw" in loaded
    assert set() == loaded & {"mcp", "mcp_types", "pydantic", "click", "anyio", "asyncio"}


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("event", ["post-tool-use", "pre-compact", "session-end"])
def test_a_hook_that_searches_nothing_loads_only_the_store(event: str) -> None:
    """Loading is nearly all of its time; `dataclasses` alone would be a tenth."""
    loaded = _loaded_by(event)

    assert "shadowgraph.store" in loaded
    assert set() == loaded & {
        "shadowgraph.search",
        "shadowgraph.rules.grammar",
        "shadowgraph.rules.outcome",
        "shadowgraph.installing.hosts",
        "importlib.resources",
        "dataclasses",
        "logging",
    }


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("event", ["session-start", "user-prompt"])
def test_a_hook_that_searches_loads_only_what_it_needs(event: str) -> None:
    """The grammar of conditions waits for an attempt that has one."""
    loaded = _loaded_by(event)

    assert "shadowgraph.search" in loaded
    assert set() == loaded & {"shadowgraph.rules.grammar", "importlib.resources"}
