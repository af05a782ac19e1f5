"""Did an attempt fail? One question, answered on the best basis there is.

In this order: the declared `resultClass`, an observed exit status, the wording of
`result`. Nothing else is read: a reason or a solution speaks of failures that the
attempt was meant to cure. The answer names its basis and, for wording, the words it
rests on, so that a reader can disagree.

Wording is judged clause by clause. A failure word counts unless something takes it
away: a harmless phrase around it ("error handling"), a negation shortly before it ("no
errors", "did not fail"), a count of zero after it ("failures: 0"), or its removal
("fixed the crash", "the failing test now passes"). A negated success is a failure. A
failure that stands outranks any success, because to miss one costs more than to warn
once too often; only a first try that failed gives way to a later success, and a failure
of which none reached anybody to that ("the origin was down; not one error reached the
customers"). What is taken away counts as success; no cue at all is undetermined, and so is a question. A measure
that went the wrong way ("p99 doubled", "hit ratio fell") is a failure, the right way a
success. Words that call the outcome open outrank a success, and everything if the text
begins with them.

What is declared or observed is read by `ending`, which needs no pattern. The vocabulary is
in the word lists, compiled by `wording`. Only notations are here: exit codes, HTTP statuses
and exception names.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from shadowgraph.rules.ending import Outcome, OutcomeClass, told
from shadowgraph.rules.wording import (
    FailureWords,
    Head,
    Span,
    fold,
    moves,
    parse_failure_words,
)

__all__ = [
    "FailureWords",
    "Outcome",
    "OutcomeClass",
    "classify",
    "classify_wording",
    "parse_failure_words",
    "told",
]

_NOTATIONS: Final = re.compile(
    r"\b(?:exit(?:s|ed)?(?: \w+ly)?(?: with)?(?:[ -](?:code|status))?[ =:]+-?0*[1-9]\d*\b"
    r"|(?:return ?code[ =:]+|rc=)-?0*[1-9]\d*\b"
    r"|http(?:/[\d.]+)?(?: (?:code|status|error))?[ =:]+[45]\d\d\b"
    r"|(?:(?:returns?|returned|status(?: code)?)[ =:]+(?:an? )?|(?:got|gets) an? )"
    r"[45]\d\d\b"
    r"|\bora-\d{5}\b"
    r"|5\d\d (?:internal server|bad gateway|service unavailable)"
    r"|\w+(?:error|exception):)"
)
_TRACES: Final = (
    "exit", "rc=", "return", "http", "status", "internal server", "bad gateway",
    "service unavailable", "error:", "exception:", "got a", "gets a", "ora-",
)  # fmt: skip
_SUCCESS_STATUS: Final = re.compile(r"\bhttp(?:/[\d.]+)? 2\d\d\b")
_CLAUSE_END: Final = re.compile(
    r"[;:!?\n()\u2014\u2026\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]|[.,](?!\d)"
    r"|\b(?:but|however|yet|although|though|while|because|since|so|which|that|when"
    r"|after|if|until|then|still|it|they|we|this"
    r"|aber|weil|jedoch|pero|porque|mais|car)\b"
)
_NEXT_SUBJECT: Final = re.compile(r"\b(?:and|und|y|et|to)\b")
_NO_COUNT: Final = re.compile(
    r"\s*[:=]\s*(?:0|none|nil|zero)(?!\w|[.,]\d)"
    r"|(?<=s)\s+(?:0|zero)(?=[.,;)]?(?:\s|$))(?! \w)"  # "errors 0"; error 0 is a code
)
_RELATIVE: Final = re.compile(r"\b(?:that|which)\b")
_ALTERNATIVE: Final = re.compile(r"\s+(?:or|nor|oder|ni|o|ou)\s+(?:\w+\s+)?")
_SENTENCE: Final = re.compile(r"[.!?;:\n](?=\s|$)|[\u3002\uff1b]")
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
_REACH: Final = 48
_WORDS_BETWEEN: Final = 4


_UNDETERMINED: Final = Outcome("undetermined", "none")


def classify(attempt: Mapping[str, object], words: FailureWords) -> Outcome:
    """Return how *attempt* (in the shape of the wire) ended.

    >>> words = parse_failure_words(
    ...     {"failure": "crash*", "success": "", "negation": "no", "harmless": ""})
    >>> classify({"result": "crashed after an hour"}, words)
    Outcome(cls='failed', basis='wording', cue='crashed')
    """
    return told(attempt) or classify_wording(str(attempt.get("result") or ""), words)


def classify_wording(result: str, words: FailureWords) -> Outcome:
    """Return what the wording of *result* says.

    >>> words = parse_failure_words(
    ...     {"failure": "error*", "success": "", "negation": "no", "harmless": ""})
    >>> classify_wording("No errors in a week", words)
    Outcome(cls='succeeded', basis='wording', cue='no errors')
    """
    text = fold(result)
    heads = words.heads_in(text)
    failures = words.failure.spans(text, heads)
    successes = words.success.spans(text, heads)
    harmless = words.harmless.spans(text, heads)
    # Most texts hold no notation, and looking for one costs more than asking first.
    if any(trace in text for trace in _TRACES):
        failures += [found.span() for found in _NOTATIONS.finditer(text)]
        successes += [found.span() for found in _SUCCESS_STATUS.finditer(text)]
    undecided: list[Span] = []
    if harmless:  # Measures and words that call the outcome open are harmless too.
        undecided = words.open.spans(text, heads)
        worse, better = _moved(text, heads, words)
        failures += worse
        successes += better
    if not failures and not successes and not undecided:
        return _UNDETERMINED
    cues = (sorted(set(failures)), sorted(set(successes)), undecided)
    return _Reading(text, heads, words, harmless, *cues).outcome()


def _moved(
    text: str, heads: list[Head], words: FailureWords
) -> tuple[list[Span], list[Span]]:
    """Return where a measure went the wrong way, and where the right way."""
    ways: tuple[list[Span], list[Span]] = ([], [])
    for wrong, measures in ((1, words.cost), (-1, words.gain)):
        for measure in measures.spans(text, heads):
            if moved := moves(text, measure):
                ways[moved[0] != wrong].append(moved[1])
    return ways


class _Reading:
    """One text with its cues, while it is being judged."""

    def __init__(
        self,
        text: str,
        heads: list[Head],
        words: FailureWords,
        harmless: list[Span],
        failures: list[Span],
        successes: list[Span],
        undecided: list[Span],
    ) -> None:
        self.text = text
        self.words = words
        self.harmless = harmless
        self.undecided = undecided
        inert = sorted({*self.harmless, *_questions(text)})
        self.failures = [f for f in failures if not _covered(f, inert, successes)]
        self.successes = [s for s in successes if not _covered(s, inert, failures)]
        self.negations = self._effective(words.negation.spans(text, heads))
        self.removals = self._effective(words.removal.spans(text, heads))

    def _effective(self, spans: list[Span]) -> list[Span]:
        """Return the *spans* that are no part of a harmless or a failure phrase."""
        return [s for s in spans if not _covered(s, self.harmless, self.failures)]

    def outcome(self) -> Outcome:
        """Return the class: a standing failure, else open, a success, or neither."""
        if self.undecided and not self.text[: self.undecided[0][0]].strip():
            return self._found("inconclusive", self.undecided[0])
        good: list[Span] = []
        for span in self.failures:
            cancelled = self._cancelled(span, good) or self._overtaken(span)
            if cancelled is None:
                return self._found("failed", span)
            good.append(cancelled)
        for span in self.successes:
            negation = self._before(self.negations, span)
            if negation is not None and all(negation != s[0] for s in good):
                return self._found("failed", (negation, span[1]))
        if self.undecided:
            return self._found("inconclusive", self.undecided[0])
        good += self.successes
        return self._found("succeeded", good[0]) if good else _UNDETERMINED

    def _found(self, cls: OutcomeClass, span: Span) -> Outcome:
        return Outcome(cls, "wording", self.text[slice(*span)])

    def _cancelled(self, span: Span, earlier: list[Span]) -> Span | None:
        """Return the words that take the failure at *span* away, with it."""
        start, end = span
        for cues in (self.negations, self.removals):
            before = self._before(cues, span)
            if before is not None:
                return before, end
        count = _NO_COUNT.match(self.text, end)
        after = count.end() if count else self._removed_after(span)
        if after is not None:
            return start, after
        if earlier and _ALTERNATIVE.fullmatch(self.text, earlier[-1][1], start):
            return earlier[-1][0], end
        return None

    def _overtaken(self, span: Span) -> Span | None:
        """Return what came after a failure at *span* and outweighs it.

        A success after a first try, or the words that it reached nobody: then it is what
        the attempt was tested by.
        """
        if spared := _SPARED.search(self.text, span[1]):
            return spared.span()
        before = _last(_CLAUSE_END, self.text, max(0, span[0] - _REACH), span[0])
        after = _CLAUSE_END.search(self.text, span[1], span[1] + _REACH)
        clause = self.text[before : after.start() if after else span[1] + _REACH]
        if not _FIRST.search(clause):
            return None
        return next((s for s in self.successes if s[0] > span[1]), None)

    def _before(self, cues: list[Span], span: Span) -> int | None:
        """Return where one of *cues* begins shortly before *span*, in its clause."""
        at = bisect_left(cues, span) - 1
        if at >= 0 and cues[at][1] > span[0]:
            at -= 1
        if at < 0 or cues[at][0] < span[0] - _REACH:
            return None
        begin, end = cues[at]
        between = self.text[end : span[0]]
        if len(between.split()) >= _WORDS_BETWEEN or _CLAUSE_END.search(between):
            return None
        return begin

    def _removed_after(self, span: Span) -> int | None:
        """Return where a removal ends that follows *span* in the same clause."""
        end = span[1]
        at = bisect_left(self.removals, (end, end))
        if at == len(self.removals) or self._negates_itself(span):
            return None
        removal = self.removals[at]
        between = self.text[end : min(removal[0], end + _REACH + 1)]
        if len(between) > _REACH or _NEXT_SUBJECT.search(between):
            return None
        # "the crash that users saw is gone": a relative clause is about the same thing.
        if _CLAUSE_END.search(_RELATIVE.sub("", between, count=1)):
            return None
        negated = self._before(self.negations, removal) is not None
        return None if negated else removal[1]

    def _negates_itself(self, span: Span) -> bool:
        """Whether the failure at *span* is a phrase like "could not"."""
        phrase = self.text[slice(*span)]
        return bool(self.words.negation.spans(phrase, self.words.heads_in(phrase)))


def _questions(text: str) -> list[Span]:
    """Return the sentences that ask; they tell nothing."""
    asked: list[Span] = []
    at = text.find("?")
    while at >= 0:
        if text[at + 1 : at + 2].strip() == "":
            asked.append((_last(_SENTENCE, text, max(0, at - 200), at), at + 1))
        at = text.find("?", at + 1)
    return asked


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Return where the last match of *pattern* in that part of *text* ends."""
    return max((found.end() for found in pattern.finditer(text, start, end)), default=start)


def _covered(span: Span, inert: list[Span], rivals: list[Span]) -> bool:
    """Whether an *inert* phrase or a longer *rivals* phrase holds the whole span."""
    if _inside(span, inert):
        return True
    holder = _inside(span, rivals)
    return holder is not None and holder != span


def _inside(span: Span, spans: list[Span]) -> Span | None:
    """Return which of the sorted *spans* holds *span*."""
    at = bisect_left(spans, (span[0] + 1, 0)) - 1
    return spans[at] if at >= 0 and spans[at][1] >= span[1] else None
