"""Exit statuses, error texts, and what a process loads: real processes throughout."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Shell = Callable[..., subprocess.CompletedProcess[str]]


def test_a_sound_command_ends_with_zero(shell: Shell) -> None:
    """And prints its errors nowhere."""
    done = shell("projects")

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "attempt_none"], "attempt_none"),
        (["search", "--limit", "0"], "limit"),
        (["call", "shadowgraph_serach"], "shadowgraph_search"),
        (["call", "search", "qeury=x"], "query"),
        (["move", "decision_x", "planned"], "project"),
        (["import", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["record", "attempt", "--solution", " ", "--result", "r"], "solution"),
        (["--project", " ", "search", "x"], "project"),
        (["serve", "--tools", "cores"], "core"),
    ],
)
def test_a_mistake_of_the_caller_ends_with_two(
    arguments: list[str], told: str, shell: Shell
) -> None:
    """The message goes to stderr and names what to change."""
    done = shell(*arguments)

    assert (2, "") == (done.returncode, done.stdout)
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["serach", "x"], ["search", "--limt", "3"], ["record"]]
)
def test_a_misspelt_command_or_option_ends_with_two(
    arguments: list[str], shell: Shell
) -> None:
    """As command lines do."""
    assert 2 == shell(*arguments).returncode


def test_a_misspelt_command_is_answered_with_the_nearest(shell: Shell) -> None:
    """One keystroke from the right one."""
    assert "Did you mean 'search'?" in shell("serach", "x").stderr


def test_a_home_that_is_a_file_ends_with_three(shell: Shell, tmp_path: Path) -> None:
    """Somebody has to name another; the file is left alone."""
    file = tmp_path / "in-the-way"
    file.write_text("keep me", encoding="utf-8")

    done = shell("--home", str(file), "search", "x")
    below = shell("--home", str(file / "deeper"), "search", "x")

    assert (3, 3) == (done.returncode, below.returncode)
    assert "--home" in done.stderr
    assert "keep me" == file.read_text(encoding="utf-8")


def test_a_home_from_a_newer_version_ends_with_three(shell: Shell, tmp_path: Path) -> None:
    """It is refused and left as it is."""
    shell("record", "fact", "--key", "k", "--value", "1")
    store = tmp_path / "home" / "graph.db"
    with sqlite3.connect(store) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {version + 1000}")
        columns = len(connection.execute("PRAGMA table_info(migration)").fetchall())
        connection.execute(
            f"INSERT INTO migration VALUES ({', '.join(['9999'] * columns)})"
        )
    connection.close()

    done = shell("search", "x")

    assert 3 == done.returncode
    assert "Upgrade shadowgraph" in done.stderr


def test_a_damaged_store_ends_with_four(shell: Shell, tmp_path: Path) -> None:
    """It is refused and not overwritten."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "graph.db").write_bytes(b"this is no database" * 500)

    done = shell("search", "x")

    assert 4 == done.returncode
    assert b"this is no database" * 500 == (home / "graph.db").read_bytes()


def test_a_doctor_with_findings_ends_with_four(shell: Shell, tmp_path: Path) -> None:
    """A script can act on it."""
    shell("record", "fact", "--key", "k", "--value", "1")
    with sqlite3.connect(tmp_path / "home" / "graph.db") as connection:
        connection.execute("DROP TRIGGER IF EXISTS journal_no_update")
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE journal SET at = '2001-01-01T00:00:00.000Z'")
    connection.close()

    done = shell("doctor")

    assert 4 == done.returncode
    assert "BAD" in done.stdout


def test_a_doctor_makes_no_home_and_calls_none_sound(shell: Shell, tmp_path: Path) -> None:
    """A mistyped home is named, and nothing is made there."""
    done = shell("doctor")

    assert 0 == done.returncode
    assert f"{tmp_path / 'home'} holds no graph.db" in done.stdout
    assert "SHADOWGRAPH_HOME" in done.stdout
    assert "SQLite finds no fault" not in done.stdout
    assert not (tmp_path / "home").exists()


def test_a_doctor_tells_of_failed_hooks_without_a_store(
    shell: Shell, tmp_path: Path
) -> None:
    """Hooks fail open, and may have failed before anything was stored."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "hooks.log").write_text("a hook failed\n", encoding="utf-8")

    done = shell("doctor")

    assert "failures noted: 1, the last one: a hook failed" in done.stdout
    assert not (tmp_path / "home" / "graph.db").exists()


def test_a_doctor_misses_the_store_of_an_index(shell: Shell, tmp_path: Path) -> None:
    """Somebody took the file away: that is no new home."""
    shell("record", "fact", "--key", "k", "--value", "1")
    for file in (tmp_path / "home").glob("graph.db*"):
        file.unlink()

    done = shell("--json", "doctor")

    told = json.loads(done.stdout)
    assert (4, False) == (done.returncode, told["ok"])
    assert "an index but no graph.db" in told["checks"][0]["detail"]
    assert not (tmp_path / "home" / "graph.db").exists()


def test_an_error_as_json_has_code_message_and_hint(shell: Shell) -> None:
    """On stdout, where a script that asked for JSON reads."""
    done = shell("call", "search", "qeury=x", "--json")

    error = json.loads(done.stdout)["error"]
    assert (2, "unknown-argument") == (done.returncode, error["code"])
    assert "query" in error["hint"]
    assert "qeury" == error["details"]["argument"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "x"],
        ["record", "fact", "--key", "k", "--value", "1"],
        ["context"],
        ["--help"],
    ],
)
def test_no_command_but_serve_loads_the_protocol(
    arguments: list[str], tmp_path: Path
) -> None:
    """It costs a second that a shell would feel each time."""
    program = (
        "import sys\n"
        "from shadowgraph.cli.main import run\n"
        "try:\n"
        f"    run({arguments!r})\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "loaded = [n for n in sys.modules if n.split('.')[0] in ('mcp', 'mcp_types')]\n"
        "sys.exit(', '.join(loaded) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("name", ["LC_ALL", "PYTHONIOENCODING"])
def test_output_is_utf8_in_every_surrounding(name: str, shell: Shell) -> None:
    """Under the C locale and on platforms with another default."""
    text = "naïve 漢字 → ✓"
    value = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}[name]
    surroundings = {name: value, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    shell(
        "record", "attempt", "--solution", "-", "--result", "r", stdin=text, **surroundings
    )

    done = shell("search", "漢字", **surroundings)
    assert (0, "") == (done.returncode, done.stderr)
    assert text in done.stdout


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, shell: Shell) -> None:
    """`shadowgraph export | head` ends quietly."""
    lines = "\n".join(
        json.dumps({"kind": "fact", "id": f"f{n}", "key": f"k{n}", "value": "x" * 500})
        for n in range(2_000)
    )
    assert 0 == shell("import", "-", stdin=lines).returncode

    with subprocess.Popen(
        [sys.executable, "-m", "shadowgraph", "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        told = process.stderr.read()
        status = process.wait(timeout=60)

    assert b"Traceback" not in told
    assert 0 == status


def test_the_installed_script_runs(tmp_path: Path) -> None:
    """The name that clients are told to start."""
    script = Path(sys.executable).with_name("shadowgraph")
    if not script.exists():
        pytest.skip("the package is not installed with its script")
    done = subprocess.run(
        [script, "--version"], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert 0 == done.returncode
    assert done.stdout.startswith("shadowgraph, version ")
