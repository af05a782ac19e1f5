r"""How a pattern is written: from its text to a tree of parts.

A recursive descent over the subset of Python's syntax that `patterns` promises. The
invariant: what this reader accepts, Python's `re` accepts too and reads alike, apart from
`$`, which is the end of the text alone here. What it does not understand is refused with
the place where it stands and never read as plain text. How a tree is matched is decided in
`patterns`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from shadowgraph.errors import InvalidInputError

REPEATS: Final = 100
"Largest number in a repetition."
NESTING: Final = 20
"How deep groups may stand in groups."


def is_word(char: str) -> bool:
    """Return whether *char* is a letter, a digit or an underscore.

    >>> is_word("_"), is_word("-")
    (True, False)
    """
    return char.isalnum() or char == "_"


_CLASSES: Final[dict[str, Callable[[str], bool]]] = {
    "d": str.isdecimal,
    "w": is_word,
    "s": str.isspace,
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_QUANTIFIERS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class Chars(NamedTuple):
    """One character of a set."""

    ranges: tuple[tuple[str, str], ...] = ()
    classes: tuple[tuple[str, bool], ...] = ()
    "Names of `_CLASSES`, and whether the class itself is meant or its opposite."
    negated: bool = False
    folded: bool = False

    def has(self, char: str) -> bool:
        """Return whether *char* is in the set."""
        forms = {char, char.lower(), char.upper()} if self.folded else {char}
        return self.negated != any(self._holds(form) for form in forms)

    def _holds(self, char: str) -> bool:
        return any(low <= char <= high for low, high in self.ranges) or any(
            _CLASSES[name](char) is wanted for name, wanted in self.classes
        )


class Edge(NamedTuple):
    """A place between two characters: `^`, `$`, `b` or `B`."""

    kind: str


class Row(NamedTuple):
    """One part after the other."""

    parts: "tuple[Node, ...]" = ()


class Choice(NamedTuple):
    """One of several parts."""

    parts: "tuple[Node, ...]"


class Repeat(NamedTuple):
    """A part several times."""

    part: "Node"
    least: int
    most: int | None


Node: TypeAlias = Chars | Edge | Row | Choice | Repeat


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded = text.startswith("(?i)")
        self._at = 4 if self._folded else 0
        self._depth = 0

    def read(self) -> Node:
        """Return the whole pattern."""
        node = self._choice()
        if self._at < len(self._text):
            raise self._refusal("a group is closed that was not opened")
        return node

    def _refusal(self, problem: str) -> InvalidInputError:
        return InvalidInputError(
            f"the pattern {self._text!r} cannot be used: {problem}, at character"
            f" {self._at + 1}.",
            hint=r"Understood are . [a-z] \d \w \s \b ^ $ ( ) | * + ? {m,n} and (?i) at the"
            r" beginning; a backslash makes any other sign plain.",
        )

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _taken(self, text: str) -> bool:
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _choice(self) -> Node:
        parts = [self._row()]
        while self._taken("|"):
            parts.append(self._row())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _row(self) -> Node:
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return Row(tuple(parts))

    def _repeated(self, part: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return part
        if isinstance(part, Edge):
            raise self._refusal("an edge cannot be repeated")
        # Reluctant or not, the same texts match.
        self._taken("?")
        if self._next() in ("*", "+", "?", "{") and self._next():
            raise self._refusal("a repetition cannot be repeated without a group")
        return Repeat(part, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        sign = self._next()
        if sign in _QUANTIFIERS:
            self._at += 1
            return _QUANTIFIERS[sign]
        if sign != "{":
            return None
        inside, closed, _ = self._text[self._at + 1 :].partition("}")
        low, comma, high = inside.partition(",")
        if not closed or not _is_count(low) or not (_is_count(high) or high == ""):
            raise self._refusal("a repetition is {m}, {m,} or {m,n}")
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if max(least, most or 0) > REPEATS or (most is not None and most < least):
            raise self._refusal(f"a repetition goes up to {REPEATS}")
        self._at += len(inside) + 2
        return least, most

    def _atom(self) -> Node:
        sign = self._next()
        if sign in ("*", "+", "?", "{", "}"):
            raise self._refusal(f"there is nothing that {sign} could repeat")
        self._at += 1
        match sign:
            case "(":
                return self._group()
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case ".":
                return Chars((("\n", "\n"),), negated=True)
            case "^" | "$":
                return Edge(sign)
            case _:
                return Chars(((sign, sign),), folded=self._folded)

    def _group(self) -> Node:
        if self._next() == "?" and not self._taken("?:"):
            raise self._refusal("a group begins with ( or (?:")
        self._depth += 1
        if self._depth > NESTING:
            raise self._refusal(f"groups may be nested {NESTING} deep")
        inner = self._choice()
        if not self._taken(")"):
            raise self._refusal("a group is not closed")
        self._depth -= 1
        return inner

    def _escape(self) -> Node:
        sign = self._next()
        self._at += 1
        if sign in ("b", "B"):
            return Edge(sign)
        if sign and sign.lower() in _CLASSES:
            return Chars(classes=((sign.lower(), sign.islower()),))
        char = self._plain(sign)
        return Chars(((char, char),), folded=self._folded)

    def _plain(self, sign: str) -> str:
        """Return the character that a backslash and *sign* stand for."""
        if sign in _CONTROLS:
            return _CONTROLS[sign]
        if not sign or sign.isalnum():
            raise self._refusal(f"\\{sign} is not known here")
        return sign

    def _class(self) -> Node:
        negated = self._taken("^")
        ranges: list[tuple[str, str]] = []
        classes: list[tuple[str, bool]] = []
        first = True
        while first or self._next() != "]":
            first = False
            low = self._member()
            if isinstance(low, tuple):
                classes.append(low)
            elif self._next() == "-" and self._text[self._at + 1 :][:1] not in ("]", ""):
                self._at += 1
                ranges.append(self._range(low))
            else:
                ranges.append((low, low))
        self._at += 1
        return Chars(tuple(ranges), tuple(classes), negated, self._folded)

    def _range(self, low: str) -> tuple[str, str]:
        high = self._member()
        if isinstance(high, tuple) or high < low:
            raise self._refusal("a range goes from a lower to a higher character")
        return low, high

    def _member(self) -> str | tuple[str, bool]:
        sign = self._next()
        self._at += 1
        if not sign:
            raise self._refusal("a class is not closed")
        if sign != "\\":
            return sign
        sign = self._next()
        self._at += 1
        if sign and sign.lower() in _CLASSES:
            return sign.lower(), sign.islower()
        return self._plain(sign)


def read_pattern(text: str) -> Node:
    """Return the tree of the pattern *text*.

    Raises:
        InvalidInputError: something in it is not understood.
    """
    return _Reader(text).read()


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 3
