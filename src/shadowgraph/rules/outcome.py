"""Did an attempt fail? One question, answered on the best basis there is.

In this order: the declared `resultClass`, an observed exit status, the wording of
`result`. Nothing else is read: a reason or a solution speaks of failures that the
attempt was meant to cure. The answer names its basis and, for wording, the words it
rests on, so that a reader can disagree.

Wording is judged clause by clause. A failure word counts unless something takes it
away: a harmless phrase around it ("error handling"), a deed that it is only the object
of ("added retry on errors"), a negation shortly before it ("no errors", "did not fail"),
a count of zero after it ("failures: 0"), or its removal ("fixed the crash", "the failing
test now passes", "deadlocks went from dozens to none"). A negated success is a failure,
and so is an ability denied ("does not start"). A failure that stands outranks any
success, because to miss one costs more than to warn once too often; only a first try
that failed gives way to a later success, and a failure of which none reached anybody to
that ("the origin was down; not one error reached the customers"). What is taken away
counts as success; no cue at all is undetermined, and so is a question. A measure that
went the wrong way ("p99 doubled", "hit ratio fell") is a failure, the right way a
success. Words that call the outcome open outrank a success, and everything if the text
begins with them. Good news that a "but" follows, with nothing good behind it, is a
failure too.

What is declared or observed is read by `ending`, which needs no pattern. `cues` finds the
words, `reading` says what they mean together. The vocabulary is in the word lists, compiled
by `wording`; phrases with a slot are in `constructions`.
"""

from collections.abc import Mapping
from typing import Final

from shadowgraph.rules.cues import cues
from shadowgraph.rules.ending import LISTS, Outcome, OutcomeClass, told
from shadowgraph.rules.reading import Reading
from shadowgraph.rules.wording import FailureWords, fold, parse_failure_words

__all__ = [
    "LISTS",
    "FailureWords",
    "Outcome",
    "OutcomeClass",
    "classify",
    "classify_wording",
    "parse_failure_words",
    "told",
]

_UNDETERMINED: Final = Outcome("undetermined", "none")


def classify(attempt: Mapping[str, object], words: FailureWords) -> Outcome:
    """Return how *attempt* (in the shape of the wire) ended.

    >>> words = parse_failure_words(dict.fromkeys(LISTS, "") | {"failure": "crash*"})
    >>> classify({"result": "crashed after an hour"}, words)
    Outcome(cls='failed', basis='wording', cue='crashed')
    """
    return told(attempt) or classify_wording(str(attempt.get("result") or ""), words)


def classify_wording(result: str, words: FailureWords) -> Outcome:
    """Return what the wording of *result* says.

    >>> lists = dict.fromkeys(LISTS, "") | {"failure": "error*", "negation": "no"}
    >>> words = parse_failure_words(lists)
    >>> classify_wording("No errors in a week", words)
    Outcome(cls='succeeded', basis='wording', cue='no errors')
    """
    text = fold(result)
    found = cues(text, words)
    read = None if found is None else Reading(text, found).read()
    if read is None:
        return _UNDETERMINED
    cls, (start, end) = read
    return Outcome(cls, "wording", text[start:end])
