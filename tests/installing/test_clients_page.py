"""docs/clients.md against what install does: every command is run, every block compared."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shadowgraph.cli.main import main
from shadowgraph.installing.hosts import HOSTS, Host, hooks_file, server_file
from shadowgraph.installing.places import Places

PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
EXECUTABLE = "/opt/shadowgraph/bin/shadowgraph"
each_host = pytest.mark.parametrize("host", HOSTS.values(), ids=lambda host: host.name)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty home of a user who started an executable, in an empty checkout."""
    for name in ("APPDATA", "XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("user", "checkout/.git", "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bin" / "shadowgraph").touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "shadowgraph")])
    # Where the page says it is.
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.chdir(tmp_path / "checkout")
    return tmp_path / "user"


def _commands(section: str) -> list[list[str]]:
    """Return the words of every command in a section, without `shadowgraph`."""
    blocks = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line.removeprefix("$ "), comments=True)[1:] for line in lines]


def _run(words: list[str]) -> None:
    """Run a command, saying yes where a person would be asked."""
    asks = {"install", "uninstall"} & set(words)
    result = CliRunner().invoke(main, [*words, *(["--yes"] if asks else [])])

    assert 0 == result.exit_code, result.output


def _blocks(section: str) -> dict[str, str]:
    """Return the blocks of a section by the file they are said to be in."""
    found = re.findall(r"`~/([^`]+)`:\n\n```\w+\n(.*?)```", section, re.DOTALL)
    return dict(found)


def _tree(user: Path) -> dict[str, str]:
    """Return the files of a home that are a host's, with the executable of the page."""
    own = str(user.parent / "bin" / "shadowgraph")
    files = [path for path in user.rglob("*") if path.is_file()]
    return {
        path.relative_to(user).as_posix(): path.read_text().replace(own, EXECUTABLE)
        for path in files
        if not path.name.endswith(".shadowgraph-made")
    }


@each_host
def test_a_section_shows_exactly_what_its_command_writes(host: Host, user: Path) -> None:
    """Each file, each character; afterwards everything is gone again."""
    section = SECTIONS[host.title]
    installing, undoing = _commands(section)
    _run(installing)

    assert ["install", host.name] == installing[:2]
    assert _blocks(section) == _tree(user)
    assert ("--hooks" in installing) == bool(host.events)
    _run(undoing)
    assert ["uninstall", host.name] == undoing
    assert [] == list(user.iterdir())


@each_host
def test_a_section_says_how_to_check(host: Host) -> None:
    """In the words that install prints."""
    assert f"Check: `shadowgraph doctor`; {host.check}." in SECTIONS[host.title]


def test_the_commands_of_the_page_can_be_run_one_after_the_other(user: Path) -> None:
    """They end with everything as it was."""
    (user / ".codex").mkdir()
    before = sorted(user.parent.glob("user/**/*")), sorted(Path.cwd().iterdir())
    for words in _commands(SECTIONS["What install does"]):
        _run(words)

    assert before == (sorted(user.parent.glob("user/**/*")), sorted(Path.cwd().iterdir()))


@each_host
def test_the_table_names_the_files_of_a_project(host: Host) -> None:
    """A dash where a host reads none."""
    places = Places(Path("/user"), Path("/project"), "linux")
    found = (find(host, "project", places) for find in (server_file, hooks_file))
    cells = [f"`{p.relative_to('/project').as_posix()}`" if p else "-" for p in found]

    assert f"\n| {host.name} | {' | '.join(cells)} |\n" in PAGE
