"""The faults of similar systems, each with the tests that hold it or the reason for none.

The rows are data, `peer_faults.toml`; the tests are found by their names, so a row cannot
name one that does not exist. `problems` says which rows are neither held nor explained and
which tests no row stands for; `generate.py` makes the page and refuses while there are any.
"""

import ast
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).with_name("peer_faults.toml")
TESTS = Path(__file__).parents[1] / "tests" / "peer_faults"
_NAMED = re.compile(r"test_([a-o])(\d\d)_")


@dataclass(frozen=True, slots=True)
class Fault:
    """One row."""

    group: str
    number: int
    fault: str
    "What happens to users, in our words."
    out: str
    "Why no test holds it; empty when one does."
    tests: tuple[str, ...]
    "Names of the tests that hold it."

    @property
    def handle(self) -> str:
        """Letter and number."""
        return f"{self.group}{self.number}"


def tests() -> dict[str, list[tuple[str, str]]]:
    """Return file and name of every test by the handle it is named after."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file in sorted(TESTS.glob("test_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            named = _NAMED.match(getattr(node, "name", ""))
            if named:
                handle = f"{named[1].upper()}{int(named[2])}"
                found.setdefault(handle, []).append((file.name, named.string))
    return found


def groups() -> dict[str, tuple[str, list[Fault]]]:
    """Return the title and the rows of every group by its letter."""
    held = tests()
    found: dict[str, tuple[str, list[Fault]]] = {}
    for letter, rows in tomllib.loads(DATA.read_text(encoding="utf-8")).items():
        faults = [
            Fault(
                letter,
                int(number),
                row["fault"],
                row.get("out", ""),
                tuple(name for _, name in held.get(f"{letter}{number}", ())),
            )
            for number, row in rows.items()
            if number != "title"
        ]
        found[letter] = (rows["title"], faults)
    return found


def problems() -> list[str]:
    """Return what is wrong with the rows, a sentence each."""
    rows = [fault for _, faults in groups().values() for fault in faults]
    known = {fault.handle for fault in rows}
    found = [f"{f.handle} has neither a test nor a reason." for f in rows if _open(f)]
    found += [f"{f.handle} has a test and a reason." for f in rows if f.out and f.tests]
    found += [f"No row is called {one}." for one in sorted(set(tests()) - known)]
    return found


def _open(fault: Fault) -> bool:
    return not fault.out and not fault.tests
