"""Scenarios of continuity, laid out as a checkout and a store.

Each is a task as a session left it (`fixtures/continuity`). Its first dead end and decision
are linked to it; the others belong to earlier work of the project and are only there to be
found.
"""

import json
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.operations import Caller, invoke

FOLDER = Path(__file__).parents[2] / "fixtures" / "continuity"
PROJECT = "acme/continuity"
_AT = "2026-10-01T00:00:00Z"


@dataclass(frozen=True)
class Scenario:
    """One task and what its context has to tell."""

    name: str
    data: dict[str, Any]

    @property
    def task_id(self) -> str:
        """The id of its task."""
        return f"task_{self.name}"

    @property
    def must(self) -> dict[str, str]:
        """The facts, by signal."""
        return {str(key): str(value) for key, value in self.data["must"].items()}

    @property
    def wanted(self) -> list[str]:
        """What tells its dead ends and decisions apart from others in a context."""
        ends = [str(one["solution"]) for one in self.data["dead_ends"]]
        return [*ends, *(str(one["title"]) for one in self.data["decisions"])]

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the task, its dead ends and decisions, and the links of the first ones."""
        data = self.data
        yield _owned("task", self.task_id) | {
            "title": data["title"],
            "objective": data["objective"],
            "constraints": data["constraints"],
            "writeScope": data["write_scope"],
            "nextActions": data["next_actions"],
            "status": data["status"],
            "branch": data["branch"],
            "verification": {**data["verification"], "evidence": []},
        }
        for at, one in enumerate(data["dead_ends"]):
            said = {"solution": one["solution"], "reason": one["reason"]}
            ended = {"result": "it did not work", "resultClass": "failed"}
            yield _owned("attempt", f"attempt_{self.name}-{at}") | said | ended
        for at, one in enumerate(data["decisions"]):
            said = {"title": one["title"], "goal": one["goal"], "status": "executed"}
            chosen = {"chosen": one["title"], "confidence": {"current": 0.7}}
            yield _owned("decision", f"decision_{self.name}-{at}") | said | chosen
        for kind in ("attempt", "decision"):
            yield _owned("relation", f"relation_{kind}-of-{self.name}") | {
                "from": f"{kind}_{self.name}-0",
                "to": self.task_id,
                "relation": "of_task",
            }


def _owned(kind: str, record_id: str) -> dict[str, Any]:
    """Return what every record begins with."""
    return {"kind": kind, "id": record_id, "project": PROJECT, "createdAt": _AT}


def scenarios() -> list[Scenario]:
    """Return every scenario of the fixtures."""
    return [
        Scenario(file.stem, tomllib.loads(file.read_text(encoding="utf-8")))
        for file in sorted(FOLDER.glob("*.toml"))
    ]


def lay_out(library: Library, scenario: Scenario, root: Path) -> Caller:
    """Make the checkout and the records of a scenario; return who continues it."""
    caller = Caller(PROJECT, "server", directory=root)
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    import_lines(library, map(json.dumps, scenario.records()))
    checkpoint = {"summary": scenario.data["checkpoint"], "taskId": scenario.task_id}
    invoke(library, "checkpoint", checkpoint, caller)
    changed = scenario.data["changed_source"]
    if changed:
        file = root / changed
        file.parent.mkdir(parents=True)
        file.write_text("first\n", encoding="utf-8")
        source = {"path": changed, "summary": "what it said", "taskId": scenario.task_id}
        invoke(library, "record_source", source, caller)
        file.write_text("second version\n", encoding="utf-8")
    return caller


def text_of(library: Library, scenario: Scenario, caller: Caller, budget: int) -> str:
    """Return the context of a scenario's task."""
    asked = {"taskId": scenario.task_id, "budget": budget}
    return str(invoke(library, "load_context", asked, caller)["text"])
