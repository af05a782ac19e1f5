"""Credentials made from the descriptions in `fixtures/secrets`.

The corpus says how a credential is put together; here it is drawn from a seed, so that no
file holds one. The invariant: the same seed gives the same texts. A credential counts as
found when nothing of it is left and its kind is named; what is changed in a look-alike, or
beside a credential, counts as wrongly masked. `bench.secrets` measures with the same.
"""

import json
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shadowgraph.masking import packaged

CORPUS = Path(__file__).parents[1] / "fixtures" / "secrets"
ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "digit": string.digits,
    "lower": string.ascii_lowercase,
    "upper": string.ascii_uppercase,
    "alpha": string.ascii_letters,
    "alnum": string.ascii_letters + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "base32low": "0123456789abcdefghjkmnpqrstvwxyz",
    "base64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "-_",
    "pass": string.ascii_letters + string.digits + "!#%^*+?~-_",
}
_SLOT = re.compile(r"\{\{(?P<parts>(?:[^{}]|\n)+)\}\}")


@dataclass(frozen=True, slots=True)
class Made:
    """One text with the credential in it, or without one."""

    text: str
    secret: str
    "The credential; empty in a look-alike."
    kind: str


def made(file: str, seed: int) -> Iterator[Made]:
    """Yield the texts of one file of the corpus, made with *seed*."""
    for line in (CORPUS / file).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        draw = random.Random(f"{seed} {line}")
        secrets: list[str] = []

        def _fill(
            slot: re.Match[str], draw: random.Random = draw, into: list[str] = secrets
        ) -> str:
            """Return what a slot is filled with."""
            parts = slot["parts"]
            if parts.startswith("braces|"):
                return "{{ " + parts.removeprefix("braces|") + " }}"
            if parts.startswith("<<"):
                return _drawn(parts[2:-2], draw)
            into.append("".join(_drawn(part, draw) for part in parts.split("|")))
            return into[-1]

        text = _SLOT.sub(_fill, entry["text"])
        kind = entry.get("kind", "")
        yield Made(text, secrets[-1] if kind else "", kind)


def _drawn(part: str, draw: random.Random) -> str:
    """Return one part, drawn or as it is written."""
    alphabet, colon, length = part.rpartition(":")
    if not colon or alphabet not in ALPHABETS:
        return part
    characters = "".join(draw.choices(ALPHABETS[alphabet], k=int(length)))
    if alphabet == "pass" and characters.isalpha():
        return characters[:-1] + "7"
    return characters


def is_found(one: Made) -> bool:
    """Return whether nothing of the credential is left, and its kind is named."""
    text, counts = packaged().mask(one.text)
    return one.secret.strip() not in text and one.kind in counts


def is_kept(one: Made) -> bool:
    """Return whether everything but the credential is left as it was."""
    expected = one.text.replace(one.secret, "\0") if one.secret else one.text
    text, _ = packaged().mask(one.text)
    return re.sub(r"\[secret:[a-z-]+\]", "\0", text) == re.sub(
        r"\[secret:[a-z-]+\]", "\0", expected
    )
