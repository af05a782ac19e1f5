"""Many processes that record for one task at the same time."""

import subprocess
import sys
from pathlib import Path

from tests.operations.conftest import Agent

PROCESSES, EACH = 16, 5
PROGRAM = """
import sys
from pathlib import Path
from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

home, task, name, each = sys.argv[1:]
caller = Caller("acme/billing-api", "server", session_id=name)
with Library(Path(home)) as library:
    for number in range(int(each)):
        for tool, said in (
            ("record_decision", {"text": f"decision {name}.{number}"}),
            ("record_dead_end", {"text": f"dead end {name}.{number}"}),
            ("attach_evidence", {"content": f"output {name}.{number}"}),
        ):
            invoke(library, tool, {**said, "taskId": task}, caller)
        invoke(library, "task_update", {"id": task, "tags": [f"{name}.{number}"]}, caller)
"""


def test_sixteen_processes_record_at_once_and_lose_nothing(agent: Agent) -> None:
    """Every record is there, linked, and every tag of the passport, with its revision."""
    task = agent.do("task_start", title="t")["task"]["id"]
    command = [sys.executable, "-c", PROGRAM, str(Path(agent.library.home)), task]
    running = [
        subprocess.Popen([*command, str(n), str(EACH)], stderr=subprocess.PIPE, text=True)
        for n in range(PROCESSES)
    ]
    faults = [process.communicate(timeout=120)[1] for process in running]

    assert [""] * PROCESSES == faults
    total = PROCESSES * EACH
    counts = agent.library.store.counts()
    assert {
        "decision": total,
        "attempt": total,
        "evidence": total,
        "relation": 3 * total,
    } == {kind: counts[kind] for kind in ("decision", "attempt", "evidence", "relation")}
    passport = agent.passport(task)
    wanted = {f"{n}.{step}" for n in range(PROCESSES) for step in range(EACH)}
    assert (wanted, total + 1) == (set(passport["tags"]), passport["revision"])
    with agent.library.store.read() as selection:
        links = selection.touching("project:acme/billing-api", [task])
    assert 3 * total == len({link.body["from"] for link in links})
    assert agent.library.store.first_fault() is None
