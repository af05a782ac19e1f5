"""Which operations are offered: a table and the declarations say the same."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from shadowgraph import operations
from shadowgraph.operations import REGISTRY, toolset
from shadowgraph.operations.offered import OFFERED, TOOLSETS
from shadowgraph.operations.registry import Registry, operation

MODULES = sorted(module.name for module in iter_modules(operations.__path__))


@pytest.mark.parametrize("name", OFFERED)
def test_an_offered_operation_is_declared_where_the_table_says(name: str) -> None:
    """With the toolset that the table says."""
    found = REGISTRY[name]

    assert OFFERED[name] == (found.toolset, found.run.__module__.rsplit(".", 1)[1])
    assert found.toolset in TOOLSETS


@pytest.mark.parametrize("module", MODULES)
def test_a_module_declares_nothing_that_is_not_offered(module: str) -> None:
    """A declaration that the table forgets would be found by nobody."""
    import_module(f"shadowgraph.operations.{module}")

    assert set(REGISTRY) == set(OFFERED)


def test_a_declaration_elsewhere_is_refused() -> None:
    """With what the table must say."""
    search = REGISTRY["shadowgraph_search"]
    declare = operation(
        "shadowgraph_search",
        title="x",
        description="x",
        request=search.request,
        reply=search.reply,
        toolset="graph",
    )

    with pytest.raises(ValueError, match=r"offered\.py must say of shadowgraph_search"):
        declare(search.run)


def test_what_is_not_offered_is_not_there() -> None:
    """Like in any mapping."""
    with pytest.raises(KeyError):
        Registry()["shadowgraph_nothing"]
    assert "shadowgraph_nothing" not in REGISTRY
    assert len(OFFERED) == len(REGISTRY) == len(toolset("all"))


def test_a_search_loads_no_module_of_another_operation() -> None:
    """Half the start of a command would be spent on them."""
    code = (
        "import sys; from shadowgraph.operations import REGISTRY;"
        " REGISTRY['shadowgraph_search'];"
        " print(*(m for m in sys.modules if m.startswith('shadowgraph.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()

    declaring = {f"shadowgraph.operations.{module}" for _, module in OFFERED.values()}
    assert {"shadowgraph.operations.searching"} == declaring & set(loaded)
    assert not any(module.startswith("shadowgraph.upstream") for module in loaded)
