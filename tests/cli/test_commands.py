"""Every command: what it takes, what it prints, and the same as JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from shadowgraph.cli.main import COMMANDS, main
from shadowgraph.operations import REGISTRY
from shadowgraph.version import __version__

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")
# One working call of each command on the twelve records.
CALLS: dict[str, list[str]] = {
    "record attempt": ["--solution", "s", "--result", "r"],
    "record decision": ["--title", "t", "--chosen", "c"],
    "record fact": ["--key", "k", "--value", "3"],
    "record outcome": [
        "--decision-id", "decision_ledger-in-sqlite", "--outcome", '{"status": "mixed"}',
    ],
    "search": ["database", "is", "locked"],
    "context": ["let two hosts write the ledger"],
    "show": ["attempt_ledger-on-nfs", "fact_postgres-version"],
    "graph": ["decision_ledger-in-sqlite"],
    "log": ["attempt_ledger-on-nfs"],
    "move": ["decision_ledger-in-sqlite", "reconsidered"],
    "call": ["shadowgraph_search", '{"query": "ledger"}'],
    "projects": [],
    "stats": [],
    "reindex": [],
    "doctor": [],
    "backup": ["x.backup"],
    "purge": ["acme/web-shop", "--yes"],
    "compact": ["--before", "2026-01-01", "--yes"],
    "journal": ["attempt_ledger-on-nfs"],
    "task start": ["Move it"],
    "task list": [],
    "evidence add": ["42 passed"],
    "resume": ["--preset", "quick"],
    "source status": [],
    "token": [],
    "install": ["cursor", "--yes"],
    "uninstall": ["--yes"],
}  # fmt: skip
WITHOUT_JSON_REPLY = {
    *("serve", "export", "import", "demo", "restore", "run", "bundle", "hook", "captures"),
    "completion",
}


def _call(command: str) -> list[str]:
    """Return the words of a command's working call."""
    return [*command.split(), *CALLS[command]]


def test_every_command_is_called_below() -> None:
    """A new command has to be added to the table."""
    named = {command.split()[0] for command in CALLS} | WITHOUT_JSON_REPLY

    assert set(COMMANDS) == named


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, cli: Cli) -> None:
    """Help names the command and says what it does."""
    result = cli(name, "--help")

    assert 0 == result.exit_code
    assert f"main {name}" in result.output
    assert len(result.output.splitlines()) >= 5


def test_the_help_lists_every_command(cli: Cli) -> None:
    """In the order of the table."""
    listed = [
        line.split()[0]
        for line in cli("--help").output.partition("Commands:\n")[2].splitlines()
        if line.startswith("  ") and not line.startswith("   ")
    ]

    assert list(COMMANDS) == listed


def test_the_version_is_the_packages(cli: Cli) -> None:
    """One number, from one place."""
    assert f"shadowgraph, version {__version__}\n" == cli("--version").output


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.usefixtures("filled")
def test_every_command_prints_text_for_people(command: str, cli: Cli) -> None:
    """Nothing of JSON, and an exit status of zero."""
    result = cli(*PROJECT, *_call(command))

    assert 0 == result.exit_code, result.output
    if command != "call":
        assert not result.output.lstrip().startswith("{")


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.usefixtures("filled")
def test_json_may_stand_before_the_command(command: str, cli: Cli) -> None:
    """One JSON object and nothing else."""
    result = cli("--json", *PROJECT, *_call(command))

    assert 0 == result.exit_code, result.output
    assert isinstance(json.loads(result.output), dict)


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.usefixtures("filled")
def test_json_and_project_may_stand_after_the_command(command: str, cli: Cli) -> None:
    """People append options to the line they have just run."""
    result = cli(*_call(command), "--json", *PROJECT)

    assert 0 == result.exit_code, result.output
    assert isinstance(json.loads(result.output), dict)


