"""Whatever happens to an index and around it, a search finds what the store holds.

The histories of `test_any_history` go on here with what is hard for an index: records that
are taken out, put back and purged, a process that dies on either side of the commit of the
index, damaged and swapped files, an older copy put back, and a second library over the same
home. The model is the same dictionary: a word finds exactly the record that has it now.

`make machine` runs it for long.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import consumes, initialize, precondition, rule
from tests.properties.test_any_history import PROJECTS, Histories

from shadowgraph import Library
from shadowgraph.doctor import examine
from shadowgraph.operations import Caller, invoke
from shadowgraph.search.engine import Writing

BYTES = st.sampled_from([b"", b"\0", b"garbage", b"\xff" * 4096])


class Killed(BaseException):
    """The process dies here."""


@contextmanager
def dying(*, after: bool) -> Iterator[None]:
    """Let the process die before or after the next commit of an index."""
    commit = Writing.commit

    def commit_and_die(self: Writing, *given: Any, **named: Any) -> None:
        if after:
            commit(self, *given, **named)
        raise Killed

    Writing.commit = commit_and_die  # type: ignore[method-assign]
    try:
        with suppress(Killed):
            yield
    finally:
        Writing.commit = commit  # type: ignore[method-assign]


class Indexes(Histories):
    """A home under everything that can happen to its index."""

    records = Histories.records

    @initialize()
    def begin(self) -> None:
        """Begin with one library, nothing taken out, and no copy."""
        self.out: dict[str, tuple[dict[str, Any], str]] = {}
        self.other: Library | None = None
        self.copies = 0

    def teardown(self) -> None:
        """Open the home anew, look, examine it as the doctor does, and remove it.

        Before, the doctor may name damage under an open index that nobody has read since.
        """
        self.close_other()
        self.restart()
        self.look()
        found = [one for one in examine(self.library) if not one.ok]
        super().teardown()
        assert [] == found

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call an operation on the library."""
        return invoke(self.library, f"shadowgraph_{name}", arguments, Caller("a/b"))

    def restart(self, before: Path | None = None) -> None:
        """Open the home anew, after *before* took the place of its index."""
        self.library.close()
        if before is not None:
            shutil.rmtree(self.home / "index", ignore_errors=True)
            shutil.copytree(before, self.home / "index")
        self.library = Library(self.home, clock=self.clock)

    @rule(record_id=consumes(Histories.records))
    def retract(self, record_id: str) -> None:
        """Take a record out of every read."""
        body, word = self.model.pop(record_id)
        self.call("retract", id=record_id, reason="wrong", project=body["project"])
        self.out[record_id] = (body, word)
        self.gone.append(word)
        self.revision += 1
        self.entries += 1

    @precondition(lambda self: self.out)
    @rule(target=records, data=st.data())
    def put_back(self, data: st.DataObject) -> str:
        """Put a record back that was taken out."""
        record_id = data.draw(st.sampled_from(sorted(self.out)))
        body, word = self.out.pop(record_id)
        self.call("retract", id=record_id, undo=True, project=body["project"])
        with self.library.store.read() as selection:
            held = selection.by_id(record_id)
        assert held is not None
        self.model[record_id] = (dict(held.body), word)
        self.gone.remove(word)
        self.revision += 1
        self.entries += 1
        return record_id

    @rule(record_id=consumes(Histories.records), mode=st.sampled_from(["logical", "hard"]))
    def purge(self, record_id: str, mode: str) -> None:
        """Erase a record for good."""
        body, word = self.model.pop(record_id)
        asked = {"project": body["project"], "ids": [record_id], "mode": mode}
        assert self.call("purge", **asked)["erased"]
        self.gone.append(word)
        self.revision += 1
        self.entries += 1

    @rule(after=st.booleans(), rebuild=st.booleans())
    def die_at_a_commit_of_the_index(self, after: bool, rebuild: bool) -> None:
        """Die before or after the index has what the store has."""
        with dying(after=after):
            if rebuild:
                self.library.reindex()
            else:
                self.library.sync.view()
        self.restart()

    @precondition(lambda self: (self.home / "index").exists())
    @rule(number=st.integers(0, 99), content=BYTES, closed=st.booleans())
    def damage_a_file(self, number: int, content: bytes, closed: bool) -> None:
        """Change, empty or lengthen a file of the index, as a disk or a sync tool would."""
        files = [one for one in (self.home / "index").rglob("*") if one.is_file()]
        # By their ends: their names are made up, and how many there are is the engine's.
        files = [one for one in files if one.suffix != ".lock"]
        files = sorted(files, key=lambda one: (one.suffix, one.stat().st_size))
        if not files:
            return
        file = files[number % len(files)]
        if closed:
            self.library.close()
        # A new file: what is mapped by an open index stays as it was, as with a sync tool.
        held = file.read_bytes()
        file.unlink()
        if content:
            half = len(held) // 2
            file.write_bytes(held[:half] + content + held[half + len(content) :])
        if closed:
            self.library = Library(self.home, clock=self.clock)

    @precondition(lambda self: (self.home / "index").exists())
    @rule()
    def copy_the_index(self) -> None:
        """Keep a copy of the index as it is now."""
        self.library.close()
        self.copies += 1
        shutil.copytree(self.home / "index", self.home.parent / f"copy{self.copies}")
        self.library = Library(self.home, clock=self.clock)

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def put_an_older_index_back(self, data: st.DataObject) -> None:
        """Put a copy in place of the index, of whatever age."""
        self.close_other()
        number = data.draw(st.integers(1, self.copies))
        self.restart(self.home.parent / f"copy{number}")

    @rule(project=PROJECTS)
    def open_another_library(self, project: str) -> None:
        """Let a second one follow the same home; it may write, too."""
        if self.other is None:
            self.other = Library(self.home, clock=self.clock)
        word = f"word{next(self.numbers)}z"
        said = {"solution": word, "result": "r", "project": project}
        made = invoke(self.other, "shadowgraph_record_attempt", said, Caller("a/b"))
        with self.other.store.read() as selection:
            held = selection.by_id(made["id"])
        assert held is not None
        self.model[held.id] = (dict(held.body), word)
        self.revision += 1
        self.entries += 1

    @precondition(lambda self: self.other)
    @rule(rebuild=st.booleans())
    def look_from_the_other_library(self, rebuild: bool) -> None:
        """It finds the same, whoever wrote or rebuilt last."""
        assert self.other is not None
        if rebuild:
            self.other.reindex()
        for record_id, (_, word) in self.model.items():
            hits = self.other.search(word).hits
            assert [record_id] == [hit.record.id for hit in hits]
        for word in self.gone[-5:]:
            assert 0 == self.other.search(word).total

    @rule()
    def close_other(self) -> None:
        """End the second one."""
        if self.other is not None:
            self.other.close()
            self.other = None


LONG = os.environ.get("SHADOWGRAPH_MACHINE") == "long"
TestIndexes = Indexes.TestCase
TestIndexes.settings = settings(
    max_examples=300 if LONG else 20,
    stateful_step_count=60 if LONG else 25,
    deadline=None,
)
