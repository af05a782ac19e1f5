"""Steps of the graph machine: purges, imports, copies, and what happens to files."""

import copy
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from tests.properties.graph_bench import EVERY_KIND, PROJECTS, Bench
from tests.properties.graph_model import Known

from shadowgraph import Library
from shadowgraph.exchange import export_lines, import_lines


class Keeping(Bench):
    """Calls about the store as a whole."""

    @rule(project=st.sampled_from(PROJECTS), mode=st.sampled_from(["logical", "hard"]))
    def purge(self, project: str, mode: str) -> None:
        """Erase a whole project."""
        self.ask("purge", project, project=project, mode=mode)
        self.world.forget(project, None)
        self.purges.append((project, None))
        self.wrote()

    @rule(data=st.data(), mode=st.sampled_from(["logical", "hard"]))
    def purge_one(self, data: st.DataObject, mode: str) -> None:
        """Erase one record, with its signals, its relations and what else names it."""
        found = self.pick(data, *EVERY_KIND)
        if found is None:
            return
        name, project = found[0], found[1].project
        before = self.stored()
        reply = self.ask("purge", project, project=project, ids=[name], mode=mode)
        gone = self.world.forget(project, [name])
        assert len(gone) == reply["removed"]
        naming = self._naming(before, project, gone)
        assert len(naming) == reply["rewritten"]
        self.purges.append((project, gone))
        self.wrote(1 + len(naming))

    def _naming(
        self, before: Mapping[str, Mapping[str, Any]], project: str, gone: list[str]
    ) -> list[str]:
        """Return the records that stay and held an id that went, quoted anywhere."""
        options = [
            option["id"] for name in gone for option in before[name].get("alternatives", ())
        ]
        return [
            name
            for name, body in before.items()
            if body["project"] == project
            and name not in gone
            and any(f'"{one}"' in json.dumps(body) for one in [*gone, *options])
        ]

    @rule(project=st.sampled_from(PROJECTS))
    def import_an_attempt(self, project: str) -> None:
        """Import a line twice; the second time it is there already."""
        word = self.word()
        name = f"attempt_{word}"
        line = {"kind": "attempt", "id": name, "project": project, "solution": "a step"}
        line |= {"result": "it ended", "reason": f"for {word} only"}
        path = Path(self.directory.name) / "lines.jsonl"
        path.write_text(json.dumps(line), encoding="utf-8")
        counts = [
            (reply["imported"], reply["unchanged"])
            for _ in range(2)
            for reply in [self.ask("import", project, path=str(path))]
        ]
        assert [(1, 0), (0, 1)] == counts
        self.world.records[name] = Known("attempt", project, word)
        self.wrote()
        self.wrote(0)

    @rule()
    def import_everything_again(self) -> None:
        """What an export says is there already, the retracted records too."""
        lines = list(export_lines(self.library))
        done = import_lines(self.library, lines)
        assert (0, len(lines)) == (done.imported, done.unchanged)
        self.wrote(0)

    @rule()
    def rebuild_from_the_journal(self) -> None:
        """A library made of the journal's fold alone is the same library."""
        assert self.ask("rebuild", PROJECTS[0])["ok"]
        lines = list(export_lines(self.library))
        states, _ = self.library.store.replay()
        told = [states.states[row] for row in sorted(states.states)]
        place = Path(self.directory.name) / f"again-{next(self.numbers)}"
        with Library(place, clock=self.clock) as again:
            assert len(told) == import_lines(again, told).imported
            assert lines == list(export_lines(again))
            self.words_are_found(again)

    # What happens to files and processes.

    @rule()
    def reopen(self) -> None:
        """End and start again."""
        self.library.close()
        self.library = Library(self.home, clock=self.clock)

    @rule()
    def reindex(self) -> None:
        """Build the index again."""
        living = [
            one for one in self.world.records.values() if one.word and not one.retracted
        ]
        assert len(living) == self.library.reindex()

    @precondition(lambda self: (self.home / "index").exists())
    @rule()
    def lose_the_index(self) -> None:
        """Delete the index directory."""
        shutil.rmtree(self.home / "index")

    @rule()
    def back_up(self) -> None:
        """Write a backup, and remember what the world was like."""
        file = Path(self.directory.name) / f"{next(self.numbers)}.backup"
        self.ask("backup", PROJECTS[0], destination=str(file))
        self.saved = (file, copy.deepcopy(self.world), len(self.purges))

    @precondition(lambda self: self.saved is not None)
    @rule()
    def restore(self) -> None:
        """Go back to the backup; what was purged since stays purged."""
        assert self.saved is not None
        file, world, known = self.saved
        reply = self.ask("restore", PROJECTS[0], source=str(file))
        later = self.purges[known:]
        words = self.world.words
        self.world = copy.deepcopy(world)
        self.world.words |= words
        for project, names in later:
            self.world.forget(project, names)
        # A purge is an entry where it takes something, old states of a record included,
        # and so is each record from which it takes a name.
        assert reply["reapplied"] <= len(later)
        with self.library.store.read() as selection:
            added = selection.head().seq - self.world.entries
        assert added >= reply["reapplied"]
        assert bool(added) == bool(reply["reapplied"])
        self.world.entries += added
        assert self.revision < self.library.store.revision()
        self.revision = self.library.store.revision()
