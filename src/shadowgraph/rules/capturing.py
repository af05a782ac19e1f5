"""Which failed commands are worth keeping: a policy, read from data and applied here.

A failure is worth keeping when another session in the same project would be spared
something by knowing it: it tells of the environment, a tool, a dependency or an approach.
It is not when the command answered a question, judged code that is being edited, was a slip,
or was stopped by somebody. When in doubt nothing is kept: a memory that fills up with noise
is not read.

The decision names its ground, so that a dry run can show it. What the grounds look like in
a command and in its output is the policy's data; here is only the order in which they are
looked at. By what two failures are the same one is in `rules.recurrence`.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

_SEPARATORS: Final = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_VALUE_OPTIONS: Final = frozenset({"-C", "-n", "-u", "-k", "-s"})
_MISSING: Final = 127
"The exit status of a shell that knows no such command."


class Ruling(NamedTuple):
    """Whether a tool event is kept, and on what ground."""

    keep: bool
    ground: str
    "One word of the policy: success, unknown, stopped, typo, answer, slip, trap ..."
    cue: str = ""
    "What in command or output it rests on."


class Policy(NamedTuple):
    """What is kept and what is not, by programs, exit statuses and words of the output."""

    wrappers: frozenset[str]
    answers: frozenset[str]
    checks: tuple[str, ...]
    inline: tuple[str, ...]
    kept: tuple[str, ...]
    stopped: frozenset[int]
    fatal: frozenset[int]
    programs: frozenset[str]
    timeouts: tuple[str, ...]
    states: tuple[str, ...]
    traps: tuple[str, ...]
    slips: tuple[str, ...]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Policy":
        """Return the policy that *data* writes, with every word in lower case."""
        commands, statuses, output = (
            data.get(name, {}) for name in ("commands", "statuses", "output")
        )
        return cls(
            wrappers=frozenset(_words(commands, "wrappers")),
            answers=frozenset(_words(commands, "answers")),
            checks=_words(commands, "checks"),
            inline=_words(commands, "inline"),
            kept=_words(commands, "kept"),
            stopped=frozenset(statuses.get("stopped", ())),
            fatal=frozenset(statuses.get("fatal", ())),
            programs=frozenset(_words(commands, "known")),
            timeouts=_words(output, "timeouts"),
            states=_words(output, "states"),
            traps=_words(output, "traps"),
            slips=_words(output, "slips"),
        )

    def rule(self, command: str, status: int | None, output: str) -> Ruling:
        """Say whether a command that ended so is kept."""
        if status is None:
            return Ruling(False, "unknown")
        if status == 0:
            return Ruling(False, "success")
        if not command.strip():
            return Ruling(False, "empty")
        low = output.lower()
        late = _held(self.timeouts, low)
        if late:
            return Ruling(True, "timeout", late)
        if status in self.stopped or "keyboardinterrupt" in low:
            return Ruling(False, "stopped", str(status))
        steps = self.steps(command)
        return self._of_status(steps, status, low) or self._of_words(steps, low)

    def _of_status(self, steps: list[str], status: int, low: str) -> Ruling | None:
        """Rule by the exit status alone, where it says enough."""
        if status == _MISSING:
            missing = self._missing(steps, low)
            if _is_file(missing):
                return Ruling(False, "slip", missing)
            typo = missing not in self.programs and _near(missing, self.programs)
            return (
                Ruling(False, "typo", missing)
                if typo
                else Ruling(True, "missing-tool", missing)
            )
        if status in self.fatal:
            return Ruling(True, "fatal-status", str(status))
        return None

    def _of_words(self, steps: list[str], low: str) -> Ruling:
        """Rule by what the output says, and by which program says it."""
        state, inline = _held(self.states, low), _begins(steps, self.inline)
        if state or inline:
            return Ruling(False, "state" if state else "inline", state or inline)
        trap = _held(self.traps, low)
        if trap and not self._only_answers(steps):
            return Ruling(True, "trap", trap)
        slip = _held(self.slips, low)
        if slip:
            return Ruling(False, "slip", slip)
        check = _begins(steps, self.checks)
        if check:
            return Ruling(False, "check", check)
        if self._only_answers(steps):
            return Ruling(False, "answer", steps[-1].split()[0])
        kept = _begins(steps, self.kept)
        return Ruling(True, "kept-program", kept) if kept else Ruling(False, "no-ground")

    def only_answers(self, command: str) -> bool:
        """Say whether a command line only looks at things, whatever comes of it."""
        return self._only_answers(self.steps(command))

    def _only_answers(self, steps: list[str]) -> bool:
        """Say whether every step of a command line only looks or answers."""
        names = [step.split(maxsplit=1)[0] for step in steps]
        return bool(names) and all(name in self.answers for name in names)

    def steps(self, command: str) -> list[str]:
        """Return the simple commands of a command line, without what only wraps them.

        >>> Policy.read({"commands": {"wrappers": ["sudo"]}}).steps("cd a && sudo X=1 make b")
        ['cd a', 'make b']
        """
        parts = _SEPARATORS.split(command) if len(command) < 4_000 else [command[:4_000]]
        return [step for part in parts if (step := self._bare(part))]

    def _bare(self, part: str) -> str:
        words = _split(part.split("|", maxsplit=1)[0])
        while words:
            if _ASSIGNMENT.match(words[0]):
                words = words[1:]
            elif words[0].lower() in self.wrappers:
                words = _without_options(words[1:])
            else:
                break
        if not words:
            return ""
        return " ".join([words[0].rsplit("/", 1)[-1], *words[1:]]).lower()

    def _missing(self, steps: list[str], low: str) -> str:
        """Return the name of the command that was not found."""
        told = re.search(r"(?:line \d+: |\d: |: )([\w.+-]+): (?:command )?not found", low)
        told = told or re.search(r"command not found: ([\w.+-]+)", low)
        told = told or re.search(r": ([\w./+-]+): no such file or directory", low)
        return told[1] if told else steps[-1].split()[0] if steps else ""


def _is_file(name: str) -> bool:
    """Say whether what was not found is a script somewhere and not a program."""
    return "/" in name or name.endswith((".sh", ".py", ".js", ".pl", ".rb"))


def _words(table: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(str(word).lower() for word in table.get(name, ()))


def _split(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        # An open quotation mark: the words as they stand say enough.
        return part.split()


def _without_options(words: list[str]) -> list[str]:
    """Drop the options and the duration that stand behind a wrapper."""
    while words and (words[0].startswith("-") or words[0].rstrip("smh").isdigit()):
        words = words[2:] if words[0] in _VALUE_OPTIONS else words[1:]
    return words


def _held(phrases: Iterable[str], low: str) -> str:
    """Return the first phrase that an output holds; `…` stands for anything on a line."""
    for phrase in phrases:
        first, *rest = phrase.split("…")
        at = low.find(first)
        while at >= 0:
            line = low[at : low.find("\n", at) if "\n" in low[at:] else len(low)]
            if all(part in line for part in rest):
                return phrase
            at = low.find(first, at + 1) if rest else -1
    return ""


def _begins(steps: list[str], names: Iterable[str]) -> str:
    """Return the first of *names* that a step begins with, word by word."""
    for step in steps:
        for name in names:
            if step == name or step.startswith(f"{name} "):
                return name
    return ""


def _near(word: str, known: frozenset[str]) -> bool:
    """Say whether a word is a known one but for one slip of the fingers."""
    return len(word) > 1 and any(_one_slip(word, other) for other in known)


def _one_slip(word: str, other: str) -> bool:
    """Say whether one letter is missing, added or wrong, or two are exchanged."""
    if abs(len(word) - len(other)) > 1 or len(other) < 3:
        return False
    begin = 0
    while begin < min(len(word), len(other)) and word[begin] == other[begin]:
        begin += 1
    rest, wanted = word[begin:], other[begin:]
    exchanged = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:] and len(rest) > 1
    wrong = rest[1:] == wanted[1:] and len(rest) == len(wanted) and len(word) > 3
    return exchanged or wrong or rest[1:] == wanted or rest == wanted[1:]
