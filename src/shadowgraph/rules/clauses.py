"""Which words belong together: clauses, sentences, and spans that hold each other.

A cue acts on another only shortly before or behind it in the same clause. Everything here
is geometry of a text; what a cue means is decided in `reading`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from shadowgraph.rules.wording import Span

REACH: Final = 48
"How many characters a negation or a removal reaches."

CLAUSE_END: Final = re.compile(
    r"[;:!?\n()\u2014\u2026\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]|[.,](?!\d)"
    r"|\b(?:but|however|yet|although|though|while|because|since|so|which|that|when"
    r"|after|if|until|then|still|it|they|we|this"
    r"|aber|weil|jedoch|pero|porque|mais|car)\b"
)
"Where a clause ends: signs, and words that begin another one."

_SENTENCE: Final = re.compile(r"[.!?;:\n](?=\s|$)|[\u3002\uff1b]")
_WORDS_BETWEEN: Final = 4
_LOOK_BACK: Final = 200


class Spans:
    """Spans that can be asked, at once, whether one of them holds another span."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Keep *spans* in order."""
        self.all: list[Span] = sorted(set(spans))
        if self.all:
            self._starts = [start for start, _ in self.all]
            self._ends = list(accumulate((end for _, end in self.all), max))

    def hold(self, span: Span) -> bool:
        """Whether one of them holds the whole of *span*.

        >>> Spans([(0, 9), (2, 3)]).hold((2, 5)), Spans([]).hold((2, 5))
        (True, False)
        """
        if not self.all:
            return False
        at = bisect_right(self._starts, span[0])
        return at > 0 and self._ends[at - 1] >= span[1]

    def outdo(self, span: Span) -> bool:
        """Whether one of them holds *span* and is longer.

        >>> Spans([(0, 4)]).outdo((0, 4)), Spans([(0, 5)]).outdo((0, 4))
        (False, True)
        """
        if not self.all:
            return False
        at = bisect_left(self._starts, span[0])
        if at > 0 and self._ends[at - 1] >= span[1]:
            return True
        at = bisect_right(self._starts, span[0])
        return at > 0 and self._ends[at - 1] > span[1]

    def begin_between(self, start: int, end: int) -> bool:
        """Whether one of them begins behind *start* and before *end*.

        >>> Spans([(3, 4)]).begin_between(2, 4), Spans([(3, 4)]).begin_between(3, 9)
        (True, False)
        """
        if not self.all:
            return False
        return bisect_right(self._starts, start) < bisect_left(self._starts, end)


def before(text: str, cues: Sequence[Span], span: Span) -> int | None:
    """Return where one of *cues* begins shortly before *span*, in its clause.

    >>> before("no new errors", [(0, 2)], (7, 13)), before("no; errors", [(0, 2)], (4, 10))
    (0, None)
    """
    at = bisect_left(cues, span) - 1
    if at >= 0 and cues[at][1] > span[0]:
        at -= 1
    if at < 0 or cues[at][0] < span[0] - REACH:
        return None
    begin, end = cues[at]
    between = text[end : span[0]]
    if len(between.split()) >= _WORDS_BETWEEN or CLAUSE_END.search(between):
        return None
    return begin


def questions(text: str) -> list[Span]:
    """Return the sentences that ask; they tell nothing.

    >>> questions("It broke. Did it? No.")
    [(9, 17)]
    """
    asked: list[Span] = []
    at = text.find("?")
    while at >= 0:
        if text[at + 1 : at + 2].strip() == "":
            asked.append((last(_SENTENCE, text, max(0, at - _LOOK_BACK), at), at + 1))
        at = text.find("?", at + 1)
    return asked


def last(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Return where the last match of *pattern* in that part of *text* ends, or *start*.

    >>> last(re.compile("a"), "banana", 0, 4)
    4
    """
    return max((found.end() for found in pattern.finditer(text, start, end)), default=start)
