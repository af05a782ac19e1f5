"""How well hooks tell what matters: figures on judged sets, pinned.

A third of either set is held out: it was written before anything was tuned.
"""

import json
from pathlib import Path

import pytest
from tests.captures import SETS, measured

from shadowgraph import Library
from shadowgraph.clock import system_clock
from shadowgraph.exchange import import_lines
from shadowgraph.hosts.deciding import Desk
from shadowgraph.hosts.event import Event
from shadowgraph.model.scope import Scope


@pytest.fixture(scope="module")
def notes_home(tmp_path_factory: pytest.TempPathFactory, fixtures: Path) -> Path:
    """Return a home with every record of fixtures/notes."""
    home = tmp_path_factory.mktemp("notes")
    with Library(home) as library:
        for file in sorted((fixtures / "notes").glob("*.jsonl")):
            import_lines(library, file.read_text(encoding="utf-8").splitlines())
        library.sync.catch_up()
    return home


@pytest.mark.parametrize("name", SETS)
def test_what_is_captured_is_worth_keeping(name: str) -> None:
    """Precision first: noise in a memory is worse than a gap."""
    found = measured(name)

    assert found.precision >= 0.9, found.wrong
    assert found.recall >= 0.8, found.wrong


def test_the_sets_are_large_enough(fixtures: Path) -> None:
    """At least 150 events, a third of them held out."""
    counts = {
        file.stem: len(file.read_text(encoding="utf-8").splitlines())
        for file in (fixtures / "hooks" / "events").glob("*.jsonl")
    }

    assert sum(counts.values()) >= 150
    assert counts["held-out"] * 3 >= counts["tuned"] + counts["held-out"]


@pytest.mark.parametrize("name", ["tuned", "held-out"])
def test_prompts_are_told_of_what_concerns_them(
    name: str, notes_home: Path, fixtures: Path
) -> None:
    """Nothing for an unrelated prompt, something for nearly every related one."""
    text = (fixtures / "hooks" / "prompts" / f"{name}.jsonl").read_text(encoding="utf-8")
    judged = [json.loads(line) for line in text.splitlines()]
    told = {True: 0, False: 0}
    for one in judged:
        desk = Desk(notes_home, Scope(one["project"]), clock=system_clock)
        event = Event("user-prompt", "claude-code", prompt=one["prompt"])
        told[one["relevant"]] += bool(desk.answer(event).context)

    assert 0 == told[False]
    assert told[True] >= 0.9 * sum(one["relevant"] for one in judged)
