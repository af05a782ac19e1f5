"""What a user typed, taken apart by a parser that cannot fail.

User text is data. Four forms are known: `"a phrase"`, `-word`, `kind:attempt` and
`status:failed`; whatever is not exactly one of them is text, and so is everything in a
paste (more than one line, or long). A `-word` counts at the end of a query only: inside it,
or as its beginning, it is far more often an option somebody pasted (`grep -fruit basket`).
"""

import re
from typing import NamedTuple

from shadowgraph.model.kinds import KINDS
from shadowgraph.rules import lifecycle

PASTE_CHARACTERS = 300
"From this length on a query is a paste, and a paste has no syntax."

STATES = (*lifecycle.STATES, "active", "expired", "succeeded", "inconclusive")
"Values that `status:` knows; the result classes of attempts are among them."

_FORM = re.compile(
    r'(?<!\S)(?:"(?P<phrase>[^"]*\w[^"]*)"'
    r"|(?<=\s)-(?P<minus>[^\W\d_]{3,})(?=(?:\s+(?:-|kind:|status:)\w+)*\s*\Z)"
    r"|(?P<key>kind|status):(?P<value>[A-Za-z_]+))(?!\S)"
)


class Asked(NamedTuple):
    """A query, taken apart."""

    text: str
    "Everything that is to be found, phrases included."
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()


def parse(query: str) -> Asked:
    """Take a query apart; never raises.

    >>> parse('kind:attempt "database is locked" -vacuum').excluded
    ('vacuum',)
    >>> parse("-foo").text
    '-foo'
    """
    if "\n" in query.strip() or len(query) > PASTE_CHARACTERS:
        return Asked(query)
    parts: dict[str, list[str]] = {"phrase": [], "minus": [], "kind": [], "status": []}

    def take(found: re.Match[str]) -> str:
        if found["phrase"]:
            parts["phrase"].append(found["phrase"])
            return f" {found['phrase']} "
        if found["minus"]:
            parts["minus"].append(found["minus"])
            return " "
        value = found["value"].lower()
        if value not in (KINDS if found["key"] == "kind" else STATES):
            return found.group()
        parts[found["key"]].append(value)
        return " "

    text = _FORM.sub(take, query.strip())
    return Asked(
        text,
        tuple(parts["phrase"]),
        tuple(parts["minus"]),
        tuple(parts["kind"]),
        tuple(parts["status"]),
    )
