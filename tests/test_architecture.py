"""How the source is cut: sizes, names, essays, layers."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "shadowgraph"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
EVERYTHING = [*SOURCES, *TESTS, *sorted((ROOT / "bench").rglob("*.py"))]
# A file so named owns nothing in particular, and everything ends up in it.
BANNED = {
    "util", "utils", "helper", "helpers", "common", "core", "base", "misc", "manager",
    "service", "services", "runner", "handler", "handlers",
}  # fmt: skip


def _name(file: Path) -> str:
    """Return the path of a file as people write it."""
    return file.relative_to(ROOT).as_posix()


def _tree(file: Path) -> ast.Module:
    """Return the parsed source of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", EVERYTHING, ids=_name)
def test_a_file_has_at_most_500_lines(file: Path) -> None:
    """One that grows beyond has two subjects."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 500


@pytest.mark.parametrize("file", EVERYTHING, ids=_name)
def test_no_path_has_a_name_that_says_nothing(file: Path) -> None:
    """A folder and a file are named after what they own."""
    parts = {part.removesuffix(".py") for part in file.relative_to(ROOT).parts}

    assert set() == parts & BANNED


@pytest.mark.parametrize("file", EVERYTHING, ids=_name)
def test_every_module_begins_with_what_it_owns(file: Path) -> None:
    """A docstring of at least one whole sentence."""
    text = ast.get_docstring(_tree(file)) or ""

    assert text.split("\n\n", maxsplit=1)[0].rstrip().endswith((".", "?", ":", "!"))


@pytest.mark.parametrize("file", TESTS, ids=_name)
def test_every_test_says_in_a_sentence_what_must_hold(file: Path) -> None:
    """Tests are functions, not methods, each with a docstring."""
    tree = _tree(file)
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]

    assert [] == [f.name for f in functions if not ast.get_docstring(f)]
    assert [] == [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test")
    ]


def _loaded_by(program: str) -> set[str]:
    """Return the top-level modules loaded when *program* ends."""
    report = "import sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_the_help_does_not_load_the_protocol() -> None:
    """It costs a second that a shell would feel each time."""
    loaded = _loaded_by(
        "from shadowgraph.cli.main import run\n"
        "try:\n    run(['--help'])\nexcept SystemExit:\n    pass"
    )

    assert set() == loaded & {"mcp", "mcp_types", "anyio"}


def test_the_library_loads_no_entry_point() -> None:
    """`from shadowgraph import Library` is for programs."""
    loaded = _loaded_by("import shadowgraph")

    assert set() == loaded & {"mcp", "mcp_types", "click", "anyio"}


def test_imports_point_down() -> None:
    """The contracts in pyproject.toml, kept by import-linter."""
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("import-linter is not installed, so the layers were not checked")
    done = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize("file", SOURCES, ids=_name)
def test_only_the_clock_reads_the_time(file: Path) -> None:
    """Everything below the entry points receives instants as values."""
    allowed = {"clock.py", "render.py"}
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.Call)
    }

    found = calls & {"datetime.now", "datetime.utcnow", "time.time", "date.today"}
    assert file.name in allowed or set() == found
