"""Whether a thing does what it is there to do: "does not start", "boots in 2 s".

A verb of ability says nothing by itself. Denied it is a failure, in the ways in which the
languages deny: a negation before it, "stopped", "refuses to", or a "nicht mehr" behind.
Restored, dated or said of all it is a success. To deny the appearance of a trouble ("no
issues found") denies no ability.
"""

import re
from collections.abc import Sequence
from typing import Final

from shadowgraph.rules.clauses import REACH, Spans, before
from shadowgraph.rules.wording import Span

_NO_DENIAL: Final = re.compile(r"(?:without|sin|sans|ohne|zero|0|free of|barely|hardly)\b")
_BETWEEN: Final = re.compile(
    r"\b(?:only|just|need|have to|used|about|for|of the|sure|and|to)\b"
)
_DENYING: Final = frozenset(
    (
        "stopped", "stops", "stop", "quit", "trouble", "n'", "dejo", "dejaron", "deja",
        "cesse", "ceased to", "refuses to", "refused to", "refusing to", "struggles to",
        "struggled to", "unable to", "dejo de", "dejaron de", "deja de", "cesse de",
        "cesso de", "volvio a", "no se", "hort auf",
    )
)  # fmt: skip
_DENIED_UNSPACED: Final = re.compile(
    r"(?:不|没|没有|未|无法|不能|不会|没法|不再|再也没有?|未能|拒绝)$"
)
_DENIED_AFTER: Final = re.compile(
    r"(?: [\w']+){0,4}? nicht(?: mehr)?(?=\s*(?:[.,;:!?)\n]|$)| (?:auf|an|ab|ein"
    r"|aus|hoch|durch)\b)"
    r"|(?: [\w']+){0,6} nicht mehr\b"
    r"| (?:plus|pas|jamais|nada|nichts)\b|不(?:了|上|到|出|动|开|成)|失败"
)
_ABLE_AFTER: Final = re.compile(
    r"(?: [\w']+){0,2}? (?:again|wieder|de nuevo|otra vez|de nouveau|a nouveau)\b"
    r"| (?:it |them )?(?:now|fine|properly|reliably|instantly|immediately|quickly"
    r"|normally|as before"
    r"|by itself|by themselves|on its own|end to end|at once|everywhere|on all"
    r"|on every|on both|as well"
    r"|on the first|first try|without (?!any|tls|root)\w+|jetzt|sofort|sauber|ya"
    r"|bien|bien|desormais"
    r"|(?:in|within|after|en|innerhalb von) (?:under |about "
    r"|less than )?\d[\d.,]* ?(?:s|ms|secs?|mins?|h|hours?|seconds?|minutes?"
    r"|sekunden?|segundos?|minutos?|secondes?|minuten))\b|了(?=[,。,、]|$)"
)
_ENABLING: Final = frozenset(
    (
        "now", "finally", "again", "wieder", "all", "both", "everything", "ya", "vuelve",
        "vuelven", "users can", "customers can", "everyone can", "everybody can",
        "people can", "we can", "clients can", "can now", "vuelve a", "vuelven a",
        "volvieron a", "de nouveau", "a nouveau",
    )
)  # fmt: skip
_ENABLING_FIRST: Final = frozenset(
    ("all", "every", "both", "alle", "todos", "todas", "tous")
)
_ABLE_UNSPACED: Final = re.compile(r"(?:可以|能够|重新|再次|正常|成功)$")
_AFTER: Final = (" nicht", " plus", " pas", " jamais", " nada", "不", "失败")
_ALONE: Final = re.compile(
    r"(?:(?:it|the \w+|this|that|everything|all of it) )?(?:\w+ly )?"
)
_END: Final = re.compile(r"[\s.!]*")
_WORDS_DENYING: Final = 5
_NEAR: Final = 24


class Abilities:
    """The verbs of ability of a text, with what can deny them."""

    def __init__(
        self, text: str, negations: Sequence[Span], removals: Spans, troubles: Spans
    ) -> None:
        """Look at *text*; *troubles* are its failures and symptoms."""
        self._text = text
        self._negations = negations
        self._removals = removals
        self._troubles = troubles
        self._after = any(word in text for word in _AFTER)

    def judged(self, verbs: Sequence[Span]) -> tuple[list[Span], list[Span]]:
        """Return the words that deny one of the *verbs*, and those that say it is there.

        >>> nothing = Spans([])
        >>> Abilities("does not start", [(5, 8)], nothing, nothing).judged([(9, 14)])
        ([(5, 14)], [])
        """
        denied: list[Span] = []
        able: list[Span] = []
        for verb in verbs:
            lead = self._lead(verb[0])
            if found := self._denied(verb, lead):
                denied.append(found)
            elif found := self._able(verb, lead):
                able.append(found)
        return denied, able

    def _lead(self, start: int) -> tuple[str, ...]:
        """Return the word before *start*, the two words before it, and the first of them."""
        near = self._text[max(0, start - _NEAR) : start]
        if not self._text[start].isascii():
            return (near,)
        words = near.rpartition(",")[2].split()[-2:]
        return (*words[-1:], " ".join(words), *words[:-1])

    def _denied(self, verb: Span, lead: tuple[str, ...]) -> Span | None:
        start, end = verb
        negation = before(self._text, self._negations, verb) if self._negations else None
        if negation is not None and not _NO_DENIAL.match(self._text, negation):
            between = self._text[negation:start]
            if len(between.split()) < _WORDS_DENYING and not _BETWEEN.search(between):
                return None if self._of_trouble(negation, verb) else (negation, end)
        if not _DENYING.isdisjoint(lead[:2]) or _DENIED_UNSPACED.search(lead[0]):
            return max(0, start - 1), end
        if self._after and (found := _DENIED_AFTER.match(self._text, end)):
            return start, found.end()
        return None

    def _of_trouble(self, negation: int, verb: Span) -> bool:
        """Whether what is denied is the appearance of a trouble: "no issues found"."""
        if self._troubles.begin_between(negation, verb[0]):
            return True
        trouble = self._troubles.begin_between(negation - REACH, negation)
        return trouble and self._removals.hold(verb)

    def _able(self, verb: Span, lead: tuple[str, ...]) -> Span | None:
        if found := _ABLE_AFTER.match(self._text, verb[1]):
            return verb[0], found.end()
        if not _ENABLING.isdisjoint(lead[:2]) or not _ENABLING_FIRST.isdisjoint(lead[2:]):
            return verb
        if _ABLE_UNSPACED.search(lead[0]):
            return verb
        # "It boots." says nothing else.
        alone = _ALONE.fullmatch(self._text[: verb[0]]) and _END.fullmatch(
            self._text, verb[1]
        )
        return verb if alone and self._text[verb[1] - 1] == "s" else None
