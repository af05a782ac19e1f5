"""Write docs/first-hour.md: what a new user meets, from install to uninstall, as it happened.

    python docs/first_hour.py            run everything and write the page
    python docs/first_hour.py --check    fail when the page is not what happens today

It acts as somebody with an empty home directory, in an empty directory, and with no variable
of the caller's but the way to programs. Every command is run by a shell. Every event is
given, as JSON, to the very line that `install` wrote for it, as the host would. What differs
from run to run (directories, ids, times, the machine) is written by its form, so that the
same program gives the same page.

What happened is judged as well: a run in which the attempt was not stopped, or in which a
file is not as it was, ends with an error and writes nothing.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shadowgraph.hosts.event import EVENTS
from shadowgraph.hosts.surroundings import environment as machine

PAGE = Path(__file__).with_name("first-hour.md")
EXECUTABLE = "/opt/shadowgraph/bin"
PROJECT = "/srv/shop"
STORE = "~/.local/share/shadowgraph"
HOST_EVENTS = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "post-tool-use-failure": "PostToolUseFailure",
    "pre-compact": "PreCompact",
    "session-end": "SessionEnd",
}
FORMS = (
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "2026-01-05T09:00:00.000Z"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "2026-01-05 09:00"),
    (r"\b\d{4}-\d\d-\d\d\b", "2026-01-05"),
    # Midnight may come while it runs.
    (r"\b1 day ago\b", "today"),
)
COMMAND = "python3 migrate.py"
SUMS = f"{PROJECT}/before.sums"
CHECK = f"cd && sha256sum --check {SUMS} 2> /dev/null"
OWN_FILES = {
    ".claude.json": '{ "numStartups": 7,\t"mcpServers": {"clock":{"command":"clock"}} }',
    ".claude/settings.json": (
        '{\r\n  "model": "opus",\r\n  "hooks": {"SessionEnd": [{"hooks": [\r\n'
        '    {"type": "command", "command": "say bye"}]}]}\r\n}\r\n'
    ),
}
"Settings of somebody who writes JSON in a way of their own, with line ends of Windows."


class OtherwiseError(Exception):
    """Something did not happen as the page says it does."""


@dataclass
class Newcomer:
    """Somebody with an empty home in an empty directory, and what they have written down."""

    root: Path
    session: str = "monday"
    seen: set[str] = field(default_factory=set)
    "Events that were given to a hook."
    page: list[str] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the directories, and the command as an installation has it."""
        for directory in (self.home, self.project, self.root / "bin"):
            directory.mkdir()
        installed = Path(sys.executable).with_name("shadowgraph")
        if not installed.is_file():
            raise OtherwiseError(f"{installed} is missing: install shadowgraph there.")
        (self.root / "bin" / "shadowgraph").symlink_to(installed)
        python = self.root / "bin" / "python3"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)

    @property
    def home(self) -> Path:
        """The home directory."""
        return self.root / "user"

    @property
    def project(self) -> Path:
        """The directory they work in."""
        return self.root / "project"

    def say(self, *lines: str) -> None:
        """Write prose."""
        self.page += ["", *lines]

    def run(self, *commands: str, status: int = 0) -> str:
        """Run commands and write them down with what they printed; return the last of it."""
        told = ""
        self.page += ["", "```console"]
        for command in commands:
            done = self._shell(command, "")
            expected = status if command == commands[-1] else 0
            if done.returncode != expected:
                raise OtherwiseError(
                    f"{command} ended with {done.returncode}: {done.stdout}"
                )
            told = self.plain(done.stdout)
            self.page += [f"$ {command}", *told.splitlines()]
        self.page.append("```")
        return told

    def event(self, name: str, **said: Any) -> dict[str, Any]:
        """Give an event to its hook, write both down, and return what the hook answered."""
        payload = {
            "session_id": self.session,
            "cwd": str(self.project),
            "hook_event_name": HOST_EVENTS[name],
            **said,
        }
        line = self._installed(HOST_EVENTS[name])
        done = self._shell(line, json.dumps(payload))
        if done.returncode or (done.stdout and done.stdout.count("\n") != 1):
            raise OtherwiseError(f"{line} ended with {done.returncode}: {done.stdout}")
        answer: dict[str, Any] = json.loads(done.stdout or "{}")
        self.seen.add(name)
        self.page += ["", f"`{self.plain(line)}` is given", "", "```json"]
        self.page += [*self._lines(payload), "```", ""]
        if answer:
            self.page += ["and answers", "", "```json", *self._lines(answer), "```"]
        else:
            self.page += ["and answers nothing."]
        return answer

    def sums(self) -> dict[str, str]:
        """Return the digest of every file below the home directory but the store's."""
        files = [path for path in self.home.rglob("*") if path.is_file()]
        named = {path.relative_to(self.home).as_posix(): path for path in sorted(files)}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in named.items()
            if not name.startswith(".local/share/shadowgraph/")
        }

    def plain(self, text: str) -> str:
        """Return a text with forms in place of what differs from run to run."""
        for place, name in (
            (self.root / "bin", EXECUTABLE),
            (self.home, "~"),
            (self.project, PROJECT),
        ):
            text = text.replace(str(place), name)
        text = text.replace(machine(None), "Linux 6.8 x86_64")
        for pattern, form in FORMS:
            text = re.sub(pattern, form, text)
        return re.sub(r"\b([a-z]+)_01[0-9a-z]{24}\b", self._numbered, text)

    def _numbered(self, found: re.Match[str]) -> str:
        return self.ids.setdefault(found[0], f"{found[1]}_{len(self.ids) + 1:026d}")

    def _lines(self, value: Any) -> list[str]:
        return self.plain(json.dumps(value, indent=2, ensure_ascii=False)).splitlines()

    def _installed(self, event: str) -> str:
        """Return the line that install wrote for an event of the host."""
        settings = self.home / ".claude" / "settings.json"
        groups = json.loads(settings.read_text(encoding="utf-8"))["hooks"][event]
        return str(groups[-1]["hooks"][0]["command"])

    def _shell(self, command: str, given: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - what the page says, run as it says
            ["/bin/sh", "-c", command.replace(PROJECT, str(self.project))],
            cwd=self.project,
            env={
                "PATH": f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.home),
                "USER": "ada",
                "LC_ALL": "C.UTF-8",
            },
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )


