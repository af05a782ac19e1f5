"""`install` and `uninstall` at a shell: what is shown, asked, written and refused."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import Result

Cli = Callable[..., Result]
Shell = Callable[..., CompletedProcess[str]]


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Return the home directory of the tests, made."""
    (tmp_path / "user").mkdir()
    return tmp_path / "user"


def test_the_change_is_shown_before_it_is_written(cli: Cli, user: Path) -> None:
    """As a difference, with what happened to each file behind it."""
    (user / ".claude.json").write_text('{\n  "theme": "dark"\n}\n')
    lines = cli("install", "claude-code", "--yes").output.splitlines()

    assert '+    "shadowgraph": {' in lines[:-2]
    assert f"changed  {user / '.claude.json'}" == lines[-2]
    assert lines[-1].startswith("See that it works in Claude Code: ")


def test_a_dry_run_shows_the_same_and_writes_nothing(cli: Cli, user: Path) -> None:
    """Not even a directory."""
    result = cli("install", "gemini", "--hooks", "--dry-run")

    assert 0 == result.exit_code
    assert f"would be created  {user / '.gemini' / 'settings.json'}" in result.output
    assert [] == list(user.iterdir())


def test_without_a_terminal_nothing_is_written_unasked(cli: Cli, user: Path) -> None:
    """The message names the flag that a script passes."""
    result = cli("install", "cursor")

    assert 0 != result.exit_code
    assert "no terminal to ask on" in str(result.exception)
    assert [] == list(user.iterdir())


def test_a_second_install_says_that_nothing_changes(cli: Cli) -> None:
    """And asks nothing."""
    cli("install", "codex", "--yes")
    result = cli("install", "codex")

    assert 0 == result.exit_code
    assert "Nothing to change: already installed." in result.output


def test_uninstall_finds_every_host_and_scope(cli: Cli, user: Path, tmp_path: Path) -> None:
    """Nothing has to be named again; afterwards there is nothing of ours."""
    before = sorted(tmp_path.rglob("*"))
    cli("install", "claude-code", "zed", "--yes")
    cli("install", "claude-code", "--scope", "project", "--hooks", "--yes")
    assert (tmp_path / ".mcp.json").exists()
    result = cli("uninstall", "--yes")

    assert 4 == result.output.count("removed  ")
    assert before == sorted(tmp_path.rglob("*"))
    assert user.is_dir()
    assert "already uninstalled" in cli("uninstall").output


def test_uninstall_of_hooks_leaves_the_server(cli: Cli, user: Path) -> None:
    """Its file is not touched; a host without hooks is refused by name."""
    cli("install", "claude-code", "--hooks", "--yes")
    server = (user / ".claude.json").read_bytes()
    result = cli("uninstall", "claude-code", "--hooks", "--yes")

    assert f"removed  {user / '.claude' / 'settings.json'}" in result.output
    assert server == (user / ".claude.json").read_bytes()
    assert "Zed has no hooks" in str(cli("uninstall", "zed", "--hooks").exception)


def test_home_and_project_become_part_of_the_command(cli: Cli, user: Path) -> None:
    """Before or after the name of the command."""
    cli("--project", "acme/shop", "install", "cursor", "--home", "memory", "--yes")
    entry = json.loads((user / ".cursor" / "mcp.json").read_text())["mcpServers"]
    args = entry["shadowgraph"]["args"]

    options = ["--home", str(Path("memory").absolute()), "--project", "acme/shop", "serve"]
    assert options == args[-5:]


def test_a_home_that_only_the_environment_names_is_spoken_of(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that is started from a desktop has another environment."""
    arguments = ("install", "zed", "--dry-run")

    told = "SHADOWGRAPH_HOME is set here"
    assert told in cli(*arguments).stderr
    assert told not in cli("--home", "x", *arguments).stderr
    monkeypatch.delenv("SHADOWGRAPH_HOME")
    assert told not in cli(*arguments).stderr


def test_the_command_that_is_written_runs(cli: Cli, shell: Shell, user: Path) -> None:
    """The module with this Python, started here as a host would."""
    shell("install", "cursor", "--yes")
    entry = json.loads((user / ".cursor" / "mcp.json").read_text())["mcpServers"]

    command = [entry["shadowgraph"]["command"], *entry["shadowgraph"]["args"]]
    assert [sys.executable, "-m", "shadowgraph", "serve"] == command
    assert "cursor" in cli("doctor").output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["claude-desktop", "--scope", "project"], "reads no file of a project"),
        (["vscode", "--hooks"], "has no hooks"),
        ([], "No host was found here"),
    ],
)
@pytest.mark.usefixtures("user")
def test_what_a_host_does_not_have_is_refused(
    arguments: list[str], told: str, shell: Shell
) -> None:
    """With the status of a call that can be mended, and a next step."""
    done = shell("install", *arguments, "--yes")

    assert 2 == done.returncode
    assert told in done.stderr
    assert 2 == len(done.stderr.splitlines())


def test_json_says_the_change_of_each_file(cli: Cli) -> None:
    """For a script: host, file, what happens, and the difference."""
    reply = json.loads(cli("--json", "install", "codex", "--hooks", "--dry-run").output)

    assert not reply["written"]
    assert ["created", "created"] == [one["change"] for one in reply["changes"]]
    assert "[mcp_servers.shadowgraph]" in reply["changes"][0]["diff"]


def test_the_doctor_takes_its_own_home_for_nobody_elses(cli: Cli) -> None:
    """An entry without a home is current, whichever home is examined."""
    cli("install", "cursor", "--yes")

    assert 0 == cli("--home", "other", "doctor").exit_code


def test_outside_of_a_project_there_is_nothing_to_install_for_one(
    cli: Cli, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home directory is no project."""
    monkeypatch.chdir(user)

    result = cli("install", "cursor", "--scope", "project", "--yes")
    assert "belongs to no project" in str(result.exception)


def test_the_doctor_speaks_of_hosts_and_fails_with_them(cli: Cli, user: Path) -> None:
    """The status is the one of a store that is not sound."""
    cli("install", "cursor", "--yes")
    assert 0 == cli("doctor").exit_code
    path = user / ".cursor" / "mcp.json"
    path.write_text(path.read_text().replace(sys.executable, "/gone/python"))

    result = cli("--json", "doctor")
    assert 4 == result.exit_code
    [check] = [c for c in json.loads(result.output)["checks"] if c["name"] == "cursor"]
    assert not check["ok"]
    assert "/gone/python is not there" in check["detail"]
