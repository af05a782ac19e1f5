"""Installing and uninstalling on real files: what is written, kept, refused, given back."""

import difflib
import json
import os
import stat
from pathlib import Path

import pytest
from tests.installing.conftest import Desk

from shadowgraph.errors import HostFileError, InvalidInputError, OperatorError
from shadowgraph.installing import files
from shadowgraph.installing.hosts import HOSTS, SCOPES, Scope
from shadowgraph.installing.jsontext import read
from shadowgraph.installing.launch import Launch
from shadowgraph.installing.places import Places
from shadowgraph.installing.planning import chosen, install, uninstall, write

SETTINGS = '{\n    // mine\n    "theme": "dark",\n}\n'


def _file(places: Places, name: str, text: str) -> Path:
    """Write a file in the home directory of nobody."""
    path = places.user / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("scope", SCOPES)
def test_everything_that_install_made_goes_with_uninstall(desk: Desk, scope: Scope) -> None:
    """Files, what is beside them, and directories, of every host with its hooks."""
    names = [host.name for host in HOSTS.values() if scope == "user" or host.projects]
    before = desk.tree()

    kinds = desk.install(*names, scope=scope, hooks=True)
    assert {"created"} == set(kinds)
    assert {"removed"} == set(desk.uninstall())
    assert before == desk.tree()


HOOKED = [host.name for host in HOSTS.values() if host.events]


def test_the_hooks_of_every_host_go_and_its_server_stays(desk: Desk) -> None:
    """What is left is what install without hooks makes; a second time changes nothing."""
    before = desk.tree()
    desk.install(*HOOKED)
    servers = desk.tree()
    desk.install(*HOOKED, hooks=True)

    desk.uninstall(only_hooks=True)
    assert servers == desk.tree()
    assert [] == desk.uninstall(only_hooks=True)
    desk.uninstall()
    assert before == desk.tree()


def test_the_hooks_leave_a_file_that_somebody_changed_since(desk: Desk) -> None:
    """Their member stays, and so does the server."""
    desk.install("gemini", hooks=True)
    path = desk.places.user / ".gemini" / "settings.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "theme": "dark"}, indent=4))

    assert ["changed"] == desk.uninstall("gemini", only_hooks=True)
    assert {"theme": "dark", "mcpServers": value["mcpServers"]} == json.loads(
        path.read_text()
    )


def test_hooks_without_a_server_leave_the_file_as_it_was(desk: Desk) -> None:
    """Somebody took the server out by hand; the hooks are all that is ours."""
    path = _file(desk.places, ".gemini/settings.json", SETTINGS)
    desk.install("gemini", hooks=True)
    made = read(path.read_text(), relaxed=True).value
    path.write_text(json.dumps({"theme": "dark", "hooks": made["hooks"]}))

    desk.uninstall("gemini", only_hooks=True)
    assert {"theme": "dark"} == json.loads(path.read_text())
    assert [path] == list(path.parent.iterdir())


def test_directories_go_in_whichever_order_hosts_are_uninstalled(desk: Desk) -> None:
    """The one that two hosts share goes with the last of them."""
    before = desk.tree()
    desk.install("zed")
    desk.install("vscode")

    desk.uninstall("zed")
    assert (desk.places.user / ".config").is_dir()
    desk.uninstall("vscode")
    assert before == desk.tree()


def test_a_directory_in_which_somebody_put_something_stays(desk: Desk) -> None:
    """Only what install made and nobody used since is removed."""
    desk.install("cursor")
    theirs = _file(desk.places, ".cursor/rules.md", "be kind")

    desk.uninstall("cursor")
    assert {str(theirs.parent): None, str(theirs): b"be kind"} == desk.tree()


def test_a_directory_that_was_there_empty_stays(desk: Desk) -> None:
    """It is not known to be ours, because it is not."""
    (desk.places.user / ".cursor").mkdir()
    before = desk.tree()

    desk.install("cursor", hooks=True)
    desk.uninstall("cursor")
    assert before == desk.tree()


def test_a_second_install_touches_no_file(desk: Desk) -> None:
    """Not even its time of change."""
    desk.install("gemini", hooks=True)
    times = {path: Path(path).stat().st_mtime_ns for path in desk.tree()}

    assert ["unchanged"] == desk.install("gemini", hooks=True)
    assert times == {path: Path(path).stat().st_mtime_ns for path in desk.tree()}


def test_planning_writes_nothing(desk: Desk) -> None:
    """A dry run is a plan that nobody carries out."""
    _file(desk.places, ".gemini/settings.json", SETTINGS)
    before = desk.tree()

    plan = install(
        [HOSTS["gemini"]], "user", desk.places, desk.launch, hooks=True, force=False
    )
    assert "changed" == plan[0].kind
    assert '+        "shadowgraph": {' in plan[0].diff().splitlines()
    assert before == desk.tree()


