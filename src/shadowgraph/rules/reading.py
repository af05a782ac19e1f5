"""One text with its cues, while it is being judged clause by clause.

`Reading` takes away what is inert, negated, removed or counted zero, and says which cue
decides. Where the cues come from is `cues`; which words belong together is `clauses`;
verbs of ability are judged in `abilities`, names and deeds in `neutral`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from shadowgraph.rules.abilities import Abilities
from shadowgraph.rules.clauses import CLAUSE_END, REACH, Spans, before, last, questions
from shadowgraph.rules.cues import Cues
from shadowgraph.rules.neutral import names
from shadowgraph.rules.wording import Span

Read: TypeAlias = tuple[Literal["failed", "succeeded", "inconclusive"], Span]
"A class, and where the words stand that it rests on."

_NEXT_SUBJECT: Final = re.compile(r"\b(?:and|und|y|et|to)\b")
_NO_COUNT: Final = re.compile(
    r"\s*[:=]\s*(?:0|none|nil|zero)(?!\w|[.,]\d)"
    r"|(?<=s)\s+(?:0|zero)(?=[.,;)]?(?:\s|$))(?! \w)"  # "errors 0"; error 0 is a code
)
_RELATIVE: Final = re.compile(r"\b(?:that|which)\b")
_ALTERNATIVE: Final = re.compile(r"\s+(?:or|nor|oder|ni|o|ou)\s+(?:\w+\s+)?")
_FIRST: Final = re.compile(
    r"\b(?:first|initial) (?:try|attempt|run|version|round|time|deploy\w*|draft)s?\b"
    r"|\b(?:at first|initially|zuerst|anfangs|al principio|d'abord|au debut)\b|最初|起初"
    r"|\bafter (?:\w+ )?failed attempts?\b"
)
_SPARED: Final = re.compile(
    r"\b(?:no|not one|not a single|none of the|zero) [^.;!?\n]{0,40}?"
    r"\b(?:reach(?:ed|es|ing)?|hit(?:s|ting)?) (?:the |any |our )?"
    r"(?:customer|user|client|caller|reader|visitor|guest)s?\b"
    r"|\b(?:customer|user|client|caller|reader|visitor|guest)s? (?:saw|noticed|felt) "
    r"(?:nothing|none)\b"
)
_WHO: Final = ("customer", "user", "client", "caller", "reader", "visitor", "guest")
_FEWER: Final = (
    "to zero",
    "to none",
    "to 0",
    "->",
    "\u2192",
    "instead of",
    "down to",
    "from ",
)
_NO_SPANS: Final[list[Span]] = []
_ATTRIBUTE: Final = re.compile(r"\b(?:the|an?) $")
_FREE: Final = re.compile(r"[ -]?(?:free|frei)\b")
_PLURAL: Final = re.compile(r"(?:\w+ )*\w+s|\w*fehler|\w*ausfalle|fallos|erreurs")
_RETURNED: Final = re.compile(
    r"(?: [\w']+){0,2}? (?:(?:came|comes|is|are|was|were) (?:right )?back"
    r"|return(?:ed|s)|persists?(?:ed)?"
    r"|reappear\w*|remain(?:s|ed)?|(?:is|are) still (?:there|present|visible"
    r"|audible)|kept coming|again|on every|every time|each time|whenever"
    r"|wieder (?:da|zuruck|aufgetreten|vorhanden)|(?:war|ist|sind|waren|kam"
    r"|kamen) (?:\w+ ){0,3}?wieder|trat wieder|bleib\w+|blieb\w*|(?:volvio"
    r"|volvieron|sigue|siguen)"
    r"|(?:est|sont) revenue?s?|revien\w+|persiste\w*)\b"
)
_CONTRAST: Final = re.compile(
    r"\b(?:but|however|yet(?= [a-z]+)|except|unfortunately|sadly|aber|jedoch"
    r"|allerdings|leider|pero|aunque"
    r"|sin embargo|mais|cependant|toutefois|malheureusement)\b|但是?|不过|可是|然而|しかし|ただし|けれど"
)
_CONCEDED: Final = re.compile(
    r"(?: (?:that|this|it) (?:is|was) (?:fine|ok|expected|known|another|by design"
    r"|unrelated|acceptable|the point)"
    r"| (?:nothing (?:serious|dramatic|else)|we|i|it took|that took|this took"
    r"|still|only because|also|now|not (?:yet )?measured"
    r"|untested)\b| one)"
)


class Reading:
    """One text with its cues, while it is being judged."""

    def __init__(self, text: str, cues: Cues) -> None:
        """Take away what is inert, and judge the verbs of ability."""
        self._text = text
        self._undecided = cues.undecided
        self._moves = cues.moves
        self._all_negations = cues.negations
        told = Spans(cues.told)
        inert = Spans([*cues.inert, *questions(text)])
        failing, working = self._claims(cues, told, inert)
        self._negations = self._removals = _NO_SPANS
        if cues.negations or cues.removals:
            bad, good = Spans(failing), Spans(working)
            self._negations = self._acting(cues.negations, inert, bad, good)
            self._removals = self._acting(cues.removals, inert, bad, Spans(_NO_SPANS))
        self._symptoms = [
            s for s in cues.symptoms if not told.hold(s) and not inert.hold(s)
        ]
        if cues.abilities:
            known = Spans([*failing, *working, *inert.all, *told.all])
            verbs = [verb for verb in cues.abilities if not known.hold(verb)]
            troubles = Spans([*failing, *self._symptoms])
            able = Abilities(text, self._negations, Spans(self._removals), troubles)
            denied, restored = able.judged(verbs)
            failing, working = sorted({*failing, *denied}), sorted({*working, *restored})
        self._failures = failing
        self._successes = working

    def _claims(
        self, cues: Cues, told: Spans, inert: Spans
    ) -> tuple[list[Span], list[Span]]:
        """Return the failures and the successes that no other phrase holds."""
        failing, working = cues.failures, cues.successes
        if told.all or inert.all:
            failing = [f for f in failing if not told.hold(f) and not inert.hold(f)]
            working = [s for s in working if not inert.hold(s)]
        if failing and working:
            bad, good = Spans(failing), Spans(working)
            failing = [f for f in failing if not good.outdo(f)]
            working = [s for s in working if not bad.outdo(s)]
        return failing, [s for s in working if not told.hold(s) or self._clear(s)]

    def _clear(self, span: Span) -> bool:
        """Whether the success at *span* is said of the deed, and no name in it."""
        phrase = self._text[slice(*span)]
        return " " in phrase or phrase.endswith("ly")

    def _acting(
        self, spans: list[Span], inert: Spans, failing: Spans, working: Spans
    ) -> list[Span]:
        """Return the *spans* that are no part of a harmless or a failure phrase.

        In a script without spaces they may be part of a word of success, too.
        """
        return [
            span
            for span in spans
            if not inert.hold(span)
            and not failing.outdo(span)
            and (self._text[span[0]].isascii() or not working.outdo(span))
        ]

    def read(self) -> Read | None:
        """Return the class: a standing failure, else open, a success, or neither."""
        undecided = self._undecided
        if undecided and not self._text[: undecided[0][0]].strip():
            return "inconclusive", undecided[0]
        good: list[Span] = []
        for bad in (self._standing(good), self._denied(good), self._returned(good)):
            if (span := next(bad, None)) is not None:
                return "failed", span
        if undecided:
            return "inconclusive", undecided[0]
        good += self._successes
        if good and (spoilt := self._spoilt(good)):
            return "failed", spoilt
        return ("succeeded", good[0]) if good else None

    def _standing(self, good: list[Span]) -> Iterator[Span]:
        """Yield the failures that stand; add what takes the others away to *good*."""
        for span in self._failures:
            if cancelled := self._cancelled(span, good):
                good.append(cancelled)
            elif not names(self._text, span):
                if (cancelled := self._overtaken(span)) is None:
                    yield span
                else:
                    good.append(cancelled)

    def _denied(self, good: list[Span]) -> Iterator[Span]:
        """Yield the successes that are denied, each with its negation."""
        denials = {start for start, _ in self._all_negations}
        known = {start for start, _ in (*good, *self._successes)}
        for start, end in self._successes:
            # "No problems" is a denial itself, and "the patched build" names a thing.
            if start in denials or _ATTRIBUTE.search(self._text, max(0, start - 4), start):
                continue
            negation = before(self._text, self._negations, (start, end))
            if negation is not None and negation not in known:
                yield negation, end

    def _returned(self, good: list[Span]) -> Iterator[Span]:
        """Yield the symptoms that came back; add those that are gone to *good*."""
        for span in self._symptoms:
            if cancelled := self._cancelled(span, good):
                good.append(cancelled)
            elif found := _RETURNED.match(self._text, span[1]):
                yield span[0], found.end()

    def _spoilt(self, good: list[Span]) -> Span | None:
        """Return what comes after a "but" that follows the last good news."""
        end = max(end for _, end in good)
        contrast = _CONTRAST.search(self._text, end)
        if contrast is None or _CONCEDED.match(self._text, contrast.end()):
            return None
        return contrast.start(), len(self._text)

    def _cancelled(self, span: Span, earlier: list[Span]) -> Span | None:
        """Return the words that take the failure at *span* away, with it."""
        start, end = span
        for cues in (self._negations, self._removals):
            if (lead := before(self._text, cues, span)) is not None:
                return lead, end
        if found := _FREE.match(self._text, end):
            return start, found.end()
        if (fewer := self._fewer(span)) is not None:
            return fewer
        count = _NO_COUNT.match(self._text, end)
        after = count.end() if count else self._removed_after(span)
        if after is not None:
            return start, after
        if earlier and _ALTERNATIVE.fullmatch(self._text, earlier[-1][1], start):
            return earlier[-1][0], end
        return None

    def _fewer(self, span: Span) -> Span | None:
        """Return the words that say that failures in the plural became fewer."""
        falls = self._moves.falls or any(word in self._text for word in _FEWER)
        if not falls or not _PLURAL.fullmatch(self._text, *span):
            return None
        moved = self._moves.of(self._text, span)
        return moved[1] if moved and moved[0] < 0 and moved[1][0] == span[0] else None

    def _overtaken(self, span: Span) -> Span | None:
        """Return what came after a failure at *span* and outweighs it.

        A success after a first try, or the words that it reached nobody: then it is what
        the attempt was tested by.
        """
        start, end = span
        if any(who in self._text for who in _WHO) and (
            spared := _SPARED.search(self._text, end)
        ):
            return spared.span()
        if not self._successes:
            return None
        begin = last(CLAUSE_END, self._text, max(0, start - REACH), start)
        after = CLAUSE_END.search(self._text, end, end + REACH)
        if not _FIRST.search(self._text[begin : after.start() if after else end + REACH]):
            return None
        return next((s for s in self._successes if s[0] > end), None)

    def _removed_after(self, span: Span) -> int | None:
        """Return where a removal ends that follows *span* in the same clause."""
        end = span[1]
        at = bisect_left(self._removals, (end, end))
        if at == len(self._removals) or self._negates_itself(span):
            return None
        removal = self._removals[at]
        between = self._text[end : min(removal[0], end + REACH + 1)]
        if len(between) > REACH or _NEXT_SUBJECT.search(between):
            return None
        # "the crash that users saw is gone": a relative clause is about the same thing.
        if CLAUSE_END.search(_RELATIVE.sub("", between, count=1)):
            return None
        negated = before(self._text, self._negations, removal) is not None
        return None if negated else removal[1]

    def _negates_itself(self, span: Span) -> bool:
        """Whether the failure at *span* is a phrase like "could not"."""
        if not self._text[span[0]].isascii():
            return False  # In a script without spaces a negation may be part of any word.
        at = bisect_left(self._all_negations, (span[0], 0))
        return at < len(self._all_negations) and self._all_negations[at][1] <= span[1]
