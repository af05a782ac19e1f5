"""Reverts in a Git history: what was put in, taken out again, and why.

A commit that another one takes back becomes a failed attempt with the reason of the revert;
its id is made from the commit's hash. A revert may itself be taken back, which puts the
first commit in again: such an attempt is inconclusive, and says so. Reverts are looked at
from the newest to the oldest, so that what a revert does is known before what it undoes.

Git is asked elsewhere; here are its answers as texts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph.foreign.reading import Reading, stamp

FORM = "git-reverts"
PATTERNS = ("^Revert ", "^Reapply ", "[Tt]his reverts commit")
"Expressions, of which a commit's message must match one to be looked at."
MOST_FILES = 20
"Files of a commit that are searched; all of them stand in the record."

_HASH = r"[0-9a-f]{7,64}"
_NAMED = re.compile(
    rf"\bthis reverts commits?\s+({_HASH}(?:\s*\([^()]*\))?"
    rf"(?:(?:\s*,\s*|\s+)(?:and\s+)?{_HASH}(?:\s*\([^()]*\))?)*)"
    rf"(,?\s*reversing\s+changes\s+made\s+to\s+{_HASH})?\s*[.,;:]?",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r'(Revert|Reapply) "(.*)"\s*(?:\(#\d+\)\s*)?\Z')
_FORGE = re.compile(r"^[ \t]*Reverts [\w./-]*[#!]\d+\.?[ \t]*$", re.MULTILINE)
_TRAILER = re.compile(r"[A-Za-z][A-Za-z-]*(?: [a-z]+)*: \S")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit as git tells it."""

    hash: str
    parents: tuple[str, ...]
    when: str
    author: str
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.strip().split("\n", 1)[0].strip()

    @property
    def body(self) -> str:
        """The message below its first line."""
        return self.message.strip().partition("\n")[2].strip()


def commits(text: str) -> list[Commit]:
    """Return the commits of an answer: NUL after each, four lines before the message."""
    found = []
    for part in text.split("\0"):
        lines = part.lstrip("\n").split("\n", 4)
        if len(lines) >= 4:
            hash_, parents, when, author, *message = lines
            found.append(
                Commit(hash_, tuple(parents.split()), when, author, "".join(message))
            )
    return found


def reverted(commit: Commit) -> list[str]:
    r"""Return the hashes that a commit says it takes back, as they are written.

    >>> reverted(Commit("c", (), "", "", "Undo\n\nThis reverts commit 1234567 (a, 2024)."))
    ['1234567']
    """
    found = []
    for named in _NAMED.finditer(commit.message):
        listed = re.sub(r"\([^()]*\)", " ", named[1])
        found += re.findall(rf"\b{_HASH}\b", listed, re.IGNORECASE)
    return [one.lower() for one in dict.fromkeys(found)]


def subject_of(commit: Commit) -> str | None:
    """Return the subject of the commit that a revert without a hash takes back.

    >>> subject_of(Commit("c", (), "", "", 'Reapply "Add a cache"'))
    'Revert "Add a cache"'
    """
    found = _SUBJECT.match(commit.subject)
    if found is None:
        return None
    return f'Revert "{found[2]}"' if found[1] == "Reapply" else found[2]


def reason_of(commit: Commit) -> str:
    """Return why a revert was made, as far as its message says.

    The line that git writes, numbers of pull requests and trailers are no reason. A subject
    that somebody wrote instead of git's is.
    """
    body = _FORGE.sub("", _NAMED.sub("", commit.body))
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", body)]
    told = [part for part in paragraphs if part and not _trailers(part)]
    if _SUBJECT.match(commit.subject) is None:
        subject = _NAMED.sub("", commit.subject).strip()
        told = [subject, *told] if subject else told
    reason = "\n\n".join(told).strip()
    # What is left of git's line when somebody changed it may be a full stop.
    return reason if any(map(str.isalnum, reason)) else ""


def _trailers(paragraph: str) -> bool:
    return all(_TRAILER.match(line) for line in paragraph.split("\n"))


@dataclass(frozen=True, slots=True)
class History:
    """Reverts and what they name, resolved."""

    reverts: Sequence[Commit]
    "Every commit that may be a revert, children before parents."
    targets: Mapping[str, Sequence[str]]
    "What each of them takes back, by hash; in full, or as written when it is not there."
    others: Mapping[str, Commit]
    "Commits that were taken back, by hash, as far as they are there."
    files: Mapping[str, Sequence[str]]
    "Files of those commits."


