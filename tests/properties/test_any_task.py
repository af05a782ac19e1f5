"""Any history of calls about tasks: the state of each, and whose it is, follow the rules.

The model restates the life of a task in a dictionary. Two sessions work in one worktree;
after every step the stored passports and both pointers must be what the model says.
"""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.errors import CallerError
from shadowgraph.operations import Caller, invoke

SESSIONS = ("one", "two")
WORKING = {"active", "blocked", "verifying"}
OPEN = WORKING | {"parked"}
FINAL = ("passed", "failed", "accepted")


class Tasks(RuleBasedStateMachine):
    """A library, what it should hold, and the calls that change both."""

    def __init__(self) -> None:
        """Begin with an empty home and no task."""
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.library = Library(Path(self.directory.name), clock=StoppedClock())
        self.tasks: dict[str, dict[str, Any]] = {}
        self.current: dict[str, str] = {}

    def teardown(self) -> None:
        """Remove the home."""
        self.library.close()
        self.directory.cleanup()

    def ask(self, session: str, name: str, **arguments: Any) -> dict[str, Any] | None:
        """Call a tool; None when it refuses."""
        caller = Caller("acme/one", "server", session_id=session)
        try:
            return invoke(self.library, name, arguments, caller)
        except CallerError:
            return None

    def task(self, session: str) -> dict[str, Any]:
        """Return the model of the session's task; one without any state when none is."""
        return self.tasks.get(self.current.get(session, ""), {"status": "none"})

    def settle(self, task: dict[str, Any], status: str) -> None:
        """Move the model of a task."""
        task["status"] = status
        task["revision"] += 1

    @rule(session=st.sampled_from(SESSIONS))
    def start(self, session: str) -> None:
        """Begin a task, unless one is worked on."""
        free = self.task(session)["status"] not in WORKING
        made = self.ask(session, "task_start", title="t")

        assert free == (made is not None)
        if made:
            name = made["task"]["id"]
            self.tasks[name] = {
                "status": "active", "verdict": "unknown", "waits": False, "revision": 1,
            }  # fmt: skip
            self.current[session] = name

    @rule(session=st.sampled_from(SESSIONS))
    def park(self, session: str) -> None:
        """Put the task aside."""
        task = self.task(session)
        may = task["status"] in WORKING

        assert may == (self.ask(session, "task_park") is not None)
        if may:
            self.settle(task, "parked")

    @rule(data=st.data(), session=st.sampled_from(SESSIONS), park=st.booleans())
    def switch(self, data: st.DataObject, session: str, park: bool) -> None:
        """Take some task up, of either session."""
        if not self.tasks:
            return
        name = list(self.tasks)[data.draw(st.integers(0, len(self.tasks) - 1))]
        task, mine = self.tasks[name], self.task(session)
        leaves = mine is not task and mine["status"] in WORKING
        may = task["status"] in OPEN and (park or not leaves)
        done = self.ask(session, "task_switch", id=name, parkCurrent=park)

        assert may == (done is not None)
        if may:
            if leaves:
                self.settle(mine, "parked")
            if task["status"] == "parked":
                verdict = "verifying" if task["verdict"] in FINAL else "active"
                self.settle(task, "blocked" if task["waits"] else verdict)
            self.current[session] = name

    @rule(session=st.sampled_from(SESSIONS), reason=st.sampled_from(["a", "b"]))
    def block(self, session: str, reason: str) -> None:
        """Say what it waits for."""
        task = self.task(session)
        may = task["status"] in WORKING and task["waits"] != reason

        assert may == (self.ask(session, "task_block", reason=reason) is not None)
        if may:
            self.settle(task, "blocked")
            task["waits"] = reason

    @rule(session=st.sampled_from(SESSIONS))
    def unblock(self, session: str) -> None:
        """Let it go on."""
        task = self.task(session)
        may = task["status"] == "blocked"

        assert may == (self.ask(session, "task_unblock", reason="r") is not None)
        if may:
            self.settle(task, "verifying" if task["verdict"] in FINAL else "active")
            task["waits"] = False

    @rule(
        session=st.sampled_from(SESSIONS),
        verdict=st.sampled_from(["unknown", "pending", *FINAL]),
    )
    def verify(self, session: str, verdict: str) -> None:
        """Give a verdict; the same again changes nothing."""
        task = self.task(session)
        may = task["status"] in WORKING
        done = self.ask(session, "task_update_verification", status=verdict)

        assert may == (done is not None)
        if may:
            status = "verifying" if verdict in FINAL else "active"
            if (task["verdict"], task["status"]) != (verdict, status):
                self.settle(task, status)
            task["verdict"], task["waits"] = verdict, False

    @rule(session=st.sampled_from(SESSIONS), step=st.integers(0, 3))
    def update(self, session: str, step: int) -> None:
        """Change the objective, which unsettles a verdict."""
        task = self.task(session)
        may = task["status"] in OPEN and task.get("objective", "t") != f"o{step}"

        done = self.ask(session, "task_update", objective=f"o{step}")
        assert may == (done is not None)
        if may:
            self.settle(task, task["status"])
            task["objective"] = f"o{step}"
            if task["verdict"] in FINAL:
                task["verdict"] = "pending"

    @rule(session=st.sampled_from(SESSIONS), verdict=st.sampled_from([None, *FINAL]))
    def finalize(self, session: str, verdict: str | None) -> None:
        """Close with a verdict, given now or before."""
        task = self.task(session)
        if verdict:
            may = task["status"] in WORKING
        else:
            may = task["status"] in OPEN and task["verdict"] in FINAL
        given = {"status": verdict} if verdict else {}

        assert may == (self.ask(session, "task_finalize", **given) is not None)
        if may:
            self.settle(task, "completed")
            task["verdict"] = verdict or task["verdict"]

    @rule(session=st.sampled_from(SESSIONS))
    def abandon(self, session: str) -> None:
        """Close without one."""
        task = self.task(session)
        may = task["status"] in OPEN

        assert may == (self.ask(session, "task_abandon", reason="r") is not None)
        if may:
            self.settle(task, "abandoned")

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        """Status, verdict and revision of every task, and the pointer of each session."""
        with self.library.store.read() as selection:
            held = {r.id: r.body for r in selection.of_kind("project:acme/one", "task")}
        assert {
            name: (t["status"], t["verdict"], t["revision"])
            for name, t in self.tasks.items()
        } == {
            name: (b["status"], b["verification"]["status"], b["revision"])
            for name, b in held.items()
        }
        for session, name in self.current.items():
            reply = self.ask(session, "task_status")
            assert reply is not None
            assert (name, True) == (reply["task"]["id"], reply["task"]["current"])


Tasks.TestCase.settings = settings(max_examples=25, stateful_step_count=30)
test_any_history_of_tasks = Tasks.TestCase