@pytest.mark.parametrize("lines", [0, 2, 40, 4000])
def test_the_difference_is_the_one_that_diff_would_show(desk: Desk, lines: int) -> None:
    """Its numbers of lines count from the beginning, however large the file is."""
    servers = {"mcpServers": {"github": {"command": "gh"}}}
    before = {f"a{n}": n for n in range(lines)} | servers | {"z": list(range(lines))}
    path = _file(desk.places, ".claude.json", json.dumps(before, indent=2))
    host = HOSTS["claude-code"]

    [plan] = install([host], "user", desk.places, desk.launch, hooks=False, force=False)
    old, new = ((raw or b"").decode().splitlines() for raw in (plan.before, plan.after))
    expected = difflib.unified_diff(old, new, str(path), str(path), lineterm="")
    assert list(expected) == plan.diff().splitlines()


def test_the_difference_shows_no_line_ends(desk: Desk) -> None:
    """A person would see the escapes of a terminal on every line of a file from Windows."""
    _file(desk.places, ".codex/config.toml", 'model = "o5"\r\n')
    host = HOSTS["codex"]

    [plan] = install([host], "user", desk.places, desk.launch, hooks=False, force=False)
    assert "\r" not in plan.diff()
    assert b'"]\r\n' in (plan.after or b"")


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "01", "1.", "'a'", "tru", "[1,]"])
def test_a_value_that_the_host_would_refuse_is_refused(desk: Desk, value: str) -> None:
    """Also in a member that does not concern us, where the library reads more."""
    path = _file(desk.places, ".claude.json", f'{{"theme": {value}}}')

    with pytest.raises(HostFileError, match="line 1, column"):
        desk.install("claude-code")
    assert "shadowgraph" not in path.read_text()


def test_the_backup_holds_the_bytes_from_before(desk: Desk) -> None:
    """Beside the file, and kept by later installs."""
    path = _file(desk.places, ".gemini/settings.json", SETTINGS)

    desk.install("gemini")
    desk.install("gemini", hooks=True)
    assert SETTINGS == files.backup_of(path).read_text()


def test_a_backup_of_an_install_long_gone_is_not_taken_for_this_one(desk: Desk) -> None:
    """Somebody took our entry out by hand and went on editing."""
    path = _file(desk.places, ".gemini/settings.json", SETTINGS)
    desk.install("gemini")
    path.write_text('{"theme": "light"}')

    desk.install("gemini")
    desk.uninstall("gemini")
    assert '{"theme": "light"}' == path.read_text()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_of_a_file_and_of_its_backup_stay(desk: Desk, mode: int) -> None:
    """A file that holds secrets is no more readable afterwards."""
    path = _file(desk.places, ".claude.json", '{"token": "x"}')
    path.chmod(mode)

    desk.install("claude-code")
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, files.backup_of(path))]
    assert [mode, mode] == modes


def test_a_symbolic_link_keeps_leading_to_its_file(desk: Desk) -> None:
    """Dotfiles live in a repository; the link stays a link."""
    kept = _file(desk.places, "dotfiles/zed.json", SETTINGS)
    link = desk.places.user / ".config" / "zed" / "settings.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(kept)
    before = desk.tree()

    desk.install("zed")
    assert link.is_symlink()
    assert "shadowgraph" in kept.read_text()
    desk.uninstall("zed")
    assert link.is_symlink()
    assert before == desk.tree()


