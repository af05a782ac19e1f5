r"""Patterns: regular expressions that a stored rule may hold without being a danger.

A rule is written once and asked for years, about values nobody has seen yet, so a pattern
must not be able to take exponential time. Python's engine backtracks; this one walks all
possibilities at once, and its work is at most the length of the text times the number of
its states, both of which are limited here.

What is understood is a subset of Python's syntax with the same meaning: characters, `.`,
classes `[a-z]` and `[^a-z]`, `\d \w \s` and their opposites, `\b \B ^ $`, groups, `|`,
`* + ? {m,n}`, and `(?i)` at the beginning. `$` is the end of the text alone. A pattern is
looked for anywhere in the text. What needs a memory, back references and looking around,
is refused with the place where it stands.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.pattern_syntax import (
    Chars,
    Choice,
    Edge,
    Node,
    Repeat,
    Row,
    is_word,
    read_pattern,
)

PATTERN_CHARACTERS: Final = 200
"Most characters of a pattern."
TEXT_CHARACTERS: Final = 2_000
"Most characters of a text that a pattern is asked about."
STATES: Final = 300
"Most states of a pattern; a repetition counts as often as it repeats."


@dataclass(slots=True)
class _Step:
    """A state: a character to read, an edge to be at, or ways that are open at once."""

    asks: Chars | Edge | None
    then: tuple[int, ...]


class _Place(NamedTuple):
    """What stands on either side of a place in a text."""

    before: str
    after: str

    def is_at(self, edge: Edge) -> bool:
        """Return whether the place is such an edge."""
        if edge.kind == "^":
            return not self.before
        if edge.kind == "$":
            return not self.after
        turns = is_word(self.before) != is_word(self.after)
        return turns is (edge.kind == "b")


@dataclass(slots=True)
class Pattern:
    """A pattern that can be looked for."""

    text: str
    "The pattern as it was written."
    _steps: list[_Step] = field(default_factory=list)
    _start: int = 0
    _work: int = 0

    def found_in(self, text: str) -> bool:
        """Return whether some part of *text* matches.

        >>> compiled("^v?1[68]").found_in("v18.2"), compiled("a{3}").found_in("aa")
        (True, False)
        """
        seen: dict[tuple[frozenset[int], str, str], tuple[bool, frozenset[int]]] = {}
        open_, before = frozenset[int](), ""
        for after in (*text, ""):
            key = (open_, before, after)
            if key not in seen:
                seen[key] = self._walk(open_, _Place(before, after))
            done, open_ = seen[key]
            if done:
                return True
            before = after
        return False

    def _walk(self, open_: Iterable[int], place: _Place) -> tuple[bool, frozenset[int]]:
        """Return whether the end is reached here, and the states after this character."""
        pending, reached = [self._start, *open_], set[int]()
        after: set[int] = set()
        while pending:
            number = pending.pop()
            if number in reached:
                continue
            reached.add(number)
            step = self._steps[number]
            if isinstance(step.asks, Chars):
                if place.after and step.asks.has(place.after):
                    after.update(step.then)
            elif step.asks is None or place.is_at(step.asks):
                pending += step.then
        return 0 in reached, frozenset(after)

    def _add(self, asks: Chars | Edge | None, *then: int) -> int:
        self._steps.append(_Step(asks, then))
        return len(self._steps) - 1

    def _emit(self, node: Node, then: int) -> int:
        """Return the state that reads *node* and goes on with *then*."""
        self._work += 1
        if len(self._steps) > STATES or self._work > STATES * 10:
            raise InvalidInputError(
                f"the pattern {self.text!r} cannot be used: it repeats too much.",
                hint="Make the numbers in {m,n} smaller, or use * or +.",
            )
        match node:
            case Chars() | Edge():
                return self._add(node, then)
            case Row(parts):
                for part in reversed(parts):
                    then = self._emit(part, then)
                return then
            case Choice(parts):
                return self._add(None, *[self._emit(part, then) for part in parts])
            case Repeat():
                return self._emit_repeat(node, then)

    def _emit_repeat(self, node: Repeat, then: int) -> int:
        if node.most is None:
            loop = self._add(None)
            self._steps[loop].then = (self._emit(node.part, loop), then)
            then = loop
        else:
            end = then
            for _ in range(node.most - node.least):
                then = self._add(None, self._emit(node.part, then), end)
        for _ in range(node.least):
            then = self._emit(node.part, then)
        return then


@lru_cache(maxsize=512)
def compiled(text: str) -> Pattern:
    """Return the pattern that *text* writes.

    Raises:
        InvalidInputError: it is too long, too large, or uses what is not understood.
    """
    if len(text) > PATTERN_CHARACTERS:
        raise InvalidInputError(
            f"a pattern may have {PATTERN_CHARACTERS} characters; this one has {len(text)}."
        )
    node = read_pattern(text)
    pattern = Pattern(text)
    pattern._start = pattern._emit(node, pattern._add(None))  # noqa: SLF001 - made here
    return pattern
