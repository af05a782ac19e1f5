"""Notes of basic-memory: Markdown with front matter, observations and relations.

A note becomes one memory with the whole text below its front matter. What is written in it
as `- [category] text #tag (context)` stands in the metadata as well, and its tags among the
memory's; `- type [[Target]]` becomes a relation, and so does a link in running text, called
links_to as that tool does. A target that was not among the texts read stays in the metadata.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from shadowgraph.foreign.markdown import Page, fenced, flat, page
from shadowgraph.foreign.reading import Reading, Text, stamp

FORM = "basic-memory"
INLINE = "links_to"
"What a link in running text is called."
UNNAMED = "relates_to"
"What a relation without a type is called."

_OBSERVATION = re.compile(r"\s*[-*+][ \t]+\[([^\]\[()]+)\][ \t]+(\S.*)$")
_RELATION = re.compile(r"\s*[-*+][ \t]([^\[\]]*)\[\[([^\]\[]+)\]\](.*)$")
_LINKED = re.compile(r"\[\[([^\]\[]+)\]\]")
_CONTEXT = re.compile(r"\(([^()]*)\)\s*$")
_TAG = re.compile(r"(?<![\w&/#])#([^\W\d][\w/-]*)")
_BOX = re.compile(r"[xX /-]?\Z")
"What stands in the brackets of a task and not of an observation."


def is_note(text: str) -> bool:
    r"""Say whether a text is a note of that tool.

    >>> is_note("---\npermalink: a\n---\nText"), is_note("# Readme")
    (True, False)
    """
    front = page(text).front
    if "permalink" in front or ("title" in front and "type" in front):
        return True
    body = list(_lines(text))
    return any(_observed(line) for line in body) and any(
        _RELATION.match(line) for line in body
    )


def read_notes(texts: Sequence[Text], project: str) -> Reading:
    """Read notes; their relations are resolved among them."""
    reading = Reading(FORM, project)
    pages = [(text, page(text.content)) for text in texts]
    known = _names(reading, pages)
    for text, taken in pages:
        _note(reading, text, taken, known)
    return reading


def _names(reading: Reading, pages: Sequence[tuple[Text, Page]]) -> dict[str, str]:
    """Return the ids of the notes by every name a link may use, the title above others."""
    found: dict[str, str] = {}
    for text, taken in pages:
        id_ = reading.id_of("memory", text.name)
        path = PurePosixPath(text.name)
        names = (_title(text, taken), taken.front.get("permalink"))
        for name in (*names, str(path.with_suffix("")), path.stem):
            if name:
                found.setdefault(_folded(name), id_)
    return found


def _folded(name: object) -> str:
    return " ".join(str(name).casefold().split())


def _title(text: Text, taken: Page) -> str:
    return str(taken.front.get("title") or taken.title or PurePosixPath(text.name).stem)


def _note(reading: Reading, text: Text, taken: Page, known: Mapping[str, str]) -> None:
    front = dict(taken.front)
    body = _below_front(text.content)
    observations = [one for line in _lines(body) if (one := _observed(line))]
    own = reading.id_of("memory", text.name)
    unresolved = []
    for name, target, context in _relations(body):
        far = known.get(_folded(target))
        if far is None:
            unresolved.append({"relation": name, "target": target})
            reading.say("odd", "a relation to a note that was not read", text.name)
        elif far != own:
            more = {"context": context} if context else {}
            reading.relate(text.name, own, name, far, **more)
    metadata = {
        "frontMatter": front,
        "observations": observations,
        "unresolvedRelations": unresolved,
        "path": text.name,
    }
    made = stamp(front.get("created") or front.get("date"))
    reading.add(
        text.name,
        "memory",
        (text.name,),
        {
            "memoryType": "note",
            "key": _title(text, taken),
            "text": body.strip() or _title(text, taken),
            "tags": _tags(front, observations),
            "metadata": {name: value for name, value in metadata.items() if value},
            "status": "active",
            **({"createdAt": made} if made else {}),
        },
    )


def _below_front(text: str) -> str:
    found = re.match(
        r"\ufeff?---\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?$", text, re.DOTALL | re.MULTILINE
    )
    return text[found.end() :] if found else text


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that are no code."""
    body = _below_front(text).replace("\r\n", "\n")
    return (line for line, code in fenced(body) if not code)


def _observed(line: str) -> dict[str, Any] | None:
    """Return the observation that a line is.

    >>> _observed("- [decision] Use JWT #auth (for the API)")["context"]
    'for the API'
    """
    found = _OBSERVATION.match(line)
    if found is None or _BOX.match(found[1]):
        return None
    content = found[2].rstrip()
    context = _CONTEXT.search(content)
    text = content[: context.start()].rstrip() if context else content
    told = {"category": found[1].strip(), "text": text, "tags": _TAG.findall(text)}
    return {**told, "context": context[1]} if context else told


def _relations(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, target and context of every relation in a text."""
    for line in _lines(text):
        found = _RELATION.match(line)
        if found and not _observed(line) and len(_LINKED.findall(line)) == 1:
            context = _CONTEXT.search(found[3])
            name = flat(found[1]).rstrip(":").strip() or UNNAMED
            yield name, _target(found[2]), context[1] if context else ""
        else:
            for target in _LINKED.findall(line):
                yield INLINE, _target(target), ""


def _target(text: str) -> str:
    """Return what a link points to, without its alias and its heading."""
    return re.split(r"[|#]", text, maxsplit=1)[0].strip() or text.strip()


def _tags(front: Mapping[str, Any], observations: Sequence[Mapping[str, Any]]) -> list[str]:
    given = front.get("tags") or []
    listed = given if isinstance(given, list) else str(given).split(",")
    inside = [tag for one in observations for tag in one["tags"]]
    tags = [str(tag).strip().lstrip("#") for tag in (*listed, *inside)]
    return list(dict.fromkeys(tag for tag in tags if tag))
