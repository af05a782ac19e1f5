"""Import and export through files and pipes, and the demo."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]


def _records(text: str) -> list[dict[str, object]]:
    """Return the records of an export."""
    return [json.loads(line) for line in text.splitlines()]


def test_a_store_goes_through_a_pipe_unchanged(
    shell: Shell, fixtures: Path, tmp_path: Path
) -> None:
    """Exported, imported elsewhere, exported again: the same lines."""
    languages = (fixtures / "languages" / "records.jsonl").read_text(encoding="utf-8")
    shell("import", "-", stdin=languages)
    first = shell("export").stdout
    elsewhere = ("--home", str(tmp_path / "other"))
    shell(*elsewhere, "import", "-", stdin=first)

    assert first == shell(*elsewhere, "export").stdout
    assert len(languages.splitlines()) == len(first.splitlines())


def test_a_second_import_changes_nothing(cli: Cli, filled: Path) -> None:
    """Known lines are counted and left."""
    before = json.loads(cli("--json", "stats").output)
    again = json.loads(cli("--json", "import", str(filled)).output)
    after = json.loads(cli("--json", "stats").output)

    assert (0, 12) == (again["imported"], again["unchanged"])
    assert before["journal"] == after["journal"]


def test_an_export_can_be_of_one_project(cli: Cli, filled: Path) -> None:
    """The project of the session, or of the option."""
    del filled
    one = cli("export", "--project", "acme/web-shop")
    everything = cli("export", "--project", "acme/web-shop", "--all-projects")

    assert {"acme/web-shop"} == {r["project"] for r in _records(one.stdout)}
    assert (2, 12) == (len(_records(one.stdout)), len(_records(everything.stdout)))
    assert "2 records exported" in one.stderr


def test_an_export_to_a_file_says_how_much(cli: Cli, filled: Path, tmp_path: Path) -> None:
    """The file holds one record a line, in UTF-8."""
    del filled
    file = tmp_path / "out.jsonl"
    result = cli("export", str(file))

    assert "12 records exported" in result.stderr
    assert 12 == len(_records(file.read_text(encoding="utf-8")))


def test_a_bad_line_is_named_and_nothing_is_stored(shell: Shell) -> None:
    """All or nothing."""
    good = '{"kind": "fact", "key": "k", "value": 1}'
    done = shell("import", "-", stdin=f'{good}\n{{"kind": "fact"}}\n')

    assert 2 == done.returncode
    assert "line 2" in done.stderr
    assert 0 == json.loads(shell("--json", "stats").stdout)["records"]


def test_records_without_a_project_go_to_the_one_named(cli: Cli) -> None:
    """Else to default."""
    line = '{"kind": "fact", "id": "%s", "key": "k", "value": 1}'
    cli("import", "-", "--project", "acme/x", stdin=line % "f1")
    cli("import", "-", stdin=line % "f2")

    found = {r["id"]: r["project"] for r in _records(cli("export").stdout)}
    assert {"f1": "acme/x", "f2": "default"} == found


def test_two_thousand_records_are_imported_and_found(cli: Cli, tmp_path: Path) -> None:
    """The index is up to date when the command ends."""
    file = tmp_path / "many.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "kind": "attempt",
                    "id": f"attempt_{number}",
                    "project": "acme/many",
                    "solution": f"Tried variant number{number} of the parser",
                    "result": f"It failed in step {number % 7}",
                }
            )
            + "\n"
            for number in range(2_000)
        ),
        encoding="utf-8",
    )
    result = cli("--json", "import", str(file))
    found = cli("--json", "--project", "acme/many", "search", "number1234")

    assert {"attempt": 2_000} == json.loads(result.output)["counts"]
    assert ["attempt_1234"] == [
        item["record"]["id"] for item in json.loads(found.output)["items"]
    ]


def test_the_demo_shows_every_part_and_leaves_the_home_alone(
    shell: Shell, tmp_path: Path
) -> None:
    """An attempt, a search and a context over the real server, and how to add it."""
    done = shell("demo")

    assert (0, "") == (done.returncode, done.stderr)
    for part in (
        "temporary home with 12 records",
        "== shadowgraph_record_attempt",
        "Tried before:",
        "== shadowgraph_search",
        "FAILED",
        "why:",
        "where:",
        "match:",
        "== shadowgraph_context",
        "Failed attempts to avoid",
        "claude mcp add shadowgraph",
        '"mcpServers"',
    ):
        assert part in done.stdout
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", ["import", "export"])
def test_a_directory_in_place_of_a_file_is_a_mistake(
    command: str, shell: Shell, tmp_path: Path
) -> None:
    """It ends with two and a sentence."""
    done = shell(command, str(tmp_path))

    assert 2 == done.returncode
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_utf8_is_a_mistake(shell: Shell, tmp_path: Path) -> None:
    """A sentence, not a traceback, and nothing is stored."""
    file = tmp_path / "latin.jsonl"
    file.write_bytes('{"kind": "fact", "key": "grün", "value": 1}\n'.encode("latin-1"))
    done = shell("import", str(file))

    assert "line 1: the line is not UTF-8" in done.stderr
    assert 2 == done.returncode
    assert 0 == json.loads(shell("--json", "stats").stdout)["records"]


def test_texts_of_another_tool_go_to_the_project_of_the_session(
    cli: Cli, fixtures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They name none; an option stands above it."""
    memory = str(fixtures / "foreign" / "memory.json")
    monkeypatch.setenv("SHADOWGRAPH_PROJECT", "acme/session")
    cli("import", memory)
    cli("import", memory, "--project", "acme/named")

    owners = [
        record["project"] for record in _records(cli("export", "--all-projects").stdout)
    ]
    assert {"acme/session": 6, "acme/named": 6} == {
        name: owners.count(name) for name in owners
    }


def test_a_form_is_said_or_read_from_the_content(cli: Cli, fixtures: Path) -> None:
    """From standard input, too."""
    text = (fixtures / "foreign" / "adr" / "0002-sign-webhooks.md").read_text("utf-8")
    read = json.loads(cli("--json", "import", "-", stdin=text).output)
    said = json.loads(
        cli("--json", "import", "-", "--from", "basic-memory", stdin=text).output
    )

    assert ({"decision": 1}, {"memory": 1}) == (read["counts"], said["counts"])


def test_a_dry_run_of_a_directory_stores_nothing(cli: Cli, fixtures: Path) -> None:
    """And reports the same."""
    call = ("--json", "import", str(fixtures / "foreign" / "adr"))
    dry = json.loads(cli(*call, "--dry-run").output)

    assert 0 == json.loads(cli("--json", "stats").output)["records"]
    assert {**json.loads(cli(*call).output), "dryRun": True} == dry


def test_a_credential_in_a_text_of_another_tool_is_masked(cli: Cli, tmp_path: Path) -> None:
    """In the fields and in the text that is kept."""
    text = "# A\n## Status\nAccepted\n## Decision\nexport DB_PASSWORD=s3same9xQ7\n"
    (tmp_path / "0001-a.md").write_text(text, encoding="utf-8")
    report = json.loads(cli("--json", "import", "0001-a.md").output)

    assert report["masked"]
    assert "s3same9xQ7" not in cli("export", "--all-projects").stdout
