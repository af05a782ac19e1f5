"""The home and the project that surroundings name."""

import os
from pathlib import Path

import pytest

from shadowgraph import settings
from shadowgraph.errors import InvalidInputError
from shadowgraph.settings import Resolved


def _git(directory: Path, config: str = "") -> Path:
    """Make *directory* a repository with this configuration."""
    (directory / ".git").mkdir(parents=True)
    (directory / ".git" / "config").write_text(config, encoding="utf-8")
    return directory


def _origin(url: str) -> str:
    """Return a configuration whose origin is *url*."""
    return f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = +x:y\n'


def test_the_argument_names_the_home(tmp_path: Path) -> None:
    """It wins over the environment."""
    named = settings.home(str(tmp_path / "a"), {"SHADOWGRAPH_HOME": str(tmp_path / "b")})

    assert tmp_path / "a" == named


def test_the_environment_names_the_home(tmp_path: Path) -> None:
    """When there is no argument."""
    assert tmp_path / "b" == settings.home(None, {"SHADOWGRAPH_HOME": str(tmp_path / "b")})


def test_without_a_name_the_home_is_the_platforms_place() -> None:
    """An absolute directory of this user, named after the program."""
    found = settings.home(None, {})

    assert found.is_absolute()
    assert "shadowgraph" in found.parts


def test_an_empty_variable_names_no_home() -> None:
    """An unset variable and an empty one mean the same."""
    assert settings.home(None, {}) == settings.home(None, {"SHADOWGRAPH_HOME": ""})


def test_a_tilde_is_the_users_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hosts pass arguments without a shell that would have expanded it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert tmp_path / "memory" == settings.home("~/memory", {})


def test_a_relative_home_becomes_absolute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The working directory may change later."""
    monkeypatch.chdir(tmp_path)

    assert tmp_path / "here" == settings.home("here", {})


def test_the_argument_names_the_project(tmp_path: Path) -> None:
    """It wins over everything."""
    _git(tmp_path, _origin("https://example.org/acme/git.git"))
    (tmp_path / ".shadowgraph.toml").write_text('project = "acme/file"', encoding="utf-8")

    found = settings.project(" acme/arg ", tmp_path, {"SHADOWGRAPH_PROJECT": "acme/env"})
    assert Resolved("acme/arg", "server") == found


def test_the_environment_names_the_project(tmp_path: Path) -> None:
    """Before the file and the repository."""
    (tmp_path / ".shadowgraph.toml").write_text('project = "acme/file"', encoding="utf-8")

    found = settings.project(None, tmp_path, {"SHADOWGRAPH_PROJECT": "acme/env"})
    assert Resolved("acme/env", "server") == found


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_project_is_refused(empty: str, tmp_path: Path) -> None:
    """By argument and by environment: somebody meant something."""
    with pytest.raises(InvalidInputError):
        settings.project(empty, tmp_path, {})
    with pytest.raises(InvalidInputError):
        settings.project(None, tmp_path, {"SHADOWGRAPH_PROJECT": empty})


def test_the_nearest_file_upward_names_the_project(tmp_path: Path) -> None:
    """An inner one hides an outer one, and both hide a repository."""
    inner = _git(tmp_path / "a" / "b")
    (tmp_path / ".shadowgraph.toml").write_text('project = "outer"', encoding="utf-8")
    (tmp_path / "a" / ".shadowgraph.toml").write_text('project = "near"', encoding="utf-8")

    assert Resolved("near", "config") == settings.project(None, inner, {})


@pytest.mark.parametrize("text", ["", "project = 3", "project = ' '", "not toml ["])
def test_a_file_that_names_no_project_is_refused(text: str, tmp_path: Path) -> None:
    """Going on to the next would hide the mistake; the message names the file."""
    (tmp_path / ".shadowgraph.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInputError) as caught:
        settings.project(None, tmp_path, {})
    assert ".shadowgraph.toml" in caught.value.message


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/acme/shop.git",
        "https://example.org/acme/shop",
        "https://user@example.org:8443/acme/shop.git/",
        "git@example.org:acme/shop.git",
        "ssh://git@example.org/acme/shop.git",
        "git@example.org:group/acme/shop.git",
    ],
)
def test_the_origin_of_a_repository_names_the_project(url: str, tmp_path: Path) -> None:
    """Owner and name, whatever the form of the address."""
    inner = _git(tmp_path / "checkout", _origin(url)) / "src"
    inner.mkdir()

    assert Resolved("acme/shop", "git") == settings.project(None, inner, {})


@pytest.mark.parametrize("config", ["", "[remote]\n", "no config at all", _origin("")])
def test_a_repository_without_an_origin_is_named_after_its_folder(
    config: str, tmp_path: Path
) -> None:
    """A file that cannot be read is no reason to fail."""
    repository = _git(tmp_path / "checkout", config)

    assert Resolved("checkout", "git") == settings.project(None, repository, {})


def test_a_worktree_has_the_project_of_its_repository(tmp_path: Path) -> None:
    """Its `.git` is a file that points to the repository's."""
    main = _git(tmp_path / "main", _origin("git@example.org:acme/shop.git"))
    private = main / ".git" / "worktrees" / "fix"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n", encoding="utf-8")
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {private}\n", encoding="utf-8")

    assert Resolved("acme/shop", "git") == settings.project(None, tree, {})


