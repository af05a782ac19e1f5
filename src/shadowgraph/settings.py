"""What the entry points read from their surroundings: the home and the project.

The only module that looks at the environment, the working directory and git. Everything
below receives values. The working directory counts only when it is a place somebody works
in: hosts start servers in the home directory or in `/`, which would give unrelated
repositories one project.
"""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from shadowgraph.errors import InvalidInputError
from shadowgraph.installing.places import Places

CONFIG_NAME = ".shadowgraph.toml"
"Names the project for everything below its directory."
HOME_VARIABLE = "SHADOWGRAPH_HOME"
PROJECT_VARIABLE = "SHADOWGRAPH_PROJECT"
SECRETS_VARIABLE = "SHADOWGRAPH_KEEP_SECRETS"
TOKEN_VARIABLE = "SHADOWGRAPH_TOKEN"  # noqa: S105 - a name
_OFF = ("", "0", "false", "no", "off")
_ON = ("1", "true", "yes", "on")
SESSION_VARIABLE = "SHADOWGRAPH_SESSION"
"Names the session of every command of a shell; two agents in one worktree set two."
HOOKS_NAME = "hooks.toml"
"In the home: what hooks may do beyond telling."
AVOID_VARIABLE = "SHADOWGRAPH_ON_AVOID"
CAPTURE_VARIABLE = "SHADOWGRAPH_CAPTURE"
DEADLINE = 2.0
"Seconds after which a hook gives up."
ON_AVOID = ("context", "ask", "deny")
"What an action to avoid may lead to."


class Resolved(NamedTuple):
    """A project and what named it."""

    project: str | None
    source: str
    "server, config, git or fallback."


class HookSettings(NamedTuple):
    """What hooks may do."""

    on_avoid: str = "context"
    "One of ON_AVOID."
    capture: bool = True
    "Whether failures are recorded."
    deadline: float = DEADLINE
    "Seconds after which a hook gives up."