def test_the_home_may_stand_before_or_after_the_command(cli: Cli, tmp_path: Path) -> None:
    """The one after the command wins."""
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    cli("--home", one, "record", "fact", "--key", "k", "--value", "1")
    cli("--home", one, "record", "fact", "--key", "k", "--value", "2", "--home", two)

    figures = [json.loads(cli("--json", "--home", h, "stats").output) for h in (one, two)]
    assert [(one, 1), (two, 1)] == [(f["home"], f["records"]) for f in figures]


@pytest.mark.usefixtures("filled")
def test_a_search_prints_the_best_first_with_its_reason(cli: Cli) -> None:
    """A person sees the result class, why it failed and where."""
    lines = cli(*PROJECT, "search", "database is locked").output.splitlines()

    assert lines[0].startswith("  1  FAILED")
    assert any(line.startswith("     why:") for line in lines)
    assert any(line.startswith("     where:   SQLite 3.45") for line in lines)
    assert any("attempt_ledger-on-nfs  acme/billing-api" in line for line in lines)


@pytest.mark.usefixtures("filled")
def test_a_search_that_finds_nothing_says_so_and_ends_well(cli: Cli) -> None:
    """Finding nothing is an answer."""
    result = cli(*PROJECT, "search", "zebrafish")

    assert 0 == result.exit_code
    assert "0 found in acme/billing-api" in result.output
    assert "10 records in scope" in result.output


@pytest.mark.usefixtures("filled")
def test_flags_filter_a_search(cli: Cli) -> None:
    """They are named after the arguments of the operation."""
    result = cli(
        *PROJECT, "--json", "search", "--kind", "ATTEMPT", "--result-class", "succeeded",
        "--limit", "1", "--explain",
    )  # fmt: skip
    reply = json.loads(result.output)

    assert (1, 2) == (len(reply["items"]), reply["page"]["total"])
    assert "explanation" in reply["items"][0]


@pytest.mark.parametrize(
    ("command", "operation"),
    [
        ("record attempt", "shadowgraph_record_attempt"),
        ("record decision", "shadowgraph_record_decision"),
        ("record fact", "shadowgraph_record_fact"),
        ("record outcome", "shadowgraph_record_outcome"),
        ("search", "shadowgraph_search"),
        ("context", "shadowgraph_context"),
    ],
)
def test_a_command_has_a_flag_for_every_argument(command: str, operation: str) -> None:
    """The command line cannot do less than a client."""
    found: Any = main
    for name in command.split():
        found = found.get_command(click.Context(found), name)
    names = {parameter.name for parameter in found.params}
    wire = {
        field.alias or name
        for name, field in REGISTRY[operation].request.model_fields.items()
    }

    assert wire <= names


def test_a_list_is_given_by_repeating_its_flag(cli: Cli) -> None:
    """Objects as JSON, texts as they are."""
    result = cli(
        "--json", "record", "decision", "--title", "t", "--chosen", "c",
        "--assumptions", "one writer", "--assumptions", "one host",
        "--alternatives", '{"label": "B", "reopenWhen": ["disk.removed"]}',
        "--alternatives", "C",
    )  # fmt: skip
    reply = json.loads(result.output)

    assert ["one writer", "one host"] == reply["assumptions"]
    assert ["B", "C"] == [one["label"] for one in reply["alternatives"]]


def test_a_dash_reads_standard_input(cli: Cli) -> None:
    """A log goes into a record through a pipe."""
    log = "Traceback:\n  boom ü\n"
    result = cli(
        "--json", "record", "attempt", "--solution", "s", "--result", "-", stdin=log
    )

    assert log == json.loads(result.output)["result"]


@pytest.mark.usefixtures("filled")
def test_a_dash_as_query_reads_standard_input(cli: Cli) -> None:
    """An error text is searched for without quoting it."""
    result = cli(
        *PROJECT, "--json", "search", "-",
        stdin='ERROR:  syntax error at or near "RETURNING"\n',
    )  # fmt: skip

    assert (
        "attempt_merge-returning" == json.loads(result.output)["items"][0]["record"]["id"]
    )


