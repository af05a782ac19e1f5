"""Where hosts keep their settings: the directories that a platform and its user name.

What a host calls its files is in `hosts`. Nothing here touches a disk or the environment:
`settings` reads both, and loads of this package no more than this.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple


class Places(NamedTuple):
    """The directories that everything else is found from."""

    user: Path
    "The home directory of the user."
    project: Path | None
    "Where the project's files stand; None outside of one."
    system: str
    "linux, darwin or win32, as `sys.platform` says it."
    environment: Mapping[str, str] = MappingProxyType({})

    def settings(self) -> Path:
        """Return where programs keep the settings of a user."""
        if self.system == "win32":
            return self._named("APPDATA", self.user / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.user / "Library" / "Application Support"
        return self.xdg()

    def xdg(self) -> Path:
        """Return where programs of a freedesktop system do."""
        return self._named("XDG_CONFIG_HOME", self.user / ".config")

    def claude(self) -> tuple[Path, Path]:
        """Return where Claude Code keeps its state and its settings."""
        named = self.environment.get("CLAUDE_CONFIG_DIR")
        if named:
            return Path(named) / ".claude.json", Path(named) / "settings.json"
        return self.user / ".claude.json", self.user / ".claude" / "settings.json"

    def codex(self) -> Path:
        """Return where Codex keeps its files."""
        return self._named("CODEX_HOME", self.user / ".codex")

    def zed(self) -> Path:
        """Return where Zed keeps its settings."""
        if self.system == "win32":
            return self.settings() / "Zed"
        if self.system == "darwin":
            return self.user / ".config" / "zed"
        return self.xdg() / "zed"

    def _named(self, variable: str, otherwise: Path) -> Path:
        named = self.environment.get(variable)
        # A relative one names another place in every directory, and is ignored by most.
        return Path(named) if named and Path(named).is_absolute() else otherwise
