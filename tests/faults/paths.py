"""The ways through the product on which a process can die, each with the states it allows.

A path is a home to begin with, an act that changes it in steps, and the *worlds* in between:
a world is what a reader may meet, the words of all living records. After k acknowledged
steps the home must be in world k, or in world k + 1 when the last step was done and its
acknowledgement did not get through. Nothing else is allowed; that one sentence says "every
acknowledged write is there" and "nothing half-written is".

Every record has a word of its own, digits in it, so that no repair of spelling takes one
for another.
"""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import apsw
from tests.faults.killing import Tell
from tests.store.bodies import PROJECT, attempt, first_schema, put
from tests.upstream.stores import attempt as theirs
from tests.upstream.stores import data_of, store

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.model.scope import owner_of
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.facets import created_of
from shadowgraph.store.backup import write_backup
from shadowgraph.store.journal import GENESIS, digest, entry_hash
from shadowgraph.store.rows import dump
from shadowgraph.upstream.loading import import_file

AT = "2026-11-15T12:00:00.000Z"
OTHER = "acme/web-shop"
World = tuple[str, ...]
BACKUP = "file.backup"


def word(number: int) -> str:
    """Return the word of one record."""
    return f"word{number}z"


def words(*ranges: Iterable[int]) -> World:
    """Return the world of these numbers."""
    return tuple(sorted(word(number) for one in ranges for number in one))


def records(numbers: Iterable[int], project: str = PROJECT) -> list[dict[str, Any]]:
    """Return attempts with their words."""
    return [
        attempt(f"attempt_{n}", project=project, reason=f"Because of {word(n)} itself.")
        for n in numbers
    ]


@dataclass(frozen=True, slots=True)
class Way:
    """One way through the product."""

    name: str
    prepare: Callable[[Path], None]
    "Fills the home, and the directory above it."
    act: Callable[[Path, Tell], None]
    worlds: tuple[World, ...]
    gone: World = ()
    "Words that no file of the home may hold once the work is done once more."

    @property
    def ever(self) -> World:
        """Every word that stands in one of the worlds, or would in none."""
        return tuple(sorted({word(999), *(one for world in self.worlds for one in world)}))


def _indexed(numbers: range, home: Path) -> None:
    """Store records and index them."""
    with Library(home) as library:
        put(library, *records(numbers))
        library.search("anything")


def _behind(home: Path) -> None:
    """Leave an index that lacks half of the records."""
    _indexed(range(20), home)
    with Library(home) as library:
        put(library, *records(range(20, 40)))


def _never_indexed(home: Path) -> None:
    """Store records that no index holds."""
    with Library(home) as library:
        put(library, *records(range(40)))


def _two_projects(home: Path) -> None:
    """Store and index records of two projects."""
    with Library(home) as library:
        put(library, *records(range(10)), *records(range(10, 20), OTHER))
        library.search("anything")


def _backed_up(home: Path) -> None:
    """Write a backup, then more records."""
    _indexed(range(10), home)
    with Library(home) as library:
        write_backup(library.store, home.parent / BACKUP, AT)
        put(library, *records(range(10, 20)))
        library.search("anything")


def _write(home: Path, tell: Tell) -> None:
    """Seven calls of a client, one of them a retry that must change nothing."""
    caller = Caller(PROJECT)
    first = {
        "solution": f"Tried {word(100)}",
        "result": "failed",
        "idempotencyKey": "once",
    }
    with Library(home) as library:
        call = partial(invoke, library, caller=caller)
        made = call("shadowgraph_record_attempt", first)["id"]
        tell(made)
        tell(call("shadowgraph_record_attempt", first)["id"])
        fact = {"key": "boats", "value": word(101), "source": "tool-observed"}
        tell(call("shadowgraph_record_fact", fact)["id"])
        chosen = {"title": "Boats", "chosen": f"Two of {word(102)}"}
        tell(call("shadowgraph_record_decision", chosen)["id"])
        change = {"id": made, "reason": "typo", "changes": {"solution": word(103)}}
        call("shadowgraph_amend", change)
        tell("amended")
        call("shadowgraph_retract", {"id": made, "reason": "recorded twice"})
        tell("retracted")
        call("shadowgraph_retract", {"id": made, "undo": True})
        tell("restored")


