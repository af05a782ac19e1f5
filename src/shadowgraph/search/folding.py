"""Letters: which are the same, which only decorate, and which belong together.

What is written in two ways is folded into one before it becomes a token, in documents and
queries alike. Marks that only decorate a letter are taken off, of Latin, Greek, Cyrillic,
Arabic and Hebrew; in other scripts they are letters themselves.
"""

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
APOSTROPHE = re.compile("['’ʼ]")
# What follows an apostrophe in English: only "n't" says something of its own.
_CONTRACTED = frozenset({"s", "re", "ve", "ll", "d", "m", "t"})
_SPECIAL = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ς": "σ"}
    | {"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ـ": ""}
)
# Marks of these scripts only decorate a letter; elsewhere (Devanagari, Thai) they are
# letters themselves and stay with their base.
_NUKTAS = "\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc"
"Dots below an Indic letter, as often left out as written."
_FOLDED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW")


def composed(raw: str) -> str:
    """Return *raw* in one of the ways in which it can be written, nothing invisible in it.

    A sign such as "˘" decomposes into a space and a mark: a token has no space.
    """
    return _INVISIBLE.sub("", "".join(unicodedata.normalize("NFKC", raw).split()))


def fold(word: str) -> str:
    """Return a case-folded *word* without the marks that only decorate a letter.

    >>> fold("café"), fold("שָׁלוֹם"), fold("नमस्ते")
    ('cafe', 'שלום', 'नमस्ते')
    """
    if word.isascii():
        return word
    plain = word.translate(_SPECIAL)
    decomposed = unicodedata.normalize("NFD", plain)
    kept = []
    folding = False
    for character in decomposed:
        if unicodedata.category(character) == "Mn":
            if not folding and character not in _NUKTAS:
                kept.append(character)
            continue
        folding = unicodedata.name(character, "").startswith(_FOLDED_SCRIPTS)
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def script_of(word: str) -> str | None:
    """Return the stemmer's name of the script of *word*; None with digits or signs."""
    if word.isascii():
        return "latin" if word.isalpha() else None
    name = unicodedata.name(word[0], "")
    if not word.isalpha():
        return None
    return name.split(" ", 1)[0].lower()


def uncontracted(run: str) -> list[str]:
    """Split at apostrophes: `don't` says do and not, `l'erreur` says l and erreur.

    What stands alone has nothing before it: `n't` says not.

    >>> uncontracted("don't"), uncontracted("it's"), uncontracted("l'erreur")
    (['do', 'not'], ['it'], ['l', 'erreur'])
    >>> uncontracted("n't")
    ['not']
    """
    first, *rest = [piece for piece in APOSTROPHE.split(run) if piece] or [""]
    if len(rest) == 1 and rest[0].lower() == "t" and first.lower().endswith("n"):
        base = {"ca": "can", "wo": "will", "sha": "shall"}
        stem = first[:-1]
        return [*filter(None, [base.get(stem.lower(), stem)]), "not"]
    return [w for w in [first, *(r for r in rest if r.lower() not in _CONTRACTED)] if w]


def clusters(run: str) -> list[str]:
    """Split *run* into characters with the marks that belong to them."""
    whole: list[str] = []
    for character in run:
        if whole and unicodedata.category(character) in ("Mn", "Mc"):
            whole[-1] += character
        else:
            whole.append(character)
    return whole
