"""Examining a home: is the store sound, is the index the store's?

The examination compares every record with what the journal tells of it, the exact sets of
row numbers in store and index, without a tolerance, and every file of the index with its
checksum; and it runs a canary query: the rarest word of the newest record must find that record. It repairs nothing and
deletes nothing; every finding says what to do next.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from shadowgraph import hooklog
from shadowgraph.errors import ShadowgraphError
from shadowgraph.library import Library
from shadowgraph.model.filters import Filter
from shadowgraph.model.kinds import LINK_KINDS
from shadowgraph.model.scope import audience_of
from shadowgraph.rules.facets import created_of
from shadowgraph.search.checksums import faults
from shadowgraph.search.documents import texts
from shadowgraph.store import StoredRecord
from shadowgraph.store.store import FILE_NAME

REINDEX = "Run: shadowgraph reindex"
MOST_NAMED = 5
"Records that one finding names."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one examination."""

    name: str
    ok: bool
    detail: str
    next: str = ""
    "What to do about it."


def told(findings: Iterable[Finding]) -> dict[str, Any]:
    """Return findings as they are told: whether all is well, and each by itself."""
    checks = [{k: v for k, v in asdict(one).items() if v != ""} for one in findings]
    return {"ok": all(check["ok"] for check in checks), "checks": checks}


def examine(library: Library) -> list[Finding]:
    """Run every examination, the cheap ones first."""
    findings = [_integrity(library), _chain(library), _records(library)]
    try:
        findings += [*_index(library)]
    except ShadowgraphError as error:
        findings.append(Finding("index", False, error.message, error.hint or REINDEX))
    findings += noted(library.home)
    return findings


def without_store(home: Path) -> list[Finding]:
    """Return what there is to say of a home without a store; nothing when it has one.

    Opening a library would make one, and whoever mistyped a home would be told that it is
    sound.
    """
    if (home / FILE_NAME).exists():
        return []
    lost = (home / "index").exists()
    missing = Finding(
        "store file",
        not lost,
        f"{home} holds {'an index but no' if lost else 'no'} {FILE_NAME}",
        "Look for the file, or restore a backup: shadowgraph restore FILE."
        if lost
        else "The first record makes one. For another home: --home or SHADOWGRAPH_HOME.",
    )
    return [missing, *noted(home)]


def noted(home: Path) -> Iterator[Finding]:
    """Name the newest failure of a hook in *home*, when there was one; hooks fail open."""
    lines = hooklog.lines(home)
    if lines:
        yield Finding(
            "hooks",
            True,
            f"failures noted: {len(lines):,}, the last one: {lines[-1]}",
            f"They were silent for the host. All of them: {hooklog.FILE_NAME} in the home.",
        )


def _integrity(library: Library) -> Finding:
    verdict = library.store.integrity()
    return Finding(
        "store file",
        verdict == "ok",
        "SQLite finds no fault" if verdict == "ok" else verdict,
        "" if verdict == "ok" else "Restore an export or a backup into a new home.",
    )


def _chain(library: Library) -> Finding:
    fault = library.store.first_fault()
    if fault is None:
        with library.store.read() as selection:
            count = selection.head().seq
        return Finding("journal", True, f"the hash chain of {count:,} entries verifies")
    return Finding(
        "journal",
        False,
        f"entry {fault.seq}: {fault.reason}",
        "The journal was edited by hand; compare with a backup.",
    )


def _records(library: Library) -> Finding:
    """Compare every record with the journal, and its columns with its body."""
    try:
        unlike = [*library.store.replay()[1], *library.store.misfiled()]
    except (ValueError, LookupError, TypeError) as error:
        unlike = []
        told = f"a record cannot be read: {error}"
    else:
        told = "; ".join(f"{one.id} {one.reason}" for one in unlike[:MOST_NAMED])
        told += f"; and {len(unlike) - MOST_NAMED} more" * (len(unlike) > MOST_NAMED)
    if not told:
        return Finding("records", True, "they are stored as the journal tells them")
    return Finding(
        "records",
        False,
        told,
        "Something else wrote into the store. The journal has the states that were"
        " recorded (shadowgraph journal ID --full); restore a backup, or record again.",
    )


def _index(library: Library) -> Iterator[Finding]:
    view = library.sync.view(patience=10)
    with library.store.read() as selection:
        held = set(selection.rows(but=LINK_KINDS))
    indexed_rows = view.snapshot.rows()
    indexed = set(indexed_rows)
    missing, extra = len(held - indexed), len(indexed - held)
    twice = len(indexed_rows) - len(indexed)
    same = not missing and not extra and not twice
    yield Finding(
        "index",
        same or view.pending > 0,
        f"{len(indexed):,} records, {view.snapshot.segments} segments"
        if same
        else f"{missing} records missing, {extra} unknown, {twice} twice"
        f" ({view.pending} changes not applied yet)",
        "" if same else REINDEX,
    )
    for notice in view.notices:
        yield Finding("index", True, notice)
    yield _files(view.snapshot.path)
    yield _others(library)
    yield _canary(library)


def _files(path: Path) -> Finding:
    """Compare every file of the index with its checksum, noted as checked or not."""
    damaged = faults(path, every=True)
    told = "every file has the checksum it was written with"
    return Finding(
        "index files",
        not damaged,
        "; ".join(damaged[:MOST_NAMED]) or told,
        REINDEX if damaged else "",
    )


def _others(library: Library) -> Finding:
    """Name the index directories of other definitions; that is no fault."""
    others = library.sync.other_definitions()
    told = f"also there, of other versions: {', '.join(others)}"
    return Finding(
        "index definitions",
        True,
        told if others else "no index of another version",
        "When no older version is used any more: shadowgraph reindex --sweep"
        if others
        else "",
    )


def _canary(library: Library) -> Finding:
    with library.store.read() as selection:
        newest = selection.newest()
    found = None if newest is None else _rarest_word(library, newest)
    if newest is None or found is None:
        return Finding("canary query", True, "nothing to look for yet")
    word, frequency = found
    hit = _finds(library, word, frequency, newest)
    return Finding(
        "canary query",
        hit,
        f"the word {word!r} finds the newest record"
        if hit
        else f"the word {word!r} does not find {newest.id}",
        "" if hit else REINDEX,
    )


def _finds(library: Library, word: str, frequency: int, wanted: StoredRecord) -> bool:
    """Say whether a word finds a record, however many others of its time have it too."""
    made = created_of(wanted.body)
    asked = Filter(owner=audience_of(wanted.body), since=made, until=made + 1)
    answer = library.search(f'"{word}"', asked, limit=max(1, frequency))
    return any(one.record.row == wanted.row for one in answer.hits)


def _rarest_word(library: Library, record: StoredRecord) -> tuple[str, int] | None:
    """Return the rarest word of a record, and in how many records it stands.

    No function word: a query drops it, so it would prove nothing.
    """
    snapshot = library.sync.as_it_stands()
    dropped = library.definition.function_words
    words = {
        span.chunk.surface: snapshot.frequency("text", span.chunk.terms[0].text)
        for _, text in texts(record.body, library.definition)
        for span in library.analyzer.spans(text)
        if span.chunk.is_word
        and span.chunk.terms
        and span.chunk.surface.lower() not in dropped
    }
    found = min(words, key=lambda word: (words[word], word), default=None)
    return None if found is None else (found, words[found])