def hooks(
    home_directory: Path,
    on_avoid: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> HookSettings:
    """Return what hooks may do: the argument, the environment, `hooks.toml` in the home.

    Raises:
        InvalidInputError: one of them says something unknown.
    """
    surroundings = os.environ if environment is None else environment
    told = _hooks_file(home_directory / HOOKS_NAME)
    avoid = on_avoid or surroundings.get(AVOID_VARIABLE) or told.get("on_avoid", "context")
    if avoid not in ON_AVOID:
        raise InvalidInputError(
            f"on_avoid is {avoid!r}.", hint=f"Write one of: {', '.join(ON_AVOID)}."
        )
    capture = surroundings.get(CAPTURE_VARIABLE, str(told.get("capture", True))).lower()
    if capture not in (*_ON, *_OFF):
        raise InvalidInputError(f"capture is {capture!r}.", hint="Write true or false.")
    deadline = told.get("deadline", DEADLINE)
    if isinstance(deadline, bool) or not isinstance(deadline, int | float) or deadline <= 0:
        raise InvalidInputError(f"deadline is {deadline!r}.", hint="Write seconds.")
    return HookSettings(avoid, capture in _ON, float(deadline))


def _hooks_file(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{file} cannot be read: {error}.") from error


def home(given: str | None, environment: Mapping[str, str] | None = None) -> Path:
    """Return the home directory: the argument, the environment, the platform's place."""
    surroundings = os.environ if environment is None else environment
    named = given or surroundings.get(HOME_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path  # noqa: PLC0415 - only when nothing is named

    return user_data_path("shadowgraph", appauthor=False)


def named_home(environment: Mapping[str, str] | None = None) -> bool:
    """Say whether the environment names a home."""
    surroundings = os.environ if environment is None else environment
    return bool(surroundings.get(HOME_VARIABLE))


def keep_secrets(given: bool, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether credentials are stored as they come: the flag, or the environment.

    Raises:
        InvalidInputError: the variable says neither yes nor no.
    """
    surroundings = os.environ if environment is None else environment
    named = surroundings.get(SECRETS_VARIABLE, "").strip().lower()
    if named not in (*_ON, *_OFF):
        # Either guess could be the wrong one, so nothing is guessed.
        raise InvalidInputError(
            f"{SECRETS_VARIABLE} is {named!r}.", hint="Set it to 1 or to 0."
        )
    return given or named in _ON


def project(
    given: str | None,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Resolved:
    """Return the project of a session.

    In this order: the argument or `SHADOWGRAPH_PROJECT`; the nearest `.shadowgraph.toml`
    upward; the git repository's `owner/name`, else its folder; nothing.

    Raises:
        InvalidInputError: the argument is empty, or the file names no project.
    """
    surroundings = os.environ if environment is None else environment
    named = given if given is not None else surroundings.get(PROJECT_VARIABLE)
    if named is not None:
        if not named.strip():
            raise InvalidInputError("The project name is empty.")
        return Resolved(named.strip(), "server")
    start = workplace(directory, surroundings)
    if start is None:
        return Resolved(None, "fallback")
    return _configured(start) or _from_git(start) or Resolved(None, "fallback")


def workplace(
    directory: Path | None = None, environment: Mapping[str, str] | None = None
) -> Path | None:
    """Return the working directory; None in the home directory and in the root."""
    surroundings = os.environ if environment is None else environment
    start = (directory or Path.cwd()).absolute()
    if start == Path(start.anchor) or start == _user_home(surroundings):
        return None
    return start


def session(environment: Mapping[str, str] | None = None) -> str | None:
    """Return the session that the environment names; None when it names none."""
    surroundings = os.environ if environment is None else environment
    return (surroundings.get(SESSION_VARIABLE) or "").strip() or None


def token(environment: Mapping[str, str] | None = None) -> str | None:
    """Return the token that the environment names; None when it names none."""
    surroundings = os.environ if environment is None else environment
    return (surroundings.get(TOKEN_VARIABLE) or "").strip() or None


def places(
    directory: Path | None = None, environment: Mapping[str, str] | None = None
) -> Places:
    """Return where hosts keep their settings: the user's home, the project, the platform.

    The project is the checkout around the working directory, else that directory.

    Raises:
        InvalidInputError: neither the environment nor the system names a home directory.
    """
    surroundings = os.environ if environment is None else environment
    user = _user_home(surroundings)
    if user is None and environment is None:
        with suppress(RuntimeError):
            user = Path.home()
    if user is None:
        raise InvalidInputError("Nothing names a home directory; set HOME.")
    start = workplace(directory, surroundings)
    around = () if start is None else (start, *start.parents)
    checkout = next((one for one in around if (one / ".git").exists()), start)
    return Places(user, checkout, sys.platform, surroundings)


def _user_home(surroundings: Mapping[str, str]) -> Path | None:
    named = surroundings.get("HOME") or surroundings.get("USERPROFILE")
    return Path(named).absolute() if named else None


def _configured(start: Path) -> Resolved | None:
    for directory in (start, *start.parents):
        file = directory / CONFIG_NAME
        if not file.is_file():
            continue
        try:
            name = tomllib.loads(file.read_text(encoding="utf-8")).get("project")
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise InvalidInputError(f"{file} cannot be read: {error}.") from error
        if not isinstance(name, str) or not name.strip():
            raise InvalidInputError(
                f"{file} names no project.", hint='Write: project = "owner/name"'
            )
        return Resolved(name.strip(), "config")
    return None


def _from_git(start: Path) -> Resolved | None:
    """Read git's own files: running git would cost a process and trust its path."""
    for directory in (start, *start.parents):
        marker = directory / ".git"
        if marker.exists():
            origin = _origin_of(_common_directory(marker))
            return Resolved(origin or directory.name, "git")
    return None


def _common_directory(marker: Path) -> Path:
    """Return the directory with `config`: a worktree's `.git` is a file naming it."""
    if marker.is_dir():
        return marker
    try:
        line = marker.read_text(encoding="utf-8").strip()
        gitdir = (marker.parent / line.removeprefix("gitdir:").strip()).resolve()
        common = gitdir / "commondir"
        if common.is_file():
            return (gitdir / common.read_text(encoding="utf-8").strip()).resolve()
        return gitdir
    except (OSError, UnicodeDecodeError):
        return marker.parent


def _origin_of(directory: Path) -> str | None:
    # Imported here: 8 ms that only a project named by git costs.
    import configparser  # noqa: PLC0415

    parser = configparser.ConfigParser(
        strict=False, interpolation=None, allow_no_value=True
    )
    try:
        parser.read_string((directory / "config").read_text(encoding="utf-8"))
        url = parser.get('remote "origin"', "url", fallback="") or ""
    except (OSError, UnicodeDecodeError, configparser.Error):
        return None
    found = re.search(r"([^/:\s]+/[^/:\s]+?)(?:\.git)?/?\Z", url)
    return found.group(1) if found and "://" not in found.group(1) else None
