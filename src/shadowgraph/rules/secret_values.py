"""When the value behind the name of a credential is one, and when it only stands for one.

Most of what stands behind `password` or `token` in notes is no secret: a placeholder, a
reference to a variable or a file, a version, a word of the sentence. Told apart is by form
alone. A password may be a plain word where it is assigned or quoted; a token looks random.
The invariant: what cannot be told apart by its form in prose (`password: wrong`) stays, and
what is assigned or quoted counts as a secret unless something speaks against it. The words
that speak against are data (`shadowgraph/secrets.toml`); where names stand in a text is
found in `rules.secrets`.
"""

import re
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

Strength = Literal["password", "token"]
"How much a value must look like a secret."
Form = Literal["quoted", "assigned", "argument", "told"]
"""How a value stands behind its name: in quotation marks or JSON, behind `=`, behind `=`
among the arguments of code, behind `:` or a word of prose."""

_LEAST_PASSWORD: Final = 4
_LEAST_TOKEN: Final = 8
_SPACE: Final = re.compile(r"\s")
_DIGIT: Final = re.compile(r"\d")
_LETTER: Final = re.compile(r"[^\W\d_]")
_FEW: Final = 5
"Different characters of a long filler, such as `abcabcabc...`."
_LONG_TOKEN: Final = 20
"A value of this length without a digit may be a token too, when its cases are mixed."
_REFERENCE: Final = re.compile(
    r"\$[\w{(]\w*(?:[}$).:/-]|\Z)|\{|[!&*@][A-Za-z_.]+\Z|%\w+%|%\("  # a variable, a tag
    r"|[A-Za-z_][\w.]{0,100}+[(\[{]"  # a call, a subscript
    r"|(?:[~.]{0,2}|[A-Za-z]:)[/\\][\w.-]{1,60}(?:[/\\][\w.-]{1,60}){1,20}/?\Z"  # a path
    r"|[A-Za-z][\w+.-]{1,20}://"  # an address of its own
    r"|(?:arn|vault|ref|env|file|ssm|kms|sops|enc|data|sha\d{1,3}|md5)[:\[{-]"
    r"|\w{1,40}(?:->|::)\w",
    re.IGNORECASE,
)
_DOTTED: Final = re.compile(r"[A-Za-z_]+\d?(?:\.[A-Za-z_]+\d?){1,8}\Z")
_NAME: Final = re.compile(
    r"(?:[a-z]+\d{0,2}|[A-Z]+\d{0,2}|[A-Z]?[a-z]+\d{0,2})"
    r"(?:[-_./:](?:[A-Za-z]+\d{0,2}|\d{1,3}|v\d{1,3}))*\Z"
)
"Words and small numbers, as people name things: `db-password-2`, `API_KEY`, `Session`."
_CAMEL: Final = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+\d?\Z")
_VERSION: Final = re.compile(r"[v^~=]?\d{1,5}(?:\.\d{1,6}){1,3}(?:[-+.][\w.]+)?\Z")
_MEASURE: Final = re.compile(
    r"[\d.,_:+/-]+(?:T[\d:.]+Z?)?(?:ms|s|min|m|h|d|%|[kmg]i?b|px|rpm|rps|/\w+)?\Z",
    re.IGNORECASE,
)
"A number with its unit, a date, a time."


class Values(NamedTuple):
    """The words that say that a value is none."""

    within: tuple[str, ...]
    whole: frozenset[str]

    @classmethod
    def of(cls, within: Iterable[str], whole: Iterable[str]) -> "Values":
        """Return values that are none when they hold or are one of these words."""
        return cls(tuple(within), frozenset(whole))

    def stands_for_another(self, value: str) -> bool:
        """Return whether *value* is a placeholder: it says that a secret belongs there.

        >>> Values.of(["your"], ["none"]).stands_for_another("<your-token>")
        True
        """
        low = value.lower()
        if low in self.whole or any(word in low for word in self.within):
            return True
        return len(set(low)) <= min(_FEW, max(2, len(low) // 12))

    def is_secret(self, value: str, strength: Strength, form: Form) -> bool:
        """Return whether *value* behind a credential's name is a secret.

        >>> values = Values.of(["your"], ["wrong"])
        >>> values.is_secret("s3same-open", "password", "told")
        True
        >>> values.is_secret("wrong", "password", "told")
        False
        """
        if len(value) < _LEAST_PASSWORD or self.stands_for_another(value):
            return False
        if _SPACE.search(value) or _REFERENCE.match(value):
            return False
        if form != "quoted" and _DOTTED.match(value):
            return False
        if strength == "token":
            return looks_random(value)
        return _may_be_password(value, form)


def looks_random(value: str) -> bool:
    """Return whether *value* looks made by a machine and not named by a person.

    >>> looks_random("8f2kQ0vT71"), looks_random("db-password-2"), looks_random("1.10.2")
    (True, False, False)
    """
    if len(value) < _LEAST_TOKEN or _VERSION.match(value) or _MEASURE.match(value):
        return False
    if _NAME.match(value) or _CAMEL.match(value):
        return False
    if has_digit_and_letter(value):
        return True
    mixed = value != value.lower() and value != value.upper()
    return len(value) >= _LONG_TOKEN and mixed and value.isascii()


def has_digit_and_letter(value: str) -> bool:
    """Return whether both a digit and a letter are in *value*."""
    return bool(_DIGIT.search(value) and _LETTER.search(value))


def _may_be_password(value: str, form: Form) -> bool:
    if _VERSION.match(value):
        return False
    if form == "quoted":
        return True
    plain = value.replace("_", "").isalpha()
    if form == "assigned":
        return not (plain and ("_" in value or _CAMEL.match(value)))
    if form == "argument":
        return not plain and has_digit_and_letter(value) and not _NAME.match(value)
    inside = value[1:-1]
    marked = any(not (c.isalnum() or c in "-_.,:'/()[]’") for c in inside)
    return marked or (has_digit_and_letter(value) and not _MEASURE.match(value))
