"""From a host's JSON to an event.

The hosts agree on most names, and where they do not, the names do not collide; so one reader
knows them all, and a member that is missing or of another type is as good as absent. What
differs by host is how a command's end is told:

* Claude Code calls another event when a tool failed, with the status in a text; without
  one the call was refused;
* Codex calls one event for both and tells the status in the output or not at all;
* Cursor has two events as well, and one for shells that tells no status;
* Gemini CLI calls one event for both and leaves the status out when it is 0.

An exit status that nobody told stays unknown: what is not known to have failed is not
recorded as failed.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from shadowgraph.hosts.event import Event
from shadowgraph.model.text import clean

MOST: Final = 60_000
"Characters of an output or prompt that are read: beginning and end of it."
SHELLS: Final = frozenset(
    {"bash", "shell", "run_shell_command", "exec_command", "local_shell", "powershell"}
)
"Tools that run a command, in lower case."
EDITORS: Final = frozenset(
    {
        "edit", "write", "multiedit", "notebookedit", "apply_patch", "replace", "write_file",
        "strreplace", "search_replace", "edit_file",
    }
)  # fmt: skip
"Tools that write a file, in lower case."
_STATUS: Final = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: non-zero)?(?: exit)?[ _](?:code|status)(?: code)?"
    r"|exited with(?: code| status)?|returned non-zero exit status)[ :=]+(-?\d{1,10})\b"
)
_BEGINNING: Final = 400
"Characters at both ends of an output in which a host may tell the status."
_CODES: Final = (
    "exit_code",
    "exitCode",
    "exitStatus",
    "exit_status",
    "returncode",
    "status",
)
_TEXTS: Final = (
    "error", "error_message", "stdout", "stderr", "output", "llmContent", "aggregated_output",
    "content", "text", "result", "returnDisplay",
)  # fmt: skip
_WRITTEN: Final = ("new_string", "content", "contents", "new_source", "patch", "input")


def read(host: str, name: str, payload: Mapping[str, Any]) -> Event:
    """Return the event that *payload* tells of."""
    tool = _object(payload.get("tool_input")) or _top_level(payload)
    kind = str(payload.get("tool_name") or "").rsplit("__", 1)[-1].lower()
    command = _command(tool) if not kind or kind in SHELLS else ""
    response = payload.get("tool_response", payload.get("tool_output"))
    output = _output(payload, response)
    edits = not command and (not kind or kind in EDITORS)
    return Event(
        name=name,
        host=host,
        session=_first(payload, "session_id", "conversation_id") or None,
        directory=_directory(payload, tool),
        source=_first(payload, "source"),
        prompt=_bounded(_first(payload, "prompt")),
        command=command,
        path=_first(tool, "file_path", "path", "notebook_path") if edits else "",
        text=_bounded(_written(tool)) if edits else "",
        status=_status(host, name, payload, response, output, tool) if command else None,
        output=output,
        interrupted=_interrupted(payload, response),
    )


def _top_level(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what Cursor's own events say beside everything else."""
    names = ("command", "cwd", "file_path", "edits")
    return {name: payload[name] for name in names if name in payload}


def _object(value: Any) -> Mapping[str, Any]:
    """Return a JSON object, written as such or as a text."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def _command(tool: Mapping[str, Any]) -> str:
    given = tool.get("command", tool.get("cmd"))
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        if len(given) == 3 and given[1] in ("-c", "-lc"):
            return _bounded(given[2])
        return _bounded(" ".join(given))
    return _bounded(given) if isinstance(given, str) else ""


def _written(tool: Mapping[str, Any]) -> str:
    text = _first(tool, *_WRITTEN)
    edits = tool.get("edits")
    if text or not isinstance(edits, list):
        return text
    return "\n".join(_first(_object(edit), "new_string") for edit in edits[:20])


def _directory(payload: Mapping[str, Any], tool: Mapping[str, Any]) -> Path | None:
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else None
    for one in (payload.get("cwd"), tool.get("cwd"), root):
        if isinstance(one, str) and one and "\0" not in one:
            return Path(one)
    return None


def _output(payload: Mapping[str, Any], response: Any) -> str:
    told = [_text(payload.get(name)) for name in ("error", "error_message", "output")]
    told.append(_text(response))
    return _bounded("\n".join(dict.fromkeys(one for one in told if one)))


def _text(value: Any) -> str:
    """Return what a response says, whatever it is wrapped in."""
    held = _object(value)
    if held:
        return "\n".join(filter(None, (_text(held.get(name)) for name in _TEXTS)))
    if isinstance(value, list):
        return "\n".join(filter(None, map(_text, value[:50])))
    return value if isinstance(value, str) else ""


def _status(
    host: str,
    name: str,
    payload: Mapping[str, Any],
    response: Any,
    output: str,
    tool: Mapping[str, Any],
) -> int | None:
    """Return how a command ended, where that is told."""
    if tool.get("run_in_background") or tool.get("is_background"):
        return None
    told = _coded(_object(response))
    if told is None and (name == "post-tool-use-failure" or host in ("codex", "gemini")):
        told = _said(output)
    if name == "post-tool-use-failure":
        return told or _uncoded(host, payload)
    if told is not None or host == "codex" or "tool_name" not in payload:
        return told
    return 1 if _object(response).get("error") else 0


def _uncoded(host: str, payload: Mapping[str, Any]) -> int | None:
    """Return the status of a failure that tells none.

    Cursor never tells it. Claude Code does whenever the command ran: without a status the
    call was refused by somebody, and nothing has failed.
    """
    refused = payload.get("failure_type") == "permission_denied"
    return 1 if host == "cursor" and not refused else None


def _coded(response: Mapping[str, Any]) -> int | None:
    for held in (
        response,
        _object(response.get("metadata")),
        _object(response.get("data")),
    ):
        for name in _CODES:
            value = held.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    return None


def _said(output: str) -> int | None:
    """Return the status that a host wrote around an output."""
    ends = (output[:_BEGINNING], output[-_BEGINNING:])
    found = next((match for end in ends if (match := _STATUS.search(end))), None)
    return None if found is None else int(found[1])


def _interrupted(payload: Mapping[str, Any], response: Any) -> bool:
    return bool(payload.get("is_interrupt") or _object(response).get("interrupted"))


def _first(held: Mapping[str, Any], *names: str) -> str:
    """Return the first text among the members *names*."""
    for name in names:
        value = held.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _bounded(text: str) -> str:
    """Return a text without what no record may hold, its middle left out when it is long."""
    if len(text) > MOST:
        text = f"{text[: MOST // 2]}\n…\n{text[-MOST // 2 :]}"
    return clean(text)[0]
