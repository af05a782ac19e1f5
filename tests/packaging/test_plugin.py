"""What is handed to other programs: the plugin, its marketplace, the registry's entry."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from shadowgraph.installing.entries import Ours, Target, wanted
from shadowgraph.installing.hosts import HOSTS
from shadowgraph.installing.launch import Launch
from shadowgraph.operations import REGISTRY, toolset
from shadowgraph.version import __version__

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugin"
MARKETPLACE = ROOT / ".claude-plugin" / "marketplace.json"
SKILL = PLUGIN / "skills" / "shadowgraph" / "SKILL.md"
# On the PATH: a plugin does not know where the command is.
FOUND = Launch("shadowgraph")


def _read(path: Path) -> Any:
    """Return what a JSON file says."""
    return json.loads(path.read_text(encoding="utf-8"))


def _package() -> dict[str, Any]:
    """Return what the package says of itself."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return dict(project["project"])


def test_plugin_and_registry_name_the_version_of_the_package() -> None:
    """A release changes all of them or none."""
    server = _read(ROOT / "server.json")
    versions = [
        _read(PLUGIN / ".claude-plugin" / "plugin.json")["version"],
        *[plugin["version"] for plugin in _read(MARKETPLACE)["plugins"]],
        server["version"],
        *[package["version"] for package in server["packages"]],
    ]

    assert {__version__} == set(versions)


def test_plugin_and_registry_describe_the_package_in_its_own_words() -> None:
    """One sentence, wherever it stands."""
    package, plugin = _package(), _read(PLUGIN / ".claude-plugin" / "plugin.json")

    keys = ("name", "description", "license", "keywords")
    assert {k: package[k] for k in keys} == {k: plugin[k] for k in keys}
    market = _read(MARKETPLACE)
    told = [_read(ROOT / "server.json"), market, *market["plugins"]]
    assert {package["description"]} == {one["description"] for one in told}
    assert plugin["author"] == market["owner"]


def test_the_marketplace_lists_the_plugin_at_its_place() -> None:
    """From the root of the repository, as a host resolves it, and by its own name."""
    market = _read(MARKETPLACE)
    [listed] = market["plugins"]

    assert {"name", "owner", "plugins"} <= set(market)
    assert re.fullmatch(r"[a-z0-9-]+", market["name"])
    assert listed["source"].startswith("./")
    assert (ROOT / listed["source"]).resolve() == PLUGIN
    assert listed["name"] == _read(PLUGIN / ".claude-plugin" / "plugin.json")["name"]


def test_the_plugin_has_the_hooks_that_install_writes() -> None:
    """Event for event, with the same limits."""
    target = Target(HOSTS["claude-code"], Path("hooks.json"), frozenset({"hooks"}))
    expected = wanted(target, FOUND, Ours()).hooks

    written = _read(PLUGIN / "hooks" / "hooks.json")["hooks"]
    assert {event: [element] for event, element in expected} == written


def test_the_plugin_starts_the_server_that_install_writes() -> None:
    """Found on the PATH."""
    assert {"mcpServers": {"shadowgraph": FOUND.server()}} == _read(PLUGIN / ".mcp.json")


def test_the_plugin_holds_what_its_host_looks_for_and_nothing_else() -> None:
    """Each part in its standard place, so that the manifest names none."""
    files = {p.relative_to(PLUGIN).as_posix() for p in PLUGIN.rglob("*") if p.is_file()}

    assert {
        ".claude-plugin/plugin.json",
        ".mcp.json",
        "hooks/hooks.json",
        "skills/shadowgraph/SKILL.md",
    } == files


def test_the_skill_has_a_name_and_says_when_it_is_used() -> None:
    """In the lines that a host reads before everything else."""
    lead = re.match(r"---\nname: (.+)\ndescription: (.+)\n---\n", SKILL.read_text("utf-8"))

    assert lead is not None
    assert SKILL.parent.name == lead[1]
    assert len(lead[2]) <= 1024
    assert "Use before" in lead[2]


def test_the_skill_names_tools_that_the_server_offers_unasked() -> None:
    """The plugin starts it with the default tools."""
    text = SKILL.read_text("utf-8")
    named = set(re.findall(r"shadowgraph_[a-z_]+", text))
    offered = {operation.name for operation in toolset("core")}

    assert {"shadowgraph_search", "shadowgraph_check"} <= named <= offered
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == {
        "Search",
        "Check",
        "Record",
    }


@pytest.mark.parametrize("argument", ["resultClass", "reusableWhen"])
def test_the_skill_names_arguments_that_exist(argument: str) -> None:
    """Those of the tool it names them with."""
    model = REGISTRY["shadowgraph_record_attempt"].request

    assert f"`{argument}`" in SKILL.read_text("utf-8")
    assert argument in {field.alias for field in model.model_fields.values()}


def test_the_entry_of_the_registry_keeps_to_its_limits() -> None:
    """Name, sizes and versions as the schema of December 2025 asks."""
    server = _read(ROOT / "server.json")
    [package] = server["packages"]

    assert server["$schema"].endswith("/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert 1 <= len(server["description"]) <= 100
    assert 1 <= len(server["title"]) <= 100
    assert {"type": "stdio"} == package["transport"]
    assert ("pypi", _package()["name"]) == (package["registryType"], package["identifier"])
    assert [{"type": "positional", "value": "serve"}] == package["packageArguments"]


def test_the_readme_claims_the_name_in_the_registry() -> None:
    """The registry looks for it there before it believes the entry."""
    name = _read(ROOT / "server.json")["name"]

    assert f"mcp-name: {name} " in (ROOT / "README.md").read_text("utf-8")
