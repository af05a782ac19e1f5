"""What a record hangs together with, drawn as a tree.

Supersession is followed both ways to its ends; everything else is one step away: earlier
and later tries, alternatives, relations, related records, and what reviews said. What is
told comes from operations, so a record that the caller may not see is not in the tree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from shadowgraph.cli import render
from shadowgraph.errors import UnknownRecordError
from shadowgraph.library import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.visibility import visible

LONGEST = 20
"Steps that a chain of supersession is followed."
RETRIES = ("retry_of", "retries", "retried_by", "repeats")
"Names of relations that mean the same thing was tried again."
SUPERSEDES = "supersedes"
MOST_SIGNALS = 1000

Body = Mapping[str, Any]


@dataclass
class Lineage:
    """What was found around one record."""

    known: dict[str, Body] = field(default_factory=dict)
    "Records by id, as far as they were found."
    before: list[str] = field(default_factory=list)
    "What it replaced, the nearest first."
    after: list[str] = field(default_factory=list)
    "What replaced it, the nearest first."
    relations: list[Body] = field(default_factory=list)
    reviews: list[Body] = field(default_factory=list)


@dataclass
class _Asking:
    """Calls of operations in the project of one record."""

    library: Library
    caller: Caller
    place: dict[str, Any]

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return invoke(self.library, name, {**arguments, **self.place}, self.caller)

    def records(self, ids: list[str]) -> list[Body]:
        try:
            got = (
                self.call("shadowgraph_get", ids=ids, whole=True) if ids else {"items": []}
            )
            return list(got["items"])
        except UnknownRecordError:
            return []


def gathered(library: Library, caller: Caller, body: Body) -> Lineage:
    """Find what a record hangs together with."""
    names = {"project": body.get("project"), "originId": body.get("originId")}
    place = {name: value for name, value in names.items() if isinstance(value, str)}
    asking = _Asking(library, caller, place)
    found = Lineage({str(body["id"]): body})
    walked = asking.call("shadowgraph_traverse", id=body["id"], depth=1)
    found.known |= {str(one["id"]): one for one in walked["nodes"]}
    found.relations = list(walked["relations"])
    found.before = _chain(asking, found, body, _replaced)
    found.after = _chain(asking, found, body, _replacing)
    _learn(asking, found, _ids(body.get("relatedTo")) + _ids(body.get("failedAttempts")))
    if body["kind"] == "decision":
        listed = asking.call("shadowgraph_review_signals", limit=MOST_SIGNALS)["items"]
        found.reviews = [one for one in listed if one.get("decisionId") == body["id"]]
    return found


def _ids(value: Any) -> list[str]:
    """Return the texts of a field that holds one, several, or something else."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one]


def _replaced(body: Body) -> list[str]:
    return _ids(body.get("supersedes"))


def _replacing(body: Body) -> list[str]:
    return _ids(body.get("supersededBy"))


def _learn(asking: _Asking, found: Lineage, ids: list[str]) -> None:
    unknown = [
        one for one in dict.fromkeys(ids) if one not in found.known and " " not in one
    ]
    found.known |= {str(one["id"]): one for one in asking.records(unknown[:50])}


def _chain(asking: _Asking, found: Lineage, body: Body, step: Any) -> list[str]:
    """Follow supersession one way; a circle ends where it began."""
    chain: list[str] = []
    here = step(body)
    while here and len(chain) < LONGEST:
        fresh = [one for one in here if one not in chain and one != body["id"]]
        records = asking.records(fresh)
        found.known |= {str(one["id"]): one for one in records}
        chain += fresh
        here = [far for one in records for far in step(one)]
    return chain


def tree(body: Body, found: Lineage) -> list[str]:
    """Return the lines of the tree; none when nothing hangs together with the record."""
    branches = [(title, leaves) for title, leaves in _branches(body, found) if leaves]
    if not branches:
        return []
    lines = [click.style(visible(render.headline(dict(body))), bold=True)]
    for number, (title, leaves) in enumerate(branches, start=1):
        last = number == len(branches)
        lines.append(f"{'└─' if last else '├─'} {click.style(title, fg='cyan')}")
        stem = "   " if last else "│  "
        for place, leaf in enumerate(leaves, start=1):
            lines.append(f"{stem}{'└─' if place == len(leaves) else '├─'} {leaf}")
    return [*lines, ""]


def _branches(body: Body, found: Lineage) -> Iterator[tuple[str, list[str]]]:
    own = str(body["id"])
    told = {*found.before, *found.after}
    yield "supersedes", [_named(one, found) for one in found.before]
    yield "superseded by", [_named(one, found) for one in found.after]
    retries: list[str] = []
    others: list[str] = []
    for one in found.relations:
        far = str(one["to"] if one["from"] == own else one["from"])
        if one["relation"] == SUPERSEDES and far in told:
            continue
        arrow = "→" if one["from"] == own else "←"
        line = f"{visible(str(one['relation']))} {arrow} {_named(far, found)}"
        (retries if one["relation"] in RETRIES else others).append(line)
    yield "tries", retries
    yield "alternatives", list(map(_alternative, _objects(body.get("alternatives"))))
    yield "attempts", [_named(one, found) for one in _ids(body.get("failedAttempts"))]
    yield "related", [_named(one, found) for one in _ids(body.get("relatedTo"))]
    yield "relations", others
    yield "reviews", list(map(_review, found.reviews))


def _objects(value: Any) -> list[Body]:
    return (
        [one for one in value if isinstance(one, Mapping)]
        if isinstance(value, list)
        else []
    )


def _named(id_: str, found: Lineage) -> str:
    """Return a record as a leaf: its word, what it is called, its id."""
    body = found.known.get(id_)
    if body is None:
        return visible(render.plain(id_))
    word = render.word_of(dict(body))
    name = visible(render.headline(dict(body)))
    label = click.style(word.upper(), fg=render.COLOURS.get(word))
    return f"{label}  {name}  {click.style(visible(id_), dim=True)}"


def _alternative(body: Body) -> str:
    label = visible(render.plain(body.get("label") or ""))
    why = visible(render.plain(body.get("reasonRejected") or ""))
    return f"{label}: {why}" if why else label


def _review(body: Body) -> str:
    why = body.get("reason") or ", ".join(_ids(body.get("coverage")))
    made = render.age(body.get("createdAt"))
    told = (str(body.get("status") or ""), visible(render.plain(why)), made)
    return "  ".join(filter(None, told))
