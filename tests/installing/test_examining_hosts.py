"""What the doctor says of hosts."""

from pathlib import Path

from tests.installing.conftest import Desk

from shadowgraph.doctor import Finding
from shadowgraph.installing.examining import examined
from shadowgraph.installing.launch import Launch


def _examined(desk: Desk) -> list[Finding]:
    """Examine the hosts of the desk."""
    return examined(desk.places, desk.launch)


def test_a_host_without_anything_of_ours_is_not_spoken_of(desk: Desk) -> None:
    """Not even when its file is broken: that is the host's to say."""
    (desk.places.user / ".claude.json").write_text("{ broken")

    assert [] == _examined(desk)


def test_what_is_installed_is_in_place_and_current(desk: Desk) -> None:
    """One finding for each file."""
    desk.install("claude-code", "codex", "cursor", "gemini", "zed", hooks=True)
    findings = _examined(desk)

    assert 8 == len(findings)
    assert all(finding.ok for finding in findings)
    assert "7 hooks in place and current" in findings[1].detail


def test_a_command_that_is_gone_is_found(desk: Desk) -> None:
    """A virtual environment was removed; the host would only say that it failed."""
    desk.install("claude-code", hooks=True)
    Path(desk.launch.command).unlink()
    findings = _examined(desk)

    assert [False, False] == [finding.ok for finding in findings]
    assert f"{desk.launch.command} is not there" in findings[0].detail
    assert "Run: shadowgraph install claude-code --scope user --hooks" == findings[1].next


def test_an_entry_of_another_installation_is_found(desk: Desk) -> None:
    """It runs, but not what runs here."""
    desk.install("cursor")
    other = Path(desk.launch.command).with_name("shadowgraph.exe")
    other.touch(0o755)
    desk.launch = Launch(str(other))

    assert "not what this version writes" in _examined(desk)[0].detail


def test_hooks_that_lack_an_event_are_found(desk: Desk) -> None:
    """Those of an older version, or thinned out by hand."""
    desk.install("gemini", hooks=True)
    path = desk.places.user / ".gemini" / "settings.json"
    path.write_text(path.read_text().replace("PreCompress", "Renamed"))

    assert "not those of this version" in _examined(desk)[0].detail


def test_a_broken_file_that_install_wrote_is_found(desk: Desk) -> None:
    """Also when nothing of ours can be read in it any more."""
    desk.install("vscode")
    (desk.places.user / ".config" / "Code" / "User" / "mcp.json").write_text("{ broken")

    [finding] = _examined(desk)
    assert not finding.ok
    assert "line 1, column 3" in finding.detail


def test_an_entry_of_somebody_else_under_our_name_is_found(desk: Desk) -> None:
    """With the command that replaces it."""
    path = desk.places.project
    assert path is not None
    (path / ".mcp.json").write_text('{"mcpServers": {"shadowgraph": {"command": "npx"}}}')

    [finding] = _examined(desk)
    assert "starts something else" in finding.detail
    assert finding.next.endswith("--scope project --force")


def test_examining_writes_nothing(desk: Desk) -> None:
    """Files and their neighbours stay."""
    desk.install("codex", hooks=True)
    before = desk.tree()

    _examined(desk)
    assert before == desk.tree()
