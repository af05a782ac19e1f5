"""Steps of the graph machine: evidence, rules, reviews, signals, maintenance."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule
from tests.properties.graph_bench import KEYS, PROJECTS, Bench, read
from tests.properties.graph_model import Ground
from tests.properties.graph_recording import exists

from shadowgraph.errors import ConflictError, UnknownRecordError


class Reviewing(Bench):
    """Calls about what a decision rests on."""

    @rule(data=st.data(), key=st.sampled_from(["seen", "told"]), supports=st.booleans())
    def count_evidence(self, data: st.DataObject, key: str, supports: bool) -> None:
        """Count an observation once; the same key for the contrary is refused."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call = {"decisionId": name, "key": key, "reason": "r", "supports": supports}
        counted = dict(held.counted)
        if held.retracted is not None:
            self.refused("confidence_evidence", held.project, UnknownRecordError, **call)
        elif counted.get(key, supports) is not supports:
            self.refused("confidence_evidence", held.project, ConflictError, **call)
        else:
            self.ask("confidence_evidence", held.project, **call)
            self.wrote(0 if key in counted else 1)
            if key not in counted:
                held.counted += ((key, supports),)

    @rule(data=st.data(), rules=st.lists(st.sampled_from(KEYS), unique=True))
    def change_rules(self, data: st.DataObject, rules: list[str]) -> None:
        """Give the option of a decision other rules."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call: dict[str, Any] = {"recordId": name, "rules": list(map(exists, rules))}
        if held.retracted is not None:
            self.refused("change_rules", held.project, UnknownRecordError, **call)
            return
        self.ask("change_rules", held.project, **call)
        self.wrote(0 if held.rules == tuple(rules) else 1)
        held.rules = tuple(rules)

    @rule(
        project=st.sampled_from(PROJECTS),
        name=st.sampled_from(["review", "reconsider", "review_context"]),
    )
    def review(self, project: str, name: str) -> None:
        """Store a signal for every breach without one; no breach, no write."""
        reply = self.ask(name, project)
        wanted = self.world.unsignalled(project, self.clock.now)
        self.learn_signals(wanted)
        if wanted:
            self.wrote(len(wanted))
        if name == "review":
            due = {one for one, _ in self.world.due(project, self.clock.now)}
            assert due == {item["decisionId"] for item in reply["items"]}

    def learn_signals(self, wanted: set[tuple[str, frozenset[Ground]]]) -> None:
        """Take the new signals over, which must be those that are wanted."""
        fresh = {
            name: read(body)
            for name, body in self.stored().items()
            if body["kind"] == "review" and name not in self.world.records
        }
        assert wanted == {(str(one.about), one.grounds) for one in fresh.values()}
        assert len(wanted) == len(fresh)
        assert all(one.status == "open" for one in fresh.values())
        self.world.records |= fresh

    @rule(data=st.data())
    def acknowledge(self, data: st.DataObject) -> None:
        """Mark a signal as seen; a second time changes nothing."""
        found = self.pick(data, "review")
        if found is None:
            return
        name, held = found
        if held.retracted is not None:
            self.refused("ack_review", held.project, UnknownRecordError, id=name)
            return
        self.ask("ack_review", held.project, id=name)
        self.wrote(0 if held.status == "acknowledged" else 1)
        held.status = "acknowledged"

    @rule(project=st.sampled_from(PROJECTS), minutes=st.integers(0, 20))
    def maintain(self, project: str, minutes: int) -> None:
        """Let time pass and take effect."""
        self.clock.advance(minutes=minutes)
        self.ask("maintain", project)
        changed = self.world.age(project, self.clock.now)
        wanted = self.world.unsignalled(project, self.clock.now)
        self.learn_signals(wanted)
        self.wrote(changed + len(wanted))
