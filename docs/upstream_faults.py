"""The faults of the upstream tool, each with the tests that hold it.

The rows are data, `upstream_faults.toml`. `problems` names the rows that no test holds, and
the tests that are named and do not exist; `generate.py` makes the page and refuses while
there are any. The faults of other systems are in `peer_faults`.
"""

import ast
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).with_name("upstream_faults.toml")
TESTS = Path(__file__).parents[1] / "tests"


@dataclass(frozen=True, slots=True)
class Fault:
    """One row."""

    handle: str
    "Letter and number."
    fault: str
    "What happens to users, in our words."
    held: tuple[str, ...]
    "The tests that hold it, as folder/file::name."
    open: str
    "What no test holds; mostly empty."


def groups() -> dict[str, tuple[str, list[Fault]]]:
    """Return the title and the rows of every group by its letter."""
    return {
        letter: (
            rows["title"],
            [
                Fault(
                    f"{letter}{number}",
                    row["fault"],
                    tuple(row["held"]),
                    row.get("open", ""),
                )
                for number, row in rows.items()
                if number != "title"
            ],
        )
        for letter, rows in tomllib.loads(DATA.read_text(encoding="utf-8")).items()
    }


def problems() -> list[str]:
    """Return what is wrong with the rows, a sentence each."""
    rows = [fault for _, faults in groups().values() for fault in faults]
    found = [f"{fault.handle} is held by no test." for fault in rows if not fault.held]
    return found + [
        f"{fault.handle} names {one}, which is no test."
        for fault in rows
        for one in fault.held
        if not _exists(one)
    ]


def function(one: str) -> tuple[Path, str]:
    """Return the file and the function that a row names.

    >>> function("rules/walk::a_cut_walk")[1]
    'test_a_cut_walk'
    """
    place, _, name = one.partition("::")
    folder, _, file = place.rpartition("/")
    return TESTS / folder / f"test_{file}.py", name if name[
        :1
    ].isupper() else f"test_{name}"


def _exists(one: str) -> bool:
    file, name = function(one)
    return file.is_file() and name in _names(file)


@lru_cache(maxsize=256)
def _names(file: Path) -> frozenset[str]:
    held = ast.parse(file.read_text(encoding="utf-8"))
    functions = {getattr(node, "name", "") for node in held.body}
    assigned = {
        target.id
        for node in held.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return frozenset(functions | assigned)
