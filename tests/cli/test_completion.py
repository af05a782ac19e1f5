"""Completion in a shell: commands, ids and projects, quickly and without surprises."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from shadowgraph.cli.main import COMMANDS, main

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")


def _candidates(*words: str) -> list[str]:
    """Return what a shell would be offered for the last of *words*."""
    made = ShellComplete(main, {}, "shadowgraph", "_SHADOWGRAPH_COMPLETE")
    return [item.value for item in made.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.usefixtures("filled")
def test_ids_are_completed_from_the_store() -> None:
    """The newest first, for every command that takes one."""
    for command in ("show", "graph", "log", "journal"):
        assert {"attempt_ledger-on-nfs", "attempt_ledger-on-smb-macos"} == set(
            _candidates(command, "attempt_ledger")
        )
    assert 12 == len(_candidates("show", ""))


@pytest.mark.usefixtures("filled")
def test_ids_are_those_of_the_project_when_one_is_given() -> None:
    """Before the command or after it."""
    assert 2 == len(_candidates("--project", "acme/web-shop", "show", ""))
    assert 2 == len(_candidates("show", "--project", "acme/web-shop", ""))


@pytest.mark.usefixtures("filled")
def test_projects_are_completed() -> None:
    """As an option and as the argument of a purge."""
    both = {"acme/billing-api", "acme/web-shop"}

    assert both == set(_candidates("--project", "acme/"))
    assert both == set(_candidates("search", "--project", ""))
    assert ["acme/web-shop"] == _candidates("purge", "acme/w")


def test_commands_are_completed_without_loading_them() -> None:
    """In the order of the help."""
    program = (
        "import sys\n"
        "from click.shell_completion import ShellComplete\n"
        "from shadowgraph.cli.main import main\n"
        "made = ShellComplete(main, {}, 'shadowgraph', 'X')\n"
        "print([i.value for i in made.get_completions([], 're')])\n"
        "print('shadowgraph.cli.read' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    names = [name for name in COMMANDS if name.startswith("re")]

    assert f"{names}\nFalse\n" == done.stdout


def test_a_home_without_a_store_has_no_candidates_and_gets_none(tmp_path: Path) -> None:
    """Pressing a key makes no directory."""
    assert [] == _candidates("show", "")
    assert [] == _candidates("--home", str(tmp_path / "none"), "show", "a")
    assert not (tmp_path / "home").exists()
    assert not (tmp_path / "none").exists()


def test_a_damaged_store_gives_no_message(tmp_path: Path) -> None:
    """The line that is being typed stays as it is."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "graph.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)

    assert [] == _candidates("show", "")


@pytest.mark.parametrize(
    "name",
    ["$(reboot)", "`id`", "a;b", "--help", "a\x9bb", "a'b", 'a"b', "a|b", "a>b", "~x"],
)
def test_a_name_that_a_shell_would_run_is_no_candidate(cli: Cli, name: str) -> None:
    """Ids and project names come from imports."""
    fact = {"kind": "fact", "value": 1, "key": "k"}
    lines = [
        json.dumps({**fact, "id": name, "project": "p"}),
        json.dumps({**fact, "id": "fact_1", "project": name}),
    ]
    assert 0 == cli("import", "-", stdin="\n".join(lines)).exit_code

    assert ["fact_1"] == _candidates("show", "")
    assert ["p"] == _candidates("--project", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed_for_each_shell(cli: Cli, shell: str) -> None:
    """One that asks this program."""
    result = cli("completion", shell)

    assert 0 == result.exit_code
    assert f"_SHADOWGRAPH_COMPLETE={shell}_complete" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")
@pytest.mark.usefixtures("filled")
def test_bash_completes_an_id_with_the_script(tmp_path: Path) -> None:
    """The script is sourced and its function called as bash does."""
    program = tmp_path / "shadowgraph"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m shadowgraph "$@"\n', "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    script = (
        'eval "$(shadowgraph completion bash)"\n'
        "COMP_WORDS=(shadowgraph show attempt_ledger-on-n)\nCOMP_CWORD=2\n"
        'COMP_LINE="${COMP_WORDS[*]}"\nCOMP_POINT=${#COMP_LINE}\n'
        '_shadowgraph_completion shadowgraph\necho "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        check=False,
    )

    assert "attempt_ledger-on-nfs\n" == done.stdout, done.stderr
