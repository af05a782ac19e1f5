"""The command that is written, and how it is known again."""

import shlex
import sys
from pathlib import Path

import pytest

from shadowgraph.installing.launch import Launch, hooks, launch_of, options_of, serves


def test_the_executable_that_runs_is_written_with_its_full_path(tmp_path: Path) -> None:
    """A host has another PATH and another directory."""
    started = tmp_path / "shadowgraph"
    started.touch()

    launch = launch_of(str(started), sys.executable, home=None, project=None, windows=False)
    assert {"command": str(started), "args": ["serve"]} == launch.server()


def test_without_an_executable_the_module_is_started() -> None:
    """With the Python that runs now."""
    launch = launch_of(
        "/x/__main__.py", sys.executable, home=None, project=None, windows=False
    )

    expected = {"command": sys.executable, "args": ["-m", "shadowgraph", "serve"]}
    assert expected == launch.server()


def test_home_and_project_are_written_when_they_are_named() -> None:
    """The home as a full path, whatever it was named by."""
    launch = launch_of(
        "", sys.executable, home="memory", project="acme/shop", windows=False
    )

    home = str(Path("memory").absolute())
    assert ("--home", home, "--project", "acme/shop") == launch.options


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("lead", [(), ("-m", "shadowgraph")])
def test_what_is_written_is_known_again(windows: bool, lead: tuple[str, ...]) -> None:
    """On each platform, with a space in every path."""
    name = "python.exe" if lead else "shadowgraph.exe"
    command = f"C:\\Program Files\\{name}" if windows else f"/opt/my apps/{name}"
    launch = Launch(command, lead, ("--project", "a b"), windows)
    line = launch.hook("pre-compact", "cursor")

    assert serves(launch.server())
    assert hooks(line, "pre-compact", "cursor")
    assert not hooks(line, "session-end")
    assert not hooks(line, "pre-compact", "codex")
    assert ("--project", "a b") == options_of(line, "hook")[0]


def test_a_hook_is_one_word_after_the_other_to_a_shell() -> None:
    """Nothing in a path is read as a sign of the shell."""
    launch = Launch("/a b/$(x)/shadowgraph", (), ("--project", "it's;"))

    words = ["/a b/$(x)/shadowgraph", "--project", "it's;"]
    expected = [*words, "hook", "pre-compact", "--host", "codex"]
    assert expected == shlex.split(launch.hook("pre-compact", "codex"))


def test_on_windows_a_hook_is_read_alike_by_both_shells() -> None:
    """No backslash, which one takes for an escape, and the command in quotes."""
    launch = Launch("C:\\Apps\\shadowgraph.exe", (), ("--home", "D:\\a b"), windows=True)

    expected = '"C:/Apps/shadowgraph.exe" --home "D:/a b" hook pre-compact --host codex'
    assert expected == launch.hook("pre-compact", "codex")


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "shadowgraph serve",
        {},
        {"command": "npx", "args": ["shadowgraph", "serve"]},
        {"command": "/x/shadowgraph-other", "args": ["serve"]},
        {"command": "/x/shadowgraph", "args": ["demo"]},
        {"command": ["shadowgraph", "serve"]},
        {"command": "python", "args": ["-m", "other", "serve"]},
    ],
)
def test_what_somebody_else_starts_is_not_ours(entry: object) -> None:
    """It would be taken out at uninstall."""
    assert not serves(entry)


@pytest.mark.parametrize("line", [None, 3, "", "echo 'unclosed", "my-hook shadowgraph"])
def test_a_line_of_somebody_else_is_no_hook_of_ours(line: object) -> None:
    """Whatever it is."""
    assert not hooks(line)
