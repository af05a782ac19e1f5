"""The table of upstream's faults: every row is held by tests that exist."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def table() -> ModuleType:
    """Return the module that reads the table."""
    file = DOCS / "upstream_faults.py"
    spec = importlib.util.spec_from_file_location("upstream_faults", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its own module up.
    sys.modules["upstream_faults"] = module
    spec.loader.exec_module(module)
    return module


def test_every_row_is_held_by_tests_that_exist(table: ModuleType) -> None:
    """`docs/generate.py` refuses to make the page otherwise."""
    assert [] == table.problems()


def test_every_weak_point_has_its_row(table: ModuleType) -> None:
    """Twenty-eight, numbered without a gap; the other groups are those of mended faults."""
    groups = table.groups()
    _, weak = groups["W"]

    assert [f"W{number}" for number in range(1, 29)] == [one.handle for one in weak]
    assert set("WPTDRLI") == set(groups)
    assert 1 >= len([one for _, rows in groups.values() for one in rows if one.open])


def test_a_row_that_no_test_holds_is_a_problem(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so is a name that is no test, of a file or in one."""
    names = '["rules/walk::nothing", "rules/nowhere::a", "rules/walk::no_relation_leads"]'
    data = '[W]\ntitle = "t"\n1 = { fault = "f", held = [] }\n'
    data += f'2 = {{ fault = "f", held = {names} }}\n'
    (tmp_path / "rows.toml").write_text(data, encoding="utf-8")
    monkeypatch.setattr(table, "DATA", tmp_path / "rows.toml")

    assert [
        "W1 is held by no test.",
        "W2 names rules/walk::nothing, which is no test.",
        "W2 names rules/nowhere::a, which is no test.",
        "W2 names rules/walk::no_relation_leads, which is no test.",
    ] == table.problems()
