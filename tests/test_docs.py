"""The pages against what they describe."""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from shadowgraph.cli.main import COMMANDS, main
from shadowgraph.errors import ShadowgraphError
from shadowgraph.operations import REGISTRY
from shadowgraph.operations.schemas import input_schema

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


def _page(name: str) -> str:
    """Return the text of a page."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def _errors(root: type[ShadowgraphError] = ShadowgraphError) -> Iterator[str]:
    """Yield the code of every class of error."""
    yield root.code
    for child in root.__subclasses__():
        yield from _errors(child)


def test_the_generated_pages_are_what_the_code_says() -> None:
    """`make docs` writes them again."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    """With a section of its own."""
    assert f"\n## shadowgraph {command}\n" in _page("cli.md")


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_tool_and_argument_is_documented(name: str) -> None:
    """With a section, a row for each argument, and an example."""
    section = _page("tools.md").partition(f"\n## {name}\n")[2].partition("\n## ")[0]

    assert "### Example" in section
    missing = [
        argument
        for argument in input_schema(REGISTRY[name])["properties"]
        if f"`{argument}`" not in section
    ]
    assert [] == missing


@pytest.mark.parametrize("code", list(_errors()))
def test_every_error_code_is_documented(code: str) -> None:
    """With what it means and what to do."""
    assert f"| `{code}` |" in _page("errors.md")


def test_every_searched_field_is_documented_with_its_reason() -> None:
    """The page is made from the definition and shows its `why`."""
    definition = tomllib.loads((ROOT / "index" / "fields.toml").read_text("utf-8"))
    page = " ".join(_page("fields.md").split())
    reasons = list(_reasons(definition))

    assert reasons
    assert [] == [why for why in reasons if " ".join(why.split()) not in page]


def _reasons(value: Any) -> Iterator[str]:
    """Yield every `why` of the index definition."""
    if isinstance(value, dict):
        if isinstance(value.get("why"), str):
            yield value["why"]
        for inner in value.values():
            yield from _reasons(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _reasons(inner)


def _shell_lines(text: str) -> Iterator[list[str]]:
    """Yield the words of every shadowgraph command that a page shows."""
    for block in re.findall(r"```(?:sh|bash|console|shell)\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = line.removeprefix("$ ")
            for part in words.split(" | "):
                if part.strip().startswith("shadowgraph "):
                    yield shlex.split(part, comments=True)[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_on_a_page_exists(page: Path) -> None:
    """Commands, subcommands and flags are those of the program."""
    for words in _shell_lines(page.read_text(encoding="utf-8")):
        command: click.Command = main
        context = click.Context(main)
        for word in [w for w in words if not w.startswith("-")]:
            if isinstance(command, click.Group):
                found = command.get_command(context, word)
                if found is not None:
                    command = found
        flags = {o for p in (*main.params, *command.params) for o in (*p.opts,)}
        used = {w.partition("=")[0] for w in words if re.match(r"--[a-z]", w)}

        assert command is not main or used <= {"--version", "--help"}, words
        assert used <= flags | {"--help"}, words


TARGETS = set(
    re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
)


def _targets(page: Path) -> set[str]:
    """Return the targets of make that a page names."""
    text = page.read_text(encoding="utf-8")
    return set(re.findall(r"(?:`|^\$ )make ([a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_targets_that_the_makefile_has(page: Path) -> None:
    """Wherever a page says `make`."""
    assert set() == _targets(page) - TARGETS


def test_the_readme_begins_with_two_targets_and_contributing_explains_all() -> None:
    """`make demo` and `make test` for a newcomer, every one for who goes on."""
    assert {"demo", "test"} == _targets(ROOT / "README.md")
    assert _targets(ROOT / "CONTRIBUTING.md") == TARGETS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_of_the_repository_on_a_page_are_there(page: Path) -> None:
    """Those that stand in prose as they are, from the root."""
    text = page.read_text(encoding="utf-8")
    paths = re.findall(
        r"`((?:src|tests|index|docs|fixtures|plugin|bench|\.ci)/[^`*<{ ]+)`", text
    )

    assert [] == [path for path in paths if not (ROOT / path).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Relative ones; those to other places are not followed."""
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))

    assert [] == [link for link in links if not (page.parent / link).exists()]


def _anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, as hosts of repositories make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {one.replace(" ", "-") for one in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_into_a_page_lead_to_a_heading(page: Path) -> None:
    """In another page or in the same one."""
    found = re.findall(r"\]\(([^)#:\s]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    named = [(page.parent / link if link else page, anchor) for link, anchor in found]
    pages = [(target, anchor) for target, anchor in named if target.suffix == ".md"]

    assert [] == [anchor for target, anchor in pages if anchor not in _anchors(target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_holds_a_path_of_one_machine(page: Path) -> None:
    """Nobody else has it."""
    text = page.read_text(encoding="utf-8")

    assert [] == re.findall(r"/(?:home|Users)/\w+/\S*", text)
    assert [] == [place for place in (ROOT, Path.home()) if f"{place}/" in text]
