"""A home directory and a project of nobody, and an executable that could be ours."""

from pathlib import Path

import pytest

from shadowgraph.installing.hosts import HOSTS, SCOPES, Scope
from shadowgraph.installing.launch import Launch
from shadowgraph.installing.places import Places
from shadowgraph.installing.planning import install, uninstall, write


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Return an empty home directory and an empty project on Linux."""
    for name in ("user", "project"):
        (tmp_path / name).mkdir()
    return Places(tmp_path / "user", tmp_path / "project", "linux")


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    """Return how an executable in the temporary directory is started."""
    command = tmp_path / "bin" / "shadowgraph"
    command.parent.mkdir()
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    return Launch(str(command))


class Desk:
    """Installing and uninstalling as the command line does, without its questions."""

    def __init__(self, places: Places, launch: Launch) -> None:
        """Work in these places."""
        self.places = places
        self.launch = launch

    def install(self, *names: str, scope: Scope = "user", **options: bool) -> list[str]:
        """Install into hosts; return what happened to each file."""
        flags = {"hooks": False, "force": False, **options}
        hosts = [HOSTS[name] for name in names]
        plan = install(hosts, scope, self.places, self.launch, **flags)
        write(plan, self.places)
        return [change.kind for change in plan]

    def uninstall(self, *names: str, only_hooks: bool = False) -> list[str]:
        """Uninstall from hosts, or from all; return what happened to each file."""
        hosts = [HOSTS[name] for name in names or HOSTS]
        plan = uninstall(hosts, SCOPES, self.places, only_hooks=only_hooks)
        write(plan, self.places)
        return [change.kind for change in plan]

    def tree(self) -> dict[str, bytes | None]:
        """Return every file with its bytes, and every directory, of home and project."""
        roots = [self.places.user, self.places.project]
        found = [path for root in roots if root for path in sorted(root.rglob("*"))]
        return {str(p): p.read_bytes() if p.is_file() else None for p in found}


@pytest.fixture
def desk(places: Places, launch: Launch) -> Desk:
    """Return somebody who installs in a home of nobody."""
    return Desk(places, launch)
