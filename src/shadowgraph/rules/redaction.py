"""Masking what looks like a secret in a copy of records.

A member whose key matches a pattern is masked with all that is in it; so are bearer tokens
and addresses that carry a key, in any text; and the value of an object whose own `key`
names a secret, as a fact's does. The invariant: what is masked says so, with one
replacement, and the shape around it stays.

Patterns come from callers, so they are bounded: no group may be repeated and at most three
quantifiers stand in one, which keeps the work of a match polynomial on the short texts that
keys are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from shadowgraph.errors import InvalidInputError

DEFAULT_PATTERNS: Final = (
    "password",
    "secret",
    "token",
    "api[-_]?key",
    "authorization",
    "private[-_]?key",
)
REPLACEMENT: Final = "[REDACTED]"
ALWAYS: Final = ("idempotencyKey", "evidenceReference", "signature")
"Members that are masked whatever the patterns say."
MOST_PATTERNS: Final = 50
MOST_CHARACTERS: Final = 200
_KEY_CHARACTERS: Final = 100
_MOST_QUANTIFIERS: Final = 3

_BEARER: Final = re.compile(r"\b(bearer\s+)[\w.~+/=-]{4,}", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\bhttps?://[^\s\"'<>]+", re.IGNORECASE)
_CARRIES: Final = re.compile(r"token|secret|key", re.IGNORECASE)
_REPEATED_GROUP: Final = re.compile(r"\)\s*[*+?{]")
_QUANTIFIER: Final = re.compile(r"(?<!\\)[*+{]")


def compiled(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    """Return the patterns, ready to match key names.

    Raises:
        InvalidInputError: one is no regular expression, or could take too long.
    """
    if len(patterns) > MOST_PATTERNS:
        raise InvalidInputError(f"patterns may hold {MOST_PATTERNS} expressions.")
    return [_compiled(pattern) for pattern in patterns]


def _compiled(pattern: str) -> re.Pattern[str]:
    if not pattern or len(pattern) > MOST_CHARACTERS:
        raise InvalidInputError(
            f"A pattern has 1 to {MOST_CHARACTERS} characters; {pattern[:40]!r} has"
            f" {len(pattern)}."
        )
    if _REPEATED_GROUP.search(pattern) or len(_QUANTIFIER.findall(pattern)) > (
        _MOST_QUANTIFIERS
    ):
        raise InvalidInputError(
            f"The pattern {pattern!r} could take too long.",
            hint=f"Repeat no group, and use at most {_MOST_QUANTIFIERS} of *, + and {{.",
        )
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise InvalidInputError(
            f"{pattern!r} is no regular expression: {error}."
        ) from error


def masked(
    value: Any, patterns: Iterable[re.Pattern[str]], replacement: str = REPLACEMENT
) -> Any:
    """Return a copy of *value* with everything masked that looks like a secret.

    >>> masked({"apiKey": "x1", "note": "Bearer abcd1234"}, compiled(DEFAULT_PATTERNS))
    {'apiKey': '[REDACTED]', 'note': 'Bearer [REDACTED]'}
    """
    return _Mask(list(patterns), replacement).of(value)


class _Mask:
    """Walks a JSON value."""

    def __init__(self, patterns: list[re.Pattern[str]], replacement: str) -> None:
        self._patterns = patterns
        self._replacement = replacement

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            named = self._matches(value.get("key"))
            return {
                key: self._replacement
                if self._is_secret(str(key)) or (named and key in ("value", "text"))
                else self.of(item)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.of(item) for item in value]
        return value

    def _is_secret(self, key: str) -> bool:
        return key in ALWAYS or self._matches(key)

    def _matches(self, key: object) -> bool:
        if not isinstance(key, str):
            return False
        short = key[:_KEY_CHARACTERS]
        return any(pattern.search(short) for pattern in self._patterns)

    def _text(self, text: str) -> str:
        text = _BEARER.sub(lambda found: f"{found[1]}{self._replacement}", text)
        return _ADDRESS.sub(
            lambda found: self._replacement if _CARRIES.search(found[0]) else found[0],
            text,
        )
