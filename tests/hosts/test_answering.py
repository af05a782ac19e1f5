"""From an answer to a host's JSON: what it has no place for it does not get."""

from typing import Any

import pytest

from shadowgraph.hosts.answering import written
from shadowgraph.hosts.event import EVENTS, HOSTS, SILENCE, Answer, Event

TOLD = Answer(context="told", message="said")
ASKED = Answer("told", "ask", "why", "said")
DENIED = Answer("told", "deny", "why", "said")


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("event", EVENTS)
def test_silence_is_nothing_for_every_host(host: str, event: str) -> None:
    """Not an empty object either."""
    assert written(Event(event, host), SILENCE) is None


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("answer", [TOLD, ASKED, DENIED])
def test_nothing_is_ever_allowed(host: str, answer: Answer) -> None:
    """That would take away the host's own question."""
    for event in EVENTS:
        assert "allow" not in str(written(Event(event, host), answer))


@pytest.mark.parametrize(
    ("host", "answer", "told"),
    [
        (
            "claude-code",
            ASKED,
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "additionalContext": "told",
                    "permissionDecision": "ask",
                    "permissionDecisionReason": "why",
                }
            },
        ),
        (
            "codex",
            ASKED,
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "additionalContext": "told",
                }
            },
        ),
        (
            "cursor",
            ASKED,
            {"agent_message": "told", "permission": "ask", "user_message": "why"},
        ),
        ("gemini", ASKED, {"systemMessage": "said"}),
        ("gemini", DENIED, {"decision": "deny", "reason": "why"}),
    ],
)
def test_an_action_to_avoid_in_the_form_of_each_host(
    host: str, answer: Answer, told: dict[str, Any]
) -> None:
    """Two of them cannot ask; one tells the person alone."""
    assert told == written(Event("pre-tool-use", host), answer)


@pytest.mark.parametrize(
    ("host", "told"),
    [
        (
            "claude-code",
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "told"}},
        ),
        (
            "codex",
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "told"}},
        ),
        ("cursor", None),
        (
            "gemini",
            {
                "systemMessage": "said",
                "hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "told"},
            },
        ),
    ],
)  # fmt: skip
def test_context_with_a_prompt_in_the_form_of_each_host(
    host: str, told: dict[str, Any] | None
) -> None:
    """One of them takes none."""
    assert told == written(Event("user-prompt", host), TOLD)


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("claude-code", {"systemMessage": "said"}),
        ("codex", {"systemMessage": "said"}),
        ("cursor", {"user_message": "said"}),
        ("gemini", {"systemMessage": "said"}),
    ],
)
def test_a_line_for_the_person_before_a_compaction(host: str, told: dict[str, Any]) -> None:
    """The model gets nothing then."""
    assert told == written(Event("pre-compact", host), Answer(message="said"))
