"""How many tokens of a model a text takes: an estimate that errs upwards.

A budget is a promise to a model whose tokenizer is not known here, so a text is taken apart
into pieces as byte-pair tokenizers do, and each piece is given what such a tokenizer needs
for a piece of its sort at the worst that was seen: words in lower case by fours, capitals
and words with marks by less, mixtures of letters and digits (hashes, ids) nearly by the
character, other scripts by the character and more. `MARGIN` covers a rare word in a short
text.

Held by a test: never below the recorded counts of two public tokenizers on every text of
`fixtures/tokens`; on all of them together it is about half above.
The estimate of two texts with a line end between them is at most the sum of theirs, so a
budget can be filled line by line.
"""

import math
import re
from typing import Final

MARGIN: Final = 5
"Tokens added to every text that is not empty."

_PIECE: Final = re.compile(r"[^\W_]+|\n+|[ \t\r]+|.", re.DOTALL)
_CASE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_VOWEL: Final = re.compile(r"[aeiouy]", re.IGNORECASE)
_SCRIPTS: Final = (
    (0x80, 0.5),  # a letter of ASCII in a word that is not ASCII alone
    (0x250, 1.5),  # Latin with marks
    (0x370, 2.0),
    (0x530, 1.3),  # Greek and Cyrillic
    (0x700, 1.6),  # Armenian, Hebrew, Arabic
    (0x10000, 2.5),
)
"Tokens a character needs, by the first code point beyond its script."


def tokens(text: str) -> int:
    """Return how many tokens *text* takes at most, as far as can be told without a model.

    >>> tokens(""), tokens("the ledger is locked"), tokens("3f2a9c1e")
    (0, 10, 11)
    """
    if not text:
        return 0
    return MARGIN + math.ceil(sum(map(_cost, _PIECE.findall(text))))


def _cost(piece: str) -> float:
    """Return the tokens of one piece."""
    if not piece.isascii():
        return sum(map(_character, piece))
    if piece.isspace():
        # A single space belongs to the word behind it; to a number one is added below.
        return 0 if piece == " " else 1 + len(piece) / 16
    if piece.isdigit():
        return 1 + math.ceil(len(piece) / 3)
    if not piece.isalpha():
        return len(piece) * 0.75 if piece.isalnum() else 1
    return sum(map(_word, _CASE.findall(piece)))


def _word(word: str) -> float:
    """Return the tokens of letters of ASCII that are of one case."""
    size = len(word)
    if size > 1 and word.isupper():
        return 0.6 * size + 0.5
    if _VOWEL.search(word):
        return max(1, size / 4)
    return math.ceil(size / 2) if size > 3 else 1


def _character(character: str) -> float:
    if not character.isascii() and character.isupper():
        return 2.0
    point = ord(character)
    return next((cost for end, cost in _SCRIPTS if point < end), 4.0)
