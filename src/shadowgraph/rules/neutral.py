"""What a text only describes: a deed and its objects, a purpose, a thing made for failures.

"Added retry on errors", "wrote a runbook for outages", "a table of error codes": the main
verb tells what somebody did, and a failure word is its object, so it says nothing on the
outcome. A description ends with its clause; "added an index, still times out" and "added a
cache and it crashed" go on to tell what came of it.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from shadowgraph.rules.wording import Span

_OPENING: Final = re.compile(
    r"(?:\W|\b(?:i|we|they|then|also|just|so|first|and|now|next|have|has|had|been"
    r"|ve|team|the|only"
    r"|se|wir|ich|haben|habe|hat|wurden?|on|a|nous|avons|j|ai|ont|ete|he|hemos|ha"
    r"|han|sido|fue"
    r"|fueron|une?|un|der|die|das|newly|simply|step \d+)\b)*"
)
_END: Final = re.compile(
    r"[;:!?\n(\u3002\uff1b\uff0c\u3001]|[.,](?!\w)"
    r"|\b(?:but|yet|however|because|since|so(?! that)|until|afterwards?|aber|pero"
    r"|mais|porque)\b"
    r"|\b(?:which|and|und|y|et|then) (?=(?:\w+ed|lost|broke|got|saw|then|now|it"
    r"|they|the|this|that|we|i"
    r"|still|had|was|were|went|hit|fell|ran|is|are|no|nothing|everything|made"
    r"|took|all|both|der"
    r"|die|das|es|el|la|los|le|les|se|brought|cut|never|works?)\b)"
    r"|\bthat (?=(?:broke|crashed|failed|made|caused|corrupted|took|killed|slowed"
    r"|lost|hung)\b)"
    r"|\b(?:which|and) (?=\w+s (?:on|in|at|when|every|under)\b)"
)
_SENTENCE: Final = re.compile(r"[.!?;:\n](?=\s|$)|[\u3002\uff1b\uff0c\u3001]")
_PASSIVE: Final = re.compile(
    r"\b(?:was|were|has been|have been|wurden?|a ete|ont ete|fue|fueron) $"
)
_LAST: Final = re.compile(r"(?:\w{2,5})?ge\w+(?:t|en)|\w+iert|(?:er|um|ver|be)\w+(?:t|en)")
_NAMED: Final = re.compile(
    r"(?:\w*error\w*|failures?|crash(?:es)?|exceptions?|panics?|deadlocks?"
    r"|outages?|incidents?"
    r"|leaks?|regressions?|time ?outs?|corruptions?|race conditions?|conflicts?|aborts?"
    r"|breakages?|overflows?|races?|faults?|retry|rollbacks?|data loss|fehlern?|ausfallen?"
    r"|absturzen?|errores|fallos|erreurs|pannes)"
)
_ADJECTIVE: Final = re.compile(
    r"(?:lost|failed|rejected|broken|missing|corrupt\w*|dropped|malformed|killed"
    r"|denied|stuck"
    r"|hanging|stale|invalid|faulty|duplicated?)"
)
_THING: Final = re.compile(
    r"(?:handlers?|lists?|tables?|pages?|logs?|counters?|metrics?|dashboards?|runbooks?"
    r"|guides?|notes?|detectors?|polic(?:y|ies)|budgets?|charts?|graphs?|panels?|plans?"
    r"|procedures?|playbooks?|templates?|enums?|columns?|fields?|hooks?|banners?|dialogs?"
    r"|messages?|codes?|histograms?|sections?|chapters?|designs?|sketch(?:es)?"
    r"|support|drills?"
    r"|simulations?|theor(?:y|ies)|taxonomy|classification|monitoring|alerts?|alerting"
    r"|colou?rs?|icons?|wording|retr(?:y|ies)|class(?:es)?|types?|rules?"
    r"|checklists?|scripts?"
    r"|scenarios?|avoidance|prevention|detection|analysis|handling|recovery"
    r"|reporting|injection"
    r"|simulator|queues?|channels?|guards?|tolerance|resilience|tracking"
    r"|trackers?|statistics"
    r"|screens?|options?|settings?|values?|strateg(?:y|ies)|logic|middleware"
    r"|boundar(?:y|ies)"
    r"|resolution|reports?|causes|listen?|tabelle|seite|regeln?|tablas?|listas?|paginas?"
    r"|tableau)(?!\w)"
)
_ABOUT: Final = frozenset(
    (
        "for", "of", "on", "about", "against", "after", "around", "fur", "uber", "von", "bei",
        "de", "des", "del", "con", "para", "sur", "pour", "cas",
    )
)  # fmt: skip
_PLURAL_AFTER: Final = re.compile(r" \w+s\b")
_IN_ORDER: Final = frozenset(("to", "um", "para", "pour", "de"))
_AVOIDING: Final = frozenset(
    (
        "avoid", "prevent", "catch", "reduce", "handle", "stop", "detect", "survive", "debug",
        "diagnose", "investigate", "track", "trace", "analyze", "analyse", "mitigate", "guard",
        "find", "get", "protect", "explain", "understand", "report", "log", "count", "evitar",
        "detectar", "eviter", "detecter", "reduire", "reducir",
    )
)  # fmt: skip
_DENYING: Final = frozenset(
    (
        "able", "unable", "not", "failed", "fails", "fail", "trying", "tried", "how", "managed",
        "way", "enough", "had", "have", "has",
    )
)  # fmt: skip
_CLAUSE: Final = re.compile(r"[.,;:!?\n()]")
_REACH: Final = 60
_FAR: Final = 300
_FAR_WORDS: Final = 7


def described(text: str, deeds: Sequence[Span]) -> list[Span]:
    """Return the parts of a folded *text* that only describe, given its *deeds*.

    >>> described("added retry on errors, crashes", [(0, 5)])
    [(0, 0), (5, 21)]
    """
    found: list[Span] = []
    for deed in deeds:
        if span := _told(
            text, deed
        ):  # What holds the deed itself ("switched back") counts.
            found += ((span[0], deed[0]), (deed[1], span[1]))
    return found


def names(text: str, failure: Span) -> bool:
    """Whether a *failure* word is only part of a name, or of what somebody wanted to avoid.

    >>> names("a table of gateway errors", (19, 25)), names("many errors", (5, 11))
    (True, False)
    """
    start, end = failure
    if _NAMED.fullmatch(text, start, end):
        if text[end : end + 1] == " " and _THING.match(text, end + 1):
            return True
    elif not (_ADJECTIVE.fullmatch(text, start, end) and _PLURAL_AFTER.match(text, end)):
        return False
    words = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1].split()
    return any(
        (
            second in _ABOUT
            and len(words) - at < _FAR_WORDS
            and _THING.match(first) is not None
        )
        or (first in _IN_ORDER and second in _AVOIDING and _DENYING.isdisjoint(words[:at]))
        for at, (first, second) in enumerate(pairwise(words))
    )


def _told(text: str, deed: Span) -> Span | None:
    """Return the clause that tells of *deed*, if that is its main verb."""
    start, end = deed
    begin = _sentence(text, start)
    before = text[begin:start]
    after = _END.search(text, end, end + _FAR)
    limit = after.start() if after else min(len(text), end + _FAR)
    if not text[start].isascii():  # Scripts without spaces: anywhere in its clause.
        return begin, limit
    if _OPENING.fullmatch(before) or _PASSIVE.search(before):
        return begin, limit
    if limit == end and _LAST.fullmatch(text, start, end):
        return begin, end
    return None


def _sentence(text: str, at: int) -> int:
    """Return where the sentence that holds *at* begins."""
    ends = _SENTENCE.finditer(text, max(0, at - 200), at)
    return max((found.end() for found in ends), default=max(0, at - 200))