def test_the_home_directory_and_the_root_name_no_project(tmp_path: Path) -> None:
    """A repository of settings in the home directory is not what one works on."""
    home = _git(tmp_path / "me", _origin("git@example.org:me/dotfiles.git"))
    surroundings = {"HOME": str(home)}

    nothing = Resolved(None, "fallback")
    assert nothing == settings.project(None, home, surroundings)
    assert nothing == settings.project(None, Path(home.anchor), surroundings)


def test_a_plain_directory_names_no_project(tmp_path: Path) -> None:
    """Then new records go to default, and writes by id are refused."""
    assert Resolved(None, "fallback") == settings.project(None, tmp_path, {})


def test_nothing_but_settings_and_entry_points_reads_the_environment() -> None:
    """Everything below receives values."""
    package = Path(settings.__file__).parent
    readers = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if "os.environ" in file.read_text(encoding="utf-8")
        or "getenv" in file.read_text(encoding="utf-8")
    }

    # `checkout` hands the environment on to git, without what a hook set for itself.
    assert {"settings.py", "cli/session.py", "checkout.py"} >= readers
    assert os.environ["SHADOWGRAPH_HOME"]


@pytest.mark.parametrize(
    ("flag", "value", "expected"),
    [
        (False, None, False), (True, None, True), (False, "1", True), (False, "Yes", True),
        (False, "0", False), (False, "", False), (True, "0", True),
    ],
)  # fmt: skip
def test_secrets_are_kept_when_flag_or_environment_says_so(
    flag: bool, value: str | None, expected: bool
) -> None:
    """Nothing said means that they are masked."""
    environment = {} if value is None else {"SHADOWGRAPH_KEEP_SECRETS": value}

    assert expected is settings.keep_secrets(flag, environment)


def test_a_setting_of_secrets_that_is_neither_yes_nor_no_is_refused() -> None:
    """Either guess could be the wrong one."""
    with pytest.raises(InvalidInputError, match="SHADOWGRAPH_KEEP_SECRETS"):
        settings.keep_secrets(False, {"SHADOWGRAPH_KEEP_SECRETS": "maybe"})


def test_hooks_may_tell_and_capture_unless_somebody_says_otherwise(tmp_path: Path) -> None:
    """Argument before environment before the file in the home."""
    (tmp_path / "hooks.toml").write_text(
        'on_avoid = "ask"\ncapture = false\ndeadline = 5\n', encoding="utf-8"
    )
    environment = {"SHADOWGRAPH_ON_AVOID": "deny", "SHADOWGRAPH_CAPTURE": "1"}

    plain = settings.hooks(tmp_path / "none", environment={})
    filed = settings.hooks(tmp_path, environment={})
    told = settings.hooks(tmp_path, environment=environment)
    given = settings.hooks(tmp_path, "context", environment)

    assert ("context", True, 2.0) == (plain.on_avoid, plain.capture, plain.deadline)
    assert ("ask", False, 5.0) == (filed.on_avoid, filed.capture, filed.deadline)
    assert ("deny", True) == (told.on_avoid, told.capture)
    assert "context" == given.on_avoid


@pytest.mark.parametrize(
    "text",
    ['on_avoid = "shout"', 'capture = "perhaps"', "deadline = 0", "deadline = true", "["],
)
def test_settings_of_hooks_that_say_nothing_clear_are_refused(
    text: str, tmp_path: Path
) -> None:
    """Either guess could be the wrong one."""
    (tmp_path / "hooks.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInputError):
        settings.hooks(tmp_path, environment={})
