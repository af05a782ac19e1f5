"""No command run for one project prints a word of another one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from shadowgraph import ShadowgraphError
from shadowgraph.cli.main import COMMANDS

Cli = Callable[..., Result]
HERE, THERE = "north/one", "south/two"
WORDS = ("quokka", "zymurgy", "wombat", "jackalope", "okapi", "narwhal", "axolotl")
"Words that stand in the other project alone: in ids, titles, texts, keys, values."
FOREIGN = {
    "attempt": "attempt_quokka",
    "decision": "decision_zymurgy",
    "fact": "fact_jackalope",
    "memory": "memory_narwhal",
    "task": "task_okapi",
    "relation": "relation_wombat",
}
NEAR = {kind: one[:-1] for kind, one in FOREIGN.items()}
"Ids that nobody has, each a letter away from one of the other project."
# Calls per command; an id in braces is tried as the foreign one and as the one beside it.
CALLS: dict[str, list[list[str]]] = {
    "record": [
        ["attempt", "--solution", "s", "--result", "r"],
        ["attempt", "--solution", "quokk tried", "--result", "failed"],
        ["outcome", "--decision-id", "{decision}", "--outcome", '{"status": "mixed"}'],
        ["fact", "--key", "shared.key", "--value", "1"],
        ["decision", "--title", "t", "--chosen", "c"],
    ],
    "search": [["shared", "words"], ["quokk"], ["okapy"], ["zymurgi", "--explain"], []],
    "context": [["shared words"], [], ["quokk"]],
    "show": [["{attempt}"], ["{fact}", "{memory}"], ["{task}"], ["{relation}"]],
    "graph": [["{decision}"], ["{attempt}"]],
    "log": [["{attempt}"], ["{decision}"]],
    "move": [["{decision}", "planned"], ["{attempt}", "planned"]],
    "call": [
        ["shadowgraph_get", "ids={attempt}"],
        ["shadowgraph_check", "action=quokk tried"],
        ["shadowgraph_recall", "query=shared words"],
        ["shadowgraph_traverse", "id={attempt}"],
        ["shadowgraph_link", "from={attempt}", "to={decision}", "relation=like"],
        ["shadowgraph_review", '{"changedFacts": ["jackalop"]}'],
        ["shadowgraph_validate"],
    ],
    "stats": [[]],
    "reindex": [[]],
    "doctor": [[]],
    "export": [[]],
    "journal": [[], ["{attempt}"], ["--type", "attempt.imported"]],
    "purge": [[HERE, "--yes"], [HERE, "--id", "{attempt}", "--yes"]],
    "compact": [["--before", "2026-01-01", "--yes"]],
    "task": [
        ["list"],
        ["status", "{task}"],
        ["switch", "{task}"],
        ["audit"],
        ["start", "Move it"],
    ],
    "evidence": [["add", "42 passed"], ["add", "x", "--task-id", "{task}"]],
    "resume": [[], ["--task", "{task}"]],
    "source": [["status"]],
    "run": [["--", "true"]],
    "bundle": [["export", "x.json", "--task-id", "{task}"]],
    "backup": [["x.backup"]],
}
WITHOUT = {
    "serve": "tests/operations/test_scope.py is about what it answers",
    "projects": "it is there to list them all; names and counts alone are held there",
    "import": "it reads a file",
    "restore": "it replaces every project",
    "demo": "it has a home of its own",
    "hook": "it answers a host about the project of a directory",
    "captures": "it is about what hooks caught of this session",
    "token": "it is about the access to a server",
    "install": "it is about the settings of hosts",
    "uninstall": "it is about the settings of hosts",
    "completion": "it prints a script",
}
LISTENED = [name for name in CALLS if name in COMMANDS]


def records() -> list[dict[str, Any]]:
    """Return the records of the other project, and one of this."""
    there = {"project": THERE}
    rule = {"key": "jackalope.size", "operator": "gte", "value": 1}
    return [
        {
            "kind": "attempt",
            "id": FOREIGN["attempt"],
            "solution": "quokka tried with shared words",
            "result": "axolotl failed",
            "environment": "okapi",
            "reusableWhen": [rule],
            **there,
        },
        {
            "kind": "decision",
            "id": FOREIGN["decision"],
            "title": "zymurgy",
            "chosen": "wombat",
            "reviewAfter": "2020-01-01T00:00:00Z",
            "confidence": {"current": 0.1},
            **there,
        },
        {
            "kind": "fact",
            "id": FOREIGN["fact"],
            "key": "jackalope",
            "value": "okapi",
            **there,
        },
        {
            "kind": "memory",
            "id": FOREIGN["memory"],
            "key": "narwhal",
            "text": "axolotl",
            **there,
        },
        {
            "kind": "task",
            "id": FOREIGN["task"],
            "title": "okapi",
            "status": "active",
            **there,
        },
        {
            "kind": "relation",
            "id": FOREIGN["relation"],
            "from": FOREIGN["attempt"],
            "to": FOREIGN["decision"],
            "relation": "led_to",
            **there,
        },
        {
            "kind": "attempt",
            "id": "attempt_here",
            "solution": "shared words of this project",
            "result": "fine",
            "project": HERE,
        },
    ]


@pytest.fixture
def two(cli: Cli, tmp_path: Path) -> None:
    """Fill a home with both projects."""
    file = tmp_path / "both.jsonl"
    file.write_text("\n".join(map(json.dumps, records())), encoding="utf-8")
    assert 0 == cli("import", str(file)).exit_code


def calls(command: str) -> list[list[str]]:
    """Return the calls of a command, with foreign ids and with ids beside them."""
    found: list[list[str]] = []
    for call in CALLS[command]:
        for ids in (FOREIGN, NEAR):
            words = [_with_ids(word, ids) for word in call]
            if words not in found:
                found.append(words)
    return found


def _with_ids(word: str, ids: dict[str, str]) -> str:
    """Put ids in the place of their kinds."""
    for kind, one in ids.items():
        word = word.replace(f"{{{kind}}}", one)
    return word


def printed(result: Result) -> str:
    """Return all that a command gave: an error of ours is printed by who called it."""
    error = result.exception
    if error is None or isinstance(error, SystemExit):
        return result.output
    assert isinstance(error, ShadowgraphError), error
    return f"{result.output}{error.text()}{json.dumps(dict(error.details))}"


def told(result: Result, said: list[str]) -> list[str]:
    """Return the words of the other project that a command gave and was not given."""
    text, given = printed(result).casefold(), " ".join(said).casefold()
    return [word for word in (*WORDS, THERE) if word in text and word not in given]


def test_every_command_is_listened_to() -> None:
    """A new command has to be added to the table, or to the exceptions with its reason."""
    assert not set(COMMANDS) - set(CALLS) - set(WITHOUT)
    assert not set(CALLS) & set(WITHOUT)


@pytest.mark.parametrize("mode", ["--json", "--no-color"])
@pytest.mark.parametrize("command", LISTENED)
@pytest.mark.usefixtures("two")
def test_no_command_prints_a_word_of_another_project(
    command: str, mode: str, cli: Cli
) -> None:
    """Neither in what it finds nor in suggestions, counts or refusals."""
    flags = ["--json"] if mode == "--json" else []
    for words in calls(command):
        result = cli(*flags, "--project", HERE, command, *words)

        assert [] == told(result, words), (words, printed(result))


@pytest.mark.parametrize(
    "command", [name for name in LISTENED if any("{" in str(one) for one in CALLS[name])]
)
@pytest.mark.usefixtures("two")
def test_a_foreign_id_reads_like_one_that_never_was(command: str, cli: Cli) -> None:
    """The same status and the same words but for the id itself."""
    for call in CALLS[command]:
        if not any("{" in word for word in call):
            continue
        answers = []
        for ids in (FOREIGN, {kind: f"{kind}_nobody" for kind in FOREIGN}):
            words = [_with_ids(word, ids) for word in call]
            result = cli("--project", HERE, command, *words)
            text = printed(result)
            for one in ids.values():
                text = text.replace(one, "ID")
            answers.append((result.exit_code, text))

        assert answers[0] == answers[1], call


@pytest.mark.usefixtures("two")
def test_the_words_can_be_heard_from_their_own_project(cli: Cli) -> None:
    """Otherwise the tests above could not fail."""
    assert told(cli("--project", THERE, "search", "shared"), [])
    assert told(cli("--json", "--project", THERE, "show", FOREIGN["decision"]), [])
    assert told(cli("--project", THERE, "context"), [])
