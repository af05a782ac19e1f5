"""Moving a store of the upstream tool over, and back, at a shell."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.store.bodies import attempt

Cli = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]
STORES = Path(__file__).parents[2] / "fixtures" / "stores"


@pytest.mark.parametrize("name", ["data.json", "data.sqlite"])
def test_a_store_is_recognised_and_the_report_is_a_table(cli: Cli, name: str) -> None:
    """What came, where it went, what was mapped."""
    result = cli("import", str(STORES / "upstream-v4" / name))

    assert 0 == result.exit_code, result.output
    for part in (
        "schema 4: 13 items",
        "13 records imported (1 attempt, 1 decision, 1 fact, 7 kept, 1 memory",
        "Retry keys that go on counting: 1.",
        "acme/harbour",
        "mapped",
        "status active -> proposed",
        "decision_1770105600000_tides1",
    ):
        assert part in result.output


def test_the_report_is_json_when_asked(cli: Cli) -> None:
    """The same facts for a program."""
    result = cli("--json", "import", str(STORES / "upstream-v7" / "data.json"))
    report = json.loads(result.output)

    assert ("envelope", 7, 20, False) == (
        report["form"], report["fileSchema"], report["imported"], report["dryRun"],
    )  # fmt: skip
    assert {"acme/harbour": 15, "default": 4, "origin:origin-7": 1} == report["projects"]
    assert {"mapped", "kept"} == {note["sort"] for note in report["notes"]}


def test_a_dry_run_prints_the_report_alone(cli: Cli) -> None:
    """Nothing is stored, of a store or of lines."""
    result = cli("import", "--dry-run", str(STORES / "upstream-v5" / "data.json"))
    lines = cli("--json", "import", "--dry-run", "-", stdin=json.dumps(attempt("a_1")))

    assert "13 records would be imported" in result.output
    assert (1, True) == tuple(json.loads(lines.output)[n] for n in ("imported", "dryRun"))
    assert 0 == json.loads(cli("--json", "stats").output)["records"]


def test_a_conflict_ends_with_two_and_says_what_can_be_done(
    cli: Cli, shell: Shell, tmp_path: Path
) -> None:
    """The two ways out are flags, and both work."""
    made = json.loads((STORES / "upstream-v7" / "data.json").read_text(encoding="utf-8"))
    cli("import", str(STORES / "upstream-v7" / "data.json"))
    made["records"][1]["result"] = "It held"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(made), encoding="utf-8")

    refused = shell("import", str(changed))
    kept = json.loads(cli("--json", "import", "--keep", str(changed)).output)
    replaced = json.loads(cli("--json", "import", "--replace", str(changed)).output)

    assert 2 == refused.returncode
    assert "--keep" in refused.stderr
    assert (1, 1) == (kept["left"], replaced["replaced"])


def test_replacing_is_not_for_json_lines(shell: Shell) -> None:
    """It is said, not passed over."""
    done = shell("import", "--replace", "-", stdin=json.dumps(attempt("a_1")))

    assert 2 == done.returncode
    assert "JSON Lines" in done.stderr


def test_a_store_goes_out_as_an_envelope_and_comes_in_again(
    cli: Cli, tmp_path: Path
) -> None:
    """Into another home, through a file: the same lines."""
    cli("import", str(STORES / "upstream-v6" / "data.sqlite"))
    file = tmp_path / "out.json"
    told = cli("export", "--format", "envelope", str(file))
    other = ("--home", str(tmp_path / "other"))
    cli(*other, "import", str(file))

    assert "14 records exported" in told.stderr
    assert file.read_text(encoding="utf-8").endswith("}\n")
    lines = cli("export").stdout.splitlines()
    assert sorted(lines) == sorted(cli(*other, "export").stdout.splitlines())


def test_an_envelope_can_go_through_a_pipe(shell: Shell, tmp_path: Path) -> None:
    """Standard output and standard input, without a name."""
    shell("import", str(STORES / "upstream-v7" / "data.json"))
    text = shell("export", "--format", "envelope").stdout
    done = shell("--home", str(tmp_path / "other"), "import", "-", stdin=text)

    assert (0, "") == (done.returncode, done.stderr)
    assert "envelope, schema 7" in done.stdout


def test_sqlite_cannot_come_through_a_pipe(cli: Cli) -> None:
    """The message asks for the path."""
    result = cli("import", "-", stdin="SQLite format 3\x00")

    assert "Give the path" in result.exception.hint  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ('{\n"schemaVersion": 8, "records": []}', 3, "Upgrade shadowgraph"),
        ('{\n"records": [', 2, "not whole JSON"),
        ("PNG", 2, "Accepted are"),
    ],
)
def test_a_file_that_cannot_be_imported_ends_with_a_sentence(
    shell: Shell, text: str, status: int, said: str
) -> None:
    """And with the status of who can act."""
    done = shell("import", "-", stdin=text)

    assert status == done.returncode
    assert said in done.stderr
    assert "Traceback" not in done.stderr
