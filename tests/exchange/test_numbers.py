"""A number that cannot be written as JSON again is refused before it is stored."""

import json

import pytest
from tests.store.bodies import attempt

from shadowgraph import Library
from shadowgraph.errors import ImportLineError
from shadowgraph.exchange import import_lines


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1E400", "NaN", "-Infinity"])
def test_a_number_that_would_become_infinite_is_refused(
    library: Library, number: str
) -> None:
    """Python reads it as infinity, and no other reader could read the line we would write."""
    line = json.dumps(attempt("attempt_1", weight=0.125)).replace("0.125", number)

    with pytest.raises(ImportLineError, match=r"^line 1: "):
        import_lines(library, [line])

    assert {} == library.store.counts()


@pytest.mark.parametrize("number", ["1e308", "-0.0", "12345678901234567890123", "5e-324"])
def test_a_number_at_the_edge_comes_back(library: Library, number: str) -> None:
    """Large, small and long numbers are numbers."""
    line = json.dumps(attempt("attempt_1", weight=0.125)).replace("0.125", number)
    import_lines(library, [line])

    with library.store.read() as selection:
        assert json.loads(number) == selection.every()[0].body["weight"]