def read_reverts(history: History, project: str, repository: str) -> Reading:
    """Make an attempt of every commit that was taken back."""
    reading = Reading(FORM, project)
    undone = _undone(history)
    against = _against(history)
    for target in against:
        if history.targets.get(target):
            # A revert that was taken back is part of the story of what it had reverted.
            continue
        story = list(_story(target, against))
        story.sort(key=lambda step: _moment(step[1]))
        _attempt(reading, history, target, story, repository, lost=target in undone)
    return reading


def _undone(history: History) -> set[str]:
    """Return the commits that do not count any more."""
    found: set[str] = set()
    for commit in history.reverts:
        if commit.hash not in found:
            found.update(history.targets.get(commit.hash, ()))
    return found


def _against(history: History) -> dict[str, list[Commit]]:
    """Return the reverts of each commit, oldest first."""
    found: dict[str, list[Commit]] = {}
    for commit in reversed(history.reverts):
        for target in history.targets.get(commit.hash, ()):
            found.setdefault(target, []).append(commit)
    return found


def _story(
    target: str, against: Mapping[str, Sequence[Commit]]
) -> Iterator[tuple[bool, Commit]]:
    """Yield what was done to a commit, each with whether it took it out."""
    seen = {target}
    waiting = [(True, commit) for commit in against.get(target, ())]
    while waiting:
        out, commit = waiting.pop(0)
        if commit.hash not in seen:
            seen.add(commit.hash)
            yield out, commit
            waiting += [(not out, one) for one in against.get(commit.hash, ())]


def _attempt(
    reading: Reading,
    history: History,
    target: str,
    story: Sequence[tuple[bool, Commit]],
    repository: str,
    *,
    lost: bool,
) -> None:
    place = f"commit {target[:12]}"
    commit = history.others.get(target)
    outs = [one for out, one in story if out]
    reasons = list(dict.fromkeys(filter(None, map(reason_of, outs))))
    if commit is None:
        reading.say("odd", "a reverted commit that the history does not hold", place)
    if not reasons:
        reading.say("odd", "a revert that gives no reason", f"commit {outs[0].hash[:12]}")
    if not lost:
        reading.say("mapped", "reverted and put back -> inconclusive", place)
    files = list(history.files.get(target, ()))
    made = stamp(max(outs, key=_moment).when)
    reading.add(
        place,
        "attempt",
        (target,),
        {
            "solution": _solution(commit, target, outs[0]),
            "result": _result(story),
            "resultClass": "failed" if lost else "inconclusive",
            "reason": "\n\n".join(reasons),
            "environment": _scene(repository, files),
            "sourceClass": "tool_observed",
            "actor": commit.author if commit else None,
            **({"createdAt": made} if made else {}),
            "imported": _imported(commit, target, story, files),
        },
    )


def _moment(commit: Commit) -> str:
    return stamp(commit.when) or ""


def _solution(commit: Commit | None, target: str, revert: Commit) -> str:
    if commit is not None:
        return commit.subject or f"Commit {target[:12]}"
    named = _SUBJECT.match(revert.subject)
    return named[2] if named else f"Commit {target[:12]}"


def _result(story: Sequence[tuple[bool, Commit]]) -> str:
    return "\n".join(
        f"{'Reverted' if out else 'Put back'} by {one.hash[:12]}: {one.subject}"
        for out, one in story
    )


def _scene(repository: str, files: Sequence[str]) -> str:
    shown = ", ".join(files[:MOST_FILES])
    more = f" and {len(files) - MOST_FILES:,} more" if len(files) > MOST_FILES else ""
    return (
        f"Git repository {repository}: {shown}{more}"
        if files
        else f"Git repository {repository}"
    )


def _imported(
    commit: Commit | None,
    target: str,
    story: Sequence[tuple[bool, Commit]],
    files: Sequence[str],
) -> dict[str, Any]:
    return {
        "form": FORM,
        "commit": target,
        "parents": list(commit.parents) if commit else [],
        "committedAt": commit.when if commit else None,
        "message": commit.message.strip() if commit else "",
        "files": list(files),
        "history": [
            {
                "commit": one.hash,
                "did": "reverted" if out else "put back",
                "at": one.when,
                "message": one.message.strip(),
            }
            for out, one in story
        ],
    }
