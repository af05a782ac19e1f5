"""The options of a decision record: what was weighed, what was chosen, and why not the rest.

MADR lists them twice, as a list and with their arguments under a heading each; both are
one option when their names are the same but for case, marks and what stands in brackets.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph.foreign.markdown import Page, Section, bullets, flat, without_comments
from shadowgraph.ids import content_id

_QUOTED = re.compile(
    r"""chosen option:?\s*[*_]*["\u201c\u201e\u00ab'](.+?)["\u201d\u201c\u00bb'](.*)""",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = re.compile(
    r"chosen option:?\s*[*_]*(.+?)(?:,?\s+(?=because\b|since\b)|[.\n]|\Z)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_FIRST = re.compile(r"\s*(.+?)(?:\n\s*\n|\Z)(.*)", re.DOTALL)
_ARGUMENT = re.compile(
    r"(good|bad|neutral|pro|con)\b[:,]?\s*(?:because\s+)?(.*)", re.IGNORECASE | re.DOTALL
)
_SIDE = {"good": "pros", "pro": "pros", "bad": "cons", "con": "cons", "neutral": "neutral"}


@dataclass(frozen=True, slots=True)
class Option:
    """One option with what was said of it."""

    label: str
    text: str = ""

    def as_alternative(self, decision: str) -> dict[str, Any]:
        """Return the option as an alternative that was rejected."""
        sides: dict[str, list[str]] = {"pros": [], "cons": [], "neutral": []}
        rest = []
        for item in bullets(self.text):
            found = _ARGUMENT.match(item)
            if found:
                sides[_SIDE[found[1].casefold()]].append(found[2].strip())
            else:
                rest.append(item)
        described = _before_lists(self.text)
        reasons = sides["cons"] or ([] if sides["pros"] else rest)
        return {
            "id": content_id("alternative", {"decision": decision, "label": self.label}),
            "label": self.label,
            "reasonRejected": "; ".join(reasons),
            "reopenWhen": [],
            "status": "rejected",
            **{name: found for name, found in sides.items() if found},
            **({"description": described} if described else {}),
        }


def options_of(taken: Page) -> list[Option]:
    """Return the options of a record, in its order."""
    found: list[Option] = []
    for section in taken.sections:
        title = section.title.casefold().rstrip(":")
        if title in ("considered options", "options considered", "options"):
            found += [Option(_name(item)) for item in bullets(section.text)]
            found += _headed(taken, section)
        elif title == "pros and cons of the options":
            for option in _headed(taken, section):
                _merge(found, option)
    return [one for one in found if one.label]


def _name(item: str) -> str:
    """Return the name of an option; what is told behind a colon is not part of it."""
    bold = re.match(r"\*\*(.+?)\*\*", item)
    return flat(bold[1] if bold else item).rstrip(":.")


def _headed(taken: Page, section: Section) -> Iterator[Option]:
    """Yield the options that have a heading right below *section*."""
    inner = taken.below(section)
    level = min((one.level for one in inner), default=0)
    for one in inner:
        if one.level == level:
            yield Option(flat(one.title), without_comments(taken.whole(one)).strip())


def _merge(found: list[Option], option: Option) -> None:
    """Give an option its text, or add it when the list does not have it."""
    for number, one in enumerate(found):
        if same(one.label, option.label):
            text = f"{one.text}\n{option.text}".strip()
            found[number] = Option(one.label, text)
            return
    found.append(option)


def same(one: str, two: str) -> bool:
    """Say whether two names are of one option.

    >>> same("Option 1: Use *SQLite*", "use SQLite (embedded)")
    True
    >>> same("SQLite", "SQLite on NFS")
    False
    """
    return bool(one and two) and _folded(one) == _folded(two)


def _folded(name: str) -> str:
    bare = flat(re.sub(r"\([^()]*\)", " ", flat(name).casefold()))
    bare = re.sub(r"^\s*(?:option|alternative)?\s*[\da-z]?\s*[:.)]\s+", "", bare)
    return " ".join(re.findall(r"[\w+#]+", bare)) or name.casefold()


def chosen_of(outcome: str, labels: Sequence[str]) -> tuple[str, str]:
    """Return what was chosen and why.

    >>> chosen_of('Chosen option: "SQLite", because it is there.', ["SQLite"])
    ('SQLite', 'it is there.')
    """
    told = re.sub(r"[ \t]+", " ", outcome)
    for pattern in (_QUOTED, _PLAIN):
        found = pattern.search(told)
        if found and flat(found[1]):
            name = flat(found[1]).strip("\"'\u201c\u201d,")
            label = next((one for one in labels if same(one, name)), name)
            return label, _because(found[2])
    return _told(outcome, labels)


def _told(outcome: str, labels: Sequence[str]) -> tuple[str, str]:
    """Return the first paragraph and the rest, or the one option that it names."""
    found = _FIRST.match(_before_headings(outcome))
    if found is None:
        return "", ""
    first, rest = found[1].strip(), found[2].strip()
    label = next((one for one in labels if same(one, first)), None)
    return label or first, rest


def _because(text: str) -> str:
    """Return a justification without the word that begins it, up to the next heading."""
    bare = _before_headings(text).strip().lstrip("*_,. ")
    return re.sub(r"^(?:because|since)\s+", "", bare, flags=re.IGNORECASE).strip()


def _before_headings(text: str) -> str:
    return re.split(r"^#{1,6}\s", text, maxsplit=1, flags=re.MULTILINE)[0].strip()


def _before_lists(text: str) -> str:
    return re.split(r"^\s*[-*+]\s", text, maxsplit=1, flags=re.MULTILINE)[0].strip()
