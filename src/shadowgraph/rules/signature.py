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
from functools import cache
from typing import Final, NamedTuple

MOST_LINES: Final = 12
"Error lines of one text that are read; a log repeats itself."
LONGEST_LINE: Final = 100
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
# Codes of several words; a code of one word is an identifier and found as such.
_CODED = re.compile(r"(?i)\b(exit (?:code|status) \d+|HTTP(?:/[\d.]+)? [45]\d\d)\b")
# Of a path its last part is kept: /tmp/build-7/api.py and /srv/api.py are one.
_PATH = r"[\\/](?:[\w.@+~-]+[\\/])+([\w.@+-]+)"
_VOLATILE_PATTERN = (
    # Nothing but a path begins inside a word: most places are passed over at once.
    rf"{_PATH}|(?<![A-Za-z])(?:"
    + "|".join(
        (
            rf"[A-Za-z]:{_PATH}",
            r"\b0x[0-9a-fA-F]+",
            r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
            r"\b\d{4}-\d\d-\d\d[T ]?(?:\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?",
            r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b",
            r"\b(?:line|column|pid|port|thread|at)\s+#?\d+\b",
            r"\b\d+(?:\.\d+)?\s?(?:ms|sec|seconds?|minutes?|min|us|ns|[KMG]i?B|bytes?|[sh%])(?!\w)",
            r"\b[0-9a-f]{12,64}\b",
            r"(?<![\w.])\d+(?![\w.]*[A-Za-z])",
        )
    )
    + ")"
)


@cache
def _volatile() -> re.Pattern[str]:
    """Return the pattern, compiled when it is first needed: most processes never do."""
    return re.compile(_VOLATILE_PATTERN)


_MAY_BE_VOLATILE = re.compile(r"[\d\\/]")
"Everything volatile has a digit in it or is a path."
_WORD = re.compile(r"[^\W_]+(?:[_'.-][^\W_]+)*")


class ErrorLine(NamedTuple):
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
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return ()
    tokens = {token: None for line in error_lines(text) for token in line.tokens()}
    if "exit " in low or "http" in low:
        tokens |= {f"code|{code}": None for code in _codes(text)}
    return tuple(tokens)


def words_of(message: str) -> tuple[str, ...]:
    """Return the words of a message without its volatile parts.

    >>> words_of("connect to 10.0.0.7 port 5432 timed out after 30 s, pid 4711")
    ('connect', 'to', 'timed', 'out', 'after')
    """
    kept = message[:LONGEST_LINE]
    if _MAY_BE_VOLATILE.search(kept):
        kept = _volatile().sub(r" \1\2 ", kept)
    words = (word.casefold() for word in _WORD.findall(kept))
    return tuple(word for word in words if not word.replace(".", "").isdigit())


def gist(text: str) -> str:
    """Return the error lines of a long paste as one short text; the text without any.

    The last error of a traceback says what happened, so it comes first.
    """
    lines = error_lines(text) if _may_name_an_error(text) else []
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
    """Return error codes of several words as one word each."""
    codes = dict.fromkeys(code.casefold() for code in _CODED.findall(text))
    return [re.sub(r"/[\d.]+| +", "-", code).replace("--", "-") for code in codes][
        :MOST_LINES
    ]
