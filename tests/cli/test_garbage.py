"""Garbage is not looked for while modules load, and is afterwards."""

import subprocess
import sys
from collections.abc import Sequence

_HEAD = "import gc; from shadowgraph.cli import garbage\n"


def _printed(lines: Sequence[str]) -> list[str]:
    """Return what a process of its own prints: setting aside is for good."""
    code = _HEAD + "\n".join(lines)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_garbage_is_not_collected_while_modules_load_and_is_afterwards() -> None:
    """The collector is off inside the block and on behind it."""
    assert _printed(
        ["with garbage.loading(): print(gc.isenabled())", "print(gc.isenabled())"]
    ) == ["False", "True"]


def test_the_collector_is_on_again_when_a_module_cannot_be_imported() -> None:
    """An import that fails leaves it as it was."""
    lines = [
        "try: garbage.load('shadowgraph.cli.nothing')",
        "except ModuleNotFoundError: print(gc.isenabled())",
    ]
    assert _printed(lines) == ["True"]


def test_what_was_loaded_is_set_aside_once() -> None:
    """Looking a module up again sets nothing more aside."""
    before, first, again = map(
        int,
        _printed(
            [
                "print(gc.get_freeze_count())",
                "garbage.load('shadowgraph.cli.read'); print(gc.get_freeze_count())",
                "kept = [[] for _ in range(9000)]",
                "garbage.load('shadowgraph.cli.read'); print(gc.get_freeze_count())",
            ]
        ),
    )
    assert before < first
    assert again == first


def test_a_process_ends_with_everything_set_aside() -> None:
    """The last walk over all that a process holds has nothing to walk."""
    lines = [
        "import atexit",
        "atexit.register(lambda: print(len(gc.get_objects()) < 100))",
        "garbage.spare_the_end()",
    ]
    assert _printed(lines) == ["True"]
