"""Hooks do not repeat themselves, and forget what they said when the session does."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock
from tests.hosts.conftest import PROJECT, failed

from shadowgraph.hosts import told
from shadowgraph.hosts.deciding import Desk
from shadowgraph.hosts.event import Event
from shadowgraph.hosts.process import Call, answer
from shadowgraph.hosts.told import LISTED, Told, mark, sweep
from shadowgraph.settings import HookSettings

PROMPT = "run npm ci in the web shop once more please"
Say = Callable[..., str]


@pytest.fixture
def say(home: Path, clock: StoppedClock) -> Say:
    """Return a function that has a hook answer, and returns everything it said."""

    def run(name: str, on_avoid: str = "context", **given: Any) -> str:
        host = given.pop("host", "claude-code")
        event = Event(name, host, **{"session": "s1", **given})
        call = Call(name, host, str(home), PROJECT)
        reply = answer(event, call, home, HookSettings(on_avoid=on_avoid), clock)
        return "" if reply is None else str(dict(reply))

    return run


@pytest.fixture(autouse=True)
def _one_failure(desk: Desk) -> None:
    """Begin with one captured failure of another session."""
    desk.take(failed(session="s0"))


def test_a_list_is_told_once_in_a_session(say: Say) -> None:
    """At the start or with the first prompt, and to another session again."""
    assert "npm ci" in say("session-start", source="startup")
    assert "" == say("session-start", source="startup")
    assert "" == say("user-prompt", prompt="npm ci")
    assert "npm ci" in say("user-prompt", prompt="npm ci", session="s2")
    assert "" == say("user-prompt", prompt="npm ci", session="s2")


def test_processes_of_one_session_share_what_was_told(hook: Callable[..., Any]) -> None:
    """The second one prints nothing."""
    payload = {"session_id": "s1", "source": "startup"}

    assert hook("session-start", payload=payload) is not None
    assert hook("session-start", payload=payload) is None


def test_a_warning_is_told_once_though_a_list_had_it(say: Say) -> None:
    """At the moment of action it matters most; the second time it is known."""
    say("session-start", source="startup")

    assert "npm ci" in say("pre-tool-use", command="npm ci")
    assert "" == say("pre-tool-use", command="npm ci")


def test_after_a_warning_no_list_says_the_same(say: Say) -> None:
    """The model has read it."""
    say("pre-tool-use", command="npm ci")

    assert "" == say("user-prompt", prompt="npm ci")


@pytest.mark.parametrize("source", ["compact", "clear", "resume", ""])
def test_a_session_that_lost_its_context_is_told_again(source: str, say: Say) -> None:
    """Lists and warnings; a host that does not say why it starts may have lost it."""
    say("session-start", source="startup")
    say("pre-tool-use", command="npm ci")

    assert "npm ci" in say("session-start", source=source)
    assert "npm ci" in say("pre-tool-use", command="npm ci")


@pytest.mark.parametrize("name", ["pre-compact", "session-end"])
def test_a_compaction_and_the_end_take_the_memory_along(name: str, say: Say) -> None:
    """Not every host starts a session again after a compaction."""
    say("pre-tool-use", command="npm ci")
    say(name)

    assert "npm ci" in say("pre-tool-use", command="npm ci")


def test_a_record_that_changed_is_told_again(say: Say, desk: Desk) -> None:
    """It failed once more, so the line reads differently."""
    say("pre-tool-use", command="npm ci")
    desk.take(failed())

    assert "failed 2 times" in say("pre-tool-use", command="npm ci")


@pytest.mark.parametrize("on_avoid", ["ask", "deny"])
def test_an_action_is_stopped_every_time(on_avoid: str, say: Say) -> None:
    """A stop is no repetition."""
    answers = [say("pre-tool-use", on_avoid, command="npm ci") for _ in range(3)]

    assert 1 == len(set(answers))
    assert f"'permissionDecision': '{on_avoid}'" in answers[0]


def test_without_a_session_everything_is_told(say: Say, home: Path) -> None:
    """Nobody says whether it is the same one."""
    for _ in range(2):
        assert "npm ci" in say("pre-tool-use", command="npm ci", session=None)
    assert not (home / told.DIRECTORY).exists()


def test_what_a_host_has_no_place_for_was_not_told(say: Say) -> None:
    """Cursor takes no text with a prompt; at the start of a session it does."""
    assert "" == say("user-prompt", prompt="npm ci", host="cursor")
    assert "npm ci" in say("session-start", source="startup", host="cursor")


def test_what_only_the_person_was_told_the_model_is_told_in_a_list(say: Say) -> None:
    """Gemini CLI takes no context before a tool."""
    assert "npm ci" in say("pre-tool-use", command="npm ci", host="gemini")
    assert "" == say("pre-tool-use", command="npm ci", host="gemini")
    assert "npm ci" in say("user-prompt", prompt="npm ci", host="gemini")


def test_a_memory_that_cannot_be_kept_or_read_repeats_instead(say: Say, home: Path) -> None:
    """It fails open: something else stands in its place."""
    (home / told.DIRECTORY).write_text("a file", encoding="utf-8")

    for _ in range(2):
        assert "npm ci" in say("pre-tool-use", command="npm ci")


def test_sessions_and_projects_have_a_memory_each(tmp_path: Path) -> None:
    """Nothing of a name is in the name of its file."""
    first = Told(tmp_path, "p", "one")
    first.add([mark(LISTED, "x")])

    assert {mark(LISTED, "x")} == first.lines()
    assert not Told(tmp_path, "p", "two").lines()
    assert not Told(tmp_path, "q", "one").lines()
    (file,) = (tmp_path / told.DIRECTORY).iterdir()
    assert file.name.isalnum()
    assert 0 == file.stat().st_mode & 0o077


def test_hooks_that_run_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each appends its lines in one write."""
    marks = [[mark(LISTED, f"{a} {b}") for b in range(5)] for a in range(16)]
    threads = [
        threading.Thread(target=Told(tmp_path, "p", "s").add, args=[some]) for some in marks
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert {one for some in marks for one in some} == Told(tmp_path, "p", "s").lines()


def test_a_memory_stays_small(tmp_path: Path) -> None:
    """When it is full it begins anew, and the last thing told is in it."""
    memory = Told(tmp_path, "p", "s")
    for number in range(0, 3_000, 5):
        memory.add([mark(LISTED, f"{number + n}") for n in range(5)])
    (file,) = (tmp_path / told.DIRECTORY).iterdir()

    assert file.stat().st_size <= told.MOST_BYTES + 5 * 18
    assert mark(LISTED, "2999") in memory.lines()


def test_what_nobody_ended_is_swept(
    tmp_path: Path, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a week, and before that when there are too many: the oldest go."""
    monkeypatch.setattr(told, "MOST_FILES", 3)
    seen: set[Path] = set()
    for days in range(10):
        Told(tmp_path, "p", str(days)).add([mark(LISTED, "x")])
        (added,) = set((tmp_path / told.DIRECTORY).iterdir()) - seen
        seen.add(added)
        then = clock().timestamp() - days * 86_400
        os.utime(added, (then, then))

    sweep(tmp_path, clock())
    held = [days for days in range(10) if Told(tmp_path, "p", str(days)).lines()]
    assert [0, 1, 2] == held

    clock.advance(days=6)
    sweep(tmp_path, clock())
    assert Told(tmp_path, "p", "0").lines()
    assert not Told(tmp_path, "p", "2").lines()
