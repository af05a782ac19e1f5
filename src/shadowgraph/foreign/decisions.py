"""Decision records in Markdown: MADR 2, 3 and 4, and the four sections of Nygard.

What MADR calls an option that was not chosen is an alternative with its arguments; the
status word is mapped to a state, and a record that another one supersedes names it. The
whole text stands in the record under `imported`, so that a section without a place of its
own is kept, and a note says which.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final

from shadowgraph.foreign.markdown import (
    Page,
    Section,
    bullets,
    flat,
    page,
    without_comments,
)
from shadowgraph.foreign.options import chosen_of, options_of, same
from shadowgraph.foreign.reading import Reading, Text, stamp

FORM = "adr"

STATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "draft": "proposed", "proposed": "proposed", "pending": "proposed",
        "open": "proposed", "rfc": "proposed",
        "accepted": "planned", "approved": "planned", "decided": "planned",
        "adopted": "planned", "amended": "planned",
        "implemented": "executed", "done": "executed",
        "rejected": "abandoned", "declined": "abandoned", "withdrawn": "abandoned",
        "deprecated": "archived", "obsolete": "archived", "retired": "archived",
        "superseded": "superseded", "superceded": "superseded", "replaced": "superseded",
    }
)  # fmt: skip
"""The state that a status word is read as.

Accepted is agreed upon, and whether anything was done is not said, so it is planned."""

_OWN = {
    "status", "context", "context and problem statement", "decision", "decision outcome",
    "considered options", "options considered", "decision drivers", "consequences",
    "pros and cons of the options", "positive consequences", "negative consequences",
}  # fmt: skip
_HEAD = re.compile(
    r"\s*(?:[-*+]\s+)?(?:\*\*)?([A-Z][A-Za-z -]{2,24}?)(?:\*\*)?:(?:\*\*)?\s+(.*)$"
)
_NUMBER = re.compile(r"(?:ADR|MADR)?[ #_-]*0*(\d{1,6})\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:ADR[ -]?)?\d{1,6}\s*[.:)\u2013\u2014-]+\s+|ADR[ -]?\d+\s+", re.IGNORECASE
)
_PATH = re.compile(r"\(([^()\s]+\.md)(?:#[^()]*)?\)")
_BY = re.compile(r"(?:super[sc]eded|replaced)\s+(?:by|with)\b(.*)", re.IGNORECASE)
_TEMPLATE = re.compile(r"[\[{<].*[\]}>]$")
_OVER = re.compile(r"(?:super[sc]edes|replaces)\b(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Decision:
    """One record on its way."""

    text: Text
    page: Page
    head: Mapping[str, str]
    id: str

    def section(self, *titles: str) -> Section | None:
        """Return the first section with one of these titles."""
        for one in self.page.sections:
            if one.title.casefold().rstrip(":") in titles:
                return one
        return None

    def whole(self, *titles: str) -> str:
        """Return the text of such a section, inner ones included."""
        found = self.section(*titles)
        return "" if found is None else _clean(self.page.whole(found))


def is_decision(text: str) -> bool:
    r"""Say whether a text is such a record.

    >>> is_decision("# Use it\n## Status\nAccepted\n## Decision\nWe use it.")
    True
    """
    taken = page(text)
    titles = {one.title.casefold().rstrip(":") for one in taken.sections}
    if not taken.title and "title" not in taken.front:
        return False
    if "permalink" in taken.front:
        return False
    decided = titles & {"decision", "decision outcome", "considered options"}
    status = titles & {"status", "context", "context and problem statement"}
    return bool(decided) and bool(status or _head(taken).get("status"))


def read_decisions(texts: Sequence[Text], project: str) -> Reading:
    """Read decision records; supersession is resolved among them."""
    reading = Reading(FORM, project)
    found = []
    for text in texts:
        taken = page(text.content)
        if _TEMPLATE.match(taken.title):
            reading.say("odd", "a template was left out", text.name)
            continue
        own = reading.id_of("decision", text.name)
        found.append(_Decision(text, taken, _head(taken), own))
    successors = _supersessions(reading, found)
    for one in found:
        _decision(reading, one, successors)
    return reading


def _head(taken: Page) -> dict[str, str]:
    """Return what front matter and the list below the title say, by name."""
    found = {str(k).casefold(): _joined(v) for k, v in taken.front.items() if k}
    lead = taken.sections[0].text if taken.sections else taken.lead
    for line in without_comments(lead).split("\n"):
        named = _HEAD.match(line)
        if named:
            found.setdefault(named[1].casefold(), named[2].strip())
    return found


def _joined(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _clean(text: str) -> str:
    return without_comments(text).strip()


def _status(one: _Decision) -> str:
    """Return everything a record says of its status."""
    return f"{one.head.get('status', '')}\n{one.whole('status')}".strip()


def _word(status: str) -> str:
    """Return the status word that counts: supersession, else the first that is known."""
    words = re.findall(r"[a-z]+", flat(re.sub(_PATH, "", status)).casefold())
    known = [word for word in words if word in STATES]
    if _BY.search(status):
        return "superseded"
    return known[0] if known else (words[0] if words else "")


def _state(reading: Reading, one: _Decision) -> str:
    word = _word(_status(one))
    state = STATES.get(word)
    if state is None:
        what = f"status {word!r} is no known word" if word else "no status"
        reading.say("odd", f"{what} -> proposed", one.text.name)
        return "proposed"
    if state != word:
        reading.say("mapped", f"status {word} -> {state}", one.text.name)
    return state


def _supersessions(
    reading: Reading, found: Sequence[_Decision]
) -> dict[str, list[tuple[str, str]]]:
    """Return what supersedes what, both ways, by id; relations are taken on the way."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    for one in found:
        for pattern, inverse in ((_BY, False), (_OVER, True)):
            for line in _status(one).split("\n"):
                named = pattern.search(line)
                if named is None:
                    continue
                other = _named(named[1], found)
                if other is None or other == one.id:
                    reading.say("odd", "supersession with what was not read", one.text.name)
                    continue
                new, old = (one.id, other) if inverse else (other, one.id)
                if reading.relate(one.text.name, new, "supersedes", old):
                    pairs.setdefault(old, []).append(("by", new))
                    pairs.setdefault(new, []).append(("over", old))
    return pairs