@pytest.mark.usefixtures("filled")
def test_a_call_reads_its_arguments_from_standard_input(cli: Cli) -> None:
    """One JSON object."""
    result = cli("call", "shadowgraph_get", "-", *PROJECT, stdin='{"ids": ["fact_gone"]}')
    found = cli("call", "get", "-", *PROJECT, stdin='{"ids": ["fact_postgres-version"]}')

    assert result.exit_code != 0
    assert "16.2" == json.loads(found.output)["items"][0]["value"]


@pytest.mark.usefixtures("filled")
def test_a_call_takes_pairs(cli: Cli) -> None:
    """The prefix of the name may be left out."""
    result = cli(*PROJECT, "call", "search", "query=ledger", "limit=2", "detail=ids")
    reply = json.loads(result.output)

    assert 2 == len(reply["items"])
    assert {"id", "kind"} == set(reply["items"][0]["record"])


def test_call_without_a_tool_lists_all_of_them(cli: Cli) -> None:
    """Name, title and toolset."""
    output = cli("call").output

    assert [] == [name for name in REGISTRY if name not in output]


def test_a_project_in_a_file_upward_is_used(cli: Cli, tmp_path: Path) -> None:
    """The project of the directory one works in."""
    (tmp_path / ".shadowgraph.toml").write_text('project = "acme/filed"', encoding="utf-8")

    reply = json.loads(cli("--json", "projects").output)
    assert ("acme/filed", "config") == (reply["current"], reply["source"])


@pytest.mark.usefixtures("filled")
def test_control_characters_in_records_are_made_visible(cli: Cli) -> None:
    """A record cannot colour or move what follows it."""
    evil = "red \x1b[31m bell \x07 back \x08 c1 \x9b31m bidi \u202e end"
    record = ("record", "attempt", "--solution", evil, "--result-class", "failed")
    cli(*record, "--result", evil, *PROJECT)

    for command in (
        ("search", "bell"),
        ("context", "bell"),
        (*record, "--result", "r"),
    ):
        output = cli(*command, *PROJECT).output
        assert "\\u001b[31m" in output, command
        assert not set(output) & set("\x1b\x07\x08\x9b\u202e"), command


@pytest.mark.usefixtures("filled")
def test_control_characters_in_a_project_name_are_made_visible(cli: Cli) -> None:
    """Names come from imports, too."""
    line = {"kind": "fact", "id": "f1", "key": "k", "value": 1, "project": "a\x9b31mb"}
    assert 0 == cli("import", "-", stdin=json.dumps(line)).exit_code

    for command in (("projects",), ("search", "--all-projects"), ("stats",)):
        assert "\x9b" not in cli(*command).output, command


@pytest.mark.usefixtures("filled")
def test_text_from_records_is_one_line(cli: Cli) -> None:
    """A result of many lines cannot imitate another hit."""
    cli(
        "record",
        "attempt",
        "--solution",
        "multi",
        "--result",
        "a\n  1  SUCCEEDED b",
        *PROJECT,
    )

    output = cli(*PROJECT, "search", "multi").output
    assert "a 1 SUCCEEDED b" in output


def test_a_masked_credential_is_told_and_the_switch_keeps_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an option before the command, and as a variable."""
    record = [*PROJECT, "record", "fact", "--key", "db.password", "--value", "s3same9x"]
    masked = cli(*record)
    kept = cli("--keep-secrets", "--json", *record)
    monkeypatch.setenv("SHADOWGRAPH_KEEP_SECRETS", "1")
    by_variable = cli("--json", *record)

    assert "Masked: 1 password." in masked.output
    assert "s3same9x" == json.loads(kept.output)["value"]
    assert "s3same9x" == json.loads(by_variable.output)["value"]
