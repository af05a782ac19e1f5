"""What tools print: exit codes, HTTP statuses, exception names, summaries of test runs.

These hold numbers or signs, so they are patterns here; what is spelled in plain words
("npm err!", "enoent", "command not found") stands in the word lists. `ROWS` are rows for
`constructions`, in the form that `failing` describes; `marks` finds what begins with no
word of its own.
"""

import re
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]
"Where a phrase begins and ends in a text."

ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "failure", "exit exits exited",
        (r"exit(?:s|ed)?(?: \w+ly)?(?: with)?(?:[ -](?:code|status))?[ =:]+-?0*[1-9]\d*\b"
         r"|exited, (?:code=exited|status=0*[1-9]\w*)"),
    ),
    (
        "success", "exit exits exited",
        (r"exit(?:s|ed)?(?: with)?(?:[ -](?:code|status))?[ =:]+0(?![\d.,x])"
         r"|exited, status=0\b"),
    ),
    (
        "failure", "return returned rc errno code",
        (r"(?:return ?code[ =:]+|rc=|errno[ =:]+)-?0*[1-9]\d*\b"
         r"|returned -?0*[1-9]\d* exit status|code=exited, status=0*[1-9]\w*"),
    ),
    ("success", "rc active", r"rc=0(?!\d)|active: active|active \(running\)"),
    ("failure", "active", r"active: (?:failed|inactive|deactivating)"),
    ("failure", "http", r"http(?:/[\d.]+)?(?: (?:code|status|error))?[ =:]+[45]\d\d\b"),
    ("success", "http", r"http(?:/[\d.]+)? 2\d\d\b"),
    (
        "failure",
        ("return returns returned answer answers answered respond responds responded"
         " status fail fails got gets get sees saw see with"),
        (r"(?:(?:returns?|returned|answers?|answered|responds?|responded|status(?: code)?"
         r"|fails?)(?: with)?[ =:]+(?:an? )?|(?:gets?|got|sees?|saw|with) an? )[45]\d\d\b"
         r"(?! ?(?:ms|s|sec|mb|gb|rows?|%|users?|items?|records?|lines?|times)\b)"),
    ),
    (
        "failure", "500 501 502 503 504",
        r"5\d\d (?:internal server|bad gateway|service unavailable|gateway time)",
    ),
    (
        "failure", "signal curl ora 0xc0",
        r"signal (?:4|6|7|8|9|11|15)\b|curl: \(\d+\)|ora-\d{5}\b|0xc0[0-9a-f]{6}\b",
    ),
    (
        "failure", "failures failure errors error failed broken",
        r"(?:failures?|errors?|failed|broken)=0*[1-9]\d*",
    ),
)  # fmt: skip

_EXCEPTION: Final = re.compile(
    r"(?:error|exception|failure)(?::|\b(?! (?:handl|class|type|mapp|filter|page|bann|code"
    r"|messag|count|metric|hierarch|wrapp|middlewar|propagat|object|instance"
    r"|screen|dialog)))"
)
_SHORT: Final = 1
_BAD_MARKS: Final = re.compile("[\u2717\u2718\u274c]|\\*\\*\\* \\[")
_GOOD_MARKS: Final = re.compile("[\u2705\u2713\u2714]")


def marks(text: str) -> tuple[list[Span], list[Span]]:
    """Return where a folded *text* names an exception or has a mark of failure, or of success.

    >>> marks("valueerror: no such port")
    ([(0, 11)], [])
    """
    bad: list[Span] = []
    good: list[Span] = []
    for hit in _EXCEPTION.finditer(text):
        start = hit.start()
        begin = _word_start(text, start)
        # A plain "error" is a word of the list, and "terror" is another word.
        if start - begin > (0 if text[hit.end() - 1] == ":" else _SHORT):
            bad.append((begin, hit.end()))
    if "***" in text or not text.isascii():
        bad += [hit.span() for hit in _BAD_MARKS.finditer(text)]
        good += [hit.span() for hit in _GOOD_MARKS.finditer(text)]
    return bad, good


def _word_start(text: str, at: int) -> int:
    """Return where the word begins that holds the place *at*."""
    while at and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return at
