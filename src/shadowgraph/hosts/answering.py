"""From an answer to a host's JSON.

A host that has no place for something does not get it: Cursor takes no context with a
prompt, Codex and Gemini CLI do not ask, and Gemini CLI takes no context before a tool, so
the person is told instead. `allow` is never said: it would take away the host's own question.
"""

from collections.abc import Mapping
from typing import Any, Final

from shadowgraph.hosts.event import Answer, Event

_CLAUDE: Final = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "post-tool-use-failure": "PostToolUseFailure",
}
_GEMINI: Final = {
    "session-start": "SessionStart",
    "user-prompt": "BeforeAgent",
    "post-tool-use": "AfterTool",
    "post-tool-use-failure": "AfterTool",
}


def written(event: Event, answer: Answer) -> Mapping[str, Any] | None:
    """Return what is printed; None for silence."""
    made = {"cursor": _cursor, "gemini": _gemini}.get(event.host, _claude)(event, answer)
    return made or None


def _claude(event: Event, answer: Answer) -> dict[str, Any]:
    """Claude Code; Codex has taken its form, but cannot ask."""
    name = _CLAUDE.get(event.name)
    # Where the model is told, the person need not be told as well.
    message = "" if name else answer.message
    told: dict[str, Any] = {"systemMessage": message} if message else {}
    specific: dict[str, Any] = {}
    if name and answer.context:
        specific["additionalContext"] = answer.context
    if name == "PreToolUse" and _may_decide(event, answer):
        specific["permissionDecision"] = answer.decision
        specific["permissionDecisionReason"] = answer.reason
    if specific:
        told["hookSpecificOutput"] = {"hookEventName": name, **specific}
    return told


def _may_decide(event: Event, answer: Answer) -> bool:
    asks = event.host not in ("codex", "gemini")
    return answer.decision == "deny" or (answer.decision == "ask" and asks)


def _gemini(event: Event, answer: Answer) -> dict[str, Any]:
    if event.name == "pre-tool-use":
        if _may_decide(event, answer):
            return {"decision": "deny", "reason": answer.reason}
        return {"systemMessage": answer.message} if answer.message else {}
    told: dict[str, Any] = {"systemMessage": answer.message} if answer.message else {}
    name = _GEMINI.get(event.name)
    if name and answer.context:
        told["hookSpecificOutput"] = {
            "hookEventName": name,
            "additionalContext": answer.context,
        }
    return told


def _cursor(event: Event, answer: Answer) -> dict[str, Any]:
    if event.name == "pre-tool-use":
        told = {"agent_message": answer.context} if answer.context else {}
        if _may_decide(event, answer):
            told |= {"permission": answer.decision, "user_message": answer.reason}
        return told
    if event.name in ("session-start", "post-tool-use") and answer.context:
        return {"additional_context": answer.context}
    if event.name == "pre-compact" and answer.message:
        return {"user_message": answer.message}
    return {}
