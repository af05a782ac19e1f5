"""The table of faults: every row has a test that exists, or says why it has none."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def table() -> ModuleType:
    """Return the module that reads the table."""
    spec = importlib.util.spec_from_file_location("peer_faults", DOCS / "peer_faults.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its own module up.
    sys.modules["peer_faults"] = module
    spec.loader.exec_module(module)
    return module


def test_every_row_has_a_test_or_a_reason_and_every_test_a_row(table: ModuleType) -> None:
    """`docs/generate.py` refuses to make the page otherwise."""
    assert [] == table.problems()


def test_every_group_is_there_and_few_rows_have_no_test(table: ModuleType) -> None:
    """Fifteen groups; a reason is an exception."""
    groups = table.groups()
    rows = [fault for _, faults in groups.values() for fault in faults]

    assert "ABCDEFGHIJKLMNO" == "".join(groups)
    assert len([fault for fault in rows if fault.out]) <= len(rows) // 10


def test_a_row_without_test_and_reason_is_a_problem(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so is a row with both, and a test of no row."""
    data = '[A]\ntitle = "t"\n1 = { fault = "f", out = "o" }\n99 = { fault = "f" }\n'
    (tmp_path / "rows.toml").write_text(data, encoding="utf-8")
    monkeypatch.setattr(table, "DATA", tmp_path / "rows.toml")

    found = table.problems()
    assert "A99 has neither a test nor a reason." in found
    assert "A1 has a test and a reason." in found
    assert "No row is called A2." in found