BROKEN = {
    ".claude.json": '{"mcpServers": {},}',
    ".cursor/mcp.json": '{"mcpServers": []}',
    ".codex/config.toml": "model = \n",
    ".config/Code/User/mcp.json": '{"servers": {"a": {}}',
    ".gemini/settings.json": "[1]",
    ".config/zed/settings.json": '{"context_servers": {}, "context_servers": {}}',
    ".config/Claude/claude_desktop_config.json": "{'mcpServers': {}}",
}
HOST_OF = {
    ".claude.json": "claude-code",
    ".cursor/mcp.json": "cursor",
    ".codex/config.toml": "codex",
    ".config/Code/User/mcp.json": "vscode",
    ".gemini/settings.json": "gemini",
    ".config/zed/settings.json": "zed",
    ".config/Claude/claude_desktop_config.json": "claude-desktop",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_edited_is_refused_by_name(desk: Desk, name: str) -> None:
    """It and every other file stay as they are, and nothing is beside them."""
    path = _file(desk.places, name, BROKEN[name])
    before = desk.tree()

    with pytest.raises(HostFileError, match=r"no JSON|no TOML|twice") as caught:
        desk.install("claude-code", HOST_OF[name], "gemini")
    assert caught.value.message.startswith(str(path))
    assert caught.value.hint
    assert before == desk.tree()


@pytest.mark.parametrize("raw", [b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}'])
def test_a_file_that_is_not_in_utf_8_is_refused(desk: Desk, raw: bytes) -> None:
    """Guessing its encoding would change it."""
    path = _file(desk.places, ".claude.json", "")
    path.write_bytes(raw)

    with pytest.raises(HostFileError, match="not in UTF-8"):
        desk.install("claude-code")
    assert raw == path.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { shadowgraph = { command = 'mine' } }\n",
        "[mcp_servers]\nshadowgraph.command = '/x/shadowgraph'\nshadowgraph.args = ['serve']",
        "mcp_servers = { github = { command = 'gh' } }\n",
    ],
)
def test_toml_in_a_form_that_cannot_be_extended_is_refused(desk: Desk, text: str) -> None:
    """An inline table has no place for a table of ours."""
    path = _file(desk.places, ".codex/config.toml", text)

    with pytest.raises(HostFileError):
        desk.install("codex", force=True)
    assert text == path.read_text()


FOREIGN = '{"mcpServers": {"shadowgraph": {"command": "npx", "args": ["other"]}}}\n'


def test_an_entry_of_somebody_else_is_not_overwritten(desk: Desk) -> None:
    """The message says how it could be."""
    path = _file(desk.places, ".claude.json", FOREIGN)

    with pytest.raises(HostFileError, match="starts something else") as caught:
        desk.install("claude-code")
    assert "--force" in caught.value.hint
    assert FOREIGN == path.read_text()
    assert [] == desk.uninstall("claude-code")
    assert FOREIGN == path.read_text()


@pytest.mark.parametrize("later", [False, True])
def test_an_entry_that_was_replaced_by_force_comes_back(desk: Desk, later: bool) -> None:
    """Also when the file was changed since."""
    path = _file(desk.places, ".claude.json", FOREIGN)
    desk.install("claude-code", force=True)
    if later:
        path.write_text(path.read_text().rstrip()[:-1] + ', "theme": "dark"}')

    desk.uninstall("claude-code")
    left = json.loads(path.read_text())
    assert json.loads(FOREIGN)["mcpServers"] == left["mcpServers"]
    assert later == ("theme" in left)


def test_what_a_person_added_to_our_entry_stays(desk: Desk, launch: Launch) -> None:
    """Fields, and options in front of and behind `serve`."""
    entry = {
        "env": {"LANG": "C"},
        "command": "/old/shadowgraph",
        "args": ["--project", "p", "serve", "--tools", "all"],
    }
    text = json.dumps({"mcpServers": {"shadowgraph": entry}})
    path = _file(desk.places, ".claude.json", text)

    desk.install("claude-code")
    made = json.loads(path.read_text())["mcpServers"]["shadowgraph"]
    assert {**entry, "command": launch.command} == made


def test_a_moved_executable_is_put_right_in_server_and_hooks(desk: Desk) -> None:
    """One entry and one hook of each event, not a second beside the first."""
    desk.install("claude-code", hooks=True)
    before = desk.tree()
    desk.launch = Launch("/new/bin/shadowgraph")

    assert ["changed", "changed"] == desk.install("claude-code", hooks=True)
    after = {path: raw for path, raw in desk.tree().items() if raw is not None}
    old = str(desk.places.user.parent / "bin" / "shadowgraph").encode()
    assert after == {
        path: raw.replace(old, b"/new/bin/shadowgraph")
        for path, raw in before.items()
        if raw is not None
    }


def test_hooks_of_others_beside_and_in_our_group_stay(desk: Desk) -> None:
    """Also when a person put one of theirs into the group that we made."""
    path = _file(
        desk.places,
        ".claude/settings.json",
        '{"hooks": {"PreCompact": [{"hooks": [{"type": "command", "command": "mine"}]}]}}',
    )
    before = json.loads(path.read_text())
    desk.install("claude-code", hooks=True)
    grown = json.loads(path.read_text())
    other = {"type": "command", "command": "theirs"}
    grown["hooks"]["PreCompact"][1]["hooks"].append(other)
    path.write_text(json.dumps(grown, indent=2))

    assert ["unchanged", "unchanged"] == desk.install("claude-code", hooks=True)
    desk.uninstall("claude-code")
    before["hooks"]["PreCompact"].append({"hooks": [other]})
    assert before == json.loads(path.read_text())


