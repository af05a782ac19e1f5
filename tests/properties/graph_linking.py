"""Steps of the graph machine: relations, supersession, memories."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule
from tests.properties.graph_bench import KEYS, PROJECTS, Bench, Picked
from tests.properties.graph_model import Known

from shadowgraph.errors import ConflictError, IllegalTransitionError, UnknownRecordError
from shadowgraph.rules.lifecycle import REPLACEABLE, REPLACING

NAMES = ("led_to", "supersedes")
ENDS = ("attempt", "decision", "fact", "memory")


class Linking(Bench):
    """Calls that tie records together, and memories with their history."""

    @rule(data=st.data(), name=st.sampled_from(NAMES), option=st.booleans())
    def link(self, data: st.DataObject, name: str, option: bool) -> None:
        """Link two records, or a record to an option; a live relation stands once."""
        pair = self._pair(data, *ENDS)
        if pair is None:
            return
        (source, one), (target, other) = pair
        if option and other.option:
            target = other.option
        call = {"from": source, "to": target, "relation": name}
        if one.retracted is not None or other.retracted is not None:
            self.refused("link", one.project, UnknownRecordError, **call)
            return
        ends = (source, target, name)
        live = self.world.live(one.project, ends)
        reply = self.ask("link", one.project, **call)
        assert (live is not None) is bool(reply.get("replayed"))
        if live is None:
            self.world.records[reply["id"]] = Known("relation", one.project, ends=ends)
        assert live in (None, reply["id"])
        self.wrote(0 if live else 1)

    @rule(data=st.data(), undo=st.booleans())
    def unlink(self, data: st.DataObject, undo: bool) -> None:
        """Take a relation back, or put it back."""
        found = self.pick(data, "relation")
        if found is None:
            return
        name, held = found
        assert held.ends is not None
        call = {"relationId": name, "undo": undo}
        error = self._no_unlink(held, undo)
        if error:
            self.refused("unlink", held.project, error, **call)
            return
        self.ask("unlink", held.project, **call)
        self.wrote(0 if held.closed is not undo else 1)
        held.closed = not undo

    def _no_unlink(self, held: Known, undo: bool) -> type[Exception] | None:
        """Return how the call must be refused, if at all."""
        assert held.ends is not None
        source, target, name = held.ends
        if held.retracted is not None:
            return UnknownRecordError
        if undo and held.closed and self.world.live(held.project, held.ends):
            return ConflictError
        ended = self.world.records.get(target)
        belongs = ended and ended.retracted is None and ended.successor == source
        if not undo and not held.closed and name == "supersedes" and belongs:
            return ConflictError
        return None

    @rule(data=st.data())
    def supersede(self, data: st.DataObject) -> None:
        """Replace a decision by another; a relation that says so already is taken."""
        pair = self._pair(data, "decision")
        if pair is None:
            return
        (old, one), (new, other) = pair
        call = {"decisionId": old, "replacementId": new}
        if one.retracted is not None or other.retracted is not None:
            self.refused("supersede", one.project, UnknownRecordError, **call)
        elif one.successor == new:
            self.ask("supersede", one.project, **call)
            self.wrote(0)
        elif one.status in REPLACEABLE and other.status in REPLACING:
            self._superseded((old, one), (new, other), call)
        else:
            self.refused("supersede", one.project, IllegalTransitionError, **call)

    def _superseded(self, old: Picked, new: Picked, call: dict[str, Any]) -> None:
        """Call it, and change both decisions of the model."""
        ends = (new[0], old[0], "supersedes")
        live = self.world.live(old[1].project, ends)
        reply = self.ask("supersede", old[1].project, **call)
        assert live in (None, reply["relation"]["id"])
        self.world.records.setdefault(
            reply["relation"]["id"], Known("relation", old[1].project, ends=ends)
        )
        old[1].status, old[1].successor = "superseded", new[0]
        new[1].replaced += (old[0],)
        self.wrote(2 if live else 3)

    def _pair(self, data: st.DataObject, *kinds: str) -> tuple[Picked, Picked] | None:
        """Choose two different records of one project."""
        one = self.pick(data, *kinds)
        other = one and self.pick(data, *kinds, project=one[1].project)
        if one is None or other is None or one[0] == other[0]:
            return None
        return one, other

    @rule(project=st.sampled_from(PROJECTS), key=st.sampled_from(KEYS), same=st.booleans())
    def remember(self, project: str, key: str, same: bool) -> None:
        """Remember a text, or the text that is remembered already."""
        held = self.world.active("memory", project, key)
        word = held[1].word if held and same else self.word()
        said = {"memoryType": "note", "key": key, "text": f"for {word} only"}
        self._remembered(project, key, word, self.ask("remember", project, **said))
        self.wrote(0 if held and same else 2 if held else 1)

    @rule(
        project=st.sampled_from(PROJECTS),
        steps=st.lists(
            st.tuples(
                st.sampled_from(["ADD", "UPDATE", "DELETE", "NOOP"]), st.sampled_from(KEYS)
            ),
            min_size=1,
            max_size=4,
            unique_by=lambda step: step[1],
        ),
    )
    def plan(self, project: str, steps: list[tuple[str, str]]) -> None:
        """Do several things with memories in one transaction."""
        words = [self.word() for _ in steps]
        reply = self.ask(
            "remember",
            project,
            operations=[
                {"action": action, "memoryType": "note", "key": key}
                | ({"text": f"for {word} only"} if action in ("ADD", "UPDATE") else {})
                for (action, key), word in zip(steps, words, strict=True)
            ],
        )
        entries = 0
        for (action, key), word, done in zip(steps, words, reply["results"], strict=True):
            held = self.world.active("memory", project, key)
            if action in ("ADD", "UPDATE"):
                self._remembered(project, key, word, done)
                entries += 2 if held else 1
            elif action == "DELETE" and held:
                held[1].status = "invalidated"
                entries += 1
        self.wrote(entries)

    def _remembered(self, project: str, key: str, word: str, reply: dict[str, Any]) -> None:
        """Let a text take the place of the active one."""
        held = self.world.active("memory", project, key)
        if held and held[1].word == word:
            assert reply["operation"] == "NOOP"
            return
        if held:
            held[1].status = "superseded"
        assert reply["operation"] == ("UPDATE" if held else "ADD")
        self.world.records[reply["memory"]["id"]] = Known(
            "memory", project, word, "active", key=key
        )
