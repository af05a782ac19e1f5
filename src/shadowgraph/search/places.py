"""Where the tokens of a query stand in the texts of a record.

Explaining a hit reads the record again with the analyzer of the index, so what is marked
is what matched. Analysing every word of ten records would cost more than the search
itself, so a few searches for *hints*, the beginnings of the wanted tokens, say which
chunks are worth a look; `everywhere` is the slow way that needs no hint, and both find
the same. Texts of one record are read as one: a new line parts chunks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from shadowgraph.search.analyzer import Analyzer

LONGEST_HINT = 8
"Letters of a word that are looked for before a text is analysed."

_PUT_THERE = "eily"
"Letters that a stem may end with in place of what its word has."
_SIGNS = bytes(c for c in range(128) if not (chr(c).isalnum() or chr(c).isspace()))
"Every ASCII sign."
_SIGN = re.compile("[" + re.escape(_SIGNS.decode("ascii")) + "]")

Place = tuple[int, int, tuple[str, ...]]
"Start and end of a chunk (half-open, in characters) and its tokens."


class Finder:
    """Finds chunks with one of the wanted tokens."""

    def __init__(self, analyzer: Analyzer, wanted: Iterable[str]) -> None:
        """Look for the tokens *wanted*."""
        self._analyzer = analyzer
        self._wanted = frozenset(wanted)
        self._hints = hints_of(self._wanted)

    @property
    def guesses(self) -> bool:
        """Whether `places` leaves out chunks that hold no hint."""
        return self._hints is not None

    def places(self, texts: Sequence[str]) -> list[list[Place]]:
        """Return, for each text, where its chunks with a wanted token stand."""
        if self._hints is None:
            return self.everywhere(texts)
        joined = "\n".join(texts)
        if not joined.isascii():
            # Folding changes letters, so a hint is sure only in plain texts.
            return [found for text in texts for found in self._apart(text)]
        return _parted(self._near_hints(joined, self._hints), texts)

    def everywhere(self, texts: Sequence[str]) -> list[list[Place]]:
        """Return the same after a look at every chunk."""
        return [self._wanted_of(self._analyzer.pieces(text)) for text in texts]

    def _apart(self, text: str) -> list[list[Place]]:
        return self.places([text]) if text.isascii() else self.everywhere([text])

    def _wanted_of(self, pieces: Iterable[re.Match[str]]) -> list[Place]:
        tokens_of, unlike = self._analyzer.tokens, self._wanted.isdisjoint
        return [
            (*piece.span(), tokens)
            for piece in pieces
            if not unlike(tokens := tokens_of(piece.group()))
        ]

    def _near_hints(self, text: str, hints: Iterable[str]) -> list[Place]:
        low = text.lower()
        joined = _Joined(low)
        starts: set[int] = set()
        for hint in hints:
            found = _occurrences(hint, low)
            found += joined.more(hint, len(found))
            # A token begins at a sign or a capital, never within a word.
            starts.update(
                at
                for at in found
                if not at or not low[at - 1].isalnum() or text[at].isupper()
            )
        return self._wanted_of(self._around(sorted(starts), low, text))

    def _around(
        self, starts: Iterable[int], low: str, text: str
    ) -> Iterator[re.Match[str]]:
        """Yield the chunks at *starts*, in order, each once."""
        end = 0
        for start in starts:
            if start < end:
                continue
            # White space never stands in a chunk, so one begins after it at the latest.
            begin = max(low.rfind(" ", end, start), low.rfind("\n", end, start), end - 1)
            for piece in self._analyzer.pieces(text, begin + 1):
                end = piece.end()
                if end > start:
                    if piece.start() <= start:
                        yield piece
                    break


class _Joined:
    """An ASCII text without the signs inside words: `user_id` is one word, `userid`, too."""

    def __init__(self, low: str) -> None:
        self._low = low
        # As bytes, of which the signs are taken out twice as fast.
        self._text = low.encode("ascii").translate(None, _SIGNS)

    @cached_property
    def _shifts(self) -> list[int]:
        """How many characters of this text stand before each sign, in order."""
        signs = _SIGN.finditer(self._low)
        return [sign.start() - number for number, sign in enumerate(signs)]

    def _place(self, at: int) -> int:
        """Return where a character of this text stands in the text with its signs."""
        return at + bisect_right(self._shifts, at)

    def more(self, hint: str, known: int) -> list[int]:
        """Return where *hint* stands, across signs as well, when not only as is known.

        What cannot overlap itself stands here as often as it is *known* to, or more often.
        """
        if hint[0] not in hint[1:] and self._text.count(hint.encode("ascii")) == known:
            return []
        return list(map(self._place, _occurrences(hint, self._text.decode("ascii"))))


def _occurrences(hint: str, text: str) -> list[int]:
    found = []
    at = text.find(hint)
    while at >= 0:
        found.append(at)
        at = text.find(hint, at + 1)
    return found


def _parted(places: Iterable[Place], texts: Sequence[str]) -> list[list[Place]]:
    """Return places in the joined texts by text, each counted from its beginning."""
    begins = [0, *accumulate(len(text) + 1 for text in texts)]
    found: list[list[Place]] = [[] for _ in texts]
    for start, end, tokens in places:
        number = bisect_right(begins, start) - 1
        shift = begins[number]
        found[number].append((start - shift, end - shift, tokens))
    return found


def hints_of(tokens: Iterable[str]) -> tuple[str, ...] | None:
    """Return beginnings that every ASCII word with one of *tokens* has; None for others.

    A stem may differ from its word in a last letter that the stemmer puts there (`happi`,
    `hope`, `capabl`, `sky`), so that one is left out; the few English verbs in -ie change
    the second (`dying`, `die`). Held against 81,000 words.

    >>> hints_of(["locked", "lock"]), hints_of(["die"]), hints_of(["caf\u00e9"])
    (('lock',), ('di', 'dy'), None)
    """
    beginnings: set[str] = set()
    for token in tokens:
        if not token.isascii():
            return None
        sure = len(token) - (token[-1] in _PUT_THERE)
        beginnings.add(token[: max(2, min(LONGEST_HINT, sure))])
        if token in ("die", "lie", "tie"):
            beginnings.add(f"{token[0]}y")
    hints: list[str] = []
    for beginning in sorted(beginnings):
        # What begins with a hint is found by it.
        if not hints or not beginning.startswith(hints[-1]):
            hints.append(beginning)
    return tuple(hints)
