"""What must be true of a home after anything that can happen to it.

The home is opened as the next process would open it, once, and everything is compared: the
records with the world they should be, the fold of the journal with the records, every
word with what a search for it finds, the files with what may lie there. Every fault is a
sentence; an empty list is the verdict hoped for.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.faults.paths import AT, BACKUP, OTHER, Way, World, words
from tests.store.bodies import attempt, put

from shadowgraph import Filter, Library
from shadowgraph.doctor import examine
from shadowgraph.operations import Caller, invoke
from shadowgraph.store import StoredRecord
from shadowgraph.store.restoring import restore_backup

_WORD = re.compile(r"word\d+z")
EVERYTHING = Filter()


def faults(way: Way, home: Path, acknowledged: int) -> list[str]:
    """Return what is wrong with *home* after so many acknowledged steps of a way."""
    allowed = list(dict.fromkeys(way.worlds[acknowledged : acknowledged + 2]))
    with Library(home) as library:
        # First of all, before anything else could bring the index up to date.
        found = [*_searched(library, way.ever)]
        world = _world(library)
        if world not in allowed:
            found.append(f"the records are {world}, allowed were {allowed}")
        found += _agreement(library)
        found += _usable(library)
    found += _left_behind(home)
    found += _finished(way, home)
    return found


def _records(library: Library) -> Iterator[StoredRecord]:
    """Yield every record of a library."""
    for page in library.store.pages():
        yield from page


def _world(library: Library) -> World:
    """Return the words of all living records, each as often as it stands."""
    held = [_WORD.findall(str(_told(one))) for one in _records(library)]
    return tuple(sorted(word for words_ in held for word in words_))


def _told(record: StoredRecord) -> list[object]:
    """Return what a record says now; an amended one keeps its former texts beside."""
    names = ("reason", "solution", "value", "chosen")
    return [record.body.get(name) for name in names]


def _searched(library: Library, ever: World) -> Iterator[str]:
    """Yield every word that finds something else than the records that have it."""
    world = _world(library)
    for word in ever:
        answer = library.search(word, EVERYTHING, limit=5)
        if answer.total != world.count(word):
            yield f"{word} finds {answer.total} records, {world.count(word)} have it"
        if any("damaged" in notice for notice in answer.notices):
            yield f"nothing was damaged: {answer.notices}"
        if answer.pending:
            yield f"{answer.pending} entries are not searchable after a read"


def _agreement(library: Library) -> Iterator[str]:
    """Yield where doctor, chain and fold of the journal find something."""
    for finding in examine(library):
        if not finding.ok:
            yield f"doctor: {finding.name}: {finding.detail}"
    if fault := library.store.first_fault():
        yield f"journal entry {fault.seq}: {fault.reason}"
    for difference in library.store.replay()[1]:
        yield f"{difference.id} {difference.reason}"


def _usable(library: Library) -> Iterator[str]:
    """Yield a fault when the next write is not found by the next search."""
    put(library, attempt("attempt_next", reason="Because of word998z itself."))
    if library.search("word998z").total != 1:
        yield "the next write is not found"


def _left_behind(home: Path) -> Iterator[str]:
    """Yield files of the dead process that are still there after the next of its kind."""
    with Library(home) as library:
        library.reindex()
    for root in (home / "index").iterdir():
        kept = [one.name for one in root.iterdir()]
        rest = [one for one in kept if one not in ("CURRENT", "building.lock")]
        if len(rest) > 2:
            yield f"left in {root.name}: {sorted(rest)}"


def _finished(way: Way, home: Path) -> Iterator[str]:
    """Yield what is wrong after the interrupted work is done once more."""
    checks: dict[str, Callable[[Path, World], Iterator[str]]] = {
        "backup": _whole_backup,
        "purge": _nothing_left,
        "hard purge": _nothing_left,
    }
    if way.name in checks:
        yield from checks[way.name](home, way.gone)


def _whole_backup(home: Path, _: World) -> Iterator[str]:
    """A backup file has its name only when it can be restored."""
    file = home.parent / BACKUP
    if file.exists():
        with Library(home.parent / "elsewhere") as other:
            restore_backup(other.store, file, AT)
            if _world(other) != words(range(10)):
                yield f"the backup holds {_world(other)}"
    file.unlink(missing_ok=True)
    with Library(home) as library:
        call = {"destination": BACKUP}
        invoke(library, "shadowgraph_backup", call, Caller())
    yield from _names(home, home.glob("work-*"))
    yield from _names(home, home.parent.glob("*.part"))


def _names(home: Path, files: Iterator[Path]) -> Iterator[str]:
    """Say of each file that it was left behind."""
    for file in files:
        yield f"{file.relative_to(home.parent)} was left"


def _nothing_left(home: Path, gone: Sequence[str]) -> Iterator[str]:
    """After the purge is asked for again no file holds a word of what went."""
    with Library(home) as library:
        call = {"project": OTHER, "mode": "hard"}
        invoke(library, "shadowgraph_purge", call, Caller())
    for file in home.parent.rglob("*"):
        held = file.read_bytes() if file.is_file() else b""
        if any(word.encode() in held for word in gone):
            yield f"{file.relative_to(home.parent)} holds a purged word"
