"""Replaying a transcript: what would have been recorded of it, and why not the rest.

Nothing is stored. A transcript is JSON Lines: the session file of Claude Code, where a call
and its result stand in two messages, or one payload of a hook a line, or one judged event
with `command`, `exit` and `output`. Lines that tell of no command are passed over and
counted.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from shadowgraph.hosts.capturing import ruled
from shadowgraph.hosts.event import Event
from shadowgraph.hosts.reading import read
from shadowgraph.masking import packaged as secrets
from shadowgraph.rules.capturing import Policy
from shadowgraph.rules.recurrence import failure_identity

_HOOKS = {
    "PostToolUse": "post-tool-use",
    "PostToolUseFailure": "post-tool-use-failure",
    "AfterTool": "post-tool-use",
    "postToolUse": "post-tool-use",
    "postToolUseFailure": "post-tool-use-failure",
    "afterShellExecution": "post-tool-use",
}
"Events that tell how a command ended, by the names of the hosts."


@dataclass(frozen=True, slots=True)
class Shown:
    """What would become of one command."""

    command: str
    status: int | None
    what: str
    "recorded, counted, resolved or nothing."
    ground: str
    cue: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the wire shape."""
        told: dict[str, Any] = {
            "command": self.command,
            "exitStatus": self.status,
            "what": self.what,
            "ground": self.ground,
        }
        return told | ({"cue": self.cue} if self.cue else {})


@dataclass
class Replay:
    """The state of one replay."""

    policy: Policy
    host: str
    known: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    calls: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    passed_over: int = 0

    def of(self, lines: Iterable[str]) -> Iterator[Shown]:
        """Yield what would become of every command in a transcript."""
        for line in lines:
            events = list(self._events(_object(line)))
            self.passed_over += not events and bool(line.strip())
            for event in events:
                yield self._shown(event)

    def _events(self, entry: Mapping[str, Any]) -> Iterator[Event]:
        if isinstance(entry.get("command"), str) and "exit" in entry:
            status = entry["exit"] if isinstance(entry["exit"], int) else None
            output = str(entry.get("output") or "")
            yield Event("post-tool-use", self.host, command=entry["command"],
                        status=status, output=output)  # fmt: skip
            return
        name = _HOOKS.get(str(entry.get("hook_event_name")))
        if name:
            event = read(self.host, name, entry)
            if event.command:
                yield event
            return
        for block in _blocks(entry):
            yield from self._block(block, entry)

    def _block(self, block: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[Event]:
        """Yield the event of a result whose call came before."""
        if block.get("type") == "tool_use":
            self.calls[str(block.get("id"))] = block
            return
        call = self.calls.get(str(block.get("tool_use_id")))
        if block.get("type") != "tool_result" or call is None:
            return
        failed = bool(block.get("is_error"))
        payload = {
            "tool_name": call.get("name"),
            "tool_input": call.get("input"),
            "error" if failed else "tool_response": block.get("content"),
            "cwd": entry.get("cwd"),
        }
        name = "post-tool-use-failure" if failed else "post-tool-use"
        event = read(self.host, name, payload)
        if event.command:
            yield event

    def _shown(self, event: Event) -> Shown:
        command = secrets().mask(event.command)[0]
        ruling = ruled(self.policy, event)
        ground, what = ruling.ground, "nothing"
        if ruling.keep:
            what = self._kept(event, command)
        elif ground == "success" and command in self.failing:
            self.failing.discard(command)
            what = "resolved"
        return Shown(command, event.status, what, ground, ruling.cue)

    def _kept(self, event: Event, command: str) -> str:
        steps = self.policy.steps(event.command)
        program = " ".join(steps[-1].split()[:2]) if steps else ""
        status = event.status or 0
        identity = failure_identity(program, command, status, event.output)
        again = identity in self.known
        self.known.add(identity)
        self.failing.add(command)
        return "counted" if again else "recorded"


def _object(line: str) -> Mapping[str, Any]:
    try:
        held = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, Mapping) else {}


def _blocks(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, Mapping))