def must(held: bool, what: str) -> None:
    """Stop when something did not happen.

    Raises:
        OtherwiseError: it did not.
    """
    if not held:
        raise OtherwiseError(f"Not so: {what}.")


def decision(answer: dict[str, Any]) -> str:
    """Return what a hook decided before a tool; nothing when it left that to the host."""
    told = answer.get("hookSpecificOutput", {})
    return str(told.get("permissionDecision", ""))


def install(user: Newcomer) -> None:
    """Install into Claude Code, with hooks."""
    user.say("## Install", "", "There is nothing in the home directory, and nothing here:")
    must(user.run("find ~ . -mindepth 1") == "", "both directories are empty")
    user.say("What would be written, and then the same in earnest:")
    user.run("shadowgraph install claude-code --hooks --dry-run")
    must(not user.sums(), "a dry run writes nothing")
    user.run(
        "shadowgraph install claude-code --hooks --yes | tail -n 3",
        "find ~ -type f | sort",
        "shadowgraph doctor",
    )
    user.say(
        "By default a hook tells of an action to avoid.",
        "To have it stopped, say so in the home of the store ([hooks](hooks.md)).",
        "A hook gives up after two seconds; on a busy machine it may have longer:",
    )
    user.run(f"mkdir -p {STORE}", _allowed("deny"))


def _allowed(decision: str) -> str:
    """Return the command that says what hooks may do."""
    said = f"'on_avoid = \"{decision}\"' 'deadline = 8.0'"
    return f"printf '%s\\n' {said} > {STORE}/hooks.toml"


def fail(user: Newcomer) -> None:
    """Fail for the first time: nothing is known before, one attempt afterwards."""
    user.say(
        "## The first session",
        "",
        "Nothing is known yet, so the hooks say nothing.",
        "The commands below are those that install wrote, run as Claude Code runs them.",
    )
    prompt = "Bring the database up to date with migrate.py"
    must(not user.event("session-start", source="startup"), "a start is silent")
    must(not user.event("user-prompt", prompt=prompt), "a prompt is silent")
    must(not _about_to(user, COMMAND), "an unknown command is not spoken of")
    user.say("The command is run, and it fails:")
    output = user.run("echo 'import shop_schema' > migrate.py", COMMAND, status=1)
    user.event("post-tool-use-failure", **_bash(COMMAND), error=f"Exit code 1\n{output}")
    user.say("Nothing is said, and the failure is kept:")
    told = user.run("shadowgraph search \"No module named 'shop_schema'\"")
    must("FAILED" in told and COMMAND in told, "the failure is found")