WRITTEN = (
    words(range(5)),
    words(range(5), [100]),
    words(range(5), [100]),
    words(range(5), [100, 101]),
    words(range(5), [100, 101, 102]),
    words(range(5), [103, 101, 102]),
    words(range(5), [101, 102]),
    words(range(5), [103, 101, 102]),
)


def _search(home: Path, tell: Tell) -> None:
    """Let a search catch up."""
    with Library(home) as library:
        library.search(word(1))
        tell("searched")


def _rebuild(home: Path, tell: Tell) -> None:
    """Build the index again."""
    with Library(home) as library:
        library.reindex()
        tell("rebuilt")


def _first_schema(home: Path) -> None:
    """Leave a home as the first version did, its journal included."""
    home.mkdir()
    bodies = records(range(5))
    first_schema(home, bodies)
    connection = apsw.Connection(str(home / "graph.db"))
    created = created_of(bodies[0])
    connection.execute("UPDATE record SET created = ?1, updated = ?1", (created,))
    link = GENESIS
    for seq, body in enumerate(bodies, start=1):
        header = (AT, "attempt.recorded", "attempt", body["id"], seq, owner_of(body), "{}")
        payload = dump(body)
        link = entry_hash(link, [seq, *header], digest(payload))
        connection.execute(
            "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, *header, payload, digest(payload), link),
        )
    connection.close()


def _open_and_write(home: Path, tell: Tell) -> None:
    """Open a store of an older schema and write into it."""
    with Library(home) as library:
        tell("opened")
        for body in records([10, 11]):
            put(library, body)
            tell(body["id"])
        library.search(word(1))


MIGRATED = (
    words(range(5)),
    words(range(5)),
    words(range(5), [10]),
    words(range(5), [10, 11]),
)


def _import_lines(home: Path, tell: Tell) -> None:
    """Import JSON Lines."""
    with Library(home) as library:
        import_lines(library, map(json.dumps, records(range(10, 40))))
        tell("imported")
        library.sync.view()


def _import_upstream(home: Path, tell: Tell) -> None:
    """Import an upstream store."""
    envelope = store(7)
    envelope["records"] = [
        theirs(7, id=f"attempt_{n}", reason=f"Because of {word(n)} itself.")
        for n in range(10, 30)
    ]
    with Library(home) as library:
        import_file(library, data_of(envelope), None)
        tell("imported")
        library.sync.view()


def _back_up(home: Path, tell: Tell) -> None:
    """Write a backup."""
    with Library(home) as library:
        write_backup(library.store, home.parent / BACKUP, AT)
        tell("backed up")


def _restore(home: Path, tell: Tell) -> None:
    """Restore a backup."""
    with Library(home) as library:
        invoke(library, "shadowgraph_restore", {"source": BACKUP}, Caller())
        tell("restored")


def _purge(mode: str, home: Path, tell: Tell) -> None:
    """Purge a project."""
    with Library(home) as library:
        call = {"project": OTHER, "mode": mode}
        invoke(library, "shadowgraph_purge", call, Caller())
        tell("purged")


_TEN, _TWENTY, _FORTY = (words(range(n)) for n in (10, 20, 40))
PATHS = (
    Way("write", partial(_indexed, range(5)), _write, WRITTEN),
    Way("catch-up", _behind, _search, (_FORTY, _FORTY)),
    Way("first index", _never_indexed, _search, (_FORTY, _FORTY)),
    Way("rebuild", partial(_indexed, range(20)), _rebuild, (_TWENTY, _TWENTY)),
    Way("migration", _first_schema, _open_and_write, MIGRATED),
    Way("import", partial(_indexed, range(10)), _import_lines, (_TEN, _FORTY)),
    Way(
        "import upstream",
        partial(_indexed, range(10)),
        _import_upstream,
        (_TEN, words(range(30))),
    ),
    Way("backup", partial(_indexed, range(10)), _back_up, (_TEN, _TEN)),
    Way("restore", _backed_up, _restore, (_TWENTY, _TEN)),
    Way(
        "purge",
        _two_projects,
        partial(_purge, "logical"),
        (_TWENTY, _TEN),
        words(range(10, 20)),
    ),
    Way(
        "hard purge",
        _two_projects,
        partial(_purge, "hard"),
        (_TWENTY, _TEN),
        words(range(10, 20)),
    ),
)


def copy_of(prepared: Path, to: Path) -> Path:
    """Return a home in *to* as one path prepared it."""
    shutil.copytree(prepared, to)
    return to / "home"
