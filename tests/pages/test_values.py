"""Every block of JSON, TOML, Python and printed text on a page is what it is said to be.

A block is recognised by what is in it, and each kind is tried against the real thing: a
client's entry starts a server that answers, a condition is stored without a warning, a
setting is what the program reads, an example of a tool is called.
"""

import base64
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from tests.pages.blocks import OURS, ROOT, SHELL, Block, Command, blocks, shell_commands
from tests.pages.reader import Seen, read, surroundings

from shadowgraph import settings
from shadowgraph.cli.talk import Conversation
from shadowgraph.errors import OperatorError
from shadowgraph.installing.launch import serves
from shadowgraph.verifier import configured

PROJECT = "acme/billing-api"
ABOUT_THE_STORE = ("unknown-record", "not-configured", "illegal-transition", "import-line")
"Codes by which a call may be refused that is right, in a store that lacks what it names."
EXAMPLES = [json.loads(one.text) for one in blocks(ROOT / "docs" / "tools.md")]
VALUES = [block for page in OURS for block in blocks(page) if block.language not in SHELL]


def _client(block: Block, directory: Path) -> None:
    """Start the server of a client's entry as a client does, and ask for its tools."""
    entry = json.loads(block.text)["mcpServers"]["shadowgraph"]
    environment = {**surroundings(directory), "SHADOWGRAPH_HOME": str(directory / "home")}
    program = directory / "bin" / entry["command"]

    assert serves(entry)
    assert program.is_file()
    parameters = StdioServerParameters(
        command=str(program), args=entry["args"], cwd=directory, env=environment
    )
    assert "shadowgraph_search" in anyio.run(_tools_of, parameters)


async def _tools_of(parameters: StdioServerParameters) -> set[str]:
    """Return the names of the tools that a server offers the SDK's own client."""
    async with Client(parameters) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


def _condition(block: Block, directory: Path) -> None:
    """Store an attempt that waits for the condition; nothing about it is warned of."""
    attempt = {"solution": "a", "result": "b", "reusableWhen": [json.loads(block.text)]}
    told = _shadowgraph(directory, "call", "record_attempt", json.dumps(attempt))

    assert attempt["reusableWhen"] == json.loads(told)["reusableWhen"]
    assert "warnings" not in json.loads(told)


def _hooks(block: Block, directory: Path) -> None:
    """Read the settings of hooks as a hook does."""
    (directory / settings.HOOKS_NAME).write_text(block.text, encoding="utf-8")
    read_back = settings.hooks(directory, environment={})

    assert (
        tomllib.loads(block.text).items()
        <= {
            name: getattr(read_back, name) for name in ("on_avoid", "capture", "deadline")
        }.items()
    )


def _verifier(block: Block, directory: Path) -> None:
    """Read the verifier of a home, with a key in place of the words that describe one."""
    said = tomllib.loads(block.text)
    key = base64.b64encode(bytes(range(32))).decode()
    text = block.text.replace(said["public_key"], key)
    text = text.replace(said["evidence"], directory.as_posix())
    (directory / "verifier.toml").write_text(text, encoding="utf-8")

    assert (said["identity"], bytes(range(32))) == (
        configured(directory).identity,
        configured(directory).public_key,
    )


def _project(block: Block, directory: Path) -> None:
    """Let the file name the project of its directory."""
    (directory / settings.CONFIG_NAME).write_text(block.text, encoding="utf-8")
    named = settings.project(None, directory, {})

    assert (tomllib.loads(block.text)["project"], "config") == (named.project, named.source)


def _program(block: Block, directory: Path) -> None:
    """Run a program on the records of its page; it prints what stands in the next block."""
    page = ROOT / block.page
    commands = shell_commands(page)
    last = next(n for n, one in enumerate(commands) if " import " in one.text)
    read(commands[: last + 1], directory)
    program = block.text.replace("/tmp/", f"{directory}/tmp/")
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    [shown] = [one for one in blocks(page) if one.line > block.line][:1]

    assert "text" == shown.language
    assert _same(shown, printed.strip())


