"""Making visible what a text hides from whoever reads it.

Records are written by others. A control character moves a cursor, a bidirectional one turns
a line around, a zero-width or tag character carries words that nobody sees but a model.
What is stored stays as it came; what is shown, on a terminal or to an agent, has an escape
in place of each such character. In JSON the escape is JSON's own, so that the value a
program reads is the same and the string it stands in, which frames it, cannot be left.

The invariant: no hidden character is in the answer, and nothing else is changed.
"""

import re
from typing import Final

_HIDDEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"Controls, marks of direction, zero-width and tag characters; tab and newline are none."
_ANY: Final = re.compile(f"[{_HIDDEN}]")


def visible(text: str) -> str:
    r"""Return *text* with an escape in place of every hidden character.

    Of JSON it makes JSON of the same value: the escapes are JSON's own.

    >>> visible("safe\u202etxt\x1b[2J")
    'safe\\u202etxt\\u001b[2J'
    """
    return text if _is_plain(text) else _ANY.sub(lambda found: _escape(found[0]), text)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _escape(character: str) -> str:
    """Return the escape of one character, in two parts when it has more than 16 bits."""
    code = character.encode("utf-16-be")
    return "".join(f"\\u{code[at : at + 2].hex()}" for at in range(0, len(code), 2))