def stop(user: Newcomer) -> None:
    """Try the same again, in this session and in the next one."""
    user.say("## The next attempt is stopped", "", "In the same session:")
    must("deny" == decision(_about_to(user, COMMAND)), "the next attempt is denied")
    user.say("What a person is told before a compaction and at the end:")
    must("1 failed" in str(user.event("pre-compact", trigger="auto")), "compaction tells")
    must("1 failed" in str(user.event("session-end", reason="exit")), "the end tells")
    user.session = "tuesday"
    user.say("## Another session", "", "It begins with what failed before:")
    must("shop_schema" in str(user.event("session-start", source="startup")), "it tells")
    prompt = "The database is old. Run python3 migrate.py, please."
    must(not user.event("user-prompt", prompt=prompt), "nothing is said twice")
    user.session = "wednesday"
    user.say("Nothing is said twice in a session. In one that was not told yet:")
    must("shop_schema" in str(user.event("user-prompt", prompt=prompt)), "a prompt tells")
    other = f"cd {user.project} && {COMMAND} 2>&1 | tail"
    must("deny" == decision(_about_to(user, other)), "another spelling is denied")


def work(user: Newcomer) -> None:
    """Let it work, and see that nobody is warned of it any more."""
    user.say(
        "## It works by now", "", "Asked about instead of denied, a person can say yes:"
    )
    user.run(_allowed("ask"))
    must("ask" == decision(_about_to(user, COMMAND)), "the person is asked")
    user.say("The module has come in the meantime, and the person knows it:")
    made = "echo 'print(\"2 migrations applied\")' > shop_schema.py"
    output = user.run(made, COMMAND)
    response = {"stdout": output.strip(), "stderr": "", "interrupted": False}
    user.event("post-tool-use", **_bash(COMMAND), tool_response=response)
    user.say("Both are kept, linked with each other, and nobody is warned any more:")
    told = user.run("shadowgraph log", "shadowgraph search migrate.py")
    must("SUCCEEDED" in told and "FAILED" in told, "both are found")
    must(not _about_to(user, COMMAND), "what works is not spoken of")


def leave(user: Newcomer) -> None:
    """Take everything out again."""
    user.say("## Out again")
    user.run("shadowgraph uninstall --yes | tail -n 2")
    user.say("Of the hosts' files there is none left. The store stays until you remove it:")
    user.run("find ~ -type f -not -path '*/shadowgraph/*'", f"ls {STORE}")
    must(not user.sums(), "no file is left beside the store")
    left = user.run("rm -r ~/.local", "find ~ -mindepth 1")
    must(left == "", "the home is as empty as it was")


def give_back(user: Newcomer) -> None:
    """Do the same where there are settings already."""
    user.say(
        "## With settings of one's own",
        "",
        "Files that somebody has written their own way come back byte for byte.",
    )
    for name, text in OWN_FILES.items():
        file = user.home / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    before = user.sums()
    user.run("cd && find . -type f | sort | xargs sha256sum | tee " + SUMS)
    user.run("shadowgraph install claude-code --hooks --yes | tail -n 3", CHECK, status=1)
    must(before.items() & user.sums().items() == set(), "install changes the files")
    user.run(
        "shadowgraph uninstall --hooks --yes | tail -n 1",
        "shadowgraph uninstall --yes | tail -n 1",
        CHECK,
        "find ~ -type f | sort",
    )
    must(before == user.sums(), "every file is as before, and none is beside it")
    user.say("Identical, file by file, and nothing is left beside them.")


def _bash(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def _about_to(user: Newcomer, command: str) -> dict[str, Any]:
    return user.event("pre-tool-use", **_bash(command))


INTRODUCTION = (
    "# The first hour",
    "",
    "<!-- Written by docs/first_hour.py; do not edit. -->",
    "",
    "What a new user of Claude Code meets, from install to uninstall, as it happened.",
    "`python docs/first_hour.py` runs everything on this page again, in an empty directory and with an empty home, and fails when something is not as it says here.",
    f"The executable is in `{EXECUTABLE}`, the work in `{PROJECT}`; ids, times and the machine are written by their form.",
)


def happened(root: Path) -> str:
    """Return the page, having done everything on it below *root*.

    Raises:
        OtherwiseError: something did not happen as the page says.
    """
    user = Newcomer(root)
    user.page += INTRODUCTION
    for part in (install, fail, stop, work, leave, give_back):
        part(user)
    must(user.seen == set(EVENTS), "each kind of event was given to a hook")
    return "\n".join(user.page) + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with --check compare it; return the exit status."""
    root = Path(tempfile.mkdtemp(prefix="first-hour-")).resolve()
    try:
        page = happened(root)
    except OtherwiseError as error:
        print(f"first-hour.md: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(root)
    if "--check" not in arguments:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.is_file() or page != PAGE.read_text(encoding="utf-8"):
        print("first-hour.md is not what happens: run python docs/first_hour.py")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
