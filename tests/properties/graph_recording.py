"""Steps of the graph machine: recording, correcting, retracting."""

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule
from tests.properties.graph_bench import EVERY_KIND, KEYS, PROJECTS, WORD_FIELDS, Bench
from tests.properties.graph_model import Known

from shadowgraph.errors import (
    ConflictError,
    IllegalTransitionError,
    InvalidInputError,
    UnknownRecordError,
)
from shadowgraph.rules.instants import format_instant
from shadowgraph.rules.lifecycle import MOVES, SYSTEM_OWNED

MINUTES = st.none() | st.integers(2, 30)
"How long from now something happens by itself, if ever."


class Recording(Bench):
    """Calls that make records and change one at a time."""

    @rule(
        project=st.sampled_from(PROJECTS),
        result=st.sampled_from([None, "failed", "succeeded"]),
    )
    def record_attempt(self, project: str, result: str | None) -> None:
        """Record an attempt."""
        word = self.word()
        said = {"solution": "a step", "result": "it ended", "reason": f"for {word} only"}
        more = {"resultClass": result} if result else {}
        made = self.ask("record_attempt", project, **said, **more)
        self.world.records[made["id"]] = Known(
            "attempt", project, word, result_class=result
        )
        self.wrote()

    @rule(
        project=st.sampled_from(PROJECTS),
        rules=st.lists(st.sampled_from(KEYS), unique=True),
        minutes=MINUTES,
    )
    def record_decision(self, project: str, rules: list[str], minutes: int | None) -> None:
        """Record a decision with a rejected option, which starts as proposed."""
        word = self.word()
        until = minutes and self.clock.now + timedelta(minutes=minutes)
        made = self.ask(
            "record_decision",
            project,
            title="a choice",
            chosen="this",
            goal=f"for {word} only",
            alternatives=[{"label": "that", "reopenWhen": list(map(exists, rules))}],
            **({"reviewAfter": format_instant(until)} if until else {}),
        )
        self.world.records[made["id"]] = Known(
            "decision",
            project,
            word,
            "proposed",
            until=until or None,
            option=made["alternatives"][0]["id"],
            rules=tuple(rules),
        )
        self.wrote()

    @rule(project=st.sampled_from(PROJECTS), key=st.sampled_from(KEYS), minutes=MINUTES)
    def record_fact(self, project: str, key: str, minutes: int | None) -> None:
        """Record a fact, which ends the active one of its key."""
        word = self.word()
        active = self.world.active("fact", project, key)
        until = minutes and self.clock.now + timedelta(minutes=minutes)
        made = self.ask(
            "record_fact",
            project,
            key=key,
            value=f"for {word} only",
            **({"expiresAt": format_instant(until)} if until else {}),
        )
        if active:
            active[1].status = "superseded"
        self.world.records[made["id"]] = Known(
            "fact", project, word, "active", key=key, until=until or None
        )
        self.wrote(2 if active else 1)

    @rule(data=st.data(), status=st.sampled_from(sorted(MOVES)))
    def update_status(self, data: st.DataObject, status: str) -> None:
        """Move a decision, or be told that the move does not exist."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call = {"decisionId": name, "status": status}
        if held.retracted is not None:
            self.refused("update_status", held.project, UnknownRecordError, **call)
        elif status == held.status:
            self.ask("update_status", held.project, **call)
            self.wrote(0)
        elif status in MOVES[str(held.status)] and status not in SYSTEM_OWNED:
            self.ask("update_status", held.project, **call)
            held.status = status
            self.wrote()
        else:
            self.refused("update_status", held.project, IllegalTransitionError, **call)

    @rule(data=st.data(), outcome=st.sampled_from(["successful", "failed", "mixed"]))
    def record_outcome(self, data: st.DataObject, outcome: str) -> None:
        """Record how a decision turned out."""
        found = self.pick(data, "decision")
        if found is None:
            return
        name, held = found
        call = {"decisionId": name, "outcome": {"status": outcome}}
        if held.retracted is not None:
            self.refused("record_outcome", held.project, UnknownRecordError, **call)
            return
        self.ask("record_outcome", held.project, **call)
        held.outcome, held.failed_at = outcome, format_instant(self.clock.now)
        self.wrote()

    @rule(data=st.data(), same=st.booleans())
    def amend(self, data: st.DataObject, same: bool) -> None:
        """Correct the word of a record, or say what it says already."""
        found = self.pick(data, *WORD_FIELDS)
        if found is None:
            return
        name, held = found
        word = held.word if same or held.kind == "memory" else self.word()
        call = {"id": name, "changes": {WORD_FIELDS[held.kind]: f"for {word} only"}}
        if held.retracted is not None:
            self.refused("amend", held.project, UnknownRecordError, **call)
        elif held.kind == "memory":
            self.refused("amend", held.project, InvalidInputError, **call)
        else:
            reply = self.ask("amend", held.project, **call)
            assert bool(reply["changed"]) is not same
            held.word = word
            if not same:
                self.wrote()

    @rule(data=st.data(), result=st.sampled_from(["failed", "succeeded", "inconclusive"]))
    def reclassify(self, data: st.DataObject, result: str) -> None:
        """Declare how an attempt ended."""
        found = self.pick(data, "attempt")
        if found is None:
            return
        name, held = found
        call = {"id": name, "resultClass": result, "reason": "seen again"}
        if held.retracted is not None:
            self.refused("reclassify", held.project, UnknownRecordError, **call)
            return
        self.ask("reclassify", held.project, **call)
        if held.result_class != result:
            held.result_class = result
            self.wrote()

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        """Take a record and its signals out of every read; a second time changes nothing."""
        found = self.pick(data, *EVERY_KIND)
        if found is None:
            return
        name, held = found
        reason = f"reason {next(self.numbers)}"
        self.ask("retract", held.project, id=name, reason=reason)
        if held.retracted is not None:
            return
        along = [s for _, s in self.world.living(held.project, "review") if s.about == name]
        held.retracted = reason
        for signal in along:
            signal.retracted, signal.went_with = reason, name
        self.wrote(1 + len(along))

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """Put a record back, unless its place was taken."""
        found = self.pick(data, *EVERY_KIND)
        if found is None:
            return
        name, held = found
        call = {"id": name, "undo": True}
        if held.retracted is not None and (held.went_with or self.is_taken(held)):
            self.refused("retract", held.project, ConflictError, **call)
            return
        self.ask("retract", held.project, **call)
        if held.retracted is None:
            return
        along = [one for one in self.world.records.values() if one.went_with == name]
        for one in (held, *along):
            one.retracted = one.went_with = None
        self.wrote(1 + len(along))

    def is_taken(self, held: Known) -> bool:
        """Say whether something holds where a record would hold again."""
        if held.kind in ("fact", "memory") and held.status == "active":
            return self.world.active(held.kind, held.project, held.key) is not None
        if held.ends is not None and not held.closed:
            return self.world.live(held.project, held.ends) is not None
        return False


def exists(key: str) -> dict[str, str]:
    """Return the rule that a fact of a key must be there."""
    return {"key": key, "operator": "exists"}
