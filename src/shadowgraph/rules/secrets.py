"""Finding credentials in text, and masking them so that the text stays readable.

A credential shows itself in one of two ways: by its own shape (a prefix of its issuer, a
block of a private key, a password in an address) or by the name before it (`password=`,
`"apiKey": `, `--token `). Shapes and names are data (`shadowgraph/secrets.toml`). What is
found is replaced by `[secret:KIND]`; everything around it stays, so a record says which
credential was where, and is found by the same words.

Invariants: a masked text is not changed by masking it again; a text without a marker of any
shape costs a search for each marker and nothing else; the work is linear in the text, since
every pattern is tried at places that its marker names and repeats possessively or within
bounds. What a value behind a name must be like is in `rules.secret_values`; which members
of a record are looked at, in `shadowgraph.masking`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Any, Final, NamedTuple

from shadowgraph.rules.secret_values import (
    Form,
    Strength,
    Values,
    has_digit_and_letter,
)

Counts = dict[str, int]
"How many secrets of each kind."
Names = tuple[tuple[str, Strength, tuple[str, ...]], ...]
"Kind, strength and the words of each group of names."

SHORTEST: Final = 6
"Characters of a text that can hold a secret with its name: `pwd=x1`."
LONGEST_NAME: Final = 40
"Characters before and behind the core of a name that are read."
LONGEST_VALUE: Final = 256
"Characters of a value that are judged; a longer one is masked to its end."
ROUNDS: Final = 4
"Most passes over one text: what a pass changes may show another secret."
_MASK: Final = re.compile(r"\[secret:[a-z-]{1,30}\]")
_NAME_RIGHT: Final = re.compile(r"[a-z0-9_.-]{0,40}")
_NAME_CHARACTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789_.-"
_ASSIGNED: Final = re.compile(
    r"""(?P<close>\\?["'`]\]?|\]|)[ \t]{0,8}(?P<op>=>|:=|={1,3}|:(?!:)|\bis\b|\bwas\b|)[ \t]{0,8}
    (?:(?P<quote>\\?["'`])(?P<quoted>[^\n"'`\\]{1,4096}+)(?P=quote)|(?P<bare>[^\s"'`]{1,256}))""",
    re.VERBOSE,
)
_REST: Final = re.compile(r"[^\s\"'`,;&)}\]|\\]*+")
_BARE_END: Final = re.compile(r"[,;&)}\]|\\]|\.?\Z")
_ARGUMENT: Final = re.compile(r"[(,]\s{0,40}\Z")
_RUN: Final = b"x" * 16
_CLASSES: Final = bytes(
    ord("x") if (chr(byte).isalnum() and byte < 128) or chr(byte) in "_-.~%:+=/&@" else 32
    for byte in range(256)
)
"For every byte whether it belongs to a run."
_SEPARATORS: Final = re.compile(r"[-_.\s]+")


class Shape(NamedTuple):
    """One form of credential that shows itself."""

    kind: str
    markers: tuple[str, ...]
    pattern: str
    apart: bool = False
    "Whether it may be short or hold blanks, so that no long run gives it away."
    mixed: bool = False
    "Whether a digit and a letter must be in it."
    upper: bool = False
    "Whether letters of both cases must be in it."
    value: Strength | None = None
    "How it must look, when its form alone does not say enough."

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern; compiled when a marker was met, most never are."""
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Span(NamedTuple):
    """One secret in a text."""

    start: int
    end: int
    kind: str


class Shapes:
    """All shapes, names and values: what is a secret."""

    def __init__(
        self,
        shapes: tuple[Shape, ...],
        names: Names,
        cores: tuple[str, ...],
        suffixes: tuple[str, ...],
        values: Values,
    ) -> None:
        """Look for these *shapes*, and for *values* behind these *names*."""
        self.shapes = shapes
        self.cores = cores
        self.values = values
        # A text repeats the few names it has.
        self._kinds = lru_cache(maxsize=4096)(partial(_kind_of, names, suffixes))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Shapes":
        """Return what the file of shapes says, as it was parsed."""
        return cls(
            tuple(
                Shape(**{**shape, "markers": tuple(shape["markers"])})
                for shape in data["shape"]
            ),
            tuple(
                (group["kind"], group["value"], tuple(group["words"]))
                for group in data["names"]["group"]
            ),
            tuple(data["names"]["cores"]),
            tuple(data["names"]["suffixes"]),
            Values.of(data["values"]["within"], data["values"]["whole"]),
        )

    def may_hold(self, text: str) -> bool:
        """Return whether any marker is in *text*; nearly every text has none."""
        low = _lower(text)
        if any(core in low for core in self.cores):
            return True
        return next(self._tried(text, list(runs(text))), None) is not None

    def mask(self, text: str) -> tuple[str, Counts]:
        """Return *text* with every secret masked, and how many there were by kind."""
        counts: Counts = {}
        for _ in range(ROUNDS):
            spans = self.find(text)
            if not spans:
                break
            for span in spans:
                counts[span.kind] = counts.get(span.kind, 0) + 1
            text = _replaced(text, spans)
        return text, counts

    def find(self, text: str) -> list[Span]:
        """Return every secret of *text* in order, none within another."""
        if len(text) < SHORTEST:
            return []
        found = [*self._shaped(text), *self._named(text)]
        if not found:
            return []
        if "[secret:" in text:
            masks = [(m.start(), m.end()) for m in _MASK.finditer(text)]
            found = _outside(found, masks)
        return _disjoint(found)

    def kind_of(self, name: str) -> tuple[str, Strength] | None:
        """Return what the credential called *name* is; None for another name.

        Case and separators do not matter; what stands before the words does not either.
        """
        return self._kinds(name[-2 * LONGEST_NAME :])

    def is_secret(self, name: str, value: str) -> str | None:
        """Return the kind of a *value* that stands alone under *name*, or None."""
        found = self.kind_of(name)
        if found and self.values.is_secret(value, found[1], "quoted"):
            return found[0]
        return None

    def _shaped(self, text: str) -> Iterator[Span]:
        long_runs = list(runs(text))
        for shape in self._tried(text, long_runs):
            for start, end in [(0, len(text))] if shape.apart else long_runs:
                if shape.apart or any(m in text[start:end] for m in shape.markers):
                    yield from self._fitting(shape, text, start, end)

    def _tried(self, text: str, long_runs: list[tuple[int, int]]) -> Iterator[Shape]:
        """Yield the shapes of which a marker is in *text*."""
        joined = "\n".join([text[start:end] for start, end in long_runs])
        for shape in self.shapes:
            place = text if shape.apart else joined
            if place and any(marker in place for marker in shape.markers):
                yield shape

    def _fitting(self, shape: Shape, text: str, start: int, end: int) -> Iterator[Span]:
        for match in shape.compiled.finditer(text, start, end):
            group = "secret" if "secret" in match.re.groupindex else 0
            if self._fits(shape, match[group]):
                yield Span(match.start(group), match.end(group), shape.kind)

    def _fits(self, shape: Shape, found: str) -> bool:
        if shape.mixed and not has_digit_and_letter(found):
            return False
        if shape.upper and found in (found.lower(), found.upper()):
            return False
        if shape.value is not None:
            return self.values.is_secret(found, shape.value, "quoted")
        return not self.values.stands_for_another(found)

    def _named(self, text: str) -> Iterator[Span]:
        low = _lower(text)
        done = 0
        for at in sorted(_places(low, self.cores)):
            if at < done:
                continue
            right = _NAME_RIGHT.match(low, at)
            end = right.end() if right else at
            before = low[max(0, at - LONGEST_NAME) : at]
            start = at - len(before) + len(before.rstrip(_NAME_CHARACTERS))
            # `token.` and `key-` end a sentence or begin a dash, and are names all the same.
            name = low[start:end].rstrip(".-")
            done = start + len(name)
            known = self.kind_of(name)
            span = None if known is None else self._behind(text, start, done, known)
            if span is not None:
                yield span
                done = span.end

    def _behind(
        self, text: str, start: int, end: int, known: tuple[str, Strength]
    ) -> Span | None:
        """Return the value behind the name at *start* to *end*, when it is a secret."""
        match = _ASSIGNED.match(text, end)
        form = None if match is None else _form(text, start, match)
        if match is None or form is None:
            return None
        group = "quoted" if match["quoted"] is not None else "bare"
        value = match[group]
        if group == "bare" and not _is_code(value):
            stop = _BARE_END.search(value)
            value = value[: stop.start()] if stop else value
        if not self.values.is_secret(value, known[1], form):
            return None
        at = match.start(group)
        end = at + len(value)
        if end == match.end(group) and len(value) == LONGEST_VALUE:
            # What was looked at is its beginning.
            rest = _REST.match(text, end)
            end = rest.end() if rest else end
        return Span(at, end, known[0])


def runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the long runs of *text*: a key of an issuer stands in one.

    Prose has hardly any, so that most markers need not be looked for at all.

    >>> list(runs("see https://example.org/a and the rest"))
    [(4, 25)]
    """
    # One byte a character, whatever it is: places in both are the same.
    classes = text.encode("ascii", "replace").translate(_CLASSES)
    at = classes.find(_RUN)
    while at >= 0:
        end = classes.find(b" ", at)
        end = len(classes) if end < 0 else end
        yield at, end
        at = classes.find(_RUN, end)


def _is_code(value: str) -> bool:
    """Return whether a value goes on as a call or subscript that must not be cut."""
    return re.match(r"[A-Za-z_][\w.]{0,100}+[(\[{]", value) is not None


def _form(text: str, start: int, match: re.Match[str]) -> Form | None:
    """Return how a value stands behind its name; None when it is not its value."""
    op, quoted = match["op"], match["quoted"] is not None
    if text[max(0, start - 3) : start] == "://":
        # A user of an address.
        return None
    if not op:
        flag = text[max(0, start - 2) : start] == "--" or text[start : start + 2] == "--"
        apart = match.start("quote" if quoted else "bare") > match.end("close")
        return "assigned" if flag and apart and not match["close"] else None
    if quoted:
        return "quoted"
    if op in ("==", "==="):
        return None
    if op in (":", "is", "was"):
        return "told"
    return "argument" if _ARGUMENT.search(text, max(0, start - 41), start) else "assigned"


def _lower(text: str) -> str:
    """Return *text* in lower case with every character at its place."""
    low = text.lower()
    # One letter becomes two.
    return low if len(low) == len(text) else text.replace("\u0130", "i").lower()


def _places(low: str, cores: tuple[str, ...]) -> Iterator[int]:
    for core in cores:
        at = low.find(core)
        while at >= 0:
            yield at
            at = low.find(core, at + len(core))


def _kind_of(
    names: Names, suffixes: tuple[str, ...], name: str
) -> tuple[str, Strength] | None:
    joined = _SEPARATORS.sub("_", _lower(name)).strip("_")
    joined = re.sub(r"_?\d{1,2}\Z", "", joined)
    for suffix in suffixes:
        joined = joined.removesuffix(f"_{suffix}")
    squeezed = joined.replace("_", "")
    fitting = [
        (len(word), kind, strength)
        for kind, strength, words in names
        for word in words
        if (
            squeezed.endswith(word.replace("_", ""))
            if word[0].isalpha()
            else joined.endswith(f"_{word[1:]}")
        )
    ]
    # `secret_access_key` says more than `access_key`.
    return max(fitting)[1:] if fitting else None


def _outside(found: list[Span], masks: list[tuple[int, int]]) -> list[Span]:
    """Return the spans that touch no mask; masks are in order."""
    ends = [end for _, end in masks]
    kept = []
    for span in found:
        # The first mask that ends behind where the span begins.
        nearest = bisect_left(ends, span.start + 1)
        if nearest == len(masks) or masks[nearest][0] >= span.end:
            kept.append(span)
    return kept


def _disjoint(found: list[Span]) -> list[Span]:
    """Return spans in order, those that overlap joined under the kind of the first found."""
    rank = {id(span): position for position, span in enumerate(found)}
    joined: list[Span] = []
    ranks: list[int] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if joined and span.start < joined[-1].end:
            last = joined[-1]
            better = rank[id(span)] < ranks[-1]
            kind = span.kind if better else last.kind
            joined[-1] = Span(last.start, max(last.end, span.end), kind)
            ranks[-1] = min(ranks[-1], rank[id(span)])
        else:
            joined.append(span)
            ranks.append(rank[id(span)])
    return joined


def _replaced(text: str, spans: list[Span]) -> str:
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], f"[secret:{span.kind}]"]
        at = span.end
    return "".join([*parts, text[at:]])