def _named(text: str, found: Sequence[_Decision]) -> str | None:
    """Return the id of the record that a text names, by its file or its number."""
    path = _PATH.search(text)
    if path:
        name = PurePosixPath(path[1]).name
        for one in found:
            if PurePosixPath(one.text.name).name == name:
                return one.id
    number = _NUMBER.search(flat(text))
    if number:
        for one in found:
            own = _NUMBER.match(PurePosixPath(one.text.name).stem)
            if own and int(own[1]) == int(number[1]):
                return one.id
    return None


def _decision(
    reading: Reading, one: _Decision, pairs: Mapping[str, list[tuple[str, str]]]
) -> None:
    options = options_of(one.page)
    outcome = one.whole("decision outcome", "decision")
    chosen, because = chosen_of(outcome, [option.label for option in options])
    state = _state(reading, one)
    by = [id_ for way, id_ in pairs.get(one.id, ()) if way == "by"]
    over = [id_ for way, id_ in pairs.get(one.id, ()) if way == "over"]
    if by and state != "superseded":
        reading.say(
            "mapped", f"superseded by another record: {state} -> superseded", one.text.name
        )
        state = "superseded"
    if not chosen:
        reading.say("odd", "nothing is chosen yet", one.text.name)
    elif options and not any(same(option.label, chosen) for option in options):
        reading.say("odd", "what was chosen is none of the options", one.text.name)
    made = stamp(one.head.get("date"))
    others = [option for option in options if not same(option.label, chosen)]
    for title in _unmapped(one):
        reading.say(
            "kept", f"section {title!r} stands in imported.text alone", one.text.name
        )
    reading.add(
        one.text.name,
        "decision",
        (one.text.name,),
        {
            "title": _title(one),
            "goal": _goal(one),
            "chosen": chosen or "Nothing is chosen yet",
            "status": state,
            "assumptions": bullets(one.whole("decision drivers")),
            "evidence": list(_evidence(one, because)),
            "alternatives": [option.as_alternative(one.id) for option in others],
            **({"createdAt": made, "updatedAt": made} if made else {}),
            **({"supersededBy": by[0]} if by else {}),
            **({"supersedes": over} if over else {}),
            "imported": {
                "form": FORM,
                "path": one.text.name,
                "head": dict(one.head),
                "text": one.text.content,
            },
        },
    )


def _title(one: _Decision) -> str:
    told = one.page.title or str(one.page.front.get("title") or "")
    bare = _NUMBERED.sub("", flat(told), count=1).strip()
    return bare or told or PurePosixPath(one.text.name).stem


def _goal(one: _Decision) -> str:
    story = one.head.get("technical story", "")
    told = one.whole("context and problem statement", "context")
    return f"{told}\n\nTechnical story: {story}".strip() if story else told


def _evidence(one: _Decision, because: str) -> Iterator[dict[str, Any]]:
    """Yield why it was chosen and what follows from it."""
    if because:
        yield {"source": FORM, "type": "justification", "detail": because}
    sections = ("consequences", "positive consequences", "negative consequences")
    for title in sections:
        told = one.whole(title)
        for item in bullets(told) or ([told] if told else []):
            yield {"source": FORM, "type": title.removesuffix("s"), "detail": item}


def _unmapped(one: _Decision) -> list[str]:
    """Return the titles of sections that no field holds."""
    found: list[str] = []
    held = 0
    for section in one.page.sections:
        title = section.title.casefold().rstrip(":")
        if held and section.level > held and title not in _OWN:
            continue
        # What is inside a decision is not part of it, unlike what is inside a context.
        held = section.level if title in _OWN - {"decision", "decision outcome"} else 0
        if title not in _OWN and section.level > 1 and section.text.strip():
            found.append(section.title)
    return found