def test_a_file_that_changed_since_it_was_planned_for_is_not_written(desk: Desk) -> None:
    """Hosts write their files too, while a person reads the difference."""
    host = HOSTS["claude-code"]
    plan = install([host], "user", desk.places, desk.launch, hooks=False, force=False)
    path = _file(desk.places, ".claude.json", "{}")

    with pytest.raises(HostFileError, match="changed meanwhile"):
        write(plan, desk.places)
    assert "{}" == path.read_text()


def test_a_directory_that_cannot_be_made_is_named(desk: Desk) -> None:
    """Somebody has a file where the host has a directory."""
    _file(desk.places, ".cursor", "mine")
    before = desk.tree()

    with pytest.raises(OperatorError, match="cannot be written") as caught:
        desk.install("cursor")
    assert "mcp.json" in caught.value.message
    assert before == desk.tree()


def test_a_write_that_breaks_off_leaves_the_file_and_nothing_beside_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new bytes are complete elsewhere before the old ones go."""
    path = _file(desk.places, ".claude.json", "{}")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OperatorError, match="No space left"):
        desk.install("claude-code")
    with pytest.raises(OperatorError, match="No space left"):
        desk.install("zed")
    assert {str(path): b"{}"} == desk.tree()


def test_a_kill_between_backup_and_file_is_made_good(desk: Desk) -> None:
    """Whether install or uninstall comes next, everything ends as it was."""
    path = _file(desk.places, ".gemini/settings.json", SETTINGS)
    before = desk.tree()
    files.backup_of(path).write_text("of a killed install")

    desk.install("gemini", hooks=True)
    assert SETTINGS == files.backup_of(path).read_text()
    desk.uninstall("gemini")
    files.backup_of(path).write_text(SETTINGS)
    assert ["unchanged"] == desk.uninstall("gemini")
    assert before == desk.tree()


def test_a_broken_file_of_another_host_stops_no_uninstall(desk: Desk) -> None:
    """It holds nothing of ours; one that does is refused by name."""
    broken = _file(desk.places, ".config/zed/settings.json", "{ broken")
    before = desk.tree()
    desk.install("claude-code")

    assert ["removed"] == desk.uninstall()
    assert before == desk.tree()
    broken.write_text("{ shadowgraph")
    with pytest.raises(HostFileError, match=r"zed/settings\.json"):
        desk.uninstall()


def test_without_a_name_the_hosts_that_are_used_here_are_chosen(desk: Desk) -> None:
    """By their file or their directory; nothing chosen is an error with the names."""
    with pytest.raises(InvalidInputError) as caught:
        chosen([], desk.places)
    _file(desk.places, ".claude.json", "{}")
    (desk.places.user / ".codex").mkdir()

    assert "gemini" in caught.value.hint
    assert ["claude-code", "codex"] == [host.name for host in chosen([], desk.places)]


def test_uninstalling_what_is_not_installed_plans_nothing(desk: Desk) -> None:
    """Files without anything of ours are not spoken of."""
    _file(desk.places, ".claude.json", '{"mcpServers": {}}')

    assert [] == uninstall(HOSTS.values(), SCOPES, desk.places)


def test_a_file_removed_by_hand_takes_what_is_beside_it_along(desk: Desk) -> None:
    """Uninstall leaves nothing of install behind."""
    before = desk.tree()
    desk.install("cursor")
    (desk.places.user / ".cursor" / "mcp.json").unlink()

    desk.uninstall("cursor")
    assert before == desk.tree()


@pytest.mark.parametrize(
    ("system", "environment", "host", "expected"),
    [
        ("darwin", {}, "claude-desktop", "Library/Application Support/Claude"),
        ("darwin", {}, "vscode", "Library/Application Support/Code/User"),
        ("darwin", {}, "zed", ".config/zed"),
        ("win32", {}, "claude-desktop", "AppData/Roaming/Claude"),
        ("win32", {"APPDATA": "/roam"}, "zed", "/roam/Zed"),
        ("linux", {"XDG_CONFIG_HOME": "/xdg"}, "vscode", "/xdg/Code/User"),
        ("linux", {"CODEX_HOME": "/codex"}, "codex", "/codex"),
        ("linux", {"CLAUDE_CONFIG_DIR": "/claude"}, "claude-code", "/claude"),
    ],
)
def test_each_platform_has_its_places(
    system: str, environment: dict[str, str], host: str, expected: str
) -> None:
    """As the hosts say in their manuals, their variables included."""
    places = Places(Path("/home"), None, system, environment)
    launch = Launch("/opt/bin/shadowgraph")

    plan = install([HOSTS[host]], "user", places, launch, hooks=False, force=False)
    assert Path("/home") / expected == plan[0].path.parent
