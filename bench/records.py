"""The public retrieval sets as records of ours.

Every set has `corpus.jsonl`, `queries.jsonl` (either may be gzip'ed) and `qrels.tsv`; its
README says where it comes from. Nothing of it is kept in this repository: the folder is
named with `--data`. A record says only what the source says: a commit's outcome is not
declared, because the corpus does not know which commits were reverted later, and what a
source leaves open is a dash, which has no words.

`reverts` become attempts (title = what was tried, message = what came of it); `peps-cite`,
`rust-rfcs-cite` and `rejected-alternatives` become decisions with their status and
rejected options; every other set becomes attempts in the same way.
"""

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "shared" / "data"
SMALL = ("peps-cite", "rust-rfcs-cite", "gitbugs")
SETS = (
    "reverts",
    "gitbugs",
    "ovs-fixes",
    "rejected-alternatives",
    "peps-cite",
    "rust-rfcs-cite",
    "locomo",
    "scifact",
)
NOT_SAID = "—"
_UNDATED = "2026-01-01T00:00:00Z"
_STATES = {
    "final": "executed",
    "active": "executed",
    "implemented": "executed",
    "accepted": "planned",
    "rejected": "abandoned",
    "withdrawn": "abandoned",
    "superseded": "superseded",
}
"The source's word for a decision's state and ours; any other is still proposed."
_REJECTED = re.compile(
    r"(rejected|discarded|alternative|rationale and alternatives|why not)[^.\n]{0,40}",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(abstract|summary|motivation|rationale|specification|detailed design|design|drawbacks"
    r"|backwards? compatibility|security implications|how to teach this|prior art"
    r"|reference implementation|implementation|open (issues|questions)|unresolved questions"
    r"|future possibilities|future work|conclusion)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the set gives it."""

    id: str
    title: str
    text: str
    scope: str
    fields: dict[str, Any]

    @property
    def whole(self) -> str:
        """Title and text as one."""
        return f"{self.title}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Question:
    """A query, where to look for its answer and what may not be one."""

    id: str
    text: str
    scope: str
    exclude: frozenset[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """One set."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    relevant: dict[str, dict[str, int]]
    "Score by document, by query."


def load(data: Path, name: str) -> Judged:
    """Read the set *name*; a document without a scope is of the set's own."""
    folder = data / name
    documents = tuple(
        Document(d["_id"], d["title"], d["text"], str(d.get("scope", name)), d)
        for d in _lines(folder, "corpus")
    )
    questions = tuple(
        Question(
            q["_id"],
            q["text"],
            str(q.get("scope", name)),
            frozenset(q.get("exclude", ())),
        )
        for q in _lines(folder, "queries")
    )
    return Judged(name, documents, questions, _relevant(folder))


def _lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    content = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    # Not splitlines(): a text may hold other line separators than a newline.
    yield from map(json.loads, content.decode().strip().split("\n"))


def _relevant(folder: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as lines:
        for query, document, score in list(csv.reader(lines, delimiter="\t"))[1:]:
            found.setdefault(query, {})[document] = int(score)
    return found


def record_of(judged: str, document: Document) -> dict[str, Any]:
    """Return the record that a document of the set *judged* becomes."""
    common = {
        "id": f"bench_{document.id}",
        "project": document.scope,
        "createdAt": _created(document.fields),
    }
    return _SHAPES.get(judged, _attempt)(document) | common


def document_id(record_id: str) -> str:
    """Return the set's own id of a record."""
    return record_id.removeprefix("bench_")


def _attempt(document: Document) -> dict[str, Any]:
    return {
        "kind": "attempt",
        "solution": document.title.strip() or NOT_SAID,
        "result": document.text.strip() or NOT_SAID,
    }


def _decision(document: Document) -> dict[str, Any]:
    said, rejected = _parted(document.text)
    return {
        "kind": "decision",
        "title": document.title.strip() or NOT_SAID,
        "chosen": said.strip() or NOT_SAID,
        "status": _state(document),
        "alternatives": rejected,
    }


def _rejected(document: Document) -> dict[str, Any]:
    """Only the option that was turned down is known: its reasons, not its name."""
    return {
        "kind": "decision",
        "title": document.title.strip() or NOT_SAID,
        "chosen": NOT_SAID,
        "status": _state(document),
        "alternatives": [{"label": NOT_SAID, "reasonRejected": document.text}],
    }


_SHAPES: dict[str, Callable[[Document], dict[str, Any]]] = {
    "peps-cite": _decision,
    "rust-rfcs-cite": _decision,
    "rejected-alternatives": _rejected,
}


def _state(document: Document) -> str:
    return _STATES.get(str(document.fields.get("status", "")).lower(), "proposed")


def _parted(text: str) -> tuple[str, list[dict[str, str]]]:
    """Part sections of rejected options from what was proposed."""
    said: list[str] = []
    rejected: list[tuple[str, list[str]]] = []
    inside = False
    for line in text.splitlines():
        name = line.strip()
        if _REJECTED.fullmatch(name):
            inside = True
            rejected.append((name, []))
            continue
        inside = inside and not _HEADING.fullmatch(name)
        (rejected[-1][1] if inside else said).append(line)
    options = [
        {"label": name, "reasonRejected": "\n".join(lines)} for name, lines in rejected
    ]
    return "\n".join(said), options


def _created(fields: dict[str, Any]) -> str:
    """Return the source's day as an instant; one fixed day when it gives none."""
    given = str(fields.get("date") or fields.get("created") or "")
    for form in ("%Y-%m-%d", "%d-%b-%Y"):
        try:
            day = datetime.strptime(given, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return day.isoformat().replace("+00:00", "Z")
    return _UNDATED
