"""What happened in a host, and what is answered, in our own words.

Every host names things differently; beyond `reading` and `answering` there is one form.
"""

from pathlib import Path
from typing import Final, Literal, NamedTuple

EVENTS: Final = (
    "session-start",
    "user-prompt",
    "pre-tool-use",
    "post-tool-use",
    "post-tool-use-failure",
    "pre-compact",
    "session-end",
)
"Names of the events, as the command line takes them."
HOSTS: Final = ("claude-code", "codex", "cursor", "gemini")
"Hosts whose forms are known; the first one is meant when none is named."

Decision = Literal["", "ask", "deny"]


class Event(NamedTuple):
    """One event of a host."""

    name: str
    "One of EVENTS."
    host: str
    session: str | None = None
    directory: Path | None = None
    "Where the host works."
    source: str = ""
    "What a session starts from: startup, resume, clear or compact; nothing where untold."
    prompt: str = ""
    command: str = ""
    "The shell command, when the tool is a shell."
    path: str = ""
    "The file that is edited, when the tool is an editor."
    text: str = ""
    "What is written into it."
    status: int | None = None
    "Exit status of the command; None when nothing tells it."
    output: str = ""
    interrupted: bool = False

    @property
    def action(self) -> str:
        """What is about to be done, as a check reads it; nothing for another tool."""
        if self.command:
            return self.command
        return f"edit {self.path}: {self.text[:2_000]}" if self.path else ""


class Answer(NamedTuple):
    """What is said to the host."""

    context: str = ""
    "Text for the model."
    decision: Decision = ""
    reason: str = ""
    "Why, when there is a decision."
    message: str = ""
    "Text for the person."
    lines: tuple[str, ...] = ()
    "The attempts in it, one line each, for the memory of what was told."


SILENCE: Final = Answer()
"""Nothing to say, which is what most hooks say."""
