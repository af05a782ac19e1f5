"""Error signatures: what identifies a failure, without what changes from run to run.

A pasted traceback or log is reduced to its error lines: an exception type or an error code
with its message. From the message everything volatile is taken out (addresses, times, paths
of temporary files, line numbers, identifiers, durations, counts), so the same failure with
other numbers has the same signature.

A signature is a chain of tokens that grow more exact: the type, the type with two words of
its message, with four, with eight. Two texts share as many tokens as their messages agree;
a message that goes on as prose in one of them still matches in its beginning. The tokens
are opaque: they are indexed in a field of their own and never shown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MOST_LINES: Final = 12
"Error lines of one text that are read; a log repeats itself."
LONGEST_LINE: Final = 400
"Characters of a line that are read."
STEPS: Final = (2, 4, 8)
"Words of the message in the tokens after the first."

_HINTS: Final = (
    "error", "exception", "panic", "fatal", "fail", "err!", "warning", "fault", "abort",
    "timeout", "exit ", "http", "denied", "refused", "killed", "sig",
)  # fmt: skip
"A text without any of these (in lower case) names no error; most texts do not."
# A type as Python, Java, JavaScript, .NET and Ruby write it ends like this.
_TYPE_END = re.compile(
    r"(?:Error|Exception|Warning|Fault|Interrupt|Timeout|Exit|Failure)"
    r"(?:\s*\[[^\]\n]{0,40}\])?\s*[:(]"
)
_LABELS: Final = frozenset({"error", "fatal", "failed", "failure", "e", "panic", "err!"})
"Labels that say nothing without the message behind them."
_TYPE_SIGNS: Final = frozenset("_$.:")
# Compilers, shells and tools: `error[E0382]: ...`, `fatal: ...`, `npm ERR! code ...`.
_LABELLED = re.compile(
    r"(?im)^[^\S\n]*(?:[\w./\\ -]{0,80}?:\s?(?:\d+:){0,2}\s?)?"
    r"(?P<type>(?:fatal|error|panic|err!|npm err!|failed|failure|e|assertion failed)"
    r"(?:\[\w+\])?(?:\s+[A-Z]{1,4}\d{2,6})?)\s*[:!]\s+(?P<message>\S[^\n]*)"
)
_CODED = re.compile(
    r"\b(?P<code>[A-Z]{1,4}-?\d{3,6}|E[A-DF-Z][A-Z]{3,}|[A-Z]+_[A-Z_]{3,}|0x[0-9A-Fa-f]{8}"
    r"|exit (?:code|status) \d+|HTTP(?:/[\d.]+)? [45]\d\d|SIG[A-Z]{3,5})\b"
)
_VOLATILE: Final = (
    (re.compile(r"0x[0-9a-fA-F]+"), " "),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), " "),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]?(?:\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), " "),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), " "),
    (re.compile(r"(?:[A-Za-z]:)?[\\/](?:[\w.@+~-]+[\\/])+([\w.@+-]+)"), r" \1 "),
    (re.compile(r"\b(?:line|column|pid|port|thread|at)\s+#?\d+\b", re.IGNORECASE), " "),
    (re.compile(r"\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|minutes?|min|h|us|ns|[KMG]i?B|bytes?|%)\b"), " "),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), " "),
    (re.compile(r"(?<![\w.])\d+(?![\w.]*[A-Za-z])"), " "),
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[_'.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """One error of a text."""

    type: str
    "Last part of the exception type, or the label, case folded."
    words: tuple[str, ...]
    "Words of its message, case folded, without what is volatile."

    def tokens(self) -> Iterator[str]:
        """Yield the chain of tokens, from the type to eight words of the message."""
        if self.type not in _LABELS:
            yield self.type
        for step in STEPS:
            if len(self.words) >= step:
                yield "|".join((self.type, *self.words[:step]))
        if self.words and len(self.words) < STEPS[0]:
            yield "|".join((self.type, *self.words))


def error_lines(text: str) -> list[ErrorLine]:
    """Return the errors that *text* names, in order, each once.

    >>> error_lines("sqlite3.OperationalError: database is locked (5)")[0].words
    ('database', 'is', 'locked')
    """
    if not _may_name_an_error(text):
        return []
    found: dict[ErrorLine, None] = {}
    for type_, message in (*_typed(text), *_labelled(text)):
        line = ErrorLine(_last(type_), words_of(message))
        if line.words:
            found[line] = None
        if len(found) >= MOST_LINES:
            break
    return list(found)


def signature(text: str) -> tuple[str, ...]:
    """Return the tokens that identify the errors of *text*; nothing without an error.

    >>> signature("TypeError: x is 12")[:2]
    ('typeerror', 'typeerror|x|is')
    """
    if not _may_name_an_error(text):
        return ()
    tokens = {token: None for line in error_lines(text) for token in line.tokens()}
    tokens |= {f"code|{code}": None for code in _codes(text)}
    return tuple(tokens)


def words_of(message: str) -> tuple[str, ...]:
    """Return the words of a message without its volatile parts.

    >>> words_of("connect to 10.0.0.7 port 5432 timed out after 30 s, pid 4711")
    ('connect', 'to', 'timed', 'out', 'after')
    """
    kept = message[:LONGEST_LINE]
    for pattern, instead in _VOLATILE:
        kept = pattern.sub(instead, kept)
    words = (word.casefold() for word in _WORD.findall(kept))
    return tuple(word for word in words if not word.replace(".", "").isdigit())


def gist(text: str) -> str:
    """Return the error lines of a long paste as one short text; the text without any.

    The last error of a traceback says what happened, so it comes first.
    """
    lines = error_lines(text)
    if not lines:
        return text
    return "\n".join(f"{line.type} {' '.join(line.words)}" for line in reversed(lines))


def _may_name_an_error(text: str) -> bool:
    low = text.lower()
    return any(hint in low for hint in _HINTS)


def _typed(text: str) -> Iterator[tuple[str, str]]:
    """Yield exception types with their messages, the rest of the line."""
    for end in _TYPE_END.finditer(text):
        start = end.start()
        while start and (text[start - 1].isalnum() or text[start - 1] in _TYPE_SIGNS):
            start -= 1
        name = text[start : end.end()].split("[", 1)[0].rstrip(" \t\n:(")
        if name and name.rsplit(".", 1)[-1][:1].isupper():
            yield name, text[end.end() : end.end() + LONGEST_LINE].split("\n", 1)[0]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    for match in _LABELLED.finditer(text):
        yield match["type"], match["message"]


def _last(type_: str) -> str:
    last = re.split(r"[.:]+", type_.strip())[-1] or type_
    return "-".join(last.casefold().split())


def _codes(text: str) -> list[str]:
    """Return error codes as one word each."""
    found = (match["code"] for match in _CODED.finditer(text))
    return list(dict.fromkeys(re.sub(r"\s+", "-", code.casefold()) for code in found))[
        :MOST_LINES
    ]
