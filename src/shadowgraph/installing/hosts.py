"""The hosts: where each keeps its settings on each platform, and what belongs into them.

A host is the program an agent runs in. Of each this table says its files by scope, under
which key a server stands, which fields its entry has, and which of its events are hooks of
ours. A host that has no hooks, or no file for a project, says so here and nowhere else.

Invariant: nothing here touches a disk or the environment; directories come from `Places`.
What is written into the files, and how, is the work of `entries`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from shadowgraph.installing.places import Places

Scope = Literal["user", "project"]
SCOPES: tuple[Scope, ...] = ("user", "project")
NAME = "shadowgraph"
"The name of our entry in every host."
TIMEOUT = 10
"Seconds a hook may take; it fails open long before."

_COMMANDS = "Bash"
_ACTIONS = "Bash|Edit|MultiEdit|Write|NotebookEdit"


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a host that is a hook of ours."""

    name: str
    "What the host calls it."
    ours: str
    "What `shadowgraph hook` calls it."
    matcher: str | None = None
    "The tools it is limited to; None for an event that is about no tool."
    limit: int | None = None
    "Seconds that the host allows at most, when they are fewer than ours."


@dataclass(frozen=True, slots=True)
class Host:
    """One program that an agent runs in."""

    name: str
    title: str
    key: str = "mcpServers"
    "The object, or in TOML the table, under which servers stand."
    extra: Mapping[str, Any] = field(default_factory=dict)
    "Fields of an entry beside command and arguments: the first before, others behind."
    events: tuple[Event, ...] = ()
    milliseconds: bool = False
    "Whether a hook's timeout is counted in them."
    nested: bool = True
    "Whether an event holds groups, each with its matcher and a list of hooks."
    relaxed: bool = False
    "Whether its JSON may hold comments and a comma before a closing bracket."
    projects: bool = True
    "Whether it reads a file of the project."
    check: str = ""
    "How a person sees in the host that it works."

    def timeout(self, event: Event) -> int:
        """Return the time the hook of an event may take, in the host's unit."""
        seconds = min(TIMEOUT, event.limit or TIMEOUT)
        return seconds * 1000 if self.milliseconds else seconds


CLAUDE_EVENTS = (
    Event("SessionStart", "session-start"),
    Event("UserPromptSubmit", "user-prompt"),
    Event("PreToolUse", "pre-tool-use", _ACTIONS),
    Event("PostToolUse", "post-tool-use", _COMMANDS),
    Event("PostToolUseFailure", "post-tool-use-failure", _COMMANDS),
    Event("PreCompact", "pre-compact"),
    Event("SessionEnd", "session-end"),
)

HOSTS: dict[str, Host] = {
    host.name: host
    for host in (
        Host(
            "claude-code",
            "Claude Code",
            extra={"type": "stdio"},
            events=CLAUDE_EVENTS,
            check="`claude mcp get shadowgraph`, and `/mcp` and `/hooks` in a session",
        ),
        Host(
            "claude-desktop",
            "Claude Desktop",
            projects=False,
            check="restart it; *Settings, Developer* shows shadowgraph as running",
        ),
        Host(
            "cursor",
            "Cursor",
            events=(
                Event("sessionStart", "session-start"),
                Event("beforeSubmitPrompt", "user-prompt"),
                Event("preToolUse", "pre-tool-use", "Shell|Write"),
                Event("postToolUse", "post-tool-use", "Shell"),
                Event("postToolUseFailure", "post-tool-use-failure", "Shell"),
                Event("preCompact", "pre-compact"),
                Event("sessionEnd", "session-end"),
            ),
            nested=False,
            relaxed=True,
            check="*Settings, Tools & MCP* lists it, *Settings, Hooks* its hooks",
        ),
        Host(
            "codex",
            "Codex",
            key="mcp_servers",
            events=(
                Event("SessionStart", "session-start"),
                Event("UserPromptSubmit", "user-prompt"),
                Event("PreToolUse", "pre-tool-use", "Bash|apply_patch"),
                Event("PostToolUse", "post-tool-use", "Bash"),
                Event("PreCompact", "pre-compact"),
                Event("SessionEnd", "session-end", limit=3),
            ),
            check="`codex mcp list`; `/hooks` in a session, where new hooks wait for trust",
        ),
        Host(
            "vscode",
            "VS Code",
            key="servers",
            extra={"type": "stdio"},
            relaxed=True,
            check="the command *MCP: List Servers* shows shadowgraph",
        ),
        Host(
            "gemini",
            "Gemini CLI",
            events=(
                Event("SessionStart", "session-start"),
                Event("BeforeAgent", "user-prompt"),
                Event("BeforeTool", "pre-tool-use", "run_shell_command|replace|write_file"),
                Event("AfterTool", "post-tool-use", "run_shell_command"),
                Event("PreCompress", "pre-compact"),
                Event("SessionEnd", "session-end"),
            ),
            milliseconds=True,
            relaxed=True,
            check="`gemini mcp list`; `/hooks panel` in a session",
        ),
        Host(
            "zed",
            "Zed",
            key="context_servers",
            extra={"env": {}},
            relaxed=True,
            check="the settings of the agent panel show a green dot beside shadowgraph",
        ),
    )
}
"Every host that shadowgraph can be installed into, by name."


def server_file(host: Host, scope: Scope, places: Places) -> Path | None:
    """Return the file in which a host looks for servers; None when it has none."""
    if scope == "project":
        return None if places.project is None else _project_files(host, places.project)[0]
    return _user_files(host, places)[0]


def hooks_file(host: Host, scope: Scope, places: Places) -> Path | None:
    """Return the file in which a host looks for hooks; None when it has none."""
    if not host.events:
        return None
    if scope == "project":
        return None if places.project is None else _project_files(host, places.project)[1]
    return _user_files(host, places)[1]


def _user_files(host: Host, places: Places) -> tuple[Path | None, Path | None]:
    cursor, gemini = places.user / ".cursor", places.user / ".gemini" / "settings.json"
    table: dict[str, tuple[Path | None, Path | None]] = {
        "claude-code": places.claude(),
        "claude-desktop": (
            places.settings() / "Claude" / "claude_desktop_config.json",
            None,
        ),
        "cursor": (cursor / "mcp.json", cursor / "hooks.json"),
        "codex": (places.codex() / "config.toml", places.codex() / "hooks.json"),
        "vscode": (places.settings() / "Code" / "User" / "mcp.json", None),
        "gemini": (gemini, gemini),
        "zed": (places.zed() / "settings.json", None),
    }
    return table[host.name]


def _project_files(host: Host, project: Path) -> tuple[Path | None, Path | None]:
    cursor, codex = project / ".cursor", project / ".codex"
    gemini = project / ".gemini" / "settings.json"
    table: dict[str, tuple[Path | None, Path | None]] = {
        "claude-code": (project / ".mcp.json", project / ".claude" / "settings.json"),
        "claude-desktop": (None, None),
        "cursor": (cursor / "mcp.json", cursor / "hooks.json"),
        "codex": (codex / "config.toml", codex / "hooks.json"),
        "vscode": (project / ".vscode" / "mcp.json", None),
        "gemini": (gemini, gemini),
        "zed": (project / ".zed" / "settings.json", None),
    }
    return table[host.name]


def present(host: Host, places: Places) -> bool:
    """Say whether a host seems to be used here: its file, or the directory of it, is."""
    file, hooks = _user_files(host, places)
    if file is None:
        return False
    if file.exists() or (hooks is not None and hooks.parent.is_dir()):
        return True
    return file.parent != places.user and file.parent.is_dir()