def _demo(block: Block, directory: Path) -> None:
    """Compare with what the demo prints, line by line where nothing is left out."""
    assert _same(block, _shadowgraph(directory, "demo").strip())


def _printed(block: Block, directory: Path) -> None:
    """Leave the output of a program to the test of the program above it."""
    del directory
    above = [one for one in blocks(ROOT / block.page) if one.line < block.line]

    assert "python" == above[-1].language


def _same(block: Block, printed: str) -> bool:
    """Say whether a text is the one that a block shows, by form."""
    return Seen(Command(block, 0, "", block.text), printed, 0).as_written


def _shadowgraph(directory: Path, *words: str) -> str:
    """Run the program in a home of nobody; return what it printed."""
    environment = {**surroundings(directory), "SHADOWGRAPH_HOME": str(directory / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "shadowgraph", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=directory,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


Trial = Callable[[Block, Path], None]
KINDS: tuple[tuple[str, frozenset[str], Trial], ...] = (
    ("json", frozenset({"mcpServers"}), _client),
    ("json", frozenset({"key", "operator"}), _condition),
    ("json", frozenset({"all"}), _condition),
    ("toml", frozenset({"on_avoid"}), _hooks),
    ("toml", frozenset({"public_key"}), _verifier),
    ("toml", frozenset({"project"}), _project),
)
"Languages, what a block of a kind has at its top, and how it is tried."


def _trials(block: Block) -> Iterator[Trial]:
    """Yield how a block is tried."""
    if block.language == "python":
        yield _program
    elif block.language == "text":
        yield _demo if "\n== shadowgraph_" in block.text else _printed
    elif block.language in ("json", "toml"):
        parse = json.loads if block.language == "json" else tomllib.loads
        value: Any = parse(block.text)
        for language, names, trial in KINDS:
            if language == block.language and names <= set(value):
                yield trial


@pytest.mark.parametrize("block", VALUES, ids=str)
def test_a_block_is_what_it_is_said_to_be(block: Block, tmp_path: Path) -> None:
    """One of a kind that nobody tries would be believed and not be tested."""
    [trial] = _trials(block)

    trial(block, tmp_path)


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the server says against the examples of its tools, called one by one."""
    directory = tmp_path_factory.mktemp("examples")
    (directory / "fixtures").symlink_to(ROOT / "fixtures")
    (directory / "README.md").write_text("# A project\n", encoding="utf-8")
    environment = surroundings(directory)
    words = [sys.executable, "-m", "shadowgraph", "--home", str(directory / "home")]
    load = [*words, "import", "fixtures/tiny/records.jsonl"]
    for command in (["git", "init", "--quiet"], load):
        subprocess.run(
            command, cwd=directory, env=environment, check=True, capture_output=True
        )
    told = {}
    server = ["env", "-C", str(directory), *words, "--project", PROJECT, "serve"]
    with Conversation([*server, "--tools", "all"]) as client:
        for example in EXAMPLES:
            try:
                client.call(example["name"], example["arguments"])
            except OperatorError as error:
                told[example["name"]] = str(error)
    return told


@pytest.mark.skipif(sys.platform != "linux", reason="`env -C` names the directory")
@pytest.mark.parametrize("name", [example["name"] for example in EXAMPLES])
def test_the_example_of_a_tool_is_a_call_that_the_tool_takes(
    name: str, refusals: dict[str, str]
) -> None:
    """It may speak of a record that the store does not hold, and of nothing else amiss."""
    code = refusals.get(name, "").partition(":")[0]

    assert code in ("", *ABOUT_THE_STORE), refusals[name]


def test_most_examples_are_answered(refusals: dict[str, str]) -> None:
    """On the twelve records that the pages speak of."""
    assert len(refusals) <= len(EXAMPLES) // 6, refusals
